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
	key     string
	guid    string
	name    string // that the page suggested
	context string // id of the one that its tab is in
	told    []*session
	wanted  map[*session]behavior // what those of them who want copies wanted when it began
	denied  bool                  // it came from a tab in which a client refuses it
	last    string                // what was said of it last
}

// maxDownloads bounds how many downloads are remembered.
const maxDownloads = 1000

// behavior is what a session wants of downloads.
type behavior struct {
	told   bool // of them
	denies bool
	folder string // where copies go; empty for none
	byGUID bool   // the copies are named so
	page   bool   // it counts for the session's own tab alone
}

// wants is what a session wants of downloads of a context: what it wants of the
// browser's own, unless it said otherwise.
func (h *hub) wants(s *session, context string) behavior {
	if b, ok := s.downloads[context]; ok {
		return b
	}
	return s.downloads[h.context]
}

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
		Name     string          `json:"name"` // likewise
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
		known = &download{key: key, guid: cmp.Or(d.GUID, h.newID()), name: plainName(cmp.Or(d.Name, d.Filename, d.Path)), context: h.context}
		if t := h.tabs[d.Tab]; t != nil {
			known.context = h.contextOf(t)
		}
		known.told, known.wanted = h.downloaders(d.Tab, known.context), map[*session]behavior{}
		for _, s := range known.told {
			if b := h.wants(s, known.context); b.folder != "" {
				known.wanted[s] = b
			}
		}
		h.downloads = append(h.downloads, known)
		h.download(known, "Browser.downloadWillBegin", object(struct {
			Frame string `json:"frameId"`
			GUID  string `json:"guid"`
			URL   string `json:"url"`
			Name  string `json:"suggestedFilename"`
		}{d.Tab, known.guid, d.URL, known.name}))
		known.denied = h.deny(known, h.tabs[d.Tab])
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
	say := func(path string) []byte {
		return object(struct {
			GUID  string  `json:"guid"`
			Total float64 `json:"totalBytes"`
			Got   float64 `json:"receivedBytes"`
			State string  `json:"state"`
			Path  string  `json:"filePath,omitempty"`
		}{known.guid, max(d.Total, 0), d.Bytes, state, path})
	}
	progress := say(d.Path)
	if string(progress) == known.last {
		return
	}
	known.last = string(progress)
	if state != "completed" || d.Path == "" {
		h.download(known, "Browser.downloadProgress", progress)
		return
	}
	for _, s := range known.told {
		h.bring(known, s, d.Path, func(path string) { h.emit(s, "Browser.downloadProgress", say(path)) })
	}
}

// bring gives a session the copy of a complete download that it wants, and then
// tells it where that is. What cannot be copied is where it was.
func (h *hub) bring(d *download, s *session, from string, tell func(path string)) {
	told, b := h.wants(s, d.context).told, d.wanted[s]
	if s.closed || s.client.gone {
		return
	}
	if b.folder == "" {
		if told {
			tell(from)
		}
		return
	}
	name := d.name
	if b.byGUID {
		name = plainName(d.guid)
	}
	path, anywhere := "", s.client.writes
	var err error
	h.aside(func() { path, err = copyInto(b.folder, name, from, anywhere) }, func() {
		if err != nil {
			h.log.Info("a download is not where a client wants it", "why", err)
			path = from
		}
		if told {
			tell(path)
		}
	})
}

// plainName is the last part of a path, however its parts are divided.
func plainName(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 {
		path = path[i+1:]
	}
	return path
}

func (h *hub) download(d *download, method string, params []byte) {
	for _, s := range d.told {
		if h.wants(s, d.context).told {
			h.emit(s, method, params)
		}
	}
}

// downloaders lists the sessions that are told of a download: those of the
// clients in its tab. Where nobody is there, or the tab is not known, it is told
// to who alone could have begun it, or to nobody.
func (h *hub) downloaders(tab, context string) []*session {
	var asked, there []*session
	clients := map[*client]bool{}
	for _, c := range h.clients {
		for _, s := range c.all() {
			b := h.wants(s, context)
			if b == (behavior{}) || b.page && (h.tabs[tab] == nil || !slices.Contains(h.tabs[tab].sessions(), s)) {
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

// downloadBehavior takes whether a session hears of downloads, refuses them, or wants
// copies. Where the downloads themselves go stays the person's choice.
func downloadBehavior(h *hub, m *message) {
	var p struct {
		Behavior string `json:"behavior"`
		Context  string `json:"browserContextId"`
		Path     string `json:"downloadPath"`
		Events   bool   `json:"eventsEnabled"`
	}
	if f := decode(m.params, &p); f != nil {
		m.fail(f)
		return
	}
	b := behavior{told: p.Events, denies: p.Behavior == "deny", byGUID: p.Behavior == "allowAndName"}
	c, f := h.contextNamed(m.session.client, p.Context)
	if f != nil {
		m.fail(f)
		return
	}
	context := h.context
	if c != nil && c != m.session.client.own {
		context = c.id
	}
	if (p.Behavior == "allow" || b.byGUID) && filepath.IsAbs(p.Path) && !m.session.client.far {
		b.folder = p.Path
	}
	if b != (behavior{}) {
		b.page = m.method == "Page.setDownloadBehavior"
	}
	if m.session.downloads == nil {
		m.session.downloads = map[string]behavior{}
	}
	m.session.downloads[context] = b
	m.ok(nil)
}

// deny reports whether one who is told of a download refuses it and is in the
// tab that it came from: one of any other tab may be the person's.
func (h *hub) deny(d *download, from *tab) bool {
	return slices.ContainsFunc(d.told, func(s *session) bool { return h.wants(s, d.context).denies && s.client.isIn(from) })
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
