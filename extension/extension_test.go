package extension_test

import (
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"regexp"
	"sort"
	"testing"

	"github.com/tabrelay/tabrelay/extension"
)

func TestIDFollowsFromTheManifestsKey(t *testing.T) {
	raw, err := extension.Files.ReadFile("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Key string }
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	key, err := base64.StdEncoding.DecodeString(manifest.Key)
	if err != nil {
		t.Fatal(err)
	}
	if id := idOf(key); id != extension.ID {
		t.Errorf("the key gives %s, ID is %s", id, extension.ID)
	}
}

// Every file is reached from the manifest, and every file that is named is there.
func TestFilesAreThoseThatChromeLoads(t *testing.T) {
	named := regexp.MustCompile(`["'](?:\./)?([a-z0-9_/]+\.(?:js|html|css|png|svg))["']`)
	reached := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if reached[name] {
			return
		}
		reached[name] = true
		text, err := extension.Files.ReadFile(name)
		if err != nil {
			t.Errorf("%s is named but not embedded", name)
			return
		}
		for _, match := range named.FindAllSubmatch(text, -1) {
			visit(string(match[1]))
		}
	}
	visit("manifest.json")
	visit("wake.html")                 // Opened by its address, to wake the worker.
	visit("_locales/en/messages.json") // By chrome.i18n.
	visit("policy.json")
	visit("suffixes.txt") // Fetched, as the pairing is, which stands beside a copy alone.

	var unused []string
	err := fs.WalkDir(extension.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !reached[path] {
			unused = append(unused, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(unused)
	if len(unused) > 0 {
		t.Errorf("embedded but never named: %v", unused)
	}
}
