package adapter_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// caseStubs stand in for the scripts of the public test pages: they note which
// elements are checked and leave the checking to this test.
const caseStubs = `
window.AriaUtils = {
	note(selector, expect) {
		for (const element of document.querySelectorAll(selector)) {
			if (expect.role) element.setAttribute('data-check-role', element.dataset.expectedrole ?? '');
			if (expect.generic) element.setAttribute('data-check-role', 'generic');
			if (expect.label) element.setAttribute('data-check-label', element.dataset.expectedlabel ?? '');
		}
	},
	verifyLabelsBySelector(selector) { this.note(selector, {label: true}); },
	verifyRolesBySelector(selector) { this.note(selector, {role: true}); },
	verifyGenericRolesBySelector(selector) { this.note(selector, {generic: true}); },
	verifyRolesAndLabelsBySelector(selector) { this.note(selector, {role: true, label: true}); },
	assignAndVerifyRolesByRoleNames(names) {
		for (const name of names) {
			const element = document.createElement('div');
			element.appendChild(document.createTextNode('x'));
			element.setAttribute('role', name);
			element.setAttribute('data-check-role', name.toLowerCase());
			document.body.appendChild(element);
		}
	},
};
window.promise_test = window.test = window.setup = window.add_completion_callback = window.done = () => {};
window.async_test = () => ({step() {}, step_func: (f) => f, done() {}});
`

// readCases says for each checked element what the page script computes, and
// what its line in the complete snapshot shows.
const readCases = `(() => {
	const lines = new Map();
	const shot = tabrelay.snapshot({next: 1, all: true, limit: 10000000});
	for (const line of shot.lines.split('\n')) {
		const found = /^\d+([\w-]+)(?:\t([^\x00-\x1f]*))?[^\f\r]*\f(e\d+)/.exec(line);
		if (found) lines.set(tabrelay.element(found[3]), {role: found[1], name: found[2] ?? ''});
	}
	const cases = Array.from(document.querySelectorAll('[data-check-role], [data-check-label]'), (element) => ({
		test: element.dataset.testname ?? element.getAttribute('role') ?? '',
		role: element.dataset.checkRole ?? null, label: element.dataset.checkLabel ?? null,
		computed: tabrelay.inspect(element), shown: lines.get(element) ?? {role: '', name: ''},
	}));
	return {cases, size: shot.shown};
})()`

// What the complete snapshots must show of the public cases, in percent, and
// what they may cost together, in characters: what Playwright MCP's take, which
// show less.
const (
	casesLabels = 98.0
	casesRoles  = 99.0
	casesSize   = 78_000
)

// TestOracleCases scores the public role and name cases under
// $TABRELAY_CASES/wpt, when the variable is set.
func TestOracleCases(t *testing.T) {
	root := os.Getenv("TABRELAY_CASES")
	if root == "" {
		t.Skip("TABRELAY_CASES is not set")
	}
	root = filepath.Join(root, "wpt")
	browser := newOracleBrowser(t)
	files := http.FileServer(http.Dir(root))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/aria-utils.js") {
			w.Header().Set("Content-Type", "text/javascript")
			w.Write([]byte(caseStubs))
			return
		}
		if strings.HasPrefix(r.URL.Path, "/resources/") {
			w.Header().Set("Content-Type", "text/javascript")
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	var score struct{ pages, size, roles, rolesRight, rolesShown, labels, labelsRight, labelsShown int }
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		world := browser.open(t, server.URL+"/"+filepath.ToSlash(name))
		var read struct {
			Size  int
			Cases []struct {
				Test            string
				Role, Label     *string
				Computed, Shown oracleNode
			}
		}
		browser.eval(t, world, readCases, &read)
		score.pages, score.size = score.pages+1, score.size+read.Size
		t.Logf("%-60s %6d characters", name, read.Size)
		for _, one := range read.Cases {
			if one.Role != nil {
				score.roles++
				want := caseRole(*one.Role)
				if caseRole(one.Computed.Role) == want {
					score.rolesRight++
				} else {
					t.Logf("%s: %s: role %q, want %q", name, one.Test, one.Computed.Role, want)
				}
				if caseRole(one.Shown.Role) == want {
					score.rolesShown++
				} else {
					t.Logf("%s: %s: shows role %q, want %q", name, one.Test, one.Shown.Role, want)
				}
			}
			if one.Label != nil {
				score.labels++
				want := strings.Join(strings.Fields(*one.Label), " ")
				if strings.Join(strings.Fields(one.Computed.Name), " ") == want {
					score.labelsRight++
				} else {
					t.Logf("%s: %s: name %q, want %q", name, one.Test, one.Computed.Name, want)
				}
				if strings.Join(strings.Fields(one.Shown.Name), " ") == want {
					score.labelsShown++
				} else {
					t.Logf("%s: %s: shows name %q, want %q", name, one.Test, one.Shown.Name, want)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	percent := func(part, whole int) float64 {
		if whole == 0 {
			return 100
		}
		return 100 * float64(part) / float64(whole)
	}
	t.Logf("computed: %d labels %.1f %%, %d roles %.1f %%", score.labels, percent(score.labelsRight, score.labels), score.roles, percent(score.rolesRight, score.roles))
	t.Logf("shown:    %d labels %.1f %%, %d roles %.1f %%", score.labels, percent(score.labelsShown, score.labels), score.roles, percent(score.rolesShown, score.roles))
	t.Logf("%d pages, %d characters", score.pages, score.size)
	if percent(score.labelsShown, score.labels) < casesLabels || percent(score.rolesShown, score.roles) < casesRoles || score.size > casesSize {
		t.Errorf("wanted are %.0f %% of the labels, %.0f %% of the roles, and at most %d characters", casesLabels, casesRoles, casesSize)
	}
}

// caseRole brings two spellings of one role together; what has no line is generic.
func caseRole(role string) string {
	switch role = strings.ToLower(role); role {
	case "img":
		return "image"
	case "none", "presentation", "", "clickable":
		return "generic"
	}
	return role
}
