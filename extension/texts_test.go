package extension_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// texts are the keys of texts that pages and modules use: by their name, or by how it
// begins.
type texts struct {
	exact  map[string]bool
	begins []string
}

func (u texts) has(key string) bool {
	return u.exact[key] || slices.ContainsFunc(u.begins, func(begin string) bool { return strings.HasPrefix(key, begin) })
}

var (
	inPage = regexp.MustCompile(`data-(?:text|label|hint)="(\w+)"|__MSG_(\w+)__`)
	inCall = regexp.MustCompile(`\btext\('(\w+)'`)
	within = regexp.MustCompile("\\b(?:text|counted)\\(`?([^()]*)")
	quoted = regexp.MustCompile(`'(\w+)'`)
	begun  = regexp.MustCompile("`?(\\w+_)\\$\\{")
	counts = regexp.MustCompile(`counted\('(\w+)'`)
	handed = regexp.MustCompile(`tabs\('\w+', '\w+', .*, '(\w+)', '\w+'\);|step\('\w+', .*, '?(\w+)'?`)
)

// usedTexts looks for them.
func usedTexts(t *testing.T) texts {
	t.Helper()
	u := texts{exact: map[string]bool{}}
	for _, pattern := range []string{"*.html", "*.js", "manifest.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, pattern := range []*regexp.Regexp{inPage, inCall} {
				for _, m := range pattern.FindAllStringSubmatch(string(data), -1) {
					u.exact[strings.Join(m[1:], "")] = true
				}
			}
			if !strings.Contains(string(data), "words.js") {
				continue
			}
			for _, m := range counts.FindAllStringSubmatch(string(data), -1) {
				u.exact[m[1]+"_one"], u.exact[m[1]+"_many"] = true, true
			}
			for _, m := range handed.FindAllStringSubmatch(string(data), -1) {
				u.begins = append(u.begins, m[1])
			}
			for _, m := range within.FindAllString(string(data), -1) {
				for _, q := range quoted.FindAllStringSubmatch(m, -1) {
					u.begins = append(u.begins, q[1])
				}
				for _, b := range begun.FindAllStringSubmatch(m, -1) {
					u.begins = append(u.begins, b[1])
				}
			}
		}
	}
	u.begins = append(u.begins, "done_", "todo_")
	u.exact["once"], u.exact["always"], u.exact["no"] = true, true, true
	return u
}
