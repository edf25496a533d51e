package e2e

import (
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/extension"
)

// TestAPageThatBricksItsTab holds that a tab which a page sent to an address of the
// extension's can be navigated away again, and closed.
func TestAPageThatBricksItsTab(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	s := newSite(t, `<title>Trap</title><button onclick="location='chrome-extension://`+extension.ID+`/options.html'">Go</button>`).page("/safe", `<h1>Safe</h1>`)
	an := a.open(s.URL)
	gone := a.call("browser_click", args{"ref": an.ref("button", "Go")})
	if strings.Contains(gone.text, "Server address") {
		t.Fatal(gone.text)
	}
	a.ok("browser_navigate", args{"url": s.URL + "/safe"}).has(`heading "Safe"`)
	a.ok("browser_navigate", args{"url": s.URL}).has("Trap")
}
