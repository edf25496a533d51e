package fleet

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// window is how many bytes may be under way in one direction, until the
	// reader has taken some.
	window = 512 << 10
	// maxChunk is the largest body of a record, in bytes, where NATS allows it.
	maxChunk = 128 << 10
	// maxMessage is the largest message, in bytes.
	maxMessage = 64 << 20
	// maxBeat is how often an end says that it is there and how far it is, unless the
	// grace time is short.
	maxBeat = 2 * time.Second
)

// The kinds of records.
const (
	recordData  = 'd' // a part of a message
	recordState = 's' // how far the sender of it is
	recordEnd   = 'e' // why the session ends
)

// What the first byte of a data record's body says.
const (
	partLast   = 1 << iota // the message ends here
	partPacked             // it is compressed
)

// Ended is why a session ended, as a close frame of a WebSocket says it.
type Ended struct {
	Code   int
	Reason string
}

func (e Ended) Error() string { return fmt.Sprintf("%s (%d)", e.Reason, e.Code) }

// codeLost is what the relay says, too, of a browser that does not come back.
const codeLost = 4003

// Link is one end of a session: whole messages in order, each once. What NATS
// drops is sent again, for as long as the other end is heard of within the grace
// time. Writers wait while the other end does not read.
type Link struct {
	// Static after construction.
	publish func([]byte) error
	chunk   int
	grace   time.Duration
	seals   *seals
	counts  *counts
	doubt   func(*Link)     // is called while the other end is silent; nil for nothing
	ctx     context.Context // ends with the link; its cause is an Ended
	end     context.CancelCauseFunc

	writing sync.Mutex // held by who writes a message
	saying  sync.Mutex // held while records are made and go out, so that none overtakes

	// mu guards the following.
	mu      sync.Mutex
	moved   *sync.Cond // any of what is waited for has changed
	numbers uint64     // of state records sent
	heard   time.Time
	states  uint64 // the number of the last state record that came

	sent    uint64   // data records
	flown   uint64   // the bytes of their bodies
	acked   uint64   // of those, what the other end has
	limit   uint64   // of flown, by the other end's leave
	unacked []flight // the oldest first

	got   uint64 // data records, in order
	taken uint64 // their bytes that were read
	came  uint64 // their bytes
	told  uint64 // taken, when the other end was last told
	asked bool   // for those after got again
	queue [][]byte
	part  []byte // of a message; the reader's alone
}

// flight is a record that may have to be sent again.
type flight struct {
	number uint64
	record []byte
}

// newLink makes an end of a session and begins to say that it is there; who makes
// it delivers what comes.
func newLink(seals *seals, publish func([]byte) error, chunk int, grace time.Duration, c *counts, doubt func(*Link)) *Link {
	l := &Link{doubt: doubt, publish: publish, chunk: chunk, grace: grace, seals: seals, counts: c, heard: time.Now(), limit: window}
	l.moved = sync.NewCond(&l.mu)
	l.ctx, l.end = context.WithCancelCause(context.Background())
	context.AfterFunc(l.ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.unacked, l.queue = nil, nil
		l.moved.Broadcast()
	})
	go l.live() // ends with the link
	return l
}

// live says now and then how far this end is, and gives the other up when it has
// been silent for the grace time.
func (l *Link) live() {
	beat := min(maxBeat, l.grace/8)
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-tick.C:
		}
		l.mu.Lock()
		silent := time.Since(l.heard)
		l.mu.Unlock()
		if silent > l.grace {
			l.end(Ended{codeLost, "the connection to the browser's machine is lost"})
			return
		}
		l.say(func() [][]byte { return [][]byte{l.state(false)} })
		if silent > 2*beat && l.doubt != nil {
			l.doubt(l)
		}
	}
}

// say sends what build returns, which is called under mu. What does not go out is
// sent again when it is missed.
func (l *Link) say(build func() [][]byte) {
	l.saying.Lock()
	defer l.saying.Unlock()
	l.mu.Lock()
	records := build()
	l.mu.Unlock()
	for _, record := range records {
		_ = l.publish(record)
	}
}

// state makes a record that says how far this end is; mu is held.
func (l *Link) state(again bool) []byte {
	l.numbers++
	l.told = l.taken
	body := make([]byte, 0, 25)
	body = binary.BigEndian.AppendUint64(body, l.got)
	body = binary.BigEndian.AppendUint64(body, l.taken+window)
	body = binary.BigEndian.AppendUint64(body, l.sent)
	if again {
		body = append(body, 1)
	} else {
		body = append(body, 0)
	}
	return l.seals.seal(recordState, l.numbers, body)
}

// Write sends a message, when the other end has room for it. The message is not
// kept.
func (l *Link) Write(message []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	for first := true; first || len(message) > 0; first = false {
		n := min(len(message), l.chunk)
		if err := l.write(message[:n], n == len(message)); err != nil {
			return err
		}
		message = message[n:]
	}
	return nil
}

func (l *Link) write(chunk []byte, last bool) error {
	body := packed(chunk)
	if last {
		body[0] |= partLast
	}
	l.mu.Lock()
	for l.ctx.Err() == nil && l.flown+uint64(len(body)) > l.limit {
		l.moved.Wait()
	}
	if l.ctx.Err() != nil {
		l.mu.Unlock()
		return context.Cause(l.ctx)
	}
	l.mu.Unlock()
	l.say(func() [][]byte {
		l.sent++
		l.flown += uint64(len(body))
		f := flight{l.sent, l.seals.seal(recordData, l.sent, body)}
		l.unacked = append(l.unacked, f)
		l.counts.out(len(f.record))
		return [][]byte{f.record}
	})
	return nil
}

// Read returns the next message. One goroutine reads.
func (l *Link) Read() ([]byte, error) {
	for {
		l.mu.Lock()
		for l.ctx.Err() == nil && len(l.queue) == 0 {
			l.moved.Wait()
		}
		if l.ctx.Err() != nil {
			l.mu.Unlock()
			return nil, context.Cause(l.ctx)
		}
		body := l.queue[0]
		l.queue[0] = nil
		l.queue = l.queue[1:]
		l.taken += uint64(len(body))
		tell := l.taken-l.told >= window/4
		l.mu.Unlock()
		if tell {
			l.say(func() [][]byte { return [][]byte{l.state(false)} })
		}
		part, last, err := unpacked(l.part, body)
		if err != nil {
			l.Close(1002, "a message cannot be read")
			return nil, err
		}
		l.part = part
		if last {
			l.part = nil
			return part, nil
		}
	}
}

// deliver takes a record that came. What is not sealed by the other end, and what
// came before, changes nothing.
func (l *Link) deliver(record []byte) {
	kind, number, ok := numbered(record)
	if !ok {
		l.counts.refuse()
		return
	}
	l.mu.Lock()
	old := kind == recordData && number <= l.got || kind != recordData && number <= l.states
	l.mu.Unlock()
	if old {
		l.counts.repeat()
		return
	}
	body, err := l.seals.open(record)
	if err != nil {
		l.counts.refuse()
		return
	}
	switch {
	case kind == recordData:
		l.counts.in(len(record))
		l.data(number, body)
	case kind == recordState && len(body) == 25:
		l.hear(number, body)
	case kind == recordEnd && len(body) >= 2:
		l.end(Ended{int(binary.BigEndian.Uint16(body)), reason(string(body[2:]))})
	}
}

// data takes a part of a message, if it is the next one.
func (l *Link) data(number uint64, body []byte) {
	l.mu.Lock()
	l.heard = time.Now()
	missed, flooded := false, false
	switch {
	case number <= l.got || l.ctx.Err() != nil:
	case number > l.got+1:
		missed, l.asked = !l.asked, true // once; the beat asks anew
	case len(body) == 0 || l.came+uint64(len(body)) > l.taken+window: // what is empty would not count
		flooded = true
	default:
		l.got++
		l.came += uint64(len(body))
		l.asked = false
		l.queue = append(l.queue, body)
		l.moved.Broadcast()
	}
	l.mu.Unlock()
	switch {
	case missed:
		l.say(func() [][]byte { return [][]byte{l.state(true)} })
	case flooded:
		l.Close(1009, "more was sent than was allowed")
	}
}

// hear takes how far the other end is.
func (l *Link) hear(number uint64, body []byte) {
	got, limit, sent, again := binary.BigEndian.Uint64(body), binary.BigEndian.Uint64(body[8:]), binary.BigEndian.Uint64(body[16:]), body[24] == 1
	l.mu.Lock()
	if number <= l.states || l.ctx.Err() != nil {
		l.mu.Unlock()
		return
	}
	l.states, l.heard = number, time.Now()
	n := 0
	for n < len(l.unacked) && l.unacked[n].number <= got {
		l.acked += uint64(len(l.unacked[n].record) - sealed)
		l.unacked[n] = flight{}
		n++
	}
	l.unacked = l.unacked[n:]
	l.limit = max(l.limit, min(limit, l.acked+window)) // whatever it says, no more than a window is kept for it
	missed := sent > l.got                             // the last of them did not come
	l.asked = l.asked || missed
	l.moved.Broadcast()
	l.mu.Unlock()
	if again || missed {
		l.say(func() (send [][]byte) {
			if again {
				send = l.flights()
			}
			if missed {
				send = append(send, l.state(true))
			}
			return send
		})
	}
}

// flights are the records that may have to be sent again; mu is held.
func (l *Link) flights() (send [][]byte) {
	for _, f := range l.unacked {
		send = append(send, f.record)
	}
	l.counts.resend(len(send))
	return send
}

// resume sends again what may have been lost with a connection, and asks the other
// end for the same.
func (l *Link) resume() {
	l.say(func() [][]byte { return append(l.flights(), l.state(true)) })
}

// Close ends the session and tells the other end why.
func (l *Link) Close(code int, why string) {
	if l.ctx.Err() != nil {
		return
	}
	e := Ended{code, reason(why)}
	l.say(func() [][]byte {
		l.numbers++
		return [][]byte{l.seals.seal(recordEnd, l.numbers, append(binary.BigEndian.AppendUint16(nil, uint16(code)), e.Reason...))}
	})
	l.end(e)
}

// reason is a text as a close frame of a WebSocket can hold it.
func reason(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), 120)], "")
}

// ended is why a link ended.
func ended(err error) Ended {
	var e Ended
	if errors.As(err, &e) {
		return e
	}
	return Ended{1011, err.Error()}
}

// counts are what happened on links. The zero value is ready.
type counts struct {
	framesIn, framesOut, bytesIn, bytesOut, repeated, resent, refused atomic.Int64
}

func (c *counts) in(n int)     { c.framesIn.Add(1); c.bytesIn.Add(int64(n)) }
func (c *counts) out(n int)    { c.framesOut.Add(1); c.bytesOut.Add(int64(n)) }
func (c *counts) repeat()      { c.repeated.Add(1) }
func (c *counts) resend(n int) { c.resent.Add(int64(n)) }
func (c *counts) refuse()      { c.refused.Add(1) }
