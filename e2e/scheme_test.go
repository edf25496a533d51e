package e2e

import "testing"

// TestB69LinkWithAnUnknownScheme clicks links that the browser cannot follow, for
// which it may end debugging of the tab, and goes on at once.
func TestB69LinkWithAnUnknownScheme(t *testing.T) {
	inPlaces(t, `<a id=brave href="brave://settings">settings</a> <a id=odd href="zzz-odd://x">odd</a> <a id=mail href="mailto:a@b.test">mail</a>
		<a id=chrome href="chrome://version">version</a> <button id=frame onclick="inner.src='zzz-odd://y'">frame</button><iframe id=inner></iframe>`,
		func(t *testing.T, a *agent, first answer) {
			next := newSite(t, `<h1>Next</h1>`)
			back := a.value("location.href")
			for _, id := range []string{"brave", "odd", "mail", "chrome", "frame"} {
				for range 2 {
					a.ok("browser_click", args{"selector": "#" + id, "snapshot": "none"})
					a.ok("browser_navigate", args{"url": next.URL}).has("Next")
					a.ok("browser_navigate", args{"url": back[1 : len(back)-1]}).has("settings")
					a.ok("browser_click", args{"selector": "#" + id, "snapshot": "none"})
					if v := a.value("document.title.length >= 0"); v != "true" {
						t.Fatal(v)
					}
				}
			}
		})
}
