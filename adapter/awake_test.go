package adapter

import (
	"net/http"
	"testing"
	"time"
)

// TestAwakeBehind holds that a tab behind behaves as one in front also between
// calls, and sleeps some seconds after the last one. It runs alone: a tab of another
// test that closes in front may bring this one there.
func TestAwakeBehind(t *testing.T) {
	s := openHidden(t, `<button id=b onclick="document.title = 'Pressed'">Press</button><script>document.addEventListener('visibilitychange', () => fetch('/' + document.visibilityState))</script>`)
	hidden := make(chan time.Time, 10)
	s.site.mux.HandleFunc("/hidden", func(http.ResponseWriter, *http.Request) { hidden <- time.Now() })
	s.site.mux.HandleFunc("/visible", func(http.ResponseWriter, *http.Request) {})
	for name, do := range map[string]func(){
		"click": func() { s.click("#b", ClickOptions{}) },
		"wait": func() {
			s.is("void setTimeout(() => document.title = 'Later', 100)", "undefined")
			if err := s.Wait(s.within(20*time.Second), WaitOptions{Predicate: "document.title === 'Later'"}); err != nil {
				t.Error(err)
			}
		},
	} {
		s.is("document.visibilityState", `"hidden"`)
		do()
		begin := time.Now()
		s.Rest(t.Context())
		s.is("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.visibilityState + document.hasFocus()))))", `"visibletrue"`)
		select {
		case at := <-hidden:
			if took := at.Sub(begin); took < awakeFor {
				t.Errorf("after a %s it sleeps in %s", name, took)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("after a %s it does not sleep", name)
		}
		s.is("document.visibilityState", `"hidden"`)
	}
}
