package relay

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// helloWait bounds how long a new extension may take to prove itself and to
	// say hello.
	helloWait = 10 * time.Second
	// silence is how long it may be silent later: it says every 15 s that it is
	// there. A socket that nobody holds any more is found out by this.
	silence = 50 * time.Second
)

func (s *Server) extension(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, func(sock *socket) {
		var h *hub
		var meet introduction
		log := s.options.Logger
		_ = sock.conn.SetReadDeadline(time.Now().Add(helloWait))
		p := newProof(s.options.ExtensionKey, listeningAt(r))
		sock.conn.SetReadLimit(maxUnproven)
		sock.send(p.ask())
		defer meet.end()
		err := sock.read(func(data []byte) error {
			switch {
			case h != nil:
				if !sock.over() && !meet.plain {
					_ = sock.conn.SetReadDeadline(time.Now().Add(s.silence))
				}
				return h.hear(sock, data)
			case sock.over():
				return nil // until the close frame is answered
			case !p.proven:
				say, err := p.hear(data)
				if err != nil {
					code := closeUpdate
					if errors.Is(err, errStranger) {
						code = closeProof
					}
					s.refuse(err)
					sock.close(code, err.Error())
					return nil
				}
				if say != nil {
					sock.send(say)
				}
				if p.proven {
					sock.conn.SetReadLimit(maxFrame)
					meet.begin(sock)
				}
				return nil
			}
			v, err := meet.hear(data)
			if err != nil {
				s.refuse(err)
				sock.close(closeUpdate, err.Error())
			}
			if v == nil {
				return nil
			}
			h = s.join(sock, v)
			return nil
		})
		switch {
		case h != nil:
			byPerson := closedByPerson(err)
			b := h.about()
			if byPerson { // first, so that whoever hears of the end can ask
				s.mu.Lock()
				s.parted[b.InstallID] = b
				s.mu.Unlock()
			}
			was := h.lose(sock, byPerson)
			log.Info("browser connection ended", "why", err)
			s.mu.Lock()
			if byPerson && !was { // it was replaced, and its browser is here
				delete(s.parted, b.InstallID)
			}
			s.notify()
			s.mu.Unlock()
		case sock.over(): // it was refused here
		case websocket.IsCloseError(err, closeProof):
			s.refuse(errStranger) // it holds another key than this relay
		case websocket.IsCloseError(err, closeUpdate):
			s.refuse(errUpdate)
		}
	})
}

// join takes in the browser of an extension that has said who it is.
func (s *Server) join(sock *socket, v *hello) *hub {
	until := time.Now().Add(s.silence)
	if v.plain {
		until = time.Time{} // it sends no keepalive
	}
	_ = sock.conn.SetReadDeadline(until)
	h := s.hub(v.InstallID)
	for ; !h.greet(sock, *v); h = s.hub(v.InstallID) {
		s.remove(h)
	}
	s.options.Logger.Info("browser connected", "name", v.Browser.Name, "version", v.Browser.Version, "tabs", len(v.Tabs))
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.parted, v.InstallID)
	s.notify()
	return h
}

// closedByPerson reports whether an extension's socket ended because the person
// pressed Disconnect.
func closedByPerson(err error) bool {
	var e *websocket.CloseError
	return errors.As(err, &e) && e.Code == websocket.CloseNormalClosure && e.Text == "disconnected in the browser"
}

// Parted lists the browsers that the person disconnected and has not connected
// again, in no particular order.
func (s *Server) Parted() []Browser {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.parted))
}

// refuse notes that an extension is not let in.
func (s *Server) refuse(why error) {
	s.options.Logger.Warn("extension refused", "why", why)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = &Refusal{At: time.Now(), Why: why.Error()}
	s.notify()
}

// Refused returns the extension that was refused last, nil if none was.
func (s *Server) Refused() *Refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused
}
