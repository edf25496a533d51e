package settings

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tabrelay/tabrelay/tools"
)

// The daemon's working directory is another one.
func TestPathsOfAFlagAreAbsolute(t *testing.T) {
	for given, want := range map[string]bool{"": false, "chromium": false, "./chromium": true, "bin/chromium": true} {
		got, err := Agent{Choice: Choice{BrowserPath: given}}.Resolved()
		if err != nil || filepath.IsAbs(got.BrowserPath) != want {
			t.Errorf("%s became %s, %v", given, got.BrowserPath, err)
		}
	}
	dir := t.TempDir()
	t.Chdir(dir)
	got, err := Agent{Settings: tools.Settings{Root: []string{"."}}}.Resolved()
	if err != nil || len(got.Root) != 1 || !filepath.IsAbs(got.Root[0]) {
		t.Errorf("roots %v, %v", got.Root, err)
	}
}

// Every setting of an agent goes with it to the daemon.
func TestEachSettingGoesWithItsAgent(t *testing.T) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Agent]()) {
		if field.Anonymous {
			continue
		}
		var a, there Agent
		value := reflect.ValueOf(&a).Elem().FieldByIndex(field.Index)
		switch value.Kind() {
		case reflect.Bool:
			value.SetBool(true)
		case reflect.String:
			value.SetString("given")
		case reflect.Slice:
			value.Set(reflect.ValueOf([]string{"given"}))
		default:
			continue // the file's section, which has tests of its own
		}
		data, err := json.Marshal(a)
		if err == nil {
			err = json.Unmarshal(data, &there)
		}
		if err != nil || !reflect.DeepEqual(a, there) {
			t.Errorf("%s does not arrive: %s, %v", field.Name, data, err)
		}
	}
}
