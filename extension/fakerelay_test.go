package extension_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/tabrelay/tabrelay/extension"
)

// fakeRelay plays the relay: it keeps every event and lets a test wait for one.
type fakeRelay struct {
	t      testing.TB
	server *httptest.Server
	id     string
	key    []byte

	// mu guards the following.
	mu      sync.Mutex
	ws      *websocket.Conn
	lastID  int
	pending map[int]chan answer
	events  []event
	changed chan struct{} // closed and replaced with each event
	refuse  int           // close code for the next hello
	away    bool          // answers nobody
}

type answer struct {
	Result json.RawMessage `json:"result"`
	Error  *refusal        `json:"error"`
}

type refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (r *refusal) Error() string { return fmt.Sprintf("%s (%d)", r.Message, r.Code) }

type event struct {
	Method string `json:"method"`
	Params params `json:"params"`
	at     time.Time
}

// params are those of all events of the wire.
type params struct {
	tab
	Replaces  string          `json:"replaces"`
	Reason    string          `json:"reason"`
	All       bool            `json:"all"`
	SessionID string          `json:"sessionId"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`

	Protocol         int    `json:"protocol"`
	Nonce            string `json:"nonce"`
	MAC              string `json:"mac"`
	ExtensionVersion string `json:"extensionVersion"`
	InstallID        string `json:"installId"`
	Launch           string `json:"launch"`
	Browser          struct{ Name, Version, UserAgent string }
	Tabs             []tab `json:"tabs"`

	Filename string `json:"filename"`
	Path     string `json:"path"`
	State    string `json:"state"`
	Bytes    int    `json:"bytes"`
	TabID    string `json:"tabId"`
	GUID     string `json:"guid"`
	Name     string `json:"name"`
}

type tab struct {
	ID        id     `json:"id"`
	Title     string `json:"title"`
	URL       string `json:"url"`
	Active    bool   `json:"active"`
	WindowID  int    `json:"windowId"`
	OpenerID  string `json:"openerId"`
	Attached  bool   `json:"attached"`
	Discarded bool   `json:"discarded"`
}

// id is a tab's target id, or a download's number.
type id string

func (i *id) UnmarshalJSON(raw []byte) error {
	*i = id(strings.Trim(string(raw), `"`))
	return nil
}

func newFakeRelay(t testing.TB) *fakeRelay {
	r := &fakeRelay{t: t, id: "7d9c6a52-0000-4000-8000-00000005ec4e", key: []byte("a key of the tests that has 32 B"), pending: map[int]chan answer{}, changed: make(chan struct{})}
	r.server = httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(func() {
		r.drop(websocket.CloseGoingAway, "")
		r.server.Close()
	})
	return r
}

func (r *fakeRelay) address() string { return strings.TrimPrefix(r.server.URL, "http://") }

func (r *fakeRelay) serve(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	away := r.away
	r.mu.Unlock()
	if away || req.URL.Path != "/extension/"+r.id {
		http.NotFound(w, req)
		return
	}
	upgrader := websocket.Upgrader{CheckOrigin: func(req *http.Request) bool {
		return req.Header.Get("Origin") == "chrome-extension://"+extension.ID
	}}
	ws, err := upgrader.Upgrade(w, req, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	if err := r.prove(ws, r.key, req.Host); err != nil {
		r.record(event{Method: "refused", Params: params{Reason: err.Error()}})
		return
	}
	for first := true; ; first = false {
		_, text, err := ws.ReadMessage()
		if err != nil {
			return
		}
		var frame struct {
			ID int `json:"id"`
			answer
			event
		}
		if err := json.Unmarshal(text, &frame); err != nil {
			r.t.Errorf("%s: %v", text, err)
			return
		}
		r.mu.Lock()
		if first {
			if frame.Method != "hello" {
				r.t.Errorf("first frame is %s", text)
			}
			if code := r.refuse; code != 0 {
				r.refuse = 0
				r.mu.Unlock()
				closeWith(ws, code, "update the extension: tabrelay extension")
				r.record(frame.event)
				for err == nil { // with something unread, the close frame might be lost
					_, _, err = ws.ReadMessage()
				}
				return
			}
			r.ws = ws
		}
		if frame.ID != 0 {
			if done := r.pending[frame.ID]; done != nil {
				done <- frame.answer
				delete(r.pending, frame.ID)
			}
		}
		r.mu.Unlock()
		if frame.Method != "" {
			r.record(frame.event)
		}
	}
}

// prove does what comes before hello, with a key, as if dialled at an address.
func (r *fakeRelay) prove(ws *websocket.Conn, key []byte, address string) error {
	nonce := base64.RawURLEncoding.EncodeToString([]byte(rand.Text() + rand.Text())[:32])
	if err := ws.WriteJSON(map[string]any{"method": "prove", "params": args{"nonce": nonce, "protocol": []int{2, 2}}}); err != nil {
		return err
	}
	var e event
	if err := ws.ReadJSON(&e); err != nil {
		return err
	}
	if e.Method != "prove" || e.Params.Protocol != 2 {
		r.t.Errorf("the extension begins with %+v", e)
	}
	mac := func(role string) string {
		m := hmac.New(sha256.New, key)
		fmt.Fprintf(m, "tabrelay\n%s\n%s\n%s\n%s", role, address, nonce, e.Params.Nonce)
		return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
	}
	if err := ws.WriteJSON(map[string]any{"method": "proof", "params": args{"mac": mac("relay")}}); err != nil {
		return err
	}
	var proof event
	if err := ws.ReadJSON(&proof); err != nil {
		return err
	}
	if proof.Method != "proof" || proof.Params.MAC != mac("extension") {
		r.t.Errorf("the extension proves with %+v", proof)
	}
	return nil
}

func (r *fakeRelay) record(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.at = time.Now()
	r.events = append(r.events, e)
	close(r.changed)
	r.changed = make(chan struct{})
}

func closeWith(ws *websocket.Conn, code int, reason string) {
	ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(time.Second))
}

// drop closes the extension's socket, if there is one.
func (r *fakeRelay) drop(code int, reason string) {
	r.mu.Lock()
	ws := r.ws
	r.ws = nil
	r.mu.Unlock()
	if ws != nil {
		closeWith(ws, code, reason)
		ws.Close()
	}
}

// setAway makes it answer nobody, or everybody again.
func (r *fakeRelay) setAway(away bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.away = away
}

// mark is a place in the story; await looks from there on.
func (r *fakeRelay) mark() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.events)
}

func (r *fakeRelay) since(mark int) []event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]event(nil), r.events[mark:]...)
}

func (r *fakeRelay) await(mark int, method string, match func(params) bool) event {
	r.t.Helper()
	deadline := time.After(patience)
	for at := mark; ; {
		r.mu.Lock()
		changed := r.changed
		fresh := r.events[at:]
		r.mu.Unlock()
		for _, e := range fresh {
			if e.Method == method && (match == nil || match(e.Params)) {
				return e
			}
		}
		at += len(fresh)
		select {
		case <-changed:
		case <-deadline:
			for _, e := range r.since(mark) {
				r.t.Logf("%s %s %q %s %s", e.Method, e.Params.ID, e.Params.URL, e.Params.Method, e.Params.Reason)
			}
			r.t.Fatalf("no %s", method)
		}
	}
}

// cdpEvent awaits an event of the debugger.
func (r *fakeRelay) cdpEvent(mark int, tabID, method string) params {
	r.t.Helper()
	return r.await(mark, "forwardCDPEvent", func(p params) bool { return string(p.ID) == tabID && p.Method == method }).Params
}

// ask sends a command; err is a *refusal.
func (r *fakeRelay) ask(method string, args any) (json.RawMessage, error) {
	r.t.Helper()
	done := make(chan answer, 1)
	r.mu.Lock()
	r.lastID++
	r.pending[r.lastID] = done
	ws := r.ws
	if ws == nil {
		r.mu.Unlock()
		r.t.Fatal("not connected")
	}
	err := ws.WriteJSON(map[string]any{"id": r.lastID, "method": method, "params": args})
	r.mu.Unlock()
	if err != nil {
		r.t.Fatal(err)
	}
	select {
	case a := <-done:
		if a.Error != nil {
			return nil, a.Error
		}
		return a.Result, nil
	case <-time.After(patience):
		r.t.Fatalf("%s: no answer", method)
		return nil, nil
	}
}

type args map[string]any

func (r *fakeRelay) do(method string, a args, out any) {
	r.t.Helper()
	result, err := r.ask(method, a)
	if err != nil {
		r.t.Fatalf("%s: %v", method, err)
	}
	if out != nil {
		decode(r.t, result, out)
	}
}

func (r *fakeRelay) create(url string) tab {
	r.t.Helper()
	var made tab
	r.do("createTab", args{"url": url}, &made)
	return made
}

func (r *fakeRelay) cdp(tabID, method string, a args) json.RawMessage {
	r.t.Helper()
	result, err := r.ask("forwardCDPCommand", args{"id": tabID, "method": method, "params": a})
	if err != nil {
		r.t.Fatalf("%s: %v", method, err)
	}
	return result
}

// eval returns the JSON of an expression's value.
func (r *fakeRelay) eval(tabID, expression string) string {
	r.t.Helper()
	var value evaluation
	decode(r.t, r.cdp(tabID, "Runtime.evaluate", args{"expression": expression, "returnByValue": true, "userGesture": true}), &value)
	return string(value.Result.Value)
}
