package relay

import (
	"bytes"
	"maps"
	"slices"
)

// Chrome has one session for all clients of a tab and numbers its streams from
// one. Here a stream belongs to the session that it was made for, and so does a
// recording: whoever did not start it neither ends it nor hears of it.

// gainful are the commands that give a session a stream, or the recording.
var gainful = map[string]bool{
	"Tracing.start":                                   true,
	"Page.printToPDF":                                 true,
	"Fetch.takeResponseBodyAsStream":                  true,
	"Network.takeResponseBodyForInterceptionAsStream": true,
	"Network.loadNetworkResource":                     true,
}

// maxStreams bounds how many streams a session may have open.
const maxStreams = 1000

// foreign says why a session cannot use the stream, or end the recording, that
// a command is about. It notes what the session gives up or asks for.
func (s *session) foreign(method string, params []byte) *fault {
	if gainful[method] && len(s.streams) >= maxStreams {
		return failure(codeServer, "%d streams are open: close some with IO.close", maxStreams)
	}
	switch method {
	case "IO.read", "IO.close":
		handle := text(member(params, "handle"))
		if bytes.HasPrefix(handle, []byte("blob:")) { // named by an object of the session
			return nil
		}
		if !s.streams[string(handle)] {
			return failure(codeParams, "Invalid stream handle")
		}
		if method == "IO.close" {
			delete(s.streams, string(handle))
		}
	case "Tracing.start":
		s.starting++
	case "Tracing.end":
		if s.target.recorder != s && s.starting == 0 {
			return failure(codeServer, "Tracing is not started")
		}
	}
	return nil
}

// gains notes what a command, or the end of a recording, gave a session. One that
// has ended meanwhile gives it back. A recording that the browser did not refuse
// may have begun.
func (h *hub) gains(s *session, method string, result []byte, f *fault) {
	if method == "Tracing.start" {
		s.starting--
		if f == nil || f.raw == nil && s.target.recorder == nil {
			s.target.recorder = s
		}
	}
	var stream []byte
	switch method {
	case "Network.loadNetworkResource":
		stream = member(member(result, "resource"), "stream")
	default:
		stream = member(result, "stream")
	}
	if handle := string(text(stream)); handle != "" {
		if s.streams == nil {
			s.streams = map[string]bool{}
		}
		s.streams[handle] = true
	}
	if s.closed || s.client.gone {
		h.leaveStreams(s)
	}
}

// traced gives an event of a recording to the session that started it.
func (h *hub) traced(t *target, method string, params []byte) {
	s := t.recorder
	if method == "Tracing.tracingComplete" {
		t.recorder = nil
		if handle := member(params, "stream"); s != nil {
			h.gains(s, method, params, nil)
		} else if len(handle) > 0 { // of one that has gone
			h.own(t, "IO.close", wrap("handle", handle))
		}
	}
	if s != nil {
		h.emit(s, method, params)
	}
}

// leaveStreams ends the recording of a session that has ended, and closes its
// streams.
func (h *hub) leaveStreams(s *session) {
	t := s.target
	recorder := t.recorder == s
	if recorder {
		t.recorder = nil
	}
	if t.gone || t.crashed || t.tab.state != attached {
		return
	}
	if recorder {
		h.own(t, "Tracing.end", nil)
	}
	for _, handle := range slices.Sorted(maps.Keys(s.streams)) {
		h.own(t, "IO.close", wrap("handle", appendString(nil, handle)))
	}
	s.streams = nil
}
