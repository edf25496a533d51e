package relay

import (
	"encoding/json"
	"slices"
	"sync/atomic"
	"time"
)

// A plain extension has proved the key and then says no hello: it waits to be
// asked, and knows no more than to list, open, attach, command and close tabs and
// to tell of them. What else the relay would have of it is answered here.

// helloPause is how long after its proof an extension may take before it is taken
// for a plain one. Ours says hello in the same breath.
const helloPause = time.Second

// beyondPlain are the commands that a plain extension does not know.
var beyondPlain = map[string]bool{
	"detachTab": true, "leaveTab": true, "activateTab": true, "groupTabs": true, "leaveGroups": true,
	"cancelDownload": true, "deleteDownload": true, "show": true, "awaitSite": true, "awaitClient": true, "awaitConfirmation": true,
}

var faultPlain = &fault{code: codeMethod, message: "the browser's extension cannot do that"}

// The number of these is no call's.
var (
	askRegistered = []byte(`{"id":0,"method":"listRegisteredTabs","params":{}}`)
	askControlled = []byte(`{"id":0,"method":"listTabs","params":{}}`)
)

// introduction is how an extension says who it is: with a hello, or, where it is a
// plain one, by its answers. It belongs to its socket's reader.
type introduction struct {
	pause *time.Timer // asks; nil before the proof
	asked atomic.Bool
	ask   func(frame []byte)
	tabs  []tabInfo
	told  bool // its tabs are known; which of them it controls is not yet
	plain bool
}

// begin waits for a hello, for a moment.
func (i *introduction) begin(p peer) {
	i.ask = p.send
	i.pause = time.AfterFunc(helloPause, func() {
		i.asked.Store(true)
		p.send(askRegistered)
	})
}

func (i *introduction) end() {
	if i.pause != nil {
		i.pause.Stop()
	}
}

// hear takes a frame, and returns the hello that it is or makes complete; nil if
// there is more to come.
func (i *introduction) hear(data []byte) (*hello, error) {
	v, err := parseHello(data)
	if err == nil {
		i.end()
		return &v, nil
	}
	var f struct {
		ID     *int64 `json:"id"`
		Method string `json:"method"`
		Result struct {
			Tabs []tabInfo `json:"tabs"`
		} `json:"result"`
	}
	switch {
	case !i.asked.Load(), json.Unmarshal(data, &f) != nil, f.ID == nil && f.Method == "", f.Method == "hello", f.ID != nil && *f.ID != 0:
		return nil, err
	case f.ID == nil:
		return nil, nil // an event; the lists have what it tells, unless it comes between them
	case !i.told:
		i.tabs, i.told = f.Result.Tabs, true
		i.ask(askControlled)
		return nil, nil
	}
	for n := range i.tabs {
		t := &i.tabs[n]
		t.Attached = slices.ContainsFunc(f.Result.Tabs, func(o tabInfo) bool { return o.ID == t.ID })
	}
	i.plain = true
	v = hello{InstallID: "plain", Tabs: i.tabs, plain: true}
	v.Browser.Name = "Browser"
	return &v, nil
}
