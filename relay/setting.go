package relay

import (
	"encoding/json"
	"slices"
)

// sized gives a page another size than its tab has.
const sized = "Emulation.setDeviceMetricsOverride"

// undos tells for each command that changes a target for good how it is
// taken back when the client that sent it has gone.
var undos = map[string]struct{ method, params string }{
	sized:                                         {"Emulation.clearDeviceMetricsOverride", "{}"},
	"Emulation.setGeolocationOverride":            {"Emulation.clearGeolocationOverride", "{}"},
	"Emulation.setIdleOverride":                   {"Emulation.clearIdleOverride", "{}"},
	"Emulation.setUserAgentOverride":              {"Emulation.setUserAgentOverride", `{"userAgent":""}`},
	"Network.setUserAgentOverride":                {"Network.setUserAgentOverride", `{"userAgent":""}`},
	"Emulation.setTimezoneOverride":               {"Emulation.setTimezoneOverride", `{"timezoneId":""}`},
	"Emulation.setLocaleOverride":                 {"Emulation.setLocaleOverride", "{}"},
	"Emulation.setEmulatedMedia":                  {"Emulation.setEmulatedMedia", "{}"},
	"Emulation.setScriptExecutionDisabled":        {"Emulation.setScriptExecutionDisabled", `{"value":false}`},
	"Emulation.setCPUThrottlingRate":              {"Emulation.setCPUThrottlingRate", `{"rate":1}`},
	"Emulation.setDefaultBackgroundColorOverride": {"Emulation.setDefaultBackgroundColorOverride", "{}"},
	"Network.emulateNetworkConditions": {"Network.emulateNetworkConditions",
		`{"offline":false,"latency":0,"downloadThroughput":-1,"uploadThroughput":-1}`},
	"Network.emulateNetworkConditionsByRule": {"Network.emulateNetworkConditionsByRule", `{"matchedNetworkConditions":[]}`},
	"Network.overrideNetworkState": {"Network.overrideNetworkState",
		`{"offline":false,"latency":0,"downloadThroughput":-1,"uploadThroughput":-1}`},
	"Network.setExtraHTTPHeaders":    {"Network.setExtraHTTPHeaders", `{"headers":{}}`},
	"Network.setCacheDisabled":       {"Network.setCacheDisabled", `{"cacheDisabled":false}`},
	"Network.setBypassServiceWorker": {"Network.setBypassServiceWorker", `{"bypass":false}`},
	"Network.setBlockedURLs":         {"Network.setBlockedURLs", `{"urls":[]}`},
	"Page.setBypassCSP":              {"Page.setBypassCSP", `{"enabled":false}`},
	"Input.setInterceptDrags":        {"Input.setInterceptDrags", `{"enabled":false}`},
	"Runtime.addBinding":             {"Runtime.removeBinding", ""}, // by name
}

// clears are the commands that take a setting back by hand.
var clears = map[string]string{
	"Emulation.clearDeviceMetricsOverride": sized,
	"Emulation.clearGeolocationOverride":   "Emulation.setGeolocationOverride",
	"Emulation.clearIdleOverride":          "Emulation.setIdleOverride",
}

// setting is a change that a session made and that outlives the command.
type setting struct {
	method string
	params []byte
	age    uint64
}

// script is a script for new documents. Chrome's id for it changes when
// the attachment is renewed, the client's does not.
type script struct {
	id, chrome string
	params     []byte
}

// note remembers what a command sets.
func (h *hub) note(s *session, method string, params []byte) {
	if key := clears[method]; key != "" {
		delete(s.settings, key)
		return
	}
	if method == "Runtime.removeBinding" {
		delete(s.settings, "Runtime.addBinding/"+string(text(member(params, "name"))))
		return
	}
	if _, ok := undos[method]; !ok {
		return
	}
	key := method
	if method == "Runtime.addBinding" {
		name := text(member(params, "name"))
		if len(name) == 0 {
			return // Chrome refuses it
		}
		key += "/" + string(name)
	}
	if s.settings == nil {
		s.settings = map[string]*setting{}
	}
	s.settings[key] = &setting{method: method, params: slices.Clone(params), age: h.lastCall}
}

// undo takes back what a session has set, or puts in force what another
// one had set before.
func (h *hub) undo(s *session) {
	t := s.target
	if t.gone || t.crashed || t.tab.state != attached {
		return
	}
	for _, key := range s.keys() {
		var other *setting
		for _, o := range t.sessions {
			if set := o.settings[key]; set != nil && (other == nil || set.age > other.age) {
				other = set
			}
		}
		mine := s.settings[key]
		if other != nil {
			if mine.method != "Runtime.addBinding" {
				h.own(t, other.method, other.params)
			}
			continue
		}
		u := undos[mine.method]
		params := []byte(u.params)
		if u.params == "" {
			params = wrap("name", member(mine.params, "name"))
		}
		h.own(t, u.method, params)
	}
	for _, sc := range s.scripts {
		h.own(t, "Page.removeScriptToEvaluateOnNewDocument", wrap("identifier", appendString(nil, sc.chrome)))
	}
}

// keys lists the session's settings, oldest first.
func (s *session) keys() []string {
	keys := make([]string, 0, len(s.settings))
	for key := range s.settings {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if d := int(s.settings[a].age) - int(s.settings[b].age); d != 0 {
			return d
		}
		if a < b {
			return -1
		}
		return 1
	})
	return keys
}

// addScript forwards Page.addScriptToEvaluateOnNewDocument and keeps the
// script, since a renewed attachment has lost it.
func addScript(h *hub, m *message) {
	s, params := m.session, slices.Clone(m.params)
	h.do(&call{target: s.target, method: m.quoted, params: m.params, name: m.method,
		after: func(result []byte, f *fault) {
			if id := identifier(result); f == nil && id != "" {
				sc := &script{id: id, chrome: id, params: params}
				if s.closed {
					return
				}
				s.scripts = append(s.scripts, sc)
			}
			h.answer(s, m.id, result, f)
		}})
}

func removeScript(h *hub, m *message) {
	id := identifier(m.params)
	for i, sc := range m.session.scripts {
		if sc.id == id {
			m.session.scripts = append(m.session.scripts[:i], m.session.scripts[i+1:]...)
			m.params = wrap("identifier", appendString(nil, sc.chrome))
			break
		}
	}
	h.plain(m)
}

func identifier(object []byte) string {
	var v struct {
		Identifier string `json:"identifier"`
	}
	_ = json.Unmarshal(object, &v)
	return v.Identifier
}

// renew sets again what the sessions of a target had set, for an
// attachment that knows nothing of it.
func (h *hub) renew(t *target) {
	t.recorder = nil
	for _, s := range t.sessions {
		s.streams = nil
		h.as(s.client.flow, func() { h.renewFor(s) })
	}
}

func (h *hub) renewFor(s *session) {
	for _, key := range s.keys() {
		h.own(s.target, s.settings[key].method, s.settings[key].params)
	}
	for _, sc := range s.scripts {
		h.do(&call{target: s.target, method: []byte(`"Page.addScriptToEvaluateOnNewDocument"`), params: sc.params,
			after: func(result []byte, f *fault) {
				if id := identifier(result); f == nil && id != "" {
					sc.chrome = id
				}
			}})
	}
}

// setFonts sets the fonts of a target, which Chrome takes once for all sessions
// and for as long as it is attached. Those that come later are content with it.
func setFonts(h *hub, m *message) {
	t := m.session.target
	if t.fonts {
		m.ok(nil)
		return
	}
	t.fonts = true
	h.forward(m)
}
