package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestPipeMessages(t *testing.T) {
	long := strings.Repeat("x", maxPipeMessage+1)
	r := bufio.NewReader(strings.NewReader("{}\x00\x00" + long + "\x00last\x00cut off"))
	for _, want := range []string{"{}", "", "", "last"} {
		if got, err := readMessage(r); err != nil || string(got) != want {
			t.Fatalf("got %.40q, %v, want %q", got, err, want)
		}
	}
	if got, err := readMessage(r); err == nil {
		t.Errorf("got %q from a message without an end", got)
	}
}

// browserEnd is the other side of a pipe, in the test's hands.
func browserEnd(t *testing.T) (p *pipe, commands *bufio.Reader, answers *os.File) {
	t.Helper()
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p = newPipe(in, out)
	t.Cleanup(func() {
		_, _, _ = theirIn.Close(), theirOut.Close(), p.close()
		<-p.done
	})
	return p, bufio.NewReader(theirIn), theirOut
}

func TestPipeCalls(t *testing.T) {
	p, commands, answers := browserEnd(t)
	events := make(chan string, 1)
	p.listen(func(method string, _ json.RawMessage) { events <- method })
	go func() { // ends with the third command
		for _, answer := range []string{
			`{"id":1,"result":{"product":"Test/1"}}`,
			`not JSON` + "\x00" + `{"method":"Target.targetCreated","params":{}}` + "\x00" + `{"id":2,"error":{"code":-32601,"message":"unknown"}}`,
		} {
			_, _ = readMessage(commands)
			_, _ = answers.WriteString(answer + "\x00")
		}
		_, _ = readMessage(commands)
		_ = answers.Close()
	}()
	var version struct{ Product string }
	if err := p.call(t.Context(), "Browser.getVersion", struct{}{}, &version); err != nil || version.Product != "Test/1" {
		t.Errorf("got %+v, %v", version, err)
	}
	if err := p.call(t.Context(), "No.such", struct{}{}, nil); err == nil || !strings.Contains(err.Error(), "No.such: unknown") {
		t.Errorf("got %v", err)
	}
	if got := <-events; got != "Target.targetCreated" {
		t.Errorf("event %s", got)
	}
	if err := p.call(t.Context(), "Browser.close", struct{}{}, nil); !errors.Is(err, errPipeClosed) {
		t.Errorf("the browser went: %v", err)
	}
}

func TestPipeCallEndsWithItsContext(t *testing.T) {
	p, _, _ := browserEnd(t)
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, errors.New("enough"))
	defer cancel()
	if err := p.call(ctx, "Browser.getVersion", struct{}{}, nil); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("got %v", err)
	}
	if len(p.waiting) != 0 {
		t.Errorf("%d calls still wait", len(p.waiting))
	}
}

func TestLaunchLeavesNoGoroutines(t *testing.T) {
	b := chromium(t)
	before := goleak.IgnoreCurrent()
	m, err := startBare(context.Background(), launchOptions{Browser: b, Headless: true, NoSandbox: true, ProfileDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	goleak.VerifyNone(t, before)
}
