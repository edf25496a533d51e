package relay

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/e2e/fuzz"
)

// FuzzConversation plays what a client and an extension may say in any order. The
// hub must survive it, and pass on nothing but JSON.
func FuzzConversation(f *testing.F) {
	seedConversations(f, "testdata/*.txt")
	fuzz.Run(f, func(t *testing.T, text string) { chatter(t, newTalk(), text) })
}

// FuzzProxyConversation is FuzzConversation with clients and foreign extensions of
// the proxy's protocol.
func FuzzProxyConversation(f *testing.F) {
	seedConversations(f, "testdata/proxy/*.txt")
	fuzz.Run(f, func(t *testing.T, text string) { chatter(t, newProxyTalk(), text) })
}

// seedConversations adds what is said in the conversations, without the answers.
func seedConversations(f *testing.F, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		f.Fatal("no conversations", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var said []string
		for _, line := range strings.Split(string(data), "\n") {
			if name, rest, _ := strings.Cut(line, " "); name != "" && name != "#" && !strings.HasSuffix(name, "<") && !strings.HasPrefix(rest, "closed ") {
				said = append(said, line)
			}
		}
		f.Add(strings.Join(said, "\n"))
	}
}

// chatter plays the lines that sockets could bring: each socket connects once, and
// says nothing after its end.
func chatter(t *testing.T, tk *talk, text string) {
	open := map[string]bool{}
	for n, line := range strings.Split(text, "\n") {
		name, rest, _ := strings.Cut(line, " ")
		who := strings.TrimSuffix(name, ">")
		stranger := tk.strangers != nil && (strings.HasPrefix(who, "mcp") || strings.HasPrefix(who, "far"))
		client := strings.HasPrefix(who, "client")
		begins := rest == "connects" || client && (rest == "connects apart" || strings.HasPrefix(rest, "connects to "))
		switch {
		case n > 500:
			return
		case name == "advance":
			if d, err := time.ParseDuration(rest); err != nil || d < 0 || d > time.Hour {
				continue
			}
		case name == "front" || name == "groups" || name == "renames":
		case who != "ext" && !client && !stranger:
			continue
		case name == who && begins && !open[who]:
			open[who] = true
		case name == who && (rest == "closes" || who == "ext" && rest == "disconnects") && open[who]:
			open[who] = false
		case name == who || !open[who] || begins || rest == "closes":
			continue
		}
		mine := false
		if tk.strangers != nil {
			mine, _ = tk.strangers.play(name, rest)
		}
		if !mine && tk.play(name, rest) != nil && begins {
			open[who] = false // it was not let in
		}
		for _, out := range tk.out {
			to, said, _ := strings.Cut(out, " ")
			if strings.HasPrefix(said, "INVALID ") {
				t.Fatalf("line %d, %s: passed on %s", n+1, line, out)
			}
			if strings.HasPrefix(said, "closed ") && open[to] {
				open[to] = false
				if c := tk.clients[to]; c != nil {
					tk.hub.disconnect(c.client)
				} else if to == "ext" {
					tk.hub.lose(tk.ext, false)
				}
			}
		}
		tk.out = nil
	}
}

// FuzzProxyFrame holds that nobody speaks of another tab or connection than its
// own, and that all else comes through.
func FuzzProxyFrame(f *testing.F) {
	for _, s := range []string{`{"id":1,"method":"x","params":{"tabId":7,"a":[1]},"connectionId":"P1"}`, `{"id":"a","method":"m","tabId":3}`,
		`{"params":{"tab\u0049d":7,"connectionId":"x","b":"\ud83d\ude00"}}`, `{"params":[]}`, `{"id":-0,"params":{"":{}}}`} {
		f.Add([]byte(s))
	}
	fuzz.Run(f, func(t *testing.T, data []byte) {
		frame, err := scanProxy(data)
		if (err == nil) != isObject(data) {
			t.Fatalf("%q: %v", data, err)
		}
		if err != nil {
			return
		}
		tab := int64(42)
		sent := map[string]any{}
		_ = json.Unmarshal(frame.params, &sent)
		if sent == nil {
			sent = map[string]any{}
		}
		delete(sent, "connectionId")
		sent["tabId"] = float64(tab)
		frame.method = []byte(`"m"`)
		sameJSON(t, frame.passed([]byte(`{`), &connection{id: "P1", tab: &tab}), map[string]any{"method": "m", "connectionId": "P1", "params": sent})
		if id := frame.replyID(); id != "" && !json.Valid([]byte(id)) {
			t.Fatalf("%q is answered with the id %q", data, id)
		}
		if !json.Valid(proxyResult(frame.replyID(), "P1", "result", empty)) || !json.Valid(proxyFailure(frame.replyID(), string(data))) {
			t.Fatalf("%q: an answer is not JSON", data)
		}
	})
}

// FuzzDropMember holds that a member that is dropped is gone, by whichever way it
// was written, and that the others stay.
func FuzzDropMember(f *testing.F) {
	f.Add([]byte(`{"a":1,"b":{"a":2},"\u0061":3}`), "a")
	f.Add([]byte(`{"browserContextId":"x","url":"http://one.test/"}`), "browserContextId")
	fuzz.Run(f, func(t *testing.T, object []byte, name string) {
		if _, err := scanMessage(object); err != nil {
			return
		}
		var want map[string]any
		if json.Unmarshal(object, &want) != nil {
			return // a number that is none here
		}
		delete(want, name)
		sameJSON(t, dropMember(object, name), want)
	})
}

func isObject(data []byte) bool {
	_, err := scanMessage(data)
	return err == nil
}

// sameJSON compares JSON with what it must say.
func sameJSON(t *testing.T, got []byte, want map[string]any) {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(got, &v); err != nil || !reflect.DeepEqual(v, want) {
		t.Fatalf("%q (%v), want %v", got, err, want)
	}
}
