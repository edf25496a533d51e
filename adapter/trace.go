package adapter

import (
	"github.com/chromedp/cdproto/tracing"
)

type trace struct{}

func (at source) traceComplete(e *tracing.EventTracingComplete) {}
func (at source) traceFills(e *tracing.EventBufferUsage)        {}
