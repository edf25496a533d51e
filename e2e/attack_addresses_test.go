package e2e

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/extension"
)

// keptFrom are addresses that no agent and no client comes to.
var keptFrom = []string{
	"file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd", "file:etc/passwd", "file://localhost/etc/passwd", "file:\\\\\\etc\\passwd", " file:///etc/passwd",
	"\tfile:///etc/passwd", "fi\nle:///etc/passwd", "f\tile:///etc/passwd", "\x00file:///etc/passwd", "view-source:file:///etc/passwd", "view-source:http://127.0.0.1/",
	"filesystem:file:///temporary/x", "filesystem:chrome-extension://" + extension.ID + "/temporary/x", "chrome://version", "CHROME://version", "chrome:version",
	"chrome://settings/passwords", "chrome://flags", "chrome-untrusted://print", "chrome-search://local-ntp/local-ntp.html", "about:version", "about:settings", "About:Version",
	"devtools://devtools/bundled/inspector.html", "chrome-devtools://devtools/bundled/inspector.html", "isolated-app://x", "edge://settings", "brave://settings", "opera://settings", "vivaldi://settings",
	"chrome-extension://" + extension.ID + "/options.html", "chrome-extension://" + extension.ID + "/popup.html", "chrome-extension://" + extension.ID + "/pairing.json",
	"Chrome-Extension://" + extension.ID + "/options.html", "chrome-extension://" + strings.Repeat("a", 32) + "/x.html", "blob:chrome-extension://" + extension.ID + "/x",
	"blob:file:///x", "moz-extension://x/", "javascript:location='file:///etc/passwd'", "data:text/html,<script>location='file:///etc/passwd'</script>",
}

// kept matches what shows that one of those was reached: its address as the page
// itself says it, or what stands in it.
var kept = regexp.MustCompile(`(?i)"(file|chrome|chrome-extension|chrome-untrusted|chrome-search|devtools|view-source|filesystem|edge|brave|isolated-app):|root:x:0`)

// reached is what an agent sees of where its page is.
func (a *agent) reached() string {
	an := a.call("browser_evaluate", args{"script": `location.href + " " + (document.body ? document.body.innerText : "").slice(0, 2000)`})
	if found := kept.FindString(an.text); found != "" && !an.failed {
		return excerpt(an.text)
	}
	return ""
}

// attackAddresses goes to each address in each way that an agent or a client has.
func attackAddresses(a *attacks) {
	s := own(a.t)
	site := newSite(a.t, `<h1>harmless</h1>`)
	agent := s.agent(a.t)
	agent.open(site.URL)
	// A page that went astray is led back; while it is being attached anew, another
	// takes its place.
	home := func() {
		if an := agent.call("browser_navigate", args{"url": site.URL}); an.failed {
			agent.open(site.URL)
		}
	}
	quoted := func(address string) string { return strings.ReplaceAll(excerptJSON(address), "</", `<\/`) }
	script := func(run func(address string) string) func(string) {
		return func(address string) {
			agent.call("browser_evaluate", args{"script": run(quoted(address)), "timeoutMs": 3000})
		}
	}
	ways := map[string]func(address string){
		"browser_navigate": func(address string) { agent.call("browser_navigate", args{"url": address, "timeoutMs": 3000}) },
		"browser_tab_open": func(address string) {
			if an := agent.call("browser_tab_open", args{"url": address, "timeoutMs": 3000}); !an.failed {
				defer func() { agent.call("browser_tab_close", nil) }()
				if got := agent.reached(); got != "" {
					a.in["browser_tab_open "+address] = got
				}
			}
		},
		"location":    script(func(address string) string { return "void (location.href = " + address + ")" }),
		"window.open": script(func(address string) string { return "void open(" + address + ", '_self')" }),
		"a link": script(func(address string) string {
			return "void Object.assign(document.createElement('a'), {href: " + address + "}).click()"
		}),
	}
	for _, way := range slices.Sorted(maps.Keys(ways)) {
		goes := ways[way]
		for _, address := range keptFrom {
			a.slowly(attack{way + " " + excerpt(address), func(*testing.T) string {
				goes(address)
				got := agent.reached()
				if an := agent.call("browser_evaluate", args{"script": "location.origin"}); an.failed || !strings.Contains(an.text, site.URL) {
					home()
				}
				return got
			}})
		}
	}
	c := s.cdp(a.t)
	c.call("", "Target.setDiscoverTargets", map[string]any{"discover": true}, nil)
	session := c.attach(site.URL)
	c.call(session, "Page.enable", nil, nil)
	for _, address := range keptFrom {
		ways := map[string]func(){
			"Page.navigate": func() { c.tries(session, "Page.navigate", args{"url": address}) },
			"Page.addScriptToEvaluateOnNewDocument": func() {
				m := c.tries(session, "Page.addScriptToEvaluateOnNewDocument", args{"source": "if (self === top) location = " + quoted(address)})
				var script struct{ Identifier string }
				_ = json.Unmarshal(m.Result, &script) // refused where the page is one of those
				c.tries(session, "Page.navigate", args{"url": site.URL + "/?again"})
				c.tries(session, "Page.removeScriptToEvaluateOnNewDocument", args{"identifier": script.Identifier})
			},
			"Runtime.evaluate": func() {
				c.tries(session, "Runtime.evaluate", args{"expression": "void (location = " + quoted(address) + ")"})
			},
		}
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			goes := ways[way]
			a.slowly(attack{way + " " + excerpt(address), func(*testing.T) string {
				goes()
				m := c.tries(session, "Runtime.evaluate", args{"expression": "location.href + ' ' + document.body?.innerText.slice(0, 200)", "returnByValue": true})
				if kept.Match(m.Result) {
					return excerpt(string(m.Result))
				}
				return ""
			}})
			if way != "Page.navigate" {
				c.tries(session, "Page.navigate", args{"url": site.URL})
			}
		}
		a.try(attack{"Target.createTarget " + excerpt(address), func(*testing.T) string {
			m := c.tries("", "Target.createTarget", args{"url": address})
			if m.Error != nil {
				return ""
			}
			created := struct{ TargetID string }{}
			decode(a.t, m.Result, &created)
			defer c.tries("", "Target.closeTarget", args{"targetId": created.TargetID})
			info := c.tries("", "Target.getTargetInfo", args{"targetId": created.TargetID})
			if kept.Match(info.Result) {
				return excerpt(string(info.Result))
			}
			return ""
		}})
	}
}
