package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/tabrelay/tabrelay/extension"
)

// between is a process that listens on a port of its own and passes all that it
// hears on, as somebody who wants to come between an extension and the relay.
type between struct {
	listener net.Listener

	mu    sync.Mutex
	heard bytes.Buffer // from the extension
}

func newBetween(t *testing.T, to string) *between {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &between{listener: l}
	t.Cleanup(func() { l.Close() })
	go func() { // ends with the listener
		for {
			one, err := l.Accept()
			if err != nil {
				return
			}
			other, err := net.Dial("tcp", "127.0.0.1:"+to)
			if err != nil {
				one.Close()
				continue
			}
			for _, way := range [][2]net.Conn{{one, other}, {other, one}} {
				go func() { // ends with either end
					var from io.Reader = way[0]
					if way[0] == one {
						from = io.TeeReader(one, b)
					}
					_, _ = io.Copy(way[1], from)
					one.Close()
					other.Close()
				}()
			}
		}
	}()
	return b
}

func (b *between) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.heard.Write(p)
}

// TestB88ProxyOnAnotherPort holds that who passes the proofs on comes no further,
// and that both ends say so.
func TestB88ProxyOnAnotherPort(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	way := newBetween(t, port)
	_, paired, _ := net.SplitHostPort(way.listener.Addr().String())
	p := launchPerson(t, port, paired)
	if _, err := p.says(regexp.MustCompile("extension refused")); err != nil {
		t.Fatal(err)
	}
	page := p.extensionPage()
	said := page.value(`new Promise(done => {
		const look = () => { const said = document.getElementById('reason').textContent; if (said.includes('is not the tabrelay')) done(said) };
		new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
		look();
	})`)
	if !strings.Contains(said, "127.0.0.1:"+paired) || !strings.Contains(said, "tabrelay extension") {
		t.Errorf("the options say %s", said)
	}
	way.mu.Lock()
	defer way.mu.Unlock()
	// A client's frames are masked, each with four bytes of its own: there are only the request and one short frame.
	_, frames, _ := bytes.Cut(way.heard.Bytes(), []byte("\r\n\r\n"))
	if len(frames) == 0 || len(frames) > 250 || !bytes.HasPrefix(way.heard.Bytes(), []byte("GET /extension/")) {
		t.Errorf("it heard %d bytes of frames", len(frames))
	}
}

// TestB88StatusTellsOfStrangers holds that `tabrelay status` says who was refused,
// and what to do.
func TestB88StatusTellsOfStrangers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	a, _ := d.front(d.managed()...)
	a.ok("browser_connect", nil)
	status := func() (s struct {
		Port    int
		Refused *struct{ Why string }
	}) {
		out, err := d.command("status", "--json").Output()
		if err == nil {
			err = json.Unmarshal(out, &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	now := status()
	if now.Refused != nil {
		t.Fatalf("refused %+v", now.Refused)
	}
	data, err := os.ReadFile(filepath.Join(d.dir, "relay.json"))
	var saved struct{ ExtensionID string }
	if err != nil || json.Unmarshal(data, &saved) != nil {
		t.Fatal(err)
	}
	c, _, err := websocket.DefaultDialer.Dial(fmt.Sprintf("ws://127.0.0.1:%d/extension/%s", now.Port, saved.ExtensionID),
		http.Header{"Origin": {"chrome-extension://" + extension.ID}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.WriteMessage(websocket.TextMessage, []byte(`{"method":"proof","params":{"mac":"none"}}`))
	closed(t, c, "tabrelay extension")
	if now = status(); now.Refused == nil || !strings.Contains(now.Refused.Why, "key") {
		t.Errorf("refused: %+v", now.Refused)
	}
	if out, err := d.command("status").Output(); err != nil || !strings.Contains(string(out), "an extension was refused") || !strings.Contains(string(out), "tabrelay extension") {
		t.Errorf("status says %s %v", out, err)
	}
	a.ok("browser_tab_list", nil)
}
