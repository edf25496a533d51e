package relay

import (
	"cmp"
	"container/heap"
	"log/slog"
	"slices"
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
	return &hub{
		log: o.Logger, policy: o.policy, private: o.Private, grace: o.Grace, timeout: o.CommandTimeout,
		clock: clock, newID: newID, wake: wake, wish: o.Wish,
		browser: newID(), context: newID(),
		tabs: map[string]*tab{}, calls: map[uint64]*call{}, refusals: map[int]refusals{},
	}
}

// client is one CDP peer. All of its fields are guarded by the hub's mu.
type client struct {
	peer     peer
	root     *session // the session without an id
	sessions map[string]*session
	plain    bool            // its tabs stay behind as they are: it sees to frames and focus itself
	files    bool            // it asked for file: addresses; static after construction
	far      bool            // it is on another machine; static, too
	title    string          // of its tabs' group; empty where they have none
	own      *browserContext // of one that sees its own tabs alone
	flow     *flow           // what it has on its way to the browser
	away     time.Duration   // how long it waits for an extension that is away; 0 for as long as the hub
	name     string          // as the person sees it; static after construction
	agent    bool            // it is one of this program's agents; static after construction
	paused   bool            // the person paused it
	entry    *entry          // while it waits to be let in; nil from then on
	visit    func(came bool) // hears when it is let in, and when it has gone then
	deeds    map[string]bool // ids of the questions that the person is asked for it before it acts
	gone     bool
}

// sees reports whether a client may know of a tab.
func (c *client) sees(t *tab) bool { return c.own == nil || t.context != nil && t.context.owner == c }

// guest is what a client is let in as.
type guest struct {
	page  string // the tab that its own root stands for; without it that is the browser
	plain bool
	files bool          // it asks for file: addresses, too
	agent bool          // it says that it is one of this program's agents
	only  bool          // it sees the tabs that it opens and no others
	far   bool          // it is on another machine
	name  string        // as the person sees it; may be empty
	id    string        // of the address that it came by; empty for the owner's own
	flow  *flow         // shared by those of one socket; nil for one of its own
	away  time.Duration // how long it waits for an extension that is away; 0 for the grace time

	port    int             // that asks for no secret, through which it came; or 0
	program string          // what it calls itself
	visit   func(came bool) // hears when it is let in, and when it has gone then; must not wait; nil for nobody
}

// connect lets a client in.
func (h *hub) connect(p peer, g guest) (*client, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.admit(p, g)
}

func (h *hub) admit(p peer, g guest) (*client, bool) {
	if h.over() {
		return nil, false // the grace ended since the client was let in
	}
	c := &client{peer: p, plain: g.plain, files: g.files, far: g.far, away: g.away, name: cmp.Or(g.name, g.id, "cdp"), agent: g.agent, visit: g.visit, sessions: map[string]*session{}, flow: cmp.Or(g.flow, &flow{name: cmp.Or(g.name, g.id)})}
	c.paused = h.pauses(c)
	c.root = &session{client: c, kind: browserSession}
	if g.page != "" {
		t := h.tabs[g.page]
		if t == nil {
			return nil, false
		}
		c.root.kind = pageSession
		h.join(c.root, t.page)
	}
	if g.far {
		c.title = g.name
	}
	if g.only {
		c.own = &browserContext{id: h.newID(), owner: c, title: cmp.Or(g.name, "CDP client"), color: groupColors[0]}
		h.contexts = append(h.contexts, c.own)
	}
	h.clients = append(h.clients, c)
	h.info.LastUsed = h.clock()
	h.enter(c, g)
	return c, true
}

// disconnect forgets a client and all that it left in the tabs.
func (h *hub) disconnect(c *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(c)
	h.reschedule()
}

func (h *hub) drop(c *client) {
	if c.gone {
		return
	}
	c.gone = true
	if c.entry != nil {
		h.forgetEntry(c)
	} else {
		c.visits(false)
	}
	h.forgetDeeds(c)
	if i := slices.Index(h.clients, c); i >= 0 {
		h.clients = append(h.clients[:i], h.clients[i+1:]...)
	}
	h.leave(append(sorted(c.sessions), c.root))
	h.disposeOf(c)
	h.ungroup(c)
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
