package adapter

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/tracing"

	"github.com/tabrelay/tabrelay/adapter/trace"
)

// recording is a trace under way; Page.mu guards it.
type recording struct {
	begin  time.Time
	full   float64 // how much of the buffer is used, 0 to 1
	over   bool
	lost   bool
	stream cdpio.StreamHandle
}

const (
	traceBuffer = 64 << 10 // KB that the browser keeps
	traceLimit  = 96 << 20 // bytes that are read
	traceRead   = 1 << 20  // bytes in one message
)

// traceCategories are what is recorded; what a summary needs and what the
// browser's own viewer shows.
var traceCategories = []string{
	"devtools.timeline", "disabled-by-default-devtools.timeline", "loading", "blink.user_timing", "latencyInfo",
	"v8.execute", "disabled-by-default-devtools.timeline.frame", "toplevel", "disabled-by-default-lighthouse",
}

// StartTrace begins to record what the page does, in a buffer of the browser's
// that is bounded. It fails with ErrInvalid where one is recorded already.
func (p *Page) StartTrace(ctx context.Context) error {
	ctx, s, stop, err := p.work(ctx)
	if err != nil {
		return err
	}
	defer stop()
	p.mu.Lock()
	if p.recording != nil {
		p.mu.Unlock()
		return fail(ErrInvalid, "stop it with action stop first", "a trace is already being recorded")
	}
	p.recording = &recording{begin: time.Now()}
	p.mu.Unlock()
	progress(ctx, 0, 0, "starting the recording")
	_, err = call(ctx, s, tracing.Start, tracing.StartParams{
		TransferMode: tracing.StartTransferModeReturnAsStream, StreamFormat: tracing.StreamFormatJSON,
		BufferUsageReportingInterval: 1000,
		TraceConfig: &tracing.TraceConfig{RecordMode: tracing.TraceConfigRecordModeRecordUntilFull,
			TraceBufferSizeInKb: traceBuffer, IncludedCategories: traceCategories, ExcludedCategories: []string{"*"}},
	})
	if err != nil {
		given := ctx.Err() != nil // and it may have begun all the same
		p.cancelTrace(given)
		err = p.reason(err)
		if !given && says(err, saysTracing) {
			return fail(ErrUnsupported, "try again when it has finished", "another program is recording a trace in this browser")
		}
	}
	return err
}

// StopTrace ends the recording, writes it to w unless that is nil, as JSON that
// the browser's performance panel reads, and sums it up. It fails with
// ErrInvalid where none is recorded.
func (p *Page) StopTrace(ctx context.Context, w io.Writer) (trace.Summary, error) {
	ctx, s, stop, err := p.work(ctx)
	if err != nil {
		return trace.Summary{}, err
	}
	defer stop()
	p.mu.Lock()
	t := p.recording
	p.mu.Unlock()
	if t == nil {
		return trace.Summary{}, fail(ErrInvalid, "call it with action start first", "no trace is being recorded")
	}
	defer func() {
		p.mu.Lock()
		p.recording = nil
		p.mu.Unlock()
	}()
	took := time.Since(t.begin)
	progress(ctx, 0, 0, "ending the recording")
	if _, err := call(ctx, s, tracing.End, cdp.Empty{}); err != nil {
		return trace.Summary{}, p.reason(err)
	}
	if err := p.await(ctx, func() bool { return t.over || p.session != s }); err != nil {
		return trace.Summary{}, p.reason(err)
	}
	if t.stream == "" {
		return trace.Summary{}, fail(ErrConnectionLost, "start another one", "the recording was lost with the tab's attachment")
	}
	defer post(s, cdpio.Close, cdpio.CloseParams{Handle: t.stream})
	var text bytes.Buffer
	for {
		res, err := call(ctx, s, cdpio.Read, cdpio.ReadParams{Handle: t.stream, Size: traceRead})
		if err != nil {
			return trace.Summary{}, p.reason(err)
		}
		text.Write(res.Data)
		progress(ctx, float64(text.Len()), 0, "bytes of the trace read")
		if res.EOF {
			break
		}
		if text.Len() > traceLimit {
			return trace.Summary{}, fail(ErrUnsupported, "record for a shorter time", "the trace is larger than %d MB", traceLimit>>20)
		}
	}
	sum, err := trace.Summarize(text.Bytes())
	if err != nil {
		return sum, fmt.Errorf("read the trace: %w", err)
	}
	sum.Duration, sum.Bytes, sum.Lost = took, text.Len(), t.lost || t.full >= 1
	if w != nil {
		if _, err := w.Write(text.Bytes()); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// cancelTrace forgets a recording whose result nobody wants, and ends it where
// it may have begun.
func (p *Page) cancelTrace(begun bool) {
	p.mu.Lock()
	s, on := p.session, p.recording != nil && begun
	p.recording = nil
	p.mu.Unlock()
	if on && s != nil {
		post(s, tracing.End, cdp.Empty{})
	}
}

func (at source) traceComplete(e *tracing.EventTracingComplete) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.recording; t != nil {
		t.over, t.stream, t.lost = true, e.Stream, e.DataLossOccurred
		p.broadcast()
		return
	}
	if e.Stream != "" {
		post(at.session, cdpio.Close, cdpio.CloseParams{Handle: e.Stream})
	}
}

func (at source) traceFills(e *tracing.EventBufferUsage) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.recording != nil {
		p.recording.full = max(p.recording.full, e.PercentFull)
	}
}
