package e2e

import (
	"net/http"
	"testing"
	"time"
)

func TestB65WorkerDiesDuringARead(t *testing.T) {
	p, a, s, _ := atWork(t, counter)
	call := a.later("browser_wait", args{"text": "here it is", "timeoutMs": 20000})
	c := p.cdp(t)
	session := c.attach(s.URL) // it goes through the relay, so the wait is on its way
	c.call(session, "Runtime.evaluate", args{"expression": "1"}, nil)
	p.killWorker()
	c.call(session, "Runtime.evaluate", args{"expression": "document.body.append('here it is')"}, nil)
	if an := <-call; an.failed {
		t.Fatal(an.text)
	}
}

func TestB65WorkerDiesDuringAnAction(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	begun := make(chan bool, 1)
	s := newSite(t, `<button onclick="this.n = (this.n || 0) + 1; const r = new XMLHttpRequest(); r.open('POST', '/slow', false); r.send(); this.textContent='Clicked '+this.n">Click</button>`)
	end := make(chan bool)
	s.handle("/slow", func(http.ResponseWriter, *http.Request) { begun <- true; <-end })
	an := a.open(s.URL)
	call := a.later("browser_click", args{"ref": an.ref("button", "Click"), "timeoutMs": 20000})
	<-begun
	p.killWorker()
	gone := time.Now()
	an = <-call
	if late := time.Since(gone); late > 8*time.Second { // the page hangs too, so looking at it takes its time
		t.Errorf("the answer came %s after the worker had gone", late)
	}
	close(end)
	if !an.failed {
		t.Fatal(an.text)
	}
	an.has("error:", "the connection to the browser was lost while the call ran", "hint:", "snapshot")
	a.ok("browser_snapshot", nil).has(`button "Clicked 1"`)
}
