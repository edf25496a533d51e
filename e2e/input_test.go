package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// places are where a page may be while it is acted on: the active tab of its
// window, or behind another one.
var places = []string{"front", "background"}

// frontPage counts what the person's own tab notices of others.
const frontPage = `<title>in front</title><h1>in front</h1><script>
	let moved = 0; for (const type of ["blur", "focus", "visibilitychange", "freeze"]) addEventListener(type, () => moved++, true)</script>`

// inPlaces runs a test in an active tab and in one behind another, and sees that
// the active tab stays what it was.
func inPlaces(t *testing.T, html string, test func(t *testing.T, a *agent, first answer)) {
	t.Helper()
	inPlacesWith(t, html, nil, test)
}

// inPlacesWith is inPlaces with flags for the servers.
func inPlacesWith(t *testing.T, html string, flags []string, test func(t *testing.T, a *agent, first answer)) {
	t.Helper()
	for _, place := range places {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			a := own(t, flags...).agent(t)
			s := newSite(t, html).page("/front", frontPage)
			if place == "front" {
				test(t, a, a.ok("browser_tab_open", args{"url": s.URL, "front": true}))
				return
			}
			front := a.ok("browser_tab_open", args{"url": s.URL + "/front", "front": true}).page("t")
			state := `document.visibilityState + " " + document.hasFocus() + " " + moved`
			before := a.value(state)
			test(t, a, a.open(s.URL))
			a.ok("browser_tab_focus", args{"pageId": front})
			if after := a.value(state); after != before || !strings.Contains(after, "visible") {
				t.Fatalf("the active tab was %s and is now %s", before, after)
			}
		})
	}
}

func TestB28Clicks(t *testing.T) {
	inPlaces(t, `<button id=b oncontextmenu="return false">Target</button><p id=log>-</p><script>
		for (const type of ["click", "auxclick", "dblclick", "mousedown"]) b.addEventListener(type, e =>
			log.textContent += " " + [type, e.button, e.detail, e.ctrlKey && "ctrl", e.shiftKey && "shift", e.altKey && "alt"].filter(x => x !== false).join("/"))</script>`,
		func(t *testing.T, a *agent, first answer) {
			ref := first.ref("button", "Target")
			a.ok("browser_click", args{"ref": ref}).has("click/0/1")
			a.ok("browser_click", args{"ref": ref, "button": "right"}).has("auxclick/2/1")
			a.ok("browser_click", args{"ref": ref, "button": "middle"}).has("auxclick/1/1")
			a.ok("browser_click", args{"ref": ref, "count": 2}).has("dblclick/0/2")
			a.ok("browser_click", args{"ref": ref, "modifiers": []string{"Control", "Shift"}}).has("click/0/1/ctrl/shift")
			a.ok("browser_click", args{"ref": ref, "modifiers": []string{"Alt"}}).has("click/0/1/alt")
		})
}

func TestB29Targets(t *testing.T) {
	inPlaces(t, `<p id=n>none</p><button class=save onclick="n.textContent='save'">Save draft</button>
		<button onclick="n.textContent='other'">Other</button><a href="#" onclick="n.textContent='link'; return false">Read more about it</a>
		<button class=twin>Twin</button><button class=twin>Twin</button>`,
		func(t *testing.T, a *agent, first answer) {
			// None follows one that leads to the same text: that would be no change.
			for _, c := range [][2]string{
				{".save", "save"}, {"text=Read more", "→ link"}, {`role=button[name="Other"]`, "other"}, {"xpath=//button[1]", "save"}, {"role=link", "→ link"},
			} {
				a.ok("browser_click", args{"selector": c[0]}).has(c[1])
			}
			a.ok("browser_click", args{"ref": first.ref(`"Other"`)}).has("other")
			an := a.fails("browser_click", args{"selector": ".twin"}).has("error:", "hint:")
			if n := len(refPattern.FindAllString(strings.SplitN(an.text, "hint:", 2)[0], -1)); n < 2 {
				t.Fatalf("the error lists %d of two matches:\n%s", n, an.text)
			}
			a.fails("browser_click", args{"selector": ".missing", "timeoutMs": 500}).has("error:", ".missing")
			a.fails("browser_click", args{"selector": "###"}).has("error:", "###")
		})
}

func TestB30CoveredElement(t *testing.T) {
	inPlaces(t, `<button>Below</button><div role=dialog aria-label="Cookies" style="position:fixed;inset:0;background:#fff8">We use cookies</div>`,
		func(t *testing.T, a *agent, first answer) {
			a.fails("browser_click", args{"ref": first.ref("button", "Below"), "timeoutMs": 1000}).has("error:", "covered", "Cookies").within(2 * time.Second)
		})
}

func TestB31DisabledAndReadonly(t *testing.T) {
	inPlaces(t, `<button disabled>Off</button><input aria-label="Fixed" readonly value=1><input aria-label="Shut" disabled>
		<button id=later disabled onclick="this.textContent='Now'">Later</button><input id=field aria-label="Field" readonly>`,
		func(t *testing.T, a *agent, first answer) {
			off := a.fails("browser_click", args{"ref": first.ref("button", "Off")}).has("error:", "disabled", "5s")
			if off.took < 4*time.Second || off.took > 9*time.Second {
				t.Fatalf("the default limit is 5 s; it took %s", off.took)
			}
			a.fails("browser_type", args{"ref": first.ref(`"Fixed"`), "text": "x", "timeoutMs": 400}).has("error:", "readonly", "400ms").within(1500 * time.Millisecond)
			a.fails("browser_type", args{"ref": first.ref(`"Shut"`), "text": "x", "timeoutMs": 400}).has("error:", "disabled").within(1500 * time.Millisecond)
			a.ok("browser_evaluate", args{"script": `setTimeout(() => later.disabled = false, 700); 1`})
			a.ok("browser_click", args{"ref": first.ref("button", "Later")}).has(`button "Now"`)
			a.ok("browser_evaluate", args{"script": `setTimeout(() => field.readOnly = false, 700); 1`})
			a.ok("browser_type", args{"ref": first.ref(`"Field"`), "text": "x"}).has(`"x"`)
		})
}

func TestB32MovingAndHidden(t *testing.T) {
	inPlaces(t, `<style>@keyframes go { from { margin-left: 0 } to { margin-left: 400px } }</style>
		<button style="animation: go 600ms linear forwards" onclick="this.textContent='caught'">Runner</button>
		<div style="height:3000px"></div><button onclick="this.textContent='reached'">Deep</button>
		<div style="height:100px;width:200px;overflow:auto"><div style="height:900px"></div><button onclick="this.textContent='inner'">Nested</button></div>`,
		func(t *testing.T, a *agent, first answer) {
			a.ok("browser_click", args{"ref": first.ref("button", "Runner")}).has("caught")
			a.ok("browser_click", args{"ref": first.ref("button", "Deep")}).has("reached")
			a.ok("browser_click", args{"ref": first.ref("button", "Nested")}).has(`button "inner"`)
		})
}

func TestB33Typing(t *testing.T) {
	inPlaces(t, `<form onsubmit="said.textContent='sent '+q.value; return false"><input id=q aria-label="Query"></form><p id=said>-</p>
		<textarea aria-label="Story"></textarea><div contenteditable aria-label="Rich" id=rich>old</div>
		<div tabindex=0 role=textbox aria-label="Code" id=code style="min-height:20px;border:1px solid"></div><p id=keys>0</p>
		<script>let n = 0; q.onkeydown = () => keys.textContent = ++n;
		code.onkeydown = e => { if (e.key.length === 1) code.textContent += e.key; }</script>`,
		func(t *testing.T, a *agent, first answer) {
			query := first.ref("textbox", `"Query"`)
			a.ok("browser_type", args{"ref": query, "text": "hello"}).has("hello")
			a.ok("browser_type", args{"ref": query, "text": "world", "clear": true, "submit": true}).has("sent world")
			a.ok("browser_type", args{"ref": query, "text": "abc", "clear": true, "slowly": true})
			if v := a.value(`q.value + " " + (n >= 3)`); !strings.Contains(v, "abc true") {
				t.Fatalf("typed key by key: %s", v)
			}
			a.ok("browser_type", args{"ref": first.ref("textbox", `"Story"`), "text": "line one\nline two"})
			if v := a.value(`document.querySelector("textarea").value`); !strings.Contains(v, `line one\nline two`) {
				t.Fatalf("the text area has %s", v)
			}
			a.ok("browser_type", args{"ref": first.ref(`"Rich"`), "text": "new", "clear": true})
			if v := a.value("rich.textContent"); v != `"new"` {
				t.Fatalf("the rich text has %s", v)
			}
			a.ok("browser_type", args{"ref": first.ref(`"Code"`), "text": "go"})
			if v := a.value("code.textContent"); v != `"go"` {
				t.Fatalf("the editor that listens to keys has %s", v)
			}
		})
}

func TestB35Select(t *testing.T) {
	inPlaces(t, `<select aria-label="Colour" onchange="said.textContent=this.value"><option value=r>Red<option value=g>Green<option value=b>Blue</select>
		<select aria-label="Sizes" multiple onchange="said.textContent=[...this.selectedOptions].map(o=>o.value)"><option value=s>Small<option value=m>Medium<option value=l>Large</select><p id=said>-</p>
		<style>.own, .own::picker(select) { appearance: base-select }</style>
		<select class=own aria-label="Own" onchange="said.textContent='own '+this.value"><button><selectedcontent></selectedcontent></button><option value=x><b>Ex</b> one<option value=y>Why</select>`,
		func(t *testing.T, a *agent, first answer) {
			colour := first.ref(`"Colour"`)
			a.ok("browser_select", args{"ref": colour, "values": []string{"g"}})
			check := func(want string) {
				t.Helper()
				if v := a.value("said.textContent"); v != want {
					t.Fatalf("selected %s, want %s", v, want)
				}
			}
			check(`"g"`)
			a.ok("browser_select", args{"ref": colour, "values": []string{"Blue"}})
			check(`"b"`)
			a.ok("browser_select", args{"ref": colour, "values": []string{"0"}})
			check(`"r"`)
			a.ok("browser_select", args{"ref": first.ref(`"Sizes"`), "values": []string{"s", "Large"}})
			check(`"s,l"`)
			own := first.ref(`combobox "Own"`)
			a.ok("browser_select", args{"ref": own, "values": []string{"Why"}})
			check(`"own y"`)
			opened := a.ok("browser_click", args{"ref": own}).has("expanded", `option "Ex one"`)
			a.ok("browser_click", args{"ref": opened.ref(`option "Ex one"`)})
			check(`"own x"`)
			a.fails("browser_select", args{"ref": colour, "values": []string{"Pink"}, "timeoutMs": 500}).has("error:", "Pink", "Green")
		})
}

func TestB37HoverAndKeys(t *testing.T) {
	inPlaces(t, `<style>.menu ul { display: none } .menu:hover ul { display: block }</style>
		<div class=menu><button>Menu</button><ul><li><a href="#x">Settings</a></ul></div>
		<input aria-label="Field" value="abc" id=f><p id=said>-</p><div id=box tabindex=0 role=button>Box</div>
		<script>document.onkeydown = e => said.textContent += " " + (e.ctrlKey ? "ctrl+" : "") + e.key</script>`,
		func(t *testing.T, a *agent, first answer) {
			first.lacks("Settings")
			a.ok("browser_hover", args{"ref": first.ref("button", "Menu")}).has("Settings")
			a.ok("browser_press", args{"keys": "Control+A", "ref": first.ref(`"Field"`)}).has("ctrl+a")
			if v := a.value("f.selectionEnd - f.selectionStart"); v != "3" {
				t.Fatalf("Control+A selected %s characters", v)
			}
			a.ok("browser_press", args{"keys": "Escape ArrowDown Shift+Tab"}).has("Escape ArrowDown")
			a.fails("browser_press", args{"keys": "Nokey"}).has("error:", "Nokey")
		})
}

func TestB39BackgroundTabIsDriven(t *testing.T) {
	t.Parallel()
	a := own(t).agent(t)
	asleep := make(chan struct{}, 9)
	s := newSite(t, `<button onclick="this.textContent='Clicked '+document.visibilityState; document.onvisibilitychange = () => document.hidden && fetch('/asleep')">Do</button>`).page("/front", frontPage).
		handle("/asleep", func(http.ResponseWriter, *http.Request) { asleep <- struct{}{} })
	front := a.ok("browser_tab_open", args{"url": s.URL + "/front", "front": true}).page("t")
	ref := a.open(s.URL).ref("button", "Do")
	a.ok("browser_click", args{"ref": ref}).has("Clicked").within(2 * time.Second)
	select {
	case <-asleep:
	case <-time.After(30 * time.Second):
		t.Fatal("after the action the background tab stays awake")
	}
	a.ok("browser_tab_focus", args{"pageId": front})
	if v := a.value(`moved + document.visibilityState`); v != `"0visible"` {
		t.Fatalf("the active tab noticed: %s", v)
	}
}
