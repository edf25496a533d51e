package e2e

import (
	"testing"
	"time"
)

func TestB40Alert(t *testing.T) {
	inPlaces(t, `<button onclick="alert('Careful'); this.textContent='went on'">Warn</button><button>Other</button>`,
		func(t *testing.T, a *agent, first answer) {
			a.ok("browser_click", args{"ref": first.ref("button", "Warn")}).has("dialog:", "alert", "Careful").within(3 * time.Second)
			a.fails("browser_click", args{"ref": first.ref("button", "Other")}).has("error:", "Careful", "browser_dialog").within(time.Second)
			a.ok("browser_dialog", args{"action": "accept"}).has(`button "went on"`)
			a.ok("browser_click", args{"ref": first.ref("button", "Other")})
		})
}

func TestB41Dialogs(t *testing.T) {
	inPlaces(t, `<button onclick="alert('one'); alert('two'); said.textContent='both'">Two</button>
		<button onclick="said.textContent = 'confirm ' + confirm('sure?')">Confirm</button>
		<button onclick="said.textContent = 'prompt ' + prompt('name?', 'Ann')">Prompt</button>
		<button onclick="setTimeout(() => alert('late'), 100)">Late</button><p id=said>-</p>`,
		func(t *testing.T, a *agent, first answer) {
			a.ok("browser_click", args{"ref": first.ref("button", "Two")}).has("one")
			a.ok("browser_dialog", args{"action": "accept"}).has("dialog:", "two")
			a.ok("browser_dialog", args{"action": "accept"}).has("both")
			for action, want := range map[string]string{"accept": "confirm true", "dismiss": "confirm false"} {
				a.ok("browser_click", args{"ref": first.ref("button", "Confirm")}).has("sure?")
				a.ok("browser_dialog", args{"action": action}).has(want)
			}
			a.ok("browser_click", args{"ref": first.ref("button", "Prompt")}).has("name?", "Ann")
			a.ok("browser_dialog", args{"action": "accept", "text": "Bob"}).has("prompt Bob")
			a.ok("browser_click", args{"ref": first.ref("button", "Prompt")})
			a.ok("browser_dialog", args{"action": "dismiss"}).has("prompt null")
			a.ok("browser_click", args{"ref": first.ref("button", "Late")}).has("dialog:", "late")
			a.ok("browser_dialog", args{"action": "accept"})
			a.fails("browser_dialog", args{"action": "accept"}).has("error:", "no dialog")
		})
}

func TestB41BeforeUnload(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	s := newSite(t, `<button onclick="onbeforeunload = e => e.preventDefault()">Guard</button>`).page("/next", `<h1>next</h1>`)
	an := a.open(s.URL)
	a.ok("browser_click", args{"ref": an.ref("button", "Guard")})
	a.call("browser_navigate", args{"url": s.URL + "/next"}).has("dialog: beforeunload").within(5 * time.Second)
	a.ok("browser_dialog", args{"action": "dismiss"})
	a.ok("browser_snapshot", nil).has(`button "Guard"`)
	a.call("browser_tab_close", nil).has("dialog: beforeunload").within(5 * time.Second)
	a.ok("browser_dialog", args{"action": "dismiss"})
	a.ok("browser_snapshot", nil).has(`button "Guard"`)
	a.call("browser_tab_close", nil).has("dialog: beforeunload").within(5 * time.Second)
	a.ok("browser_dialog", args{"action": "accept"}).has("tab closed")
}

// TestB41BeforeUnloadOfTheDynamicSet holds that close_tab of a page that asks first
// is done when the agent accepts, and given up when it dismisses.
func TestB41BeforeUnloadOfTheDynamicSet(t *testing.T) {
	t.Parallel()
	f := shared(t).follower(t, "")
	s := newSite(t, `<button onclick="onbeforeunload = e => e.preventDefault()">Guard</button>`)
	f.ok("connect_browser", args{"launch": true}).has(`"connected":true`)
	id := f.json("open_tab", args{"url": s.URL}).Tab.ID
	f.ok("guard", nil)
	for _, accept := range []bool{false, true} {
		f.fails("close_tab", nil).has("asks whether it may close").within(5 * time.Second)
		f.ok("answer_dialog", args{"accept": accept})
	}
	for _, tab := range f.json("list_tabs", nil).Tabs {
		if tab.ID == id {
			t.Errorf("tab %d is still there", id)
		}
	}
}

// TestB41DialogIsClosedByThePerson holds that a dialog which the person answers
// is none any more.
func TestB41DialogIsClosedByThePerson(t *testing.T) {
	p, a, s, an := atWork(t, `<button onclick="said.textContent = 'asked ' + confirm('sure?')">Ask</button><p id=said>-</p>`)
	ref := an.ref("button", "Ask")
	for range 2 {
		h := p.hand()
		tab := h.attach(s.URL)
		h.call(tab, "Page.enable", nil, nil)
		a.ok("browser_click", args{"ref": ref}).has("dialog: confirm", "sure?")
		a.fails("browser_click", args{"ref": ref}).has("dialog is open")
		h.call(tab, "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil)
		went := a.call("browser_wait", args{"text": "asked true"})
		for begin := time.Now(); went.failed && time.Since(begin) < 10*time.Second; { // until the word of it has come
			went = a.call("browser_wait", args{"text": "asked true"})
		}
		if went.failed {
			t.Fatal(went.text)
		}
		a.fails("browser_dialog", args{"action": "accept"}).has("error:", "no dialog")
		a.ok("browser_evaluate", args{"script": "said.textContent = '-'"})
	}
}

func TestB42ArmedDialog(t *testing.T) {
	inPlaces(t, `<button onclick="said.textContent = 'got ' + prompt('name?')">Ask</button><p id=said>-</p>`,
		func(t *testing.T, a *agent, first answer) {
			a.ok("browser_dialog", args{"action": "accept", "text": "Eve", "next": true})
			a.ok("browser_click", args{"ref": first.ref("button", "Ask")}).has("got Eve").lacks("dialog: prompt")
			a.ok("browser_click", args{"ref": first.ref("button", "Ask")}).has("dialog: prompt") // it was for one
			a.ok("browser_dialog", args{"action": "dismiss"}).has("got null")
		})
}

func TestB43AlertInTheOpenerOfAPopup(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<button onclick="window.w = window.open('/pop'); alert('behind')">Both</button>`).page("/pop", `<h1>popup</h1>`)
	a := newAgent(t)
	a.ok("browser_click", args{"ref": a.open(s.URL).ref("button", "Both")}).has("behind").within(5 * time.Second)
	a.ok("browser_dialog", args{"action": "accept"})
	a.ok("browser_snapshot", nil).has(`button "Both"`)
}
