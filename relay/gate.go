package relay

import (
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"strings"

	"github.com/gorilla/websocket"
)

// ServeHTTP lets in who has a loopback Host, a fitting Origin and the
// secret, and turns all others away before anything is looked up. An
// extension has no secret to show here: it proves later that it holds one.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !Loopback(r.Host) {
		http.Error(w, "the Host header must be a loopback name", http.StatusForbidden)
		return
	}
	kind, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	secret, rest, _ := strings.Cut(rest, "/")
	origins := r.Header.Values("Origin")
	switch kind {
	case "extension":
		if len(origins) != 1 || s.options.ExtensionOrigin == "" || origins[0] != s.options.ExtensionOrigin {
			http.Error(w, "only the tabrelay extension may connect here", http.StatusForbidden)
			return
		}
		if secret != s.options.ExtensionID || secret == "" || len(s.options.ExtensionKey) == 0 || rest != "" {
			http.NotFound(w, r)
			return
		}
		if upgrade(w, r) {
			s.extension(w, r)
		}
	case "cdp":
		if len(origins) > 1 || len(origins) == 1 && (s.options.ExtensionOrigin == "" || origins[0] != s.options.ExtensionOrigin) {
			http.Error(w, "web pages may not connect here", http.StatusForbidden)
			return
		}
		at, ok := s.wayOf(secret)
		if !ok {
			http.NotFound(w, r)
			return
		}
		s.cdp(w, r, at, strings.TrimSuffix(rest, "/"))
	case "proxy":
		s.proxyDoor(w, r, origins, secret, rest)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) cdp(w http.ResponseWriter, r *http.Request, at way, rest string) {
	page, isPage := strings.CutPrefix(rest, "devtools/page/")
	if at.address != nil && at.address.Through != nil {
		s.through(w, r, at, rest)
		return
	}
	switch {
	case rest == "" || strings.HasPrefix(rest, "devtools/browser/"):
		if upgrade(w, r) {
			s.client(w, r, at, "")
		}
	case isPage && page != "":
		if upgrade(w, r) {
			s.client(w, r, at, page)
		}
	case rest == "json/version":
		s.version(w, r, at)
	case rest == "json" || rest == "json/list":
		s.list(w, r, at)
	case rest == "json/protocol":
		reply(w, map[string]any{"version": map[string]string{"major": "1", "minor": "3"}, "domains": domains()})
	default:
		http.NotFound(w, r)
	}
}

func upgrade(w http.ResponseWriter, r *http.Request) bool {
	if websocket.IsWebSocketUpgrade(r) {
		return true
	}
	w.Header().Set("Upgrade", "websocket")
	http.Error(w, "this address speaks WebSocket", http.StatusUpgradeRequired)
	return false
}

// Loopback reports whether a Host header names this machine by a name that
// no other site can own.
func Loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	switch strings.ToLower(strings.Trim(host, "[]")) {
	case "127.0.0.1", "localhost", "::1":
		return true
	}
	return false
}

// same compares secrets in constant time. An empty one fits nothing.
func same(got, want string) bool {
	return want != "" && subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1
}

func (s *Server) version(w http.ResponseWriter, r *http.Request, at way) {
	h := s.pick(at.browser(r))
	if h == nil {
		http.Error(w, noBrowser, http.StatusServiceUnavailable)
		return
	}
	b := h.about()
	reply(w, map[string]string{
		"Browser": "Chrome/" + b.Version, "Protocol-Version": "1.3", "User-Agent": b.UserAgent,
		"webSocketDebuggerUrl": at.url(r, "browser", randomID()),
	})
}

func (s *Server) list(w http.ResponseWriter, r *http.Request, at way) {
	h := s.pick(at.browser(r))
	if h == nil {
		http.Error(w, noBrowser, http.StatusServiceUnavailable)
		return
	}
	type entry struct {
		ID     string `json:"id"`
		Type   string `json:"type"`
		Title  string `json:"title"`
		URL    string `json:"url"`
		Socket string `json:"webSocketDebuggerUrl"`
	}
	list := []entry{}
	// Where each client sees its own alone, or is to be let in first, there is none.
	if at.address == nil || !at.address.New && (at.address.Port == 0 || !h.about().personal()) {
		for _, t := range h.list() {
			list = append(list, entry{t.ID, "page", t.Title, t.URL, at.url(r, "page", t.ID)})
		}
	}
	reply(w, list)
}

func (h *hub) list() []tabInfo {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []tabInfo
	for _, t := range h.order {
		if t.taken == nil {
			list = append(list, t.about)
		}
	}
	return list
}

// domains names what chrome.debugger lets through; commands are not
// listed.
func domains() []map[string]string {
	var list []map[string]string
	for _, d := range strings.Fields("Accessibility Audits Browser CacheStorage Console CSS Debugger DOM DOMDebugger " +
		"DOMSnapshot Emulation Fetch Input Inspector IO Log Network Overlay Page Performance Runtime Storage Target " +
		"Tracing WebAudio WebAuthn WebMCP") {
		list = append(list, map[string]string{"domain": d})
	}
	return list
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_ = json.NewEncoder(w).Encode(v)
}
