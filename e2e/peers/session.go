package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"
)

// callLimit is how long one call may take.
const callLimit = time.Minute

// session is a peer that runs.
type session struct {
	peer
	mark  string // an environment variable that all its processes have
	mcp   *mcp.ClientSession
	codec tokenizer.Codec

	calls, tokens int    // since they were last set to zero
	last          string // what was answered
}

// start starts a peer and returns how long it took until it was ready for calls.
func start(ctx context.Context, p peer, mark string) (*session, time.Duration, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return nil, 0, err
	}
	cmd := exec.Command(p.command[0], p.command[1:]...)
	cmd.Env = append(append(os.Environ(), p.env...), mark, "TMPDIR="+p.dir)
	cmd.Dir = p.dir
	begun := time.Now()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "peers", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	return &session{peer: p, mark: mark, mcp: s, codec: codec}, time.Since(begun), err
}

// call makes a call and returns how long it took. An answer that is an error is one.
func (s *session) call(ctx context.Context, a ask) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	begun := time.Now()
	res, err := s.mcp.CallTool(ctx, &mcp.CallToolParams{Name: a.Tool, Arguments: a.With})
	took := time.Since(begun)
	if err != nil {
		return took, fmt.Errorf("%s: %w", a.Tool, err)
	}
	var text strings.Builder
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text.WriteString(t.Text + "\n")
		}
	}
	s.last = text.String()
	request, err := json.Marshal(a)
	if err != nil {
		return took, err
	}
	s.calls++
	s.tokens += s.count(string(request)) + s.count(s.last)
	if res.IsError {
		err = fmt.Errorf("%s: %.300s", a.Tool, s.last)
	}
	return took, err
}

func (s *session) count(text string) int {
	n, err := s.codec.Count(text)
	if err != nil {
		return 0
	}
	return n
}

// refPattern matches the reference of an element in a line of a snapshot.
var refPattern = regexp.MustCompile(`(?:\bref=|\[|uid=)((?:f\d+)?e\d+|\d+_\d+)\b`)

// ref returns the reference of the element with a name and role, from what was last
// answered, or else from a new snapshot.
func (s *session) ref(ctx context.Context, role, name string) (string, error) {
	for again := range 2 {
		for line := range strings.Lines(s.last) {
			if !strings.Contains(line, `"`+name+`"`) || !strings.Contains(line, role) {
				continue
			}
			if m := refPattern.FindStringSubmatch(line); m != nil {
				return m[1], nil
			}
		}
		if again == 0 {
			if _, err := s.call(ctx, s.snapshot); err != nil {
				return "", err
			}
		}
	}
	return "", fmt.Errorf("no %s %q in\n%.2000s", role, name, s.last)
}

// processes are those of the peer, by what they have in their environment.
func (s *session) processes(browser bool) (pids []int) {
	entries, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range entries {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !slices.Contains(strings.Split(string(env), "\x00"), s.mark) {
			continue
		}
		program, _ := os.Readlink(filepath.Join(dir, "exe"))
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil && strings.Contains(filepath.Base(program), "chrom") == browser {
			pids = append(pids, pid)
		}
	}
	return pids
}

// memory is what the peer's processes have in memory, without the browser's, in bytes.
func (s *session) memory() (sum int) {
	for _, pid := range s.processes(false) {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			pages, _ := strconv.Atoi(fields[1])
			sum += pages * os.Getpagesize()
		}
	}
	return sum
}

// killBrowser kills all of the browser at once, as a crash does.
func (s *session) killBrowser() error {
	pids := s.processes(true)
	if len(pids) == 0 {
		return errors.New("there is no browser to kill")
	}
	for _, pid := range pids {
		kill(pid)
	}
	return nil
}

func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

// end ends the peer and whatever it left behind.
func (s *session) end() {
	_ = s.mcp.Close()
	for _, pid := range append(s.processes(false), s.processes(true)...) {
		kill(pid)
	}
}
