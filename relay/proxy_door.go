package relay

import (
	"net/http"
	"regexp"
	"slices"
	"time"
)

// extensionOrigin is the Origin of an extension of whatever make.
var extensionOrigin = regexp.MustCompile(`^chrome-extension://[a-p]{32}$`)

// proxyDoor lets in clients, which have no Origin or the extension's, and
// extensions of any make that know the secret. Web pages stay outside.
func (s *Server) proxyDoor(w http.ResponseWriter, r *http.Request, origins []string, secret, rest string) {
	if len(origins) > 1 || len(origins) == 1 && !extensionOrigin.MatchString(origins[0]) {
		http.Error(w, "web pages may not connect here", http.StatusForbidden)
		return
	}
	if !same(secret, s.options.ClientSecret) || rest != "" {
		http.NotFound(w, r)
		return
	}
	if !upgrade(w, r) {
		return
	}
	outside := len(origins) == 1 && origins[0] != s.options.ExtensionOrigin
	s.serve(w, r, func(sock *socket) {
		p := &party{peer: sock, outside: outside}
		known := false
		_ = sock.conn.SetReadDeadline(time.Now().Add(helloWait))
		err := sock.read(func(data []byte) error {
			if sock.over() {
				return nil // until the close frame is answered
			}
			if s.proxy.hear(p, data) && !known && !sock.over() {
				known = true
				_ = sock.conn.SetReadDeadline(time.Time{})
				s.options.Logger.Info("proxy socket connected", "extension", p.foreign != nil)
			}
			s.slow(sock, &p.flow)
			return nil
		})
		s.proxy.leave(p)
		s.options.Logger.Info("proxy socket gone", "why", err)
	})
}

// byUse lists the hubs, the one used last first.
func (s *Server) byUse() []*hub {
	list := s.all()
	slices.SortStableFunc(list, func(a, b *hub) int { return b.about().LastUsed.Compare(a.about().LastUsed) })
	return list
}
