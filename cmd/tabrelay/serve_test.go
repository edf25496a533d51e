package main

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tabrelay/tabrelay/cmd/internal/settings"
)

// Every flag that is an agent's goes with it to the daemon.
func TestEachFlagGoesWithItsAgent(t *testing.T) {
	process := map[string]bool{"Transport": true, "Port": true} // those of the process itself
	plain, err := (&serveFlags{}).agent()
	if err != nil {
		t.Fatal(err)
	}
	kind := reflect.TypeFor[serveFlags]()
	for _, field := range reflect.VisibleFields(kind) {
		if field.Anonymous || !field.IsExported() || process[field.Name] {
			continue
		}
		flags := &serveFlags{}
		value := reflect.ValueOf(flags).Elem().FieldByIndex(field.Index)
		switch value.Kind() {
		case reflect.Bool:
			value.SetBool(true)
		case reflect.String:
			value.SetString("given")
		case reflect.Slice:
			value.Set(reflect.ValueOf([]string{t.TempDir()}))
		default:
			t.Errorf("%s is of a kind that this test does not know", field.Name)
		}
		if got, err := flags.agent(); err != nil || reflect.DeepEqual(got, plain) {
			t.Errorf("%s does not reach the daemon (%v)", field.Name, err)
		}
	}
}

// The daemon's working directory is another one.
func TestPathsOfAFlagAreAbsolute(t *testing.T) {
	for given, want := range map[string]bool{"": false, "chromium": false, "./chromium": true, "bin/chromium": true} {
		got, err := (&serveFlags{Choice: settings.Choice{BrowserPath: given}}).agent()
		if err != nil || filepath.IsAbs(got.BrowserPath) != want {
			t.Errorf("%s became %s, %v", given, got.BrowserPath, err)
		}
	}
	dir := t.TempDir()
	t.Chdir(dir)
	got, err := (&serveFlags{Root: []string{"."}}).agent()
	if err != nil || len(got.Roots) != 1 || !filepath.IsAbs(got.Roots[0]) {
		t.Errorf("roots %v, %v", got.Roots, err)
	}
}
