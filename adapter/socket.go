package adapter

import (
	"slices"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

const (
	// framesLimit is how many frames of a WebSocket are kept.
	framesLimit = 100
	// frameLimit is how many bytes of each are.
	frameLimit = 2 << 10
)

// socket is what went over a WebSocket. Page.mu guards it.
type socket struct {
	frames         []SocketFrame // the last ones, oldest first
	sent, received int           // of all there ever were
}

// SocketFrame is a message of a WebSocket.
type SocketFrame struct {
	Sent   bool // by the page
	Binary bool
	Size   int    // bytes of the whole
	Text   string // the beginning; of a binary one in quotes, as Go writes it
}

func (at source) socketOpens(e *network.EventWebSocketCreated) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if at.keptOut(nil) { // which frame opens one is not told
		return
	}
	p.exchanges.add(&exchange{
		key: e.RequestID, session: at.session, kind: "websocket", begun: cdp.TimeSinceEpoch(float64(time.Now().UnixMicro()) / 1e6), loader: p.loading.loader,
		hops: []*hop{{method: "GET", url: lines.Clip(e.URL, addressLimit)}}, socket: &socket{},
	})
}

func (at source) socketAsks(e *network.EventWebSocketWillSendHandshakeRequest) {
	at.exchangeMoves(e.RequestID, func(x *exchange) {
		x.last().headers, x.last().begun, x.begun = kept(at.cookiesHidden(e.Request.Headers, nil)), e.Timestamp, e.WallTime
	})
}

func (at source) socketAnswered(e *network.EventWebSocketHandshakeResponseReceived) {
	at.exchangeMoves(e.RequestID, func(x *exchange) {
		r := e.Response
		x.last().answer = &network.Response{Status: r.Status, StatusText: r.StatusText, Headers: kept(at.cookiesHidden(r.Headers, nil))}
		x.last().at = e.Timestamp
	})
}

func (at source) socketSent(e *network.EventWebSocketFrameSent) {
	at.exchangeMoves(e.RequestID, func(x *exchange) { x.socket.add(true, e.Response) })
}

func (at source) socketReceived(e *network.EventWebSocketFrameReceived) {
	at.exchangeMoves(e.RequestID, func(x *exchange) { x.socket.add(false, e.Response) })
}

func (at source) socketFailed(e *network.EventWebSocketFrameError) {
	at.exchangeMoves(e.RequestID, func(x *exchange) { x.ended, x.failed = e.Timestamp, lines.Clip(e.ErrorMessage, 500) })
}

func (at source) socketCloses(e *network.EventWebSocketClosed) {
	at.exchangeMoves(e.RequestID, func(x *exchange) {
		if x.ended = e.Timestamp; x.last().answer == nil && x.failed == "" {
			x.failed = "the connection was refused or closed before it opened"
		}
	})
}

func (s *socket) add(sent bool, w *network.WebSocketFrame) {
	if s == nil || w == nil {
		return
	}
	f := SocketFrame{Sent: sent, Binary: w.Opcode != 1, Size: len(w.PayloadData)}
	text := string(w.PayloadData[:min(len(w.PayloadData), frameLimit)])
	if f.Binary {
		text = strconv.Quote(text)
	}
	if f.Text = lines.Clip(text, 2*frameLimit); f.Size > frameLimit {
		f.Text += "…"
	}
	if sent {
		s.sent++
	} else {
		s.received++
	}
	if s.frames = append(s.frames, f); len(s.frames) > framesLimit {
		s.frames = slices.Delete(s.frames, 0, 1)
	}
}
