package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReport(t *testing.T) {
	ms := func(all ...int) (m measured) {
		for _, n := range all {
			m.times = append(m.times, time.Duration(n)*time.Millisecond)
		}
		return m
	}
	results := []result{
		{peer{name: "Own", version: "1"}, map[string]measured{"navigate": ms(20, 30, 40), "evaluate": ms(2), "click behind": ms(5)}},
		{peer{name: "Other <&>", version: "2"}, map[string]measured{"navigate": ms(10, 12, 90), "evaluate": ms(3), "click behind": {fault: "timed out"}}},
	}
	document := filepath.Join(t.TempDir(), "benchmarks.md")
	if err := os.WriteFile(document, []byte("before\n<!-- peers -->\nold\n<!-- /peers -->\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write(document, table(results), results); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(document)
	for _, part := range []string{"before\n<!-- peers -->", "| navigate | 30 ms (20 ms–30 ms) | 12 ms (10 ms–12 ms) |", "| click behind | 5.0 ms | fails: timed out |", "ahead of Own in: navigate (Other <&>).", "![navigate](peers-navigate.svg)", "<!-- /peers -->\nafter"} {
		if !strings.Contains(string(data), part) {
			t.Errorf("%q is not in\n%s", part, data)
		}
	}
	if strings.Contains(string(data), "old") {
		t.Errorf("the old table is left:\n%s", data)
	}
	svg, err := os.Open(filepath.Join(filepath.Dir(document), "peers-navigate.svg"))
	if err != nil {
		t.Fatal(err)
	}
	defer svg.Close()
	for d := xml.NewDecoder(svg); err == nil; {
		_, err = d.Token()
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("the chart: %v", err)
	}
}

func TestRefs(t *testing.T) {
	for line, want := range map[string]string{
		`- button "Go" [e12]`: "e12", `  - button "Go" [active] [ref=e2] [cursor=pointer]`: "e2", `uid=1_4 button "Go"`: "1_4",
		`- checkbox "Go" [checked=false, ref=e30]`: "e30", `- button "Go" [f2e5]`: "f2e5",
	} {
		s := &session{last: line}
		if got, err := s.ref(t.Context(), "", "Go"); err != nil || got != want {
			t.Errorf("%s: %q, %v", line, got, err)
		}
	}
}
