package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

var kills = flag.Int("kills", 10, "how many nodes, links and hosts the soak kills")

// eventually waits for something that only NATS knows: which node leads, and which
// takes connections. Its servers say so when asked, and send no event.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(waitLimit); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("not: " + what)
		}
	}
}

// newCluster starts three NATS nodes that are one. What is returned kills one and
// starts it anew.
func newCluster(t testing.TB) (urls string, kill func(n int)) {
	t.Helper()
	var ports, routes []int
	var held []net.Listener
	for range 6 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, l)
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	for _, l := range held {
		_ = l.Close()
	}
	ports, routes = ports[:3], ports[3:]
	all := make([]string, 3)
	peers := make([]string, 3)
	for n := range 3 {
		all[n] = fmt.Sprintf("nats://127.0.0.1:%d", ports[n])
		peers[n] = fmt.Sprintf("nats://127.0.0.1:%d", routes[n])
	}
	nodes, folders := make([]*server.Server, 3), []string{t.TempDir(), t.TempDir(), t.TempDir()}
	start := func(n int) {
		s, err := server.NewServer(&server.Options{ServerName: fmt.Sprint("node", n), Host: "127.0.0.1", Port: ports[n], JetStream: true, StoreDir: folders[n],
			NoLog: true, NoSigs: true, Cluster: server.ClusterOpts{Name: "fleet", Host: "127.0.0.1", Port: routes[n]}, Routes: server.RoutesFromStr(strings.Join(peers, ","))})
		if err != nil {
			t.Error(err)
			return
		}
		nodes[n] = s
		s.Start()
	}
	for n := range 3 {
		start(n)
	}
	t.Cleanup(func() {
		for _, s := range nodes {
			s.Shutdown()
			s.WaitForShutdown()
		}
	})
	for _, s := range nodes {
		if !s.ReadyForConnections(waitLimit) {
			t.Fatal("a NATS node does not start")
		}
	}
	eventually(t, "the nodes have a leader", func() bool {
		return slices.ContainsFunc(nodes, func(s *server.Server) bool { return s.JetStreamIsLeader() }) &&
			slices.IndexFunc(nodes, func(s *server.Server) bool { return !s.JetStreamIsCurrent() }) < 0
	})
	return strings.Join(all, ","), func(n int) {
		nodes[n].Shutdown()
		nodes[n].WaitForShutdown()
		start(n)
		if !nodes[n].ReadyForConnections(waitLimit) {
			t.Error("a node does not come back")
		}
		eventually(t, "the node is one of three again", func() bool { return nodes[n].JetStreamIsCurrent() })
	}
}

// order is a command of an agent to a browser, and the answer to it.
type order struct {
	Agent int `json:"agent"`
	N     int `json:"n"`
}

// ledger is what browsers ran.
type ledger struct {
	more chan struct{} // has a token when something ran

	// mu guards the following.
	mu    sync.Mutex
	ran   map[order]int
	wrong []string
	last  string // why a session could not be opened
}

// run notes what a browser runs.
func (b *ledger) run(m []byte) {
	var o order
	if json.Unmarshal(m, &o) != nil {
		b.note("a browser heard %q", m)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ran[o]++
	select {
	case b.more <- struct{}{}:
	default:
	}
}

func (b *ledger) note(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, fmt.Sprintf(format, args...))
}

// stage is a host that is killed and comes back.
type stage struct {
	offer Offer
	name  string

	// mu guards the following.
	mu    sync.Mutex
	host  *Host
	stop  func()
	lives int
}

// begin starts the host, again if it was killed.
func (s *stage) begin(t testing.TB) {
	ctx, stop := context.WithCancel(context.Background())
	var h *Host
	eventually(t, "a host reaches its fleet", func() bool {
		var err error
		h, err = NewHost(ctx, s.offer)
		return err == nil
	})
	ended := make(chan struct{})
	go func() { defer close(ended); _ = h.Run(ctx) }()
	h.Set(ctx, []Browser{{Name: "work", Kind: "chromium"}})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.host, s.lives = h, s.lives+1
	s.stop = func() { stop(); <-ended }
}

// kill ends the host without a word to anybody.
func (s *stage) kill() {
	s.mu.Lock()
	h, stop := s.host, s.stop
	s.lives++
	s.mu.Unlock()
	h.wire.nc.Close()
	stop()
}

func (s *stage) life() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lives
}

// agent sends orders to a host until ctx ends, and opens a session anew only where
// the host was killed.
func (b *ledger) agent(ctx context.Context, c *Client, n int, s *stage) (answered int) {
	next := 0
	for ctx.Err() == nil {
		life := s.life()
		var l *Link
		list, err := c.Find(ctx, "work@"+s.name)
		if err == nil {
			l, err = c.open(ctx, list[0], "claude")
		}
		if err != nil {
			b.mu.Lock()
			b.last = fmt.Sprintf("agent %d at %s: %v", n, s.name, err)
			b.mu.Unlock()
			select {
			case <-time.After(20 * time.Millisecond): // it is away
			case <-ctx.Done():
			}
			continue
		}
		leave := context.AfterFunc(ctx, func() { l.Close(1000, "done") })
		for ctx.Err() == nil {
			next++
			o := order{n, next}
			text, _ := json.Marshal(o)
			err := l.Write(text)
			var back []byte
			if err == nil {
				back, err = l.Read()
			}
			if err != nil && ctx.Err() == nil {
				var e Ended
				if s.life() == life || !errors.As(err, &e) {
					b.note("agent %d lost its session, and its host was not killed: %v", n, err)
				}
			}
			if err != nil {
				break
			}
			if string(back) != string(text) {
				b.note("agent %d was answered %s to %s", n, back, text)
			}
			answered++
			select {
			case <-time.After(5 * time.Millisecond): // the machine has others to serve
			case <-ctx.Done():
			}
		}
		leave()
		l.Close(1000, "")
	}
	return answered
}

// TestB101NothingIsLostOrDoneTwice kills nodes of NATS, links and hosts by chance,
// while agents work. -kills says how many; `make fleet-soak` kills 300.
func TestB101NothingIsLostOrDoneTwice(t *testing.T) {
	t.Parallel()
	urls, kill := newCluster(t)
	b := &ledger{more: make(chan struct{}, 1), ran: map[order]int{}}
	address := echo(t, b.run)
	var stages []*stage
	for _, name := range []string{"attic", "cellar", "garage"} {
		s := &stage{name: name, offer: Offer{Options: Options{URL: urls, Name: name}, Dir: t.TempDir(), Machine: name, Capacity: 100, Grace: waitLimit, Open: true, Log: slog.New(slog.DiscardHandler),
			Dial: func(context.Context, string, string) (string, func(), error) { return address, func() {}, nil }}}
		s.begin(t)
		t.Cleanup(func() { s.stop() })
		stages = append(stages, s)
	}
	ctx, stop := context.WithCancel(t.Context())
	var clients []*Client
	var working sync.WaitGroup
	answers := make([]int, 6)
	for n := range answers {
		c, err := Join(Options{URL: urls}, t.TempDir(), waitLimit)
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, c)
		working.Go(func() { answers[n] = b.agent(ctx, c, n, stages[n%3]) })
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	did := map[string]int{}
	for range *kills {
		b.progress(t, did)
		switch k := chance.IntN(10); {
		case k == 0:
			did["node"]++
			kill(chance.IntN(3))
		case k < 3:
			did["host"]++
			s := stages[chance.IntN(3)]
			s.kill()
			s.begin(t)
		case k < 7:
			did["link of an agent"]++
			_ = clients[chance.IntN(len(clients))].wire.nc.ForceReconnect()
		default:
			did["link of a host"]++
			s := stages[chance.IntN(3)]
			_ = s.host.wire.nc.ForceReconnect()
		}
	}
	b.progress(t, did)
	stop()
	for _, c := range clients {
		c.Close()
	}
	working.Wait()
	b.mu.Lock() // a browser may still handle what nobody waits for any longer
	defer b.mu.Unlock()
	twice := 0
	for o, times := range b.ran {
		if times > 1 {
			twice++
			t.Errorf("%v ran %d times", o, times)
		}
	}
	for _, wrong := range b.wrong {
		t.Error(wrong)
	}
	t.Logf("killed %v; %d orders ran, answered %v", did, len(b.ran), answers)
}

// progress waits until each agent has had some orders run since it was called.
func (b *ledger) progress(t testing.TB, did map[string]int) {
	t.Helper()
	count := func() map[int]int {
		b.mu.Lock()
		defer b.mu.Unlock()
		n := map[int]int{}
		for o := range b.ran {
			n[o.Agent]++
		}
		return n
	}
	before := count()
	limit := time.After(waitLimit)
	for {
		now, waits := count(), false
		for n := range 6 {
			waits = waits || now[n] < before[n]+2
		}
		if !waits {
			return
		}
		select {
		case <-b.more:
		case <-limit:
			b.mu.Lock()
			defer b.mu.Unlock()
			t.Fatalf("after %v: %v orders ran, before it was %v; the last failure: %s; wrong: %v", did, now, before, b.last, b.wrong)
		}
	}
}
