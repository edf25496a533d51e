package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// hosts are names of this machine, each a site of its own to the browser, which
// gives each a process of its own.
var hosts = []string{"127.0.0.1", "localhost", "a.localhost", "b.localhost"}

// TestB76ChangesOfProcess holds that all that goes by a document goes on in the
// next one: each process counts its execution contexts from 1 again.
func TestB76ChangesOfProcess(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<title>home</title>`)
	s.page("/shop", `<h1 id=where></h1><button onclick="console.log('sold at ' + location.hostname); this.textContent = 'Sold'">Buy</button>
<iframe src="ORIGIN/inner" title=side></iframe><script>where.textContent = location.hostname</script>`)
	s.page("/inner", `<button onclick="this.textContent = 'Pressed'">Press</button>`)
	a := newAgent(t)
	a.open(s.URL)
	for round := range 3 {
		for _, host := range hosts {
			url := strings.Replace(s.URL, "127.0.0.1", host, 1) + fmt.Sprintf("/shop?%d", round)
			a.ok("browser_navigate", args{"url": url})
			if got := a.value(`({at: location.hostname, list: [1, {deep: true}]})`); got != `{"at":"`+host+`","list":[1,{"deep":true}]}` {
				t.Fatalf("at %s: %s", url, got)
			}
			shot := a.ok("browser_snapshot", nil).has(`heading "`+host+`"`, `button "Buy"`, `button "Press"`)
			a.ok("browser_click", args{"ref": shot.ref(`button "Buy"`)}).has(`"Sold"`)
			a.ok("browser_click", args{"ref": shot.ref(`button "Press"`)}).has(`"Pressed"`)
			a.ok("browser_evaluate", args{"script": "el => ({id: el.id})", "selector": "#where"}).has(`{"id":"where"}`)
			a.ok("browser_console", nil).has("sold at " + host)
		}
	}
}
