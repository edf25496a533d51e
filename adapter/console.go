package adapter

import (
	"fmt"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Level is how serious a console message is.
type Level int

// The levels, least serious first.
const (
	LevelDebug Level = iota
	LevelInfo
	LevelWarning
	LevelError
)

// String returns the level's name: debug, info, warning or error.
func (l Level) String() string { return [...]string{"debug", "info", "warning", "error"}[l] }

// ParseLevel returns the level with a name; log is info, and warn is warning.
func ParseLevel(name string) (Level, bool) {
	switch strings.ToLower(name) {
	case "debug", "verbose":
		return LevelDebug, true
	case "info", "log":
		return LevelInfo, true
	case "warning", "warn":
		return LevelWarning, true
	case "error":
		return LevelError, true
	}
	return 0, false
}

// Message is what a page or the browser wrote to the console.
type Message struct {
	Seq   int // counts up from 1 over the page's life
	Level Level
	Text  string
	Place string // url:line of where it was written, or ""
	Time  time.Time
	Fresh bool // written since the last navigation
}

// Bounds of what is kept of a page's console.
const (
	consoleLimit = 1000
	messageLimit = 10_000 // bytes of one message's text
)

// console is the ring of a page's messages. Page.mu guards it.
type console struct {
	seq     int
	list    []Message
	dropped int
	begin   int // the seq after which messages are of this document
}

// Console returns the messages after the one numbered since, oldest first, how
// many older ones were dropped for space, and the number of the last one.
func (p *Page) Console(since int) (list []Message, dropped, last int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.console
	for _, m := range c.list {
		if m.Seq > since {
			m.Fresh = m.Seq > c.begin
			list = append(list, m)
		}
	}
	return list, c.dropped, c.seq
}

// ClearConsole forgets the messages.
func (p *Page) ClearConsole() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.console.list, p.console.dropped = nil, 0
}

func (c *console) add(m Message) {
	c.seq++
	m.Seq = c.seq
	m.Text = strings.ToValidUTF8(m.Text, "\ufffd")
	if len(m.Text) > messageLimit {
		m.Text = strings.ToValidUTF8(m.Text[:messageLimit], "") + fmt.Sprintf("… (%d bytes)", len(m.Text))
	}
	c.list = append(c.list, m)
	if n := len(c.list) - consoleLimit; n > 0 {
		c.list = slices.Delete(c.list, 0, n)
		c.dropped += n
	}
}

func (c *console) navigated() { c.begin = c.seq }

func (at source) consoleCalled(e *runtime.EventConsoleAPICalled) {
	m := Message{Level: LevelInfo, Time: moment(e.Timestamp), Place: place(e.StackTrace)}
	switch e.Type {
	case runtime.ConsoleAPICalledTypeDebug:
		m.Level = LevelDebug
	case runtime.ConsoleAPICalledTypeWarning:
		m.Level = LevelWarning
	case runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeAssert:
		m.Level = LevelError
	case runtime.ConsoleAPICalledTypeClear, runtime.ConsoleAPICalledTypeEndGroup:
		return
	}
	words := make([]string, len(e.Args))
	for i, a := range e.Args {
		words[i] = written(a)
	}
	m.Text = strings.Join(words, " ")
	at.write(m, func() *frame { return at.frameOf(e.ExecutionContextID) })
}

func (at source) exceptionThrown(e *runtime.EventExceptionThrown) {
	d := e.ExceptionDetails
	m := Message{Level: LevelError, Time: moment(e.Timestamp), Text: exception(d).Error(), Place: place(d.StackTrace)}
	if m.Place == "" && d.URL != "" {
		m.Place = fmt.Sprintf("%s:%d", d.URL, d.LineNumber+1)
	}
	if d.Exception != nil && d.Text != "" && !strings.HasPrefix(m.Text, d.Text) {
		m.Text = d.Text + " " + m.Text // such as: Uncaught (in promise) Error: …
	}
	at.write(m, func() *frame { return at.frameOf(d.ExecutionContextID) })
}

func (at source) entryAdded(e *log.EventEntryAdded) {
	if e.Entry.Source == log.EntrySourceNetwork && strings.HasSuffix(e.Entry.URL, "/favicon.ico") {
		return // the browser's own wish, and no page's fault
	}
	m := Message{Level: LevelInfo, Text: e.Entry.Text, Time: moment(e.Entry.Timestamp)}
	switch e.Entry.Level {
	case log.EntryLevelVerbose:
		m.Level = LevelDebug
	case log.EntryLevelWarning:
		m.Level = LevelWarning
	case log.EntryLevelError:
		m.Level = LevelError
	}
	if e.Entry.URL != "" {
		m.Place = e.Entry.URL
		if e.Entry.LineNumber > 0 {
			m.Place += fmt.Sprintf(":%d", e.Entry.LineNumber+1)
		}
	}
	at.write(m, func() *frame {
		if x := at.page.exchanges.index[e.Entry.NetworkRequestID]; x != nil && at.page.browser.opts.Sites.refusal(e.Entry.URL) == "" {
			return at.page.tree.frames[x.frame]
		}
		return nil
	})
}

// write keeps a message, unless the frame that it is of is kept out; from is
// called under mu.
func (at source) write(m Message, from func() *frame) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if at.keptOut(from()) {
		return
	}
	p.console.add(m)
	p.broadcast()
}

// written is how a console shows a value.
func written(o *runtime.RemoteObject) string {
	switch {
	case o.Type == runtime.RemoteObjectTypeString:
		var s string
		_ = jsonv2.Unmarshal(o.Value, &s, chromedp.DefaultUnmarshalOptions)
		return s
	case o.Preview != nil && o.Subtype != runtime.RemoteObjectSubtypeError:
		return preview(o.Preview)
	case o.Description != "":
		return o.Description
	case o.UnserializableValue != "":
		return string(o.UnserializableValue)
	case len(o.Value) > 0:
		return string(o.Value)
	}
	return string(o.Type)
}

func preview(v *runtime.ObjectPreview) string {
	open, shut := "{", "}"
	list := v.Subtype == runtime.ObjectPreviewSubtypeArray
	if list {
		open, shut = "[", "]"
	}
	parts := make([]string, 0, len(v.Properties))
	for _, q := range v.Properties {
		value := q.Value
		if q.ValuePreview != nil {
			value = preview(q.ValuePreview)
		} else if q.Type == runtime.PropertyPreviewTypeString {
			value = fmt.Sprintf("%q", value)
		}
		if list {
			parts = append(parts, value)
		} else {
			parts = append(parts, q.Name+": "+value)
		}
	}
	if v.Overflow {
		parts = append(parts, "…")
	}
	return open + strings.Join(parts, ", ") + shut
}

func place(t *runtime.StackTrace) string {
	if t == nil || len(t.CallFrames) == 0 || t.CallFrames[0].URL == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", t.CallFrames[0].URL, t.CallFrames[0].LineNumber+1)
}

// moment turns CDP's milliseconds since the epoch into a time.
func moment(t runtime.Timestamp) time.Time { return time.UnixMicro(int64(float64(t) * 1000)) }
