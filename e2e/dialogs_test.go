package e2e

import (
	"testing"
	"time"
)

func TestB40Alert(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<button onclick="alert('Careful'); this.textContent='went on'">Warn</button><button>Other</button>`)
	a := newAgent(t)
	an := a.open(s.URL)
	a.ok("browser_click", args{"ref": an.ref("button", "Warn")}).has("dialog:", "alert", "Careful").within(3 * time.Second)
	a.fails("browser_click", args{"ref": an.ref("button", "Other")}).has("error:", "Careful", "browser_dialog").within(time.Second)
	a.ok("browser_dialog", args{"action": "accept"}).has(`button "went on"`)
	a.ok("browser_click", args{"ref": an.ref("button", "Other")})
}

func TestB41Dialogs(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<button onclick="alert('one'); alert('two'); said.textContent='both'">Two</button>
		<button onclick="said.textContent = 'confirm ' + confirm('sure?')">Confirm</button>
		<button onclick="said.textContent = 'prompt ' + prompt('name?', 'Ann')">Prompt</button>
		<button onclick="setTimeout(() => alert('late'), 100)">Late</button><p id=said>-</p>
		<button onclick="onbeforeunload = e => e.preventDefault()">Guard</button>`).page("/next", `<h1>next</h1>`)
	a := newAgent(t)
	an := a.open(s.URL)
	a.ok("browser_click", args{"ref": an.ref("button", "Two")}).has("one")
	a.ok("browser_dialog", args{"action": "accept"}).has("dialog:", "two")
	a.ok("browser_dialog", args{"action": "accept"}).has("both")
	for action, want := range map[string]string{"accept": "confirm true", "dismiss": "confirm false"} {
		a.ok("browser_click", args{"ref": an.ref("button", "Confirm")}).has("sure?")
		a.ok("browser_dialog", args{"action": action}).has(want)
	}
	a.ok("browser_click", args{"ref": an.ref("button", "Prompt")}).has("name?", "Ann")
	a.ok("browser_dialog", args{"action": "accept", "text": "Bob"}).has("prompt Bob")
	a.ok("browser_click", args{"ref": an.ref("button", "Late")}).has("dialog:", "late")
	a.ok("browser_dialog", args{"action": "accept"})
	a.fails("browser_dialog", args{"action": "accept"}).has("error:", "no dialog")
	a.ok("browser_click", args{"ref": an.ref("button", "Guard")})
	a.call("browser_navigate", args{"url": s.URL + "/next"}).has("beforeunload").within(5 * time.Second)
	a.ok("browser_dialog", args{"action": "dismiss"})
	a.ok("browser_snapshot", nil).has(`button "Guard"`)
	a.call("browser_tab_close", nil).has("beforeunload").within(5 * time.Second)
	a.ok("browser_dialog", args{"action": "accept"}).has("tab closed")
}

func TestB42ArmedDialog(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<button onclick="said.textContent = 'got ' + prompt('name?')">Ask</button><p id=said>-</p>`)
	a := newAgent(t)
	an := a.open(s.URL)
	a.ok("browser_dialog", args{"action": "accept", "text": "Eve", "next": true})
	a.ok("browser_click", args{"ref": an.ref("button", "Ask")}).has("got Eve").lacks("dialog: prompt")
}

func TestB43AlertInTheOpenerOfAPopup(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<button onclick="window.w = window.open('/pop'); alert('behind')">Both</button>`).page("/pop", `<h1>popup</h1>`)
	a := newAgent(t)
	a.ok("browser_click", args{"ref": a.open(s.URL).ref("button", "Both")}).has("behind").within(5 * time.Second)
	a.ok("browser_dialog", args{"action": "accept"})
	a.ok("browser_snapshot", nil).has(`button "Both"`)
}
