package adapter

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
)

// outgoing is how many commands may wait for the socket before a call waits.
const outgoing = 256

// conn is one CDP connection. Its two goroutines, reader and writer, are
// started by dial and end when close is called or the socket breaks.
type conn struct {
	// Static after construction.
	ws   *remote.Conn
	out  chan *cdproto.Message
	done chan struct{} // closed when the connection has ended
	wg   sync.WaitGroup

	// mu guards the following.
	mu       sync.Mutex
	next     int64
	pending  map[int64]chan *cdproto.Message
	sessions map[target.SessionID]*session
	err      error // why it ended; set before done is closed
}

// session is a CDP session on a connection; the zero id is the root session.
type session struct {
	conn *conn
	id   target.SessionID
	// handle is called on the read loop with each event; it must not wait.
	handle func(s *session, method string, params jsonv2.Value)
	gone   chan struct{} // closed when the session has ended

	// conn.mu guards the following.
	cause   error       // why it ended; set before gone is closed
	refused func(error) // called on the read loop when a command fails, whoever waits for it

	// placing guards the following.
	placing sync.Mutex
	placed  page.ScriptIdentifier // the script that tells where the page is, or ""
}

// dial connects; root handles the events of the root session.
func dial(ctx context.Context, url string, header http.Header, root func(*session, string, jsonv2.Value)) (*conn, *session, error) {
	ws, err := remote.DialContext(ctx, url, remote.WithConnHTTPHeader(header))
	if err != nil {
		return nil, nil, err
	}
	c := &conn{
		ws:       ws,
		out:      make(chan *cdproto.Message, outgoing),
		done:     make(chan struct{}),
		pending:  map[int64]chan *cdproto.Message{},
		sessions: map[target.SessionID]*session{},
	}
	s := c.session("", root)
	c.wg.Go(c.read)
	c.wg.Go(c.write)
	return c, s, nil
}

// session adds a session; its events reach handle from now on.
func (c *conn) session(id target.SessionID, handle func(*session, string, jsonv2.Value)) *session {
	s := &session{conn: c, id: id, handle: handle, gone: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[id] = s
	return s
}

// listen sets who hears that a command of the session failed.
func (s *session) listen(refused func(error)) {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	s.refused = refused
}

// end ends a session: its pending and later calls fail with cause.
func (c *conn) end(id target.SessionID, cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.sessions[id]; ok && id != "" {
		delete(c.sessions, id)
		s.cause = cause
		close(s.gone)
	}
}

func (c *conn) read() {
	var err error
	for {
		msg := new(cdproto.Message)
		if err = c.ws.Read(context.Background(), msg); err != nil {
			break
		}
		c.mu.Lock()
		if msg.Method == "" {
			ch := c.pending[msg.ID]
			delete(c.pending, msg.ID)
			var refused func(error)
			if s := c.sessions[msg.SessionID]; s != nil {
				refused = s.refused
			}
			c.mu.Unlock()
			if msg.Error != nil && refused != nil {
				refused(explained(msg.Error))
			}
			if ch != nil {
				ch <- msg // buffered, and written once
			}
			continue
		}
		s := c.sessions[msg.SessionID]
		c.mu.Unlock()
		if s != nil {
			s.handle(s, string(msg.Method), msg.Params)
		}
	}
	c.fail(err)
}

func (c *conn) write() {
	for {
		select {
		case <-c.done:
			return
		case msg := <-c.out:
			if err := c.ws.Write(context.Background(), msg); err != nil {
				c.fail(err)
				return
			}
		}
	}
}

// fail ends the connection; the first reason stays.
func (c *conn) fail(err error) {
	c.mu.Lock()
	if c.err == nil {
		c.err = advise(ErrConnectionLost, AdviceReconnect, "the connection to the browser was lost: %v", err)
		if known := explained(&cdproto.Error{Message: err.Error()}); errors.Is(known, ErrConnectionLost) {
			c.err = known // the close frame says why
		}
		close(c.done)
	}
	c.mu.Unlock()
	c.ws.Close()
}

// close ends the connection and waits for its goroutines.
func (c *conn) close() {
	c.fail(errors.New("closed"))
	c.wg.Wait()
}

// call runs a command and decodes its result. It returns the cause of ctx when
// that ends first, the reason of the session's end, or Chrome's *cdproto.Error.
func call[P, R any](ctx context.Context, s *session, cmd cdp.Command[P, R], params P) (R, error) {
	return start(ctx, s, cmd, params)()
}

// start sends a command and returns what waits for its result, so that several
// can be on their way at once.
func start[P, R any](ctx context.Context, s *session, cmd cdp.Command[P, R], params P) func() (R, error) {
	var res R
	t, err := s.send(ctx, cmd.Method, params)
	return func() (R, error) {
		if err != nil {
			return res, fmt.Errorf("%s: %w", cmd.Method, err)
		}
		msg, err := s.await(ctx, t)
		if err == nil && msg.Error != nil {
			err = explained(msg.Error)
		}
		if err == nil && len(msg.Result) > 0 {
			err = jsonv2.Unmarshal(msg.Result, &res, chromedp.DefaultUnmarshalOptions)
		}
		if err != nil {
			var zero R
			return zero, fmt.Errorf("%s: %w", cmd.Method, err)
		}
		return res, nil
	}
}

// post sends a command whose answer nobody waits for. It may be called from an
// event handler: it never waits.
func post[P, R any](s *session, cmd cdp.Command[P, R], params P) {
	msg, err := s.message(cmd.Method, params)
	if err != nil {
		return
	}
	select {
	case s.conn.out <- msg:
	default: // the queue is full: wait elsewhere, until the connection ends
		s.conn.wg.Go(func() {
			select {
			case s.conn.out <- msg:
			case <-s.conn.done:
			}
		})
	}
}

func (s *session) message(method string, params any) (*cdproto.Message, error) {
	buf, err := jsonv2.Marshal(params, chromedp.DefaultMarshalOptions)
	if err != nil {
		return nil, err
	}
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	s.conn.next++
	return &cdproto.Message{ID: s.conn.next, SessionID: s.id, Method: cdproto.MethodType(method), Params: buf}, nil
}

// ticket is a command on its way.
type ticket struct {
	id    int64
	reply chan *cdproto.Message
}

func (s *session) send(ctx context.Context, method string, params any) (ticket, error) {
	msg, err := s.message(method, params)
	if err != nil {
		return ticket{}, err
	}
	c := s.conn
	t := ticket{msg.ID, make(chan *cdproto.Message, 1)}
	c.mu.Lock()
	if c.err != nil {
		defer c.mu.Unlock()
		return ticket{}, c.err
	}
	c.pending[t.id] = t.reply
	c.mu.Unlock()
	select {
	case c.out <- msg:
		return t, nil
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-s.gone:
		err = s.cause
	case <-c.done:
		err = c.err
	}
	c.forget(t.id)
	return ticket{}, err
}

func (s *session) await(ctx context.Context, t ticket) (*cdproto.Message, error) {
	select {
	case msg := <-t.reply:
		return msg, nil
	default:
	}
	var err error
	select {
	case msg := <-t.reply:
		return msg, nil
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-s.gone:
		err = s.cause
	case <-s.conn.done:
		err = s.conn.err
	}
	s.conn.forget(t.id)
	return nil, err
}

// watch returns when look, which is called now and whenever the channel that it
// returned last is closed, says that it is done.
func (c *conn) watch(ctx context.Context, look func() (done bool, changed <-chan struct{})) error {
	for {
		done, changed := look()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-c.done:
			return c.err
		}
	}
}

// forget drops the answer of a command that nobody waits for any more.
func (c *conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
}
