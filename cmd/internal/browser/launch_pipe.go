package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
)

// maxPipeMessage bounds what is kept of one message of the browser; the few
// answers asked for over the pipe are far smaller, and longer ones are dropped.
const maxPipeMessage = 1 << 20

var errPipeClosed = errors.New("the browser closed its debugging pipe")

// openPipe gives cmd its ends of a debugging pipe, theirs, which are to be closed
// here once the process runs.
func openPipe(cmd *exec.Cmd) (in, out *os.File, theirs []*os.File, err error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		_, _ = theirIn.Close(), in.Close()
		return nil, nil, nil, err
	}
	if err := handPipe(cmd, theirIn, theirOut); err != nil {
		for _, f := range []*os.File{theirIn, in, out, theirOut} {
			_ = f.Close()
		}
		return nil, nil, nil, err
	}
	return in, out, []*os.File{theirIn, theirOut}, nil
}

// pipe speaks CDP to a browser over --remote-debugging-pipe: JSON messages, each
// ended by a zero byte. It is used to load the extension and to end the browser;
// everything else goes through the relay. While it is open the browser lives:
// the browser leaves when our end is closed, also when the system closes it
// because this process died.
type pipe struct {
	// Static after construction.
	out  *os.File
	done chan struct{} // closed when the browser's end is gone

	// mu guards the following.
	mu      sync.Mutex
	in      *os.File
	next    int
	waiting map[int]chan pipeMessage
	events  func(method string, params json.RawMessage)
}

type pipeMessage struct {
	ID     int             `json:"id"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// newPipe starts the reader, which ends when the browser's end of out is closed.
func newPipe(in, out *os.File) *pipe {
	p := &pipe{in: in, out: out, done: make(chan struct{}), waiting: map[int]chan pipeMessage{}}
	go p.read()
	return p
}

func (p *pipe) read() {
	defer func() {
		close(p.done)
		_ = p.out.Close()
	}()
	r := bufio.NewReaderSize(p.out, 64<<10)
	for {
		line, err := readMessage(r)
		if err != nil {
			return
		}
		var m pipeMessage
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		p.mu.Lock()
		answer, events := p.waiting[m.ID], p.events
		if m.Method == "" {
			delete(p.waiting, m.ID)
		}
		p.mu.Unlock()
		switch {
		case m.Method != "" && events != nil:
			events(m.Method, m.Params)
		case m.Method == "" && answer != nil:
			answer <- m
		}
	}
}

// readMessage returns the bytes before the next zero byte; a message over the
// bound comes back empty.
func readMessage(r *bufio.Reader) ([]byte, error) {
	var message []byte
	long := false
	for {
		part, err := r.ReadSlice(0)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if len(message)+len(part) > maxPipeMessage {
			long = true
		}
		if long {
			message = nil
		} else {
			message = append(message, part...)
		}
		if err == nil {
			if long {
				return nil, nil
			}
			return message[:len(message)-1], nil
		}
	}
}

// listen hands every event to fn, on the reader's goroutine; nil stops it.
func (p *pipe) listen(fn func(method string, params json.RawMessage)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events = fn
}

// call sends one command and decodes its answer into result, unless that is nil.
func (p *pipe) call(ctx context.Context, method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	answer := make(chan pipeMessage, 1)
	p.mu.Lock()
	p.next++
	id := p.next
	p.waiting[id] = answer
	message, err := json.Marshal(pipeMessage{ID: id, Method: method, Params: raw})
	if err == nil {
		// Commands are small against the pipe's own buffer, so this does not wait.
		_, err = p.in.Write(append(message, 0))
	}
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.waiting, id)
		p.mu.Unlock()
	}()
	if err != nil {
		return fmt.Errorf("%s: %w: %w", method, errPipeClosed, err)
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return fmt.Errorf("%s: %s (%d)", method, m.Error.Message, m.Error.Code)
		}
		if result == nil {
			return nil
		}
		if err := json.Unmarshal(m.Result, result); err != nil {
			return fmt.Errorf("%s: answer: %w", method, err)
		}
		return nil
	case <-p.done:
		return fmt.Errorf("%s: %w", method, errPipeClosed)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, context.Cause(ctx))
	}
}

// close lets go of the browser, which then leaves by itself.
func (p *pipe) close() error {
	return p.in.Close()
}
