package relay

import (
	"container/heap"
	"log/slog"
	"sync"
	"time"
)

// peer is one end of a socket as the hub sees it. Neither method waits.
type peer interface {
	// send queues a frame, which belongs to the peer from then on.
	send(frame []byte)
	// close sends what is queued, then a close frame, and ends the socket.
	close(code int, reason string)
}

// carrier is a peer that carries many senders' frames: an extension.
type carrier interface {
	peer
	// sendFor is send for a frame that a flow's sender brought about.
	sendFor(from *flow, frame []byte)
}

// hub joins one browser with its clients. It is a state machine: each
// method runs to its end under mu and never waits; what it must hear
// back is a call, found again by its id.
type hub struct {
	// Static after construction.
	log     *slog.Logger
	grace   time.Duration
	timeout time.Duration
	clock   func() time.Time
	newID   func() string
	wake    func(at time.Time) // asks for a tick at that time
	browser string             // target id of the browser itself
	context string             // id of the one browser context
	private []string           // folders
	policy  policy
	wish    func(installID string, w Wish) // must not wait
	aside   func(work, then func())        // does work that takes its time without mu, and then goes on under it

	mu sync.Mutex
	// mu guards the following.
	info         Browser
	extension    carrier  // nil while the extension is away
	halted       []string // names of those that the person paused
	simple       bool     // the extension is a plain one
	graceEnds    time.Time
	clients      []*client
	retired      bool // the browser has gone for good
	tabs         map[string]*tab
	order        []*tab // by age, for lists
	calls        map[uint64]*call
	lastCall     uint64
	queue        []*call // what no tab is needed for, while the extension is away
	sender       *flow   // of the client whose command is being carried out; nil for what the hub does by itself
	numbers      int64   // tabs so far
	deadlines    deadlines
	scheduled    time.Time
	downloads    []*download // the oldest first
	contexts     []*browserContext
	contextsMade int
	opening      int              // tabs that are being opened for a context
	refusals     map[int]refusals // by port
}

func newHub(o Options, clock func() time.Time, newID func() string, wake func(time.Time)) *hub {
	h := &hub{
		log: o.Logger, policy: o.policy, private: o.Private, grace: o.Grace, timeout: o.CommandTimeout,
		clock: clock, newID: newID, wake: wake, wish: o.Wish,
		browser: newID(), context: newID(),
		tabs: map[string]*tab{}, calls: map[uint64]*call{}, refusals: map[int]refusals{},
	}
	h.aside = func(work, then func()) {
		go func() { // ends with the work
			work()
			h.mu.Lock()
			defer h.mu.Unlock()
			then()
			h.reschedule()
		}()
	}
	return h
}

// receive takes one frame of a client. data may be reused afterwards.
func (h *hub) receive(c *client, data []byte) {
	f, err := scanMessage(data)
	// The file system may take its time; nobody else waits for it.
	private := err == nil && !c.files && h.givesPrivate(string(text(f.method)), f.params, c.far)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case c.gone:
	case c.entry == nil:
		h.obey(c, f, err, private)
		h.reschedule()
	default:
		h.wait(c, data, private)
	}
}

// obey carries out a frame of a client, or what is wrong with it.
func (h *hub) obey(c *client, f frame, err error, private bool) {
	m, bad := c.message(f)
	if err != nil {
		bad = failure(codeParse, "JSON: %v", err)
	}
	if bad != nil {
		c.peer.send(errorFrame(m.id, m.session.id, bad))
		return
	}
	m.private = private
	h.info.LastUsed = h.clock()
	h.as(c.flow, func() { h.dispatch(m) })
}

// as does something on behalf of a sender: the calls that it starts count as the
// sender's.
func (h *hub) as(f *flow, do func()) {
	before := h.sender
	h.sender = f
	do()
	h.sender = before
}

// call is a command on its way: waiting for its tab, or sent and waiting
// for the answer.
type call struct {
	id     uint64 // 0 until it is sent
	target *target
	method []byte // quoted; kept while it waits
	params []byte

	session *session // who gets the answer, nil for the hub's own calls
	reply   string   // the client's id for it
	name    string   // the method, for what a late answer says
	toggle  string   // the toggle that it switches on
	probe   bool     // waits for the attachment only
	holds   bool     // needs the attachment though it has no session there
	after   func(result []byte, f *fault)

	from     *flow // whose it is; nil for the hub's own
	round    int   // of that
	kept     int   // bytes that it holds while it waits
	deadline time.Time
	index    int // in the heap of deadlines, -1 when done
}

// start notes whose a call is, and registers its deadline.
func (h *hub) start(c *call) {
	c.from = h.sender
	if c.from == nil && c.session != nil {
		c.from = c.session.client.flow // a command that was put off
	}
	c.round = c.from.begin()
	c.deadline = h.clock().Add(h.timeout)
	heap.Push(&h.deadlines, c)
}

// finish ends a call once: whoever waits for it hears the outcome.
func (h *hub) finish(c *call, result []byte, f *fault) {
	if c.index < 0 {
		return
	}
	heap.Remove(&h.deadlines, c.index)
	c.letGo()
	c.from.end(c.round)
	if c.id != 0 {
		delete(h.calls, c.id)
	}
	if c.after != nil {
		c.after(result, f)
		return
	}
	if c.session != nil {
		if gainful[c.name] {
			h.gains(c.session, c.name, result, f)
		}
		h.answer(c.session, c.reply, result, f)
	}
}

// answer sends the outcome of a message, unless its session has ended.
func (h *hub) answer(s *session, id string, result []byte, f *fault) {
	if s.closed || s.client.gone {
		return
	}
	if f != nil {
		s.client.peer.send(errorFrame(id, s.id, f))
		return
	}
	if len(result) == 0 {
		result = empty
	}
	b := make([]byte, 0, len(result)+len(id)+len(s.id)+40)
	b = append(b, `{"id":`...)
	b = append(b, id...)
	b = append(b, `,"result":`...)
	b = append(b, result...)
	s.client.peer.send(appendSession(b, s.id))
}

var empty = []byte("{}")

func errorFrame(id, session string, f *fault) []byte {
	b := []byte{'{'}
	if id != "" {
		b = append(b, `"id":`...)
		b = append(b, id...)
		b = append(b, ',')
	}
	b = append(b, `"error":`...)
	return appendSession(f.append(b), session)
}

// appendSession closes a message with the session that it belongs to.
func appendSession(b []byte, id string) []byte {
	if id != "" {
		b = append(b, `,"sessionId":"`...)
		b = append(b, id...)
		b = append(b, '"')
	}
	return append(b, '}')
}

// emit sends an event to one session.
func (h *hub) emit(s *session, method string, params []byte) {
	if s.closed || s.client.gone || s.client.entry != nil {
		return
	}
	if len(params) == 0 {
		params = empty
	}
	b := make([]byte, 0, len(method)+len(params)+len(s.id)+44)
	b = append(b, `{"method":"`...)
	b = append(b, method...)
	b = append(b, `","params":`...)
	b = append(b, params...)
	s.client.peer.send(appendSession(b, s.id))
}

// tick lets time pass: calls that are overdue fail, and so does all when
// the extension's grace is over.
func (h *hub) tick() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.scheduled = time.Time{}
	now := h.clock()
	for len(h.deadlines) > 0 && !h.deadlines[0].deadline.After(now) {
		c := h.deadlines[0]
		if h.extension == nil {
			h.finish(c, nil, faultAway)
		} else {
			h.finish(c, nil, failure(codeServer, "%s timed out after %v", c.name, h.timeout))
		}
	}
	if h.extension == nil && !h.graceEnds.IsZero() {
		h.absent(now)
	}
	h.reschedule()
}

// reschedule asks for a tick when the next one is due earlier than the
// one asked for last.
func (h *hub) reschedule() {
	var at time.Time
	if len(h.deadlines) > 0 {
		at = h.deadlines[0].deadline
	}
	if h.extension == nil && !h.graceEnds.IsZero() {
		if ends := h.absentUntil(); at.IsZero() || ends.Before(at) {
			at = ends
		}
	}
	if !at.IsZero() && (h.scheduled.IsZero() || at.Before(h.scheduled)) {
		h.scheduled = at
		h.wake(at)
	}
}

// deadlines is a heap of calls, the most urgent first.
type deadlines []*call

func (d deadlines) Len() int           { return len(d) }
func (d deadlines) Less(i, j int) bool { return d[i].deadline.Before(d[j].deadline) }
func (d deadlines) Swap(i, j int) {
	d[i], d[j] = d[j], d[i]
	d[i].index, d[j].index = i, j
}
func (d *deadlines) Push(x any) {
	c := x.(*call)
	c.index = len(*d)
	*d = append(*d, c)
}
func (d *deadlines) Pop() any {
	old := *d
	c := old[len(old)-1]
	old[len(old)-1] = nil
	*d = old[:len(old)-1]
	c.index = -1
	return c
}
