package e2e

import (
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"time"
)

// stop stops a process, as a machine that falls asleep does.
func stop(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
}

func wake(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}

func TestTheServerSleeps(t *testing.T) {
	p, a, _, an := atWork(t, counter)
	ref := an.ref("button", "Click")
	a.ok("browser_click", args{"ref": ref}).has("Clicked 1")
	stop(t, p.cmd.Process.Pid)
	time.Sleep(17 * time.Second) // longer than the extension is ever silent
	wake(t, p.cmd.Process.Pid)
	a.ok("browser_click", args{"ref": ref}).has("Clicked 2")
}

func TestTheBrowserSleeps(t *testing.T) {
	p, a, _, an := atWork(t, counter)
	stop(t, p.chrome.Process.Pid)
	click := a.later("browser_click", args{"ref": an.ref("button", "Click"), "timeoutMs": 30000})
	time.Sleep(4 * time.Second) // what it lasts is what is tested
	wake(t, p.chrome.Process.Pid)
	if an := <-click; an.failed {
		t.Fatal(an.text)
	}
	a.ok("browser_click", args{"selector": "button"}).has("Clicked 2")
}

// TestTheClockJumps is what a worker sees when the machine has slept for an hour
// and the daemon was started anew meanwhile.
func TestTheClockJumps(t *testing.T) {
	port := freePort(t)
	t.Parallel()
	p := newPersonAt(t, port, port)
	p.hand().chrome(`const now = Date.now; Date.now = () => now() + 3600_000`)
	p.stop()
	p.serve(port)
	begin := time.Now()
	p.comes()
	if took := time.Since(begin); took > 12*time.Second { // the alarm would ring within 30 s
		t.Errorf("the extension came back after %s", took)
	}
	p.agent(t).ok("browser_tab_list", nil)
}

// stile lies between an extension and the relay, and can be shut.
type stile struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	cond  *sync.Cond
	shut  bool
	conns []net.Conn
}

func newStile(t *testing.T, to string) *stile {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &stile{listener: l, to: "127.0.0.1:" + to}
	s.cond = sync.NewCond(&s.mu)
	t.Cleanup(func() { l.Close(); s.set(false) })
	go func() { // ends with the listener
		for {
			one, err := l.Accept()
			if err != nil {
				return
			}
			other, err := net.Dial("tcp", s.to)
			if err != nil {
				one.Close()
				continue
			}
			s.mu.Lock()
			s.conns = append(s.conns, one, other)
			s.mu.Unlock()
			for _, way := range [][2]net.Conn{{one, other}, {other, one}} {
				go func() { // ends with either end
					_, _ = io.Copy(gated{way[1], s}, way[0])
					one.Close()
					other.Close()
				}()
			}
		}
	}()
	return s
}

func (s *stile) port() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	return port
}

// set shuts the stile, or opens it: nothing is lost, but all waits.
func (s *stile) set(shut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut = shut
	s.cond.Broadcast()
}

// cut breaks the connections that there are.
func (s *stile) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.Close()
	}
	s.conns = nil
}

type gated struct {
	io.Writer
	stile *stile
}

func (g gated) Write(p []byte) (int, error) {
	g.stile.mu.Lock()
	for g.stile.shut {
		g.stile.cond.Wait()
	}
	g.stile.mu.Unlock()
	return g.Writer.Write(p)
}

func TestTheNetworkStalls(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	way := newStile(t, port)
	p := newPersonAt(t, port, way.port())
	a := p.agent(t)
	ref := a.open(newSite(t, counter).URL).ref("button", "Click")
	way.set(true)
	click := a.later("browser_click", args{"ref": ref, "timeoutMs": 30000})
	time.Sleep(5 * time.Second) // what it lasts is what is tested
	way.set(false)
	if an := <-click; an.failed {
		t.Fatal(an.text)
	}
	a.ok("browser_click", args{"ref": ref}).has("Clicked 2")
	// The connection breaks: the extension makes another one.
	way.set(true)
	wait := a.later("browser_wait", args{"text": "Clicked 2", "timeoutMs": 30000})
	way.cut()
	way.set(false)
	if an := <-wait; an.failed {
		t.Fatal(an.text)
	}
	a.ok("browser_click", args{"ref": ref}).has("Clicked 3")
}
