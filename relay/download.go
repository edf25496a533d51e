package relay

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// download is one that clients were told of. It is remembered after its end,
// for the browser may say that again.
type download struct {
	key    string
	guid   string
	told   []*session
	denied bool   // it came from a tab in which a client refuses it
	last   string // what was said of it last
}

// maxDownloads bounds how many downloads are remembered.
const maxDownloads = 1000

// downloadChanged tells clients of a download in CDP's words.
func (h *hub) downloadChanged(params []byte) {
	var d struct {
		ID       json.RawMessage `json:"id"`
		URL      string          `json:"url"`
		Filename string          `json:"filename"`
		Path     string          `json:"path"`
		State    string          `json:"state"`
		Bytes    float64         `json:"bytes"`
		Total    float64         `json:"total"`
		Tab      string          `json:"tabId"`
		GUID     string          `json:"guid"` // that a page told, where one did
	}
	if json.Unmarshal(params, &d) != nil || len(d.ID) == 0 {
		return
	}
	key := string(d.ID)
	at := slices.IndexFunc(h.downloads, func(known *download) bool { return known.key == key })
	var known *download
	if at >= 0 {
		known = h.downloads[at]
	} else {
		if len(h.downloads) == maxDownloads {
			h.downloads = slices.Delete(h.downloads, 0, 1)
		}
		known = &download{key: key, guid: cmp.Or(d.GUID, h.newID()), told: h.downloaders(d.Tab)}
		h.downloads = append(h.downloads, known)
		name := d.Filename
		if i := strings.LastIndexAny(name, `/\`); i >= 0 {
			name = name[i+1:]
		}
		if name == "" {
			name = filepath.Base(d.Path)
		}
		h.download(known, "Browser.downloadWillBegin", object(struct {
			Frame string `json:"frameId"`
			GUID  string `json:"guid"`
			URL   string `json:"url"`
			Name  string `json:"suggestedFilename"`
		}{d.Tab, known.guid, d.URL, name}))
		known.denied = known.refused(h.tabs[d.Tab])
	}
	if known.denied {
		d.Path = ""
		switch {
		case d.State == "complete": // before it was canceled
			h.wire("deleteDownload", wrap("id", d.ID), nil, func([]byte, *fault) {})
			d.State = "interrupted"
		case at < 0:
			h.wire("cancelDownload", wrap("id", d.ID), nil, func([]byte, *fault) {})
		}
	}
	state := map[string]string{"complete": "completed", "interrupted": "canceled"}[d.State]
	if state == "" {
		state = "inProgress"
	}
	progress := object(struct {
		GUID  string  `json:"guid"`
		Total float64 `json:"totalBytes"`
		Got   float64 `json:"receivedBytes"`
		State string  `json:"state"`
		Path  string  `json:"filePath,omitempty"`
	}{known.guid, max(d.Total, 0), d.Bytes, state, d.Path})
	if string(progress) != known.last {
		known.last = string(progress)
		h.download(known, "Browser.downloadProgress", progress)
	}
}

func (h *hub) download(d *download, method string, params []byte) {
	for _, s := range d.told {
		if s.downloads {
			h.emit(s, method, params)
		}
	}
}

// downloaders lists the sessions that are told of a download: those of the
// clients in its tab. Where nobody is there, or the tab is not known, it is told
// to who alone could have begun it, or to nobody.
func (h *hub) downloaders(tab string) []*session {
	var asked, there []*session
	clients := map[*client]bool{}
	for _, c := range h.clients {
		for _, s := range c.all() {
			if !s.downloads && !s.denies {
				continue
			}
			clients[c] = true
			asked = append(asked, s)
			if c.isIn(h.tabs[tab]) {
				there = append(there, s)
			}
		}
	}
	if len(there) == 0 && len(clients) == 1 {
		return asked
	}
	return there
}

// isIn reports whether the client has a session in a tab.
func (c *client) isIn(t *tab) bool {
	return t != nil && slices.ContainsFunc(t.sessions(), func(s *session) bool { return s.client == c })
}

// downloadBehavior takes whether a session hears of downloads, and whether it
// refuses them. Where they go stays the person's choice.
func downloadBehavior(h *hub, m *message) {
	var p struct {
		Behavior string `json:"behavior"`
		Events   bool   `json:"eventsEnabled"`
	}
	if f := decode(m.params, &p); f != nil {
		m.fail(f)
		return
	}
	m.session.downloads, m.session.denies = p.Events, p.Behavior == "deny"
	m.ok(nil)
}

// refused reports whether one who is told of a download refuses it and is in the
// tab that it came from: one of any other tab may be the person's.
func (d *download) refused(from *tab) bool {
	return slices.ContainsFunc(d.told, func(s *session) bool { return s.denies && s.client.isIn(from) })
}

// cancelDownload cancels a download that the client was told of. On one that is
// complete it does nothing.
func cancelDownload(h *hub, m *message) {
	guid := string(text(member(m.params, "guid")))
	for _, d := range h.downloads {
		if d.guid == guid && slices.ContainsFunc(d.told, func(s *session) bool { return s.client == m.session.client }) {
			h.wire("cancelDownload", wrap("id", []byte(d.key)), nil, func(_ []byte, f *fault) { m.done(nil, f) })
			return
		}
	}
	m.fail(failure(codeParams, "No download item found for the given GUID"))
}
