package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestB98FloodsOfClients holds that an agent's calls go on beside two clients: one
// that sends as fast as it can, and one that asks for much and never reads.
func TestB98FloodsOfClients(t *testing.T) {
	t.Parallel()
	s := own(t)
	a := s.agent(t)
	web := newSite(t, `<button onclick="this.textContent='Clicked '+(this.n=(this.n||0)+1)">Click</button>`).page("/flood", `<h1>flood</h1>`)
	ref := a.open(web.URL).ref("button", "Click")
	ctx, stop := context.WithCancel(t.Context())
	var floods sync.WaitGroup
	defer floods.Wait()
	defer stop()
	var sent [2]atomic.Int64
	for i, expression := range []string{"'" + strings.Repeat("in", 8<<10) + "'.length", "'out'.repeat(20000)"} {
		c := s.cdp(t)
		c.call("", "Target.createTarget", args{"url": fmt.Sprintf("%s/flood?%d", web.URL, i)}, nil)
		session := c.attach(fmt.Sprintf("%s/flood?%d", web.URL, i))
		command, err := json.Marshal(map[string]any{"id": 1, "sessionId": session, "method": "Runtime.evaluate", "params": args{"expression": expression, "returnByValue": true}})
		if err != nil {
			t.Fatal(err)
		}
		_ = c.socket.SetReadDeadline(time.Time{})
		ends := context.AfterFunc(ctx, func() { c.socket.Close() }) // whatever it waits for
		t.Cleanup(func() { ends() })
		floods.Go(func() {
			for c.socket.WriteMessage(websocket.TextMessage, command) == nil { // until it is closed, by whom ever
				sent[i].Add(1)
			}
		})
		if i == 0 {
			floods.Go(func() {
				for {
					if _, _, err := c.socket.ReadMessage(); err != nil {
						return
					}
				}
			})
		}
	}
	a.ok("browser_click", args{"ref": ref, "timeoutMs": patience}).has("Clicked 1")
	a.ok("browser_evaluate", args{"script": "6*7", "timeoutMs": patience}).has("42")
	for i := range sent {
		if sent[i].Load() == 0 {
			t.Errorf("client %d sent nothing", i)
		}
	}
	t.Logf("the clients sent %d and %d commands", sent[0].Load(), sent[1].Load())
}
