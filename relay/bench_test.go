package relay

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// benchDesk is a server with one extension, for a benchmark.
func benchDesk(b *testing.B) (*Server, string) {
	s := NewServer(Options{ExtensionOrigin: origin, ExtensionID: "e", ExtensionKey: testKey, ClientSecret: "c"})
	web := httptest.NewServer(s)
	url := "ws" + strings.TrimPrefix(web.URL, "http")
	ext, _, err := websocket.DefaultDialer.Dial(url+"/extension/e", http.Header{"Origin": {origin}})
	if err != nil {
		b.Fatal(err)
	}
	proveTo(b, ext, testKey, strings.TrimPrefix(web.URL, "http://"))
	if err := ext.WriteMessage(websocket.TextMessage, []byte(greeting("i"))); err != nil {
		b.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { // ends with the socket
		defer close(ended)
		answerAll(ext)
	}()
	b.Cleanup(func() {
		s.Close()
		ext.Close()
		<-ended
		web.Close()
	})
	if _, err := s.Wait(b.Context(), func(Browser) bool { return true }); err != nil {
		b.Fatal(err)
	}
	return s, url
}

// speaker sends evaluates and waits for each.
type speaker struct {
	conn    *websocket.Conn
	session string
}

func newSpeaker(b *testing.B, url string) *speaker {
	c, _, err := websocket.DefaultDialer.Dial(url+"/cdp/c", nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	s := &speaker{conn: c}
	attach := `{"id":1,"method":"Target.attachToTarget","params":{"targetId":"TAB1","flatten":true}}`
	if err := c.WriteMessage(websocket.TextMessage, []byte(attach)); err != nil {
		b.Fatal(err)
	}
	for s.session == "" {
		_, data, err := c.ReadMessage()
		if err != nil {
			b.Fatal(err)
		}
		f, _ := scanMessage(data)
		s.session = string(text(member(f.result, "sessionId")))
	}
	return s
}

func (s *speaker) ask(b *testing.B, id, size int) {
	m := `{"id":` + strconv.Itoa(id) + `,"method":"Runtime.evaluate","params":{"expression":"` + strconv.Itoa(size) + `"},"sessionId":"` + s.session + `"}`
	if err := s.conn.WriteMessage(websocket.TextMessage, []byte(m)); err != nil {
		b.Error(err)
		return
	}
	if _, _, err := s.conn.ReadMessage(); err != nil {
		b.Error(err)
	}
}

// BenchmarkRoundTrip is a command through the relay and back; what
// BenchmarkDirect takes is not the relay's share of it.
func BenchmarkRoundTrip(b *testing.B) {
	for _, size := range []int{200, 1 << 20} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			_, url := benchDesk(b)
			s := newSpeaker(b, url)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.ask(b, i+2, size)
			}
		})
	}
}

// BenchmarkDirect is the same exchange without a relay between.
func BenchmarkDirect(b *testing.B) {
	for _, size := range []int{200, 1 << 20} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			var running sync.WaitGroup
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				running.Add(1)
				defer running.Done()
				up := websocket.Upgrader{ReadBufferSize: 32 << 10, WriteBufferSize: 32 << 10}
				c, err := up.Upgrade(w, r, nil)
				if err != nil {
					return
				}
				defer c.Close()
				for {
					_, data, err := c.ReadMessage()
					if err != nil {
						return
					}
					f, _ := scanMessage(data)
					out := `{"id":` + string(f.id) + `,"result":{"value":"` + strings.Repeat("x", size) + `"}}`
					if c.WriteMessage(websocket.TextMessage, []byte(out)) != nil {
						return
					}
				}
			}))
			c, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(web.URL, "http"), nil)
			if err != nil {
				b.Fatal(err)
			}
			s := &speaker{conn: c, session: "S"}
			for i := 0; b.Loop(); i++ {
				s.ask(b, i+2, size)
			}
			c.Close()
			running.Wait()
			web.Close()
		})
	}
}

// BenchmarkClients is what twenty clients get through together.
func BenchmarkClients(b *testing.B) {
	const clients = 20
	_, url := benchDesk(b)
	speakers := make([]*speaker, clients)
	for i := range speakers {
		speakers[i] = newSpeaker(b, url)
	}
	b.ResetTimer()
	start := time.Now()
	var all sync.WaitGroup
	for n, s := range speakers {
		all.Go(func() {
			for i := n; i < b.N; i += clients {
				s.ask(b, i+2, 200)
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "commands/s")
}

// BenchmarkHub is the state machine alone, a command and its answer.
func BenchmarkHub(b *testing.B) {
	for _, size := range []int{200, 1 << 20} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			tk := newTalk()
			for _, line := range []string{
				"ext connects", "ext> " + greeting("i"), "client1 connects",
				`client1> {"id":1,"method":"Target.attachToTarget","params":{"targetId":"TAB1","flatten":true}}`,
				`ext> {"id":1,"result":{}}`,
			} {
				name, rest, _ := strings.Cut(line, " ")
				if err := tk.play(name, rest); err != nil {
					b.Fatal(err)
				}
			}
			client := tk.clients["client1"].client
			ext := &sink{}
			tk.hub.extension, client.peer = ext, ext
			command := []byte(`{"id":7,"method":"Runtime.evaluate","params":{"expression":"document.title"},"sessionId":"S04"}`)
			tail := `,"result":{"value":"` + strings.Repeat("x", size) + `"}}`
			answer := make([]byte, 0, size+100)
			b.ReportAllocs()
			for b.Loop() {
				tk.hub.receive(client, command)
				answer = strconv.AppendUint(append(answer[:0], `{"id":`...), tk.hub.lastCall, 10)
				answer = append(answer, tail...)
				if err := tk.hub.hear(ext, answer); err != nil {
					b.Fatal(err)
				}
			}
			if ext.frames != 2*b.N {
				b.Fatal(ext.frames, "frames for", b.N)
			}
		})
	}
}

type sink struct{ frames int }

func (s *sink) send([]byte)           { s.frames++ }
func (s *sink) sendFor(*flow, []byte) { s.frames++ }
func (s *sink) close(int, string)     {}

// BenchmarkProof is what a new connection of the extension costs, up to where both
// ends have proved themselves, beside one that ends with the handshake of the socket.
func BenchmarkProof(b *testing.B) {
	s := NewServer(Options{ExtensionOrigin: origin, ExtensionID: "e", ExtensionKey: testKey, ClientSecret: "c"})
	web := httptest.NewServer(s)
	b.Cleanup(func() {
		s.Close()
		web.Close()
	})
	address := strings.TrimPrefix(web.URL, "http://")
	for name, after := range map[string]func(*websocket.Conn){"socket": func(*websocket.Conn) {}, "proof": func(c *websocket.Conn) { proveTo(b, c, testKey, address) }} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c, _, err := websocket.DefaultDialer.Dial("ws://"+address+"/extension/e", http.Header{"Origin": {origin}})
				if err != nil {
					b.Fatal(err)
				}
				after(c)
				b.StopTimer()
				c.Close()
				b.StartTimer()
			}
		})
	}
}

// BenchmarkPolicy is what holding a command against the table costs the relay.
func BenchmarkPolicy(b *testing.B) {
	table, err := os.ReadFile("../extension/policy.json")
	if err != nil {
		b.Fatal(err)
	}
	h := newHub(Options{Policy: table}.withDefaults(), time.Now, func() string { return "" }, func(time.Time) {})
	for method, params := range map[string]string{
		"Runtime.evaluate":         `{"expression":"document.title","returnByValue":true}`,
		"Input.dispatchMouseEvent": `{"type":"mousePressed","x":10,"y":20,"button":"left","clickCount":1}`,
		"Page.navigate":            `{"url":"https://example.org/a/page?with=a&query","frameId":"7D9C6A52"}`,
	} {
		b.Run(method, func(b *testing.B) {
			b.ReportAllocs()
			params := []byte(params)
			for b.Loop() {
				if h.policy.refuse("page", method, params) != nil || h.policy.opensFile(method, params) || h.givesPrivate(method, params, false) {
					b.Fatal("it is refused")
				}
			}
		})
	}
}
