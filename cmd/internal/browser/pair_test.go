package browser

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabrelay/tabrelay/extension"
)

func TestExtensionCommandWritesAPairedCopy(t *testing.T) {
	s := testState(t)
	var said bytes.Buffer
	if err := WriteOwn(&said, s, "", nil); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(s.Dir, "extension")
	for _, want := range []string{dir, "chrome://extensions", "Developer mode", "Load unpacked"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("does not say %q", want)
		}
	}
	if strings.Contains(said.String(), s.ExtensionKey) {
		t.Error("the key is printed")
	}
	var got pairing
	data, err := os.ReadFile(filepath.Join(dir, "pairing.json"))
	if err != nil || json.Unmarshal(data, &got) != nil {
		t.Fatalf("pairing: %s, %v", data, err)
	}
	if want := (pairing{Port: 8765, ID: s.ExtensionID, Key: s.ExtensionKey, Share: "chosen"}); got != want {
		t.Errorf("got %+v", got)
	}
	count := 0
	err = fs.WalkDir(extension.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		count++
		want, err := extension.Files.ReadFile(path)
		if err != nil {
			return err
		}
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not the same: %v", path, err)
		}
		return nil
	})
	if err != nil || count < 3 {
		t.Errorf("%d files, %v", count, err)
	}
	if runtime.GOOS != "windows" {
		if got := rights(t, filepath.Join(dir, "pairing.json")); got != 0o600 {
			t.Errorf("pairing.json: %o", got)
		}
		if got := rights(t, dir); got != 0o700 {
			t.Errorf("folder: %o", got)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".tabrelay-*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteExtension(t *testing.T) {
	files := fstest.MapFS{
		"manifest.json":  {Data: []byte(`{"key":"ours","version":"2"}`)},
		"a.js":           {Data: []byte("new")},
		"icons/16.png":   {Data: []byte("png")},
		"_locales/en/m":  {Data: []byte("deep")},
		"pairing.json":   {Data: []byte("never copied")},
		"page/ignore.js": {Data: []byte("")},
	}
	for name, test := range map[string]struct {
		before  map[string]string
		refused string
	}{
		"new":               {nil, ""},
		"older copy":        {map[string]string{"manifest.json": `{"key":"ours","version":"1"}`, "a.js": "old", "gone.js": "x"}, ""},
		"cut off":           {map[string]string{".tabrelay-1": "half"}, ""},
		"another extension": {map[string]string{"manifest.json": `{"key":"theirs"}`}, "contains something else"},
		"no key":            {map[string]string{"manifest.json": `{}`}, "contains something else"},
		"a home":            {map[string]string{"thesis.tex": "…"}, "thesis.tex"},
		"broken manifest":   {map[string]string{"manifest.json": `{"key":"ours"`}, "contains something else"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range test.before {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			err := writeExtensionFiles(dir, files, pairing{Key: "s"})
			if test.refused != "" {
				if err == nil || !strings.Contains(err.Error(), test.refused) {
					t.Fatalf("got %v", err)
				}
				entries, _ := os.ReadDir(dir)
				if len(entries) != len(test.before) {
					t.Errorf("the folder was touched: %v", entries)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]string{"a.js": "new", "icons/16.png": "png", "_locales/en/m": "deep"} {
				if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
					t.Errorf("%s: %q, %v", name, got, err)
				}
			}
			if got, _ := os.ReadFile(filepath.Join(dir, "pairing.json")); !strings.Contains(string(got), `"key": "s"`) {
				t.Errorf("pairing.json: %s", got)
			}
		})
	}
	t.Run("a file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := writeExtensionFiles(file, files, pairing{}); err == nil {
			t.Error("no error")
		}
	})
}

func rights(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}
