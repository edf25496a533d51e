package relay

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var walks = flag.Uint64("walks", 200, "how many random conversations are played")

// TestRandomWalks plays conversations that nobody thought of. Whatever
// happens, frames are valid, each message is answered once at most, and
// exactly once unless its session or its client ended before.
func TestRandomWalks(t *testing.T) {
	for seed := range *walks {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { newWalk(t, seed).run() })
	}
}

type walk struct {
	*talk
	t        *testing.T
	rand     *rand.Rand
	script   []string
	sessions map[string][]string          // by client
	owed     map[string]map[string]string // by client, message id to session
	pending  []string                     // ids of the extension's calls
	children int
	tabs     []string
	next     int
}

func newWalk(t *testing.T, seed uint64) *walk {
	return &walk{talk: newTalk(), t: t, rand: rand.New(rand.NewPCG(seed, 1)),
		sessions: map[string][]string{}, owed: map[string]map[string]string{}, tabs: []string{"T1", "T2"}, next: 100}
}

func (w *walk) run() {
	w.front = w.rand.IntN(2) == 0
	w.say("ext", "connects")
	w.hello()
	for range 300 {
		w.step()
	}
	w.say("ext", "closes")
	w.say("advance", "10m")
	for client, owed := range w.owed {
		for id, session := range owed {
			w.fail("%s never heard of %s in %q", client, id, session)
		}
	}
	h, kept := w.hub, 0
	for _, c := range w.clients {
		kept += c.client.flow.bytes
	}
	if len(h.deadlines) > 0 || len(h.calls) > 0 || len(h.tabs) > 0 || len(h.clients) > 0 || kept != 0 {
		w.fail("left over: %d deadlines, %d calls, %d tabs, %d clients, %d bytes",
			len(h.deadlines), len(h.calls), len(h.tabs), len(h.clients), kept)
	}
}

func (w *walk) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\nafter\n%s", fmt.Sprintf(format, args...), strings.Join(w.script, "\n"))
}

func (w *walk) hello() {
	var tabs []string
	for _, id := range w.tabs {
		tabs = append(tabs, fmt.Sprintf(`{"id":"%s","url":"http://x.test/","attached":%t}`, id, w.rand.IntN(2) == 0))
	}
	w.pending = nil
	w.say("ext>", `{"method":"hello","params":{"installId":"i","browser":{},"tabs":[`+strings.Join(tabs, ",")+`]}}`)
}

func pick[T any](w *walk, list ...T) T { return list[w.rand.IntN(len(list))] }

func (w *walk) step() {
	client := pick(w, "client1", "client2", "client3")
	tab := "NONE"
	if len(w.tabs) > 0 {
		tab = pick(w, w.tabs...)
	}
	up := w.hub.extension != nil
	switch n := w.rand.IntN(100); {
	case w.clients[client] == nil && n < 90:
		if !w.hub.admits() {
			return
		}
		w.owed[client], w.sessions[client] = map[string]string{}, nil
		w.say(client, "connects")
	case w.clients[client] != nil && n < 2:
		w.say(client, "closes")
		w.forget(client)
	case w.clients[client] != nil && n < 45:
		session := ""
		if s := w.sessions[client]; len(s) > 0 && w.rand.IntN(5) > 0 {
			session = pick(w, s...)
		}
		id := fmt.Sprint(w.next)
		w.next++
		target := tab
		params := pick(w, `{}`, `{"enabled":true}`, `{"enabled":false}`,
			`{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":true}`, `{"autoAttach":true,"flatten":true}`,
			`{"autoAttach":true,"flatten":true,"filter":[{}]}`, `{"autoAttach":false}`, `{"name":"b"}`,
			`{"discover":true,"filter":[{}]}`, `{"discover":true}`, `{"targetId":"`+target+`","flatten":true}`, `{"sessionId":"`+session+`"}`,
			`{"targetId":"F1"}`)
		method := pick(w, "Target.attachToTarget", "Target.attachToTarget", "Target.setAutoAttach", "Target.setAutoAttach",
			"Target.setDiscoverTargets", "Target.getTargets", "Target.detachFromTarget", "Target.createTarget", "Target.closeTarget",
			"Target.attachToBrowserTarget", "Runtime.enable", "Runtime.disable", "Page.enable", "Network.enable", "Page.reload",
			"Page.setLifecycleEventsEnabled", "Runtime.addBinding", "Runtime.evaluate", "Page.addScriptToEvaluateOnNewDocument",
			"Emulation.setLocaleOverride", "Runtime.runIfWaitingForDebugger", "Storage.getCookies", "Browser.getVersion",
			"Target.createBrowserContext", "Target.disposeBrowserContext", "Page.captureScreenshot", "Input.dispatchKeyEvent")
		if c := w.hub.contexts; len(c) > 0 && w.rand.IntN(2) == 0 {
			params = pick(w, params, `{"browserContextId":"`+pick(w, c...).id+`"}`)
		}
		if method == "Target.attachToTarget" {
			params = `{"targetId":"` + target + `","flatten":true}`
		}
		w.owed[client][id] = session
		m := fmt.Sprintf(`{"id":%s,"method":"%s","params":%s`, id, method, params)
		if session != "" {
			m += `,"sessionId":"` + session + `"`
		}
		w.say(client+">", m+"}")
	case up && n < 75 && len(w.pending) > 0:
		i := w.rand.IntN(min(3, len(w.pending)))
		id := w.pending[i]
		w.pending = append(w.pending[:i:i], w.pending[i+1:]...)
		if w.rand.IntN(8) == 0 {
			w.say("ext>", `{"id":`+id+`,"error":{"code":`+pick(w, "-32000", "-32001")+`,"message":"no"}}`)
		} else {
			w.say("ext>", `{"id":`+id+`,"result":{"id":"`+pick(w, "T1", "T9")+`","identifier":"1"}}`)
		}
	case up && n < 90:
		w.children++
		child := fmt.Sprintf("C%d", max(1, w.children-w.rand.IntN(3)))
		event := func(method, params string) {
			from := ""
			if w.rand.IntN(3) == 0 {
				from = `"sessionId":"` + fmt.Sprintf("C%d", max(1, w.children-w.rand.IntN(4))) + `",`
			}
			w.say("ext>", `{"method":"forwardCDPEvent","params":{"id":"`+tab+`",`+from+`"method":"`+method+`","params":`+params+`}}`)
		}
		switch w.rand.IntN(6) {
		case 0:
			event("Target.attachedToTarget", `{"sessionId":"`+child+`","targetInfo":{"targetId":"F1","type":"`+
				pick(w, "iframe", "worker", "service_worker")+`","url":""},"waitingForDebugger":`+pick(w, "true", "false")+`}`)
		case 1:
			event("Target.detachedFromTarget", `{"sessionId":"`+child+`"}`)
		case 2:
			event("Runtime.executionContextCreated", `{"context":{"id":1,"uniqueId":"u`+fmt.Sprint(w.rand.IntN(3))+`"}}`)
		case 3:
			event(pick(w, "Inspector.targetCrashed", "Inspector.targetReloadedAfterCrash", "Runtime.executionContextsCleared"), `{}`)
		case 4:
			event("Page.javascriptDialogOpening", `{}`)
		case 5:
			event("Page.lifecycleEvent", `{"frameId":"F","loaderId":"L","name":"init"}`)
		}
	case up && n < 96:
		switch w.rand.IntN(4) {
		case 0:
			w.tabs = append(w.tabs, fmt.Sprintf("T%d", len(w.tabs)+3))
			w.say("ext>", `{"method":"tabOpened","params":{"id":"`+w.tabs[len(w.tabs)-1]+`","url":"http://y.test/"}}`)
		case 1:
			w.say("ext>", `{"method":"tabUpdated","params":{"id":"`+tab+`","url":"`+pick(w, "http://z.test/", "chrome://x")+`","attached":`+pick(w, "true", "false")+`}}`)
		case 2:
			w.say("ext>", `{"method":"tabDetached","params":{"id":"`+tab+`","reason":"`+pick(w, "canceled_by_user", "target_closed", "replaced_with_devtools", "not_eligible")+`"}}`)
		case 3:
			for i, id := range w.tabs {
				if id == tab {
					w.tabs = append(w.tabs[:i:i], w.tabs[i+1:]...)
					break
				}
			}
			w.say("ext>", `{"method":"tabClosed","params":{"id":"`+tab+`"}}`)
		}
	case n < 98:
		w.say("advance", pick(w, "1s", "10s", "20s", "59s"))
	case up && n < 99:
		w.say("ext", "closes")
	default:
		w.say("ext", "connects")
		w.hello()
	}
}

func (w *walk) forget(client string) {
	delete(w.clients, client)
	delete(w.owed, client)
	delete(w.sessions, client)
}

// say plays one line and looks at what came of it.
func (w *walk) say(name, rest string) {
	w.script = append(w.script, name+" "+rest)
	if err := w.play(name, rest); err != nil {
		w.fail("%v", err)
	}
	out := w.out
	w.out = nil
	for _, line := range out {
		w.script = append(w.script, line)
		who, body, _ := strings.Cut(line, " ")
		if strings.HasPrefix(body, "closed ") {
			if who != "ext" {
				w.forget(who)
			}
			continue
		}
		who = strings.TrimSuffix(who, "<")
		var m struct {
			ID     json.Number
			Method string
			Params struct {
				SessionID string
			}
		}
		if err := json.Unmarshal([]byte(body), &m); err != nil {
			w.fail("%v", err)
		}
		if who == "ext" {
			w.pending = append(w.pending, m.ID.String())
			continue
		}
		if w.owed[who] == nil {
			w.fail("%s has gone", who)
		}
		if m.ID != "" {
			if _, ok := w.owed[who][m.ID.String()]; !ok {
				w.fail("%s was not owed %s", who, m.ID)
			}
			delete(w.owed[who], m.ID.String())
		}
		switch m.Method {
		case "Target.attachedToTarget":
			w.sessions[who] = append(w.sessions[who], m.Params.SessionID)
		case "Target.detachedFromTarget":
			for id, session := range w.owed[who] {
				if session == m.Params.SessionID {
					delete(w.owed[who], id)
				}
			}
			// A session that has ended is still tried now and then.
		}
	}
}
