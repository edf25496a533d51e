package main

import (
	"bytes"
	"os"
	"testing"
)

func TestBundleIsFresh(t *testing.T) {
	want, err := bundle("../page")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../page/bundle.js")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("page/bundle.js is not what the modules of extension/page give: run `go generate ./extension`, and commit it with them")
	}
}
