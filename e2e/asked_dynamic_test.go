package e2e

import (
	"fmt"
	"net/http"
	"testing"
)

// TestDynamicSiteNeverAllowed holds that the focused tab's tools go, and that this
// is told, where it goes to a site that the person was not asked for, whom nobody
// asks by that; and that they come with the person's yes.
func TestDynamicSiteNeverAllowed(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := newSite(t, "")
	one, two, _ := s.threeHosts(t)
	s.handle("/page", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Title</title><button>Order tea</button><button onclick="location = '%s/page'">Leave</button>`, two)
	})
	d := p.decides()
	f := p.follower(t, "")
	f.ok("connect_browser", nil)
	f.told()
	d.asked(f.agent, "open_tab", args{"url": one + "/page"}, "http://one.localhost", "always")
	f.told()
	there := []string{"list_tabs", "open_tab", "focus_tab", "close_tab", "order_tea", "leave", "read_page", "find_on_page", "press_key", "back", "go_to"}
	closed := []string{"list_tabs", "open_tab", "focus_tab", "close_tab", "go_to"}
	f.lists(there...)

	// The person leaves.
	h := p.hand()
	h.chrome(fmt.Sprintf(`await chrome.tabs.update(await tab(%q), {url: %q})`, one, two+"/page"))
	f.told()
	f.lists(closed...)
	if asked := d.eval(`until(() => true).then(v => v.questions.length)`); asked != "0" {
		t.Errorf("%s questions", asked)
	}
	f.ok("go_to", args{"url": one + "/page"}).has("Order tea")
	f.told()
	f.lists(there...)

	// A call leaves, and the person says yes to the next.
	f.call("leave", nil).lacks("Order tea")
	f.told()
	f.lists(closed...)
	d.asked(f.agent, "go_to", args{"url": two + "/page"}, "http://two.localhost", "always").has("Order tea")
	f.told()
	f.lists(there...)
}
