package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Forms that take a password, a code or a payment are sent with the person's leave,
// whichever way, and no other form asks for it.
func TestConfirmSubmits(t *testing.T) {
	const sent = `<script>let n=0;addEventListener('submit',e=>{e.preventDefault();said.textContent='sent '+ ++n})</script><output id=said></output>`
	base := site(t, map[string]string{
		"/login": `<title>Login</title>` + sent + `<form id=f><input aria-label=User id=user><input type=password id=pass aria-label=Password><input type=checkbox id=stay aria-label=Stay>
			<button id=in><span id=word>Log in</span></button><button type=button id=eye>Show</button></form><button form=f id=out>Outside</button><label for=in id=label>Log in</label>
			<form id=find><input aria-label=Search id=q><button id=go>Find</button></form><a href="#x" id=help>Help</a>`,
		"/pay": `<title>Pay</title>` + sent + `<form><label>Card <input autocomplete="section-a cc-number" id=card></label><input type=image id=pay alt=Pay></form>`,
		"/loose": `<title>Loose</title><output id=said></output><input autocomplete=one-time-code id=code aria-label=Code>
			<div role=button tabindex=0 id=ok onclick="said.textContent='sent'">Continue</div><a href="/login" id=away>Away</a>`,
		"/framed": `<title>Framed</title>` + sent + `<form>Name <input id=name aria-label=Name><iframe srcdoc="<input autocomplete=cc-csc aria-label=Code>"></iframe><button id=pay>Pay</button></form><button id=other type=button>Else</button>`,
		"/odd": `<title>Odd</title>` + sent + `<form><input type=password aria-label=Password><button role=switch aria-checked=false id=switch>Agree</button><button role=combobox aria-expanded=false id=combo>Country</button>
			<input id=mask aria-label=Mask oninput="value=''"></form>`,
		"/plain": `<title>Plain</title>` + sent + `<form><input id=a aria-label=A><button id=b>Send</button></form>`,
	})
	says := asNo
	o := Options{Settings: Settings{Bound: Policy{Confirm: []string{"submit"}}}}
	a := newAsked(t, eras[1], o, func(context.Context) *mcp.ElicitResult { return saying(says) })
	for _, c := range []struct {
		page, tool string
		args       args
		what       string // the field's purpose; "" where nobody is asked
	}{
		{"/login", "browser_click", args{"selector": "#in"}, "password"},
		{"/login", "browser_click", args{"selector": "#word"}, "password"},
		{"/login", "browser_click", args{"selector": "#out"}, "password"},
		{"/login", "browser_click", args{"selector": "#label"}, "password"},
		{"/login", "browser_click", args{"selector": "#f"}, "password"}, // the button is in it
		{"/login", "browser_click", args{"selector": "#find"}, ""},
		{"/login", "browser_click", args{"selector": "#eye"}, ""},
		{"/login", "browser_click", args{"selector": "#stay"}, ""},
		{"/login", "browser_click", args{"selector": "#go"}, ""},
		{"/login", "browser_click", args{"selector": "#help"}, ""},
		{"/login", "browser_type", args{"selector": "#pass", "text": "x"}, ""},
		{"/login", "browser_type", args{"selector": "#pass", "text": "x", "submit": true}, "password"},
		{"/login", "browser_type", args{"selector": "#user", "text": "x\n", "slowly": true}, "password"},
		{"/login", "browser_type", args{"selector": "#q", "text": "x", "submit": true}, ""},
		{"/login", "browser_press", args{"selector": "#user", "keys": "Enter"}, "password"},
		{"/login", "browser_press", args{"keys": "Enter"}, "password"}, // the field has the focus
		{"/login", "browser_press", args{"selector": "#q", "keys": "Tab Tab Enter"}, "password"},
		{"/login", "browser_press", args{"selector": "#in", "keys": "Space"}, "password"},
		{"/login", "browser_press", args{"selector": "#pass", "keys": "Space"}, ""},
		{"/login", "browser_mouse", args{"action": "click", "x": 5, "y": 5}, "password"},
		{"/login", "browser_mouse", args{"action": "move", "x": 5, "y": 5}, ""},
		{"/login", "browser_fill_form", args{"fields": []any{args{"selector": "#user", "value": "x"}, args{"selector": "#stay", "value": "true"}}}, ""},
		{"/login", "browser_batch", args{"steps": []any{args{"tool": "browser_click", "arguments": args{"selector": "#in"}}}}, "password"},
		{"/login", "browser_drag", args{"selector": "#in", "toSelector": "#in"}, "password"},
		{"/login", "browser_select", args{"selector": "#in", "values": []string{"x"}}, "password"},
		{"/odd", "browser_fill_form", args{"fields": []any{args{"selector": "#switch", "value": "true"}}}, "password"},
		{"/odd", "browser_fill_form", args{"fields": []any{args{"selector": "#combo", "value": "x"}}}, "password"},
		{"/odd", "browser_type", args{"selector": "#mask", "text": "x\n"}, "password"}, // nothing comes of it at once
		{"/pay", "browser_click", args{"selector": "#pay"}, "payment"},
		{"/loose", "browser_click", args{"selector": "#ok"}, "one-time code"},
		{"/loose", "browser_press", args{"selector": "#code", "keys": "Enter"}, "one-time code"},
		{"/loose", "browser_click", args{"selector": "#away"}, ""},
		{"/framed", "browser_click", args{"selector": "#pay"}, "payment"},
		{"/framed", "browser_press", args{"selector": "#name", "keys": "Enter"}, "payment"},
		{"/plain", "browser_click", args{"selector": "#b"}, ""},
	} {
		at, _ := json.Marshal(c.args)
		name := c.page + " " + c.tool + " " + string(at)
		if c.what == "" || c.tool != "browser_press" || c.args["selector"] != nil {
			a.ok("browser_navigate", args{"url": base + c.page})
		}
		a.put()
		text, failed := a.call(c.tool, c.args)
		q := a.put()
		switch {
		case c.what == "" && (q != nil || failed):
			t.Errorf("%s: asked is %q: %s", name, q, text)
		case c.what != "" && (len(q) != 1 || !strings.Contains(q[0], "? It sends a form with a "+c.what+" field: ") || !failed || !strings.Contains(text, "they said no")):
			t.Errorf("%s: asked is %q: %s", name, q, text)
		case c.what != "" && strings.Contains(a.ok("browser_snapshot", nil), "sent"):
			t.Errorf("%s: it was sent", name)
		}
	}
	says = asYes
	a.ok("browser_navigate", args{"url": base + "/login"})
	has(t, a.ok("browser_click", args{"selector": "#in"}), "sent 1", `clicked button "Log in"`)
	has(t, a.ok("browser_type", args{"selector": "#user", "text": "me", "submit": true}), "sent 2", `value: "me"`)
}

func TestConfirmSubmitsInOtherSets(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>Login</title><form onsubmit="event.preventDefault();said.textContent='sent '+user.value"><h2>Log in</h2>
		<label>User <input id=user name=user></label><label>Password <input type=password name=pass></label><button>Log in</button></form><output id=said></output>`})
	for set, c := range map[string]struct {
		open, send string
		to, args   args
	}{
		"facade":  {"browser_navigate", "browser_interact", args{"action": "goto", "url": base}, args{"action": "click", "selector": "role=button"}},
		"minimal": {"navigate", "interact", args{"url": base}, args{"action": "click", "element": args{"role": "button"}}},
		"dynamic": {"open_tab", "log_in", args{"url": base}, args{"user": "me", "password": "x"}},
	} {
		t.Run(set, func(t *testing.T) {
			says := asNo
			o := Options{Settings: Settings{Bound: Policy{Confirm: []string{"submit"}}}}
			o.Tools = set
			a := newAsked(t, eras[2], o, func(context.Context) *mcp.ElicitResult { return saying(says) })
			if set == "dynamic" {
				a.ok("connect_browser", nil)
			}
			a.ok(c.open, c.to)
			a.fails(c.send, c.args, "they said no")
			says = asYes
			a.ok(c.send, c.args)
			if q := a.put(); len(q) != 2 || !strings.Contains(q[1], "password field: ") {
				t.Errorf("asked is %q", q)
			}
		})
	}
}
