package relay

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// download is one that clients were told of.
type download struct {
	guid string
}

// maxDownloads bounds how many unfinished downloads are remembered.
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
	}
	if json.Unmarshal(params, &d) != nil || len(d.ID) == 0 {
		return
	}
	key := string(d.ID)
	known := h.downloads[key]
	if known == nil {
		if len(h.downloads) >= maxDownloads {
			clear(h.downloads)
		}
		known = &download{guid: h.newID()}
		h.downloads[key] = known
		name := d.Filename
		if i := strings.LastIndexAny(name, `/\`); i >= 0 {
			name = name[i+1:]
		}
		if name == "" {
			name = filepath.Base(d.Path)
		}
		h.download("Browser.downloadWillBegin", object(struct {
			Frame string `json:"frameId"`
			GUID  string `json:"guid"`
			URL   string `json:"url"`
			Name  string `json:"suggestedFilename"`
		}{d.Tab, known.guid, d.URL, name}))
	}
	state := map[string]string{"complete": "completed", "interrupted": "canceled"}[d.State]
	if state == "" {
		state = "inProgress"
	}
	h.download("Browser.downloadProgress", object(struct {
		GUID  string  `json:"guid"`
		Total float64 `json:"totalBytes"`
		Got   float64 `json:"receivedBytes"`
		State string  `json:"state"`
		Path  string  `json:"filePath,omitempty"`
	}{known.guid, max(d.Total, 0), d.Bytes, state, d.Path}))
	if state != "inProgress" {
		delete(h.downloads, key)
	}
}

func (h *hub) download(method string, params []byte) {
	for _, c := range h.clients {
		for _, s := range c.browsers() {
			if s.downloads {
				h.emit(s, method, params)
			}
		}
	}
}

func downloadBehavior(h *hub, m *message) {
	m.session.downloads = string(member(m.params, "eventsEnabled")) == "true"
	m.ok(nil)
}
