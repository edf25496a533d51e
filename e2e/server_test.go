package e2e

import (
	"bufio"
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// token is the bearer token of the servers under test.
const token = "e2e-token-0123456789abcdef"

// server is a running binary that serves MCP over HTTP.
type server struct {
	url   string // of the MCP endpoint
	state string
	env   []string // beyond the usual
	work  string   // the folder it is started in, if not this one
	cmd   *exec.Cmd
	log   *tail
	lines chan string // what it prints
	done  chan struct{}
}

var (
	sharedOnce sync.Once
	sharedOne  *server
	sharedErr  error
)

// shared returns the server that most tests use.
func shared(t testing.TB) *server {
	t.Helper()
	path := browser(t)
	sharedOnce.Do(func() {
		var dir string
		if dir, sharedErr = os.MkdirTemp("", "tabrelay-state-"); sharedErr == nil {
			sharedOne, sharedErr = startServer(path, dir)
		}
	})
	if sharedErr != nil {
		t.Fatal(sharedErr)
	}
	return sharedOne
}

func stopShared() {
	if sharedOne != nil {
		sharedOne.stop()
		os.RemoveAll(sharedOne.state)
	}
}

// own starts a server for one test alone.
func own(t testing.TB, args ...string) *server {
	t.Helper()
	s, err := startServer(browser(t), t.TempDir(), args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	return s
}

// flags are the arguments of every server and stdio process under test.
func flags(path string, more ...string) []string {
	return append([]string{"--browser", "chromium", "--browser-path", path, "--headless", "--no-sandbox", "--port", "0"}, more...)
}

// environ is the environment of a process under test, with a state folder of
// its own.
func environ(state string) []string {
	env := []string{"TABRELAY_STATE=" + state, "TABRELAY_TOKEN=" + token}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "TABRELAY_") {
			env = append(env, kv)
		}
	}
	return env
}

var endpoint = regexp.MustCompile(`http://[\w.\[\]:]+/mcp`)

// startServer starts a server whose browsers are managed and have no window.
func startServer(path, state string, args ...string) (*server, error) {
	s := &server{state: state, log: &tail{}, done: make(chan struct{})}
	return s, s.start(append(flags(path, "--transport", "http"), args...)...)
}

func (s *server) start(args ...string) error {
	s.cmd = exec.Command(binary, args...)
	s.cmd.Env, s.cmd.Dir = append(environ(s.state), s.env...), s.work
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.lines = make(chan string, 1024)
	go func() { // ends when the process closes its standard error
		defer close(s.done)
		lines := bufio.NewScanner(io.TeeReader(stderr, s.log))
		for lines.Scan() {
			select {
			case s.lines <- lines.Text():
			default: // nobody waits for what a long test prints
			}
		}
	}()
	line, err := s.says(endpoint)
	if err != nil {
		s.stop()
		return err
	}
	s.url = line
	return nil
}

// says waits for the process to print what a pattern matches, and returns that.
func (s *server) says(pattern *regexp.Regexp) (string, error) {
	limit := time.After(20 * time.Second)
	for {
		select {
		case line := <-s.lines:
			if found := pattern.FindString(line); found != "" {
				return found, nil
			}
		case <-s.done:
			return "", &startError{s.log.String()}
		case <-limit:
			return "", &startError{s.log.String()}
		}
	}
}

type startError struct{ log string }

func (e *startError) Error() string { return "the server did not say what it should:\n" + e.log }

// stop ends the server as a person would, and waits for it.
func (s *server) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt)
	timer := time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	<-s.done
	_ = s.cmd.Wait()
}

// connect makes an MCP session with the server, as an agent of its own: the
// newest protocol has no sessions, so a name tells agents apart.
func (s *server) connect(t testing.TB) *mcp.ClientSession {
	t.Helper()
	return s.connectWith(t, nil)
}

// connectTools is connect for an agent that chooses its set of tools.
func (s *server) connectTools(t testing.TB, set string) *mcp.ClientSession {
	t.Helper()
	return s.dial(t, "&tools="+set, nil)
}

// connectWith is connect for a client with options of its own.
func (s *server) connectWith(t testing.TB, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	return s.dial(t, "", o)
}

func (s *server) dial(t testing.TB, query string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, o)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: s.url + "?agent=" + rand.Text() + query, HTTPClient: &http.Client{Transport: bearer{}}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatalf("connect: %v\n%s", err, s.log)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return http.DefaultTransport.RoundTrip(r)
}

// stdio starts the binary as an MCP client would, and connects.
func stdio(t testing.TB, args ...string) (*mcp.ClientSession, *exec.Cmd) {
	t.Helper()
	cmd := exec.Command(binary, flags(browser(t), args...)...)
	cmd.Env = environ(t.TempDir())
	log := &tail{}
	cmd.Stderr = log
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
	session, err := client.Connect(context.WithoutCancel(t.Context()), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("connect over stdio: %v\n%s", err, log)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session, cmd
}

// tail keeps the last of what a process printed.
type tail struct {
	mu      sync.Mutex
	buf     []byte
	changed chan struct{} // closed by what is printed next; nil when nobody waits
}

func (l *tail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(l.buf, p...)
	if n := len(l.buf) - 64<<10; n > 0 {
		l.buf = l.buf[n:]
	}
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
	return len(p), nil
}

// await waits until the process has printed a text, and reports whether it did.
func (l *tail) await(text string, limit time.Duration) bool {
	end := time.After(limit)
	for {
		l.mu.Lock()
		found := strings.Contains(string(l.buf), text)
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		changed := l.changed
		l.mu.Unlock()
		if found {
			return true
		}
		select {
		case <-changed:
		case <-end:
			return false
		}
	}
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.buf)
}
