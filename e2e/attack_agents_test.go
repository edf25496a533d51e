package e2e

import (
	"strings"
	"testing"
)

// attackAgents reaches, as one agent, for what another one has.
func attackAgents(a *attacks) {
	s := own(a.t)
	const mine = "words-of-the-first-5e1d"
	site := newSite(a.t, `<title>First</title><p>`+mine+`</p><button>Go</button><input aria-label=Field><select aria-label=Choice><option>a</option></select><input type=file aria-label=File>`)
	first, second := s.agent(a.t), s.agent(a.t)
	an := first.open(site.URL)
	page := first.ok("browser_tab_list", nil).page(site.URL)
	ref := an.ref("button")
	const state = "[location.href, document.body.innerText, document.querySelector('input').value, scrollY, navigator.onLine].join()"
	before := first.value(state)
	for _, id := range []string{page, "t1", "t2", "t3", strings.ToUpper(page), page + " "} {
		for tool, with := range map[string]args{
			"browser_snapshot": {}, "browser_content": {}, "browser_find": {"text": "words"}, "browser_evaluate": {"script": "document.body.innerText"}, "browser_console": {},
			"browser_network": {}, "browser_screenshot": {}, "browser_pdf": {}, "browser_cookies": {"action": "get"}, "browser_storage": {"action": "get"}, "browser_click": {"ref": ref},
			"browser_type": {"ref": ref, "text": "x"}, "browser_press": {"keys": "a"}, "browser_hover": {"ref": ref}, "browser_navigate": {"url": "about:blank"}, "browser_reload": {}, "browser_back": {},
			"browser_tab_close": {}, "browser_tab_focus": {}, "browser_wait": {"text": mine, "timeoutMs": 200}, "browser_request": {"id": "r1"}, "browser_dialog": {"action": "accept"}, "browser_scroll": {},
			"browser_mouse": {"action": "click", "x": 10, "y": 10}, "browser_fill_form": {"fields": []args{{"selector": "input", "value": "x"}}}, "browser_select": {"selector": "select", "values": []string{"a"}},
			"browser_trace": {"action": "start"}, "browser_set_offline": {"offline": true}, "browser_route": {"action": "list"}, "browser_set_headers": {"headers": args{}},
		} {
			a.try(attack{tool + " of page " + id, func(*testing.T) string {
				with := with
				with["pageId"] = id
				an := second.call(tool, with)
				if shown, _, _ := strings.Cut(strings.ReplaceAll(an.text, "\""+mine+"\"", ""), "did not appear"); strings.Contains(shown, mine) {
					return excerpt(an.text)
				}
				if got := first.value(state); got != before {
					return excerpt(got)
				}
				return ""
			}})
		}
	}
	a.try(attack{"the list of tabs", func(*testing.T) string {
		if an := second.ok("browser_tab_list", nil); strings.Contains(an.text, site.URL) {
			return excerpt(an.text)
		}
		return ""
	}})
	first.ok("browser_snapshot", nil).has(mine)
}
