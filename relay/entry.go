package relay

import (
	"fmt"
	"slices"
	"time"

	"github.com/gorilla/websocket"
)

// A port that asks for no secret is open to every program of this machine. In a
// person's browser each client that comes through one waits until they let it in.

const (
	// entryWait is how long the person may take.
	entryWait = 2 * time.Minute
	// maxEntries bounds the clients of one browser that wait at once, so that the
	// person is not asked for more than they can read.
	maxEntries = 4
	// maxHeld bounds what a client says meanwhile, in bytes.
	maxHeld = 1 << 20
	// firstPause is how long nobody is asked about a port after the person refused
	// a program there; each further refusal doubles it, up to longestPause.
	firstPause   = 10 * time.Second
	longestPause = 10 * time.Minute
)

// refusals are those of the person at a port since they let a program in there.
type refusals struct {
	n     int
	until time.Time // nobody is asked before
}

// refused notes that the person refused a program at a port.
func (h *hub) refused(port int) {
	r := h.refusals[port]
	pause := longestPause
	if r.n < 6 {
		pause = firstPause << r.n
	}
	h.refusals[port] = refusals{r.n + 1, h.clock().Add(pause)}
}

var (
	faultEntry   = &fault{code: codeRefused, message: "the person does not let this program use the browser: ask them before connecting again"}
	faultNoEntry = &fault{code: codeRefused, message: "the person has not answered whether this program may use the browser: connect again, and ask them to answer in the Tabrelay panel"}
	faultMany    = &fault{code: codeRefused, message: "too many programs wait for the person already: connect again when they have answered"}
	faultUnasked = &fault{code: codeRefused, message: "the browser's extension cannot ask the person about this program: update it, or use an address with a secret (`tabrelay cdp` without --listen)"}
)

// entry is that a client waits to be let in.
type entry struct {
	params []byte // of the question; nil while there is none
	until  time.Time
	said   []saying
	bytes  int
}

// saying is a frame of a client that waits.
type saying struct {
	data    []byte
	private bool // it gives a page a file that the client may not give
}

// personal reports whether the browser is a person's, and not one that was launched.
func (b Browser) personal() bool { return b.Launch == "" }

// enter lets a client in, now or when the person says so.
func (h *hub) enter(c *client, g guest) {
	if g.port == 0 || !h.info.personal() {
		h.letIn(c)
		return
	}
	c.entry = &entry{until: h.clock().Add(entryWait)}
	if left := h.refusals[g.port].until.Sub(h.clock()); left > 0 {
		h.turnAway(c, &fault{code: codeRefused, message: fmt.Sprintf("the person refused a program at this port a moment ago: they are not asked again for %s; ask them before connecting again", left.Round(time.Second))})
		return
	}
	waiting := 0
	for _, other := range h.clients {
		if other.entry != nil {
			waiting++
		}
	}
	if waiting > maxEntries {
		h.turnAway(c, faultMany)
		return
	}
	c.entry.params = object(struct {
		Client  string `json:"client"`
		Port    int    `json:"port"`
		Program string `json:"program,omitempty"`
	}{h.newID(), g.port, g.program})
	h.askEntry(c, g.port)
}

// askEntry asks the person, and again while they have not answered.
func (h *hub) askEntry(c *client, port int) {
	h.wire("awaitClient", slices.Clone(c.entry.params), nil, func(result []byte, f *fault) {
		if c.gone {
			return
		}
		switch verdict := string(text(member(result, "verdict"))); {
		case f == faultLost || f == faultReplaced: // the extension comes back
			h.askEntry(c, port)
		case f == faultPlain || f != nil && string(member(f.raw, "code")) == "-32601":
			h.turnAway(c, faultUnasked)
		case f != nil:
			h.turnAway(c, f)
		case verdict == "allowed":
			delete(h.refusals, port)
			h.letIn(c)
		case verdict == "refused":
			h.refused(port)
			h.turnAway(c, faultEntry)
		case h.clock().Before(c.entry.until):
			h.askEntry(c, port)
		default:
			h.turnAway(c, faultNoEntry)
		}
	})
	h.reschedule()
}

// wait keeps what a client says while it waits.
func (h *hub) wait(c *client, data []byte, private bool) {
	e := c.entry
	if e.bytes += len(data) + overhead; e.bytes > maxHeld {
		h.drop(c)
		c.peer.close(closeFlood, "you are sending more than is kept while the person is asked: wait for answers before sending more")
		return
	}
	e.said = append(e.said, saying{slices.Clone(data), private})
}

func (c *client) visits(came bool) {
	if c.visit != nil {
		c.visit(came)
	}
}

// letIn carries out what a client said while it waited, and all that it says from now on.
func (h *hub) letIn(c *client) {
	e := c.entry
	c.entry = nil
	c.visits(true)
	if e == nil {
		return
	}
	for _, s := range e.said {
		if c.gone {
			return
		}
		f, err := scanMessage(s.data)
		h.obey(c, f, err, s.private)
	}
}

// turnAway answers all that a client said while it waited with why it is not let in.
func (h *hub) turnAway(c *client, why *fault) {
	for _, s := range c.entry.said {
		if f, err := scanMessage(s.data); err == nil {
			m, _ := c.message(f)
			c.peer.send(errorFrame(m.id, "", why))
		}
	}
	h.drop(c)
	c.peer.close(websocket.ClosePolicyViolation, why.text())
}

// forgetEntry withdraws the question of a client that has gone.
func (h *hub) forgetEntry(c *client) {
	if h.extension != nil && !h.simple && c.entry.params != nil {
		h.post("forgetClient", struct {
			Client string `json:"client"`
		}{string(text(member(c.entry.params, "client")))})
	}
	c.entry = nil
}
