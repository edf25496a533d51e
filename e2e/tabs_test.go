package e2e

import (
	"strings"
	"testing"
	"time"
)

func TestB45NewTabs(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<title>Opener</title><button onclick="window.open('/pop?1')">Open</button><button onclick="window.open('/pop?2', '', 'noopener')">Noopener</button>
		<a href="/pop?3" target=_blank>Blank</a><a href="/pop?4">Plain</a>`)
	s.page("/pop", `<title>Popup</title><h1>popup</h1><button onclick="this.textContent='hit'">Inside</button>`)
	a := newAgent(t)
	an := a.open(s.URL)
	for _, c := range []args{
		{"ref": an.ref("button", `"Open"`)}, {"ref": an.ref("button", "Noopener")}, {"ref": an.ref("link", "Blank")},
		{"ref": an.ref("link", "Plain"), "modifiers": []string{"Control"}},
	} {
		id := a.ok("browser_click", c).has("tab opened:", "/pop?").page("tab opened:")
		pop := a.ok("browser_snapshot", args{"pageId": id}).has(`heading "popup"`)
		a.ok("browser_click", args{"pageId": id, "ref": pop.ref("button", "Inside")}).has("hit")
		a.ok("browser_snapshot", nil).has(`link "Plain"`)
		a.ok("browser_tab_close", args{"pageId": id})
	}
}

func TestB46PopupClosesItself(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<title>Opener</title><button onclick="window.open('/pop')">Open</button>`).page("/pop", `<button onclick="window.close()">Close me</button>`)
	a := newAgent(t)
	id := a.ok("browser_click", args{"ref": a.open(s.URL).ref("button", "Open")}).page("tab opened:")
	pop := a.ok("browser_tab_focus", args{"pageId": id}).text
	ref := a.ok("browser_snapshot", nil).ref("button", "Close me")
	a.call("browser_click", args{"ref": ref}).has("tab closed: " + id)
	a.ok("browser_snapshot", nil).has(`button "Open"`)
	_ = pop
}

func TestB47Tabs(t *testing.T) {
	t.Parallel()
	a := own(t).agent(t)
	s := newSite(t, `<title>One</title><h1>one</h1>`).page("/two", `<title>Two</title><h1>two</h1>`)
	one := a.open(s.URL).page("t")
	two := a.open(s.URL + "/two").page("t")
	if one == two {
		t.Fatalf("both pages are %s", one)
	}
	a.ok("browser_tab_list", nil).line(one, "One")
	a.ok("browser_tab_list", nil).line(two, "Two")
	a.ok("browser_tab_focus", args{"pageId": one}).has("One")
	a.ok("browser_snapshot", nil).has(`heading "one"`)
	a.ok("browser_tab_close", args{"pageId": one}).has("tab closed: " + one)
	a.ok("browser_snapshot", nil).has(`heading "two"`)
	a.fails("browser_snapshot", args{"pageId": one}).has("error:", one, "hint:")
	a.fails("browser_tab_focus", args{"pageId": "t999"}).has("error:", "t999")
	a.ok("browser_tab_close", args{"pageId": two})
	list := a.ok("browser_tab_list", nil).text
	if strings.Contains(list, one) || strings.Contains(list, two) {
		t.Fatalf("closed tabs are still listed:\n%s", list)
	}
	if next := a.open(s.URL).has(`heading "one"`).page("t"); next == one || next == two {
		t.Fatalf("%s was used twice", next)
	}
}

func TestB48RendererCrash(t *testing.T) {
	t.Parallel()
	server := own(t)
	a := server.agent(t)
	s := newSite(t, `<h1>fragile</h1>`).page("/other", `<h1>other</h1>`)
	other := a.ok("browser_tab_open", args{"url": s.other() + "/other"}).page("t")
	page := a.open(s.URL).page("t")
	c := server.cdp(t)
	c.send(c.attach(s.URL), "Page.crash", nil)
	a.fails("browser_snapshot", args{"pageId": page}).has("error:", "crashed", "hint:", "browser_reload").within(5 * time.Second)
	a.ok("browser_snapshot", args{"pageId": other}).has(`heading "other"`)
	a.ok("browser_reload", args{"pageId": page}).has(`heading "fragile"`)
	a.ok("browser_snapshot", args{"pageId": page}).has(`heading "fragile"`)
}
