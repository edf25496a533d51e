package main

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

const (
	// rouseLimit is how long a browser may take whose extension was woken; it may
	// have to start.
	rouseLimit = 10 * time.Second
	ownFile    = "own.json" // the persons' browsers that were connected
	maxOwn     = 8          // of them that are remembered
	maxOwnAge  = 60 * 24 * time.Hour
)

// ownBrowser is a person's browser that was connected some time.
type ownBrowser struct {
	Install string    `json:"install"`
	Name    string    `json:"name"`            // of the product
	Called  string    `json:"called"`          // such as chrome-1
	Label   string    `json:"label,omitempty"` // what the person calls it
	Seen    time.Time `json:"seen"`
	Used    time.Time `json:"used,omitzero"` // by an agent
}

// name is the name by which an agent can choose the browser.
func (o ownBrowser) name() string { return cmp.Or(plainLabel(o.Label), o.Called) }

// answersTo reports whether an agent can mean the browser by a name.
func (o ownBrowser) answersTo(name string) bool {
	return slices.ContainsFunc([]string{o.name(), o.Called, o.Install}, func(own string) bool { return strings.EqualFold(name, own) })
}

// remembered lists the persons' browsers that were connected, the last one first.
func (h *host) remembered() (list []ownBrowser) {
	data, err := state.ReadRegular(filepath.Join(h.state.Dir, ownFile), daemon.MaxGreeting)
	if err != nil || json.Unmarshal(data, &list) != nil {
		return nil // none yet, or none that can be read, which is as good
	}
	return slices.DeleteFunc(list, func(b ownBrowser) bool { return time.Since(b.Seen) > maxOwnAge })
}

// remember notes that a person's browser was connected, so that it can be woken
// when nobody has spoken to it for long, and whether an agent uses it: the one
// used last is the one that the next agent gets.
func (h *host) remember(b relay.Browser, used bool) {
	h.owning.Lock()
	defer h.owning.Unlock()
	list := h.remembered()
	now := ownBrowser{Install: b.InstallID}
	if i := slices.IndexFunc(list, func(o ownBrowser) bool { return o.Install == b.InstallID }); i >= 0 {
		now = list[i]
		list = slices.Delete(list, i, i+1)
	}
	now.Name, now.Label, now.Seen = b.Name, b.Label, time.Now()
	if now.Called == "" {
		now.Called = freeName(b, list)
	}
	if used {
		now.Used = now.Seen
	}
	list = slices.Insert(list, 0, now)
	h.keep(list[:min(len(list), maxOwn)])
}

// usedLast tells when an agent last chose a person's browser.
func usedLast(list []ownBrowser, b relay.Browser) time.Time {
	for _, o := range list {
		if o.Install == b.InstallID {
			return o.Used
		}
	}
	return time.Time{}
}

// forget drops a browser that did not wake.
func (h *host) forget(b ownBrowser) {
	h.owning.Lock()
	defer h.owning.Unlock()
	h.keep(slices.DeleteFunc(h.remembered(), func(o ownBrowser) bool { return o.Install == b.Install }))
}

func (h *host) keep(list []ownBrowser) {
	data, err := json.MarshalIndent(list, "", "  ")
	if err == nil {
		err = state.ReplaceFile(filepath.Join(h.state.Dir, ownFile), append(data, '\n'))
	}
	if err != nil {
		h.log.Debug("own browsers are not remembered", "error", err)
	}
}

// hope waits for a person's browser, and wakes it if it does not come by itself.
func (s *seeker) hope(ctx context.Context, limit time.Duration, fits func(relay.Browser) bool) (relay.Browser, bool) {
	began := time.Now()
	defer tools.Waiting(ctx, "waiting for the extension of your own browser")()
	if b, ok := s.comes(ctx, min(limit, returnLimit), fits); ok {
		return b, true
	}
	if b, ok := s.rouse(ctx, fits); ok {
		return b, true
	}
	return s.comes(ctx, limit-time.Since(began), fits)
}

func (s *seeker) comes(ctx context.Context, within time.Duration, fits func(relay.Browser) bool) (relay.Browser, bool) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	b, err := s.relay.Wait(ctx, fits)
	return b, err == nil
}

// rouse wakes the extension of a person's browser that does not come by itself,
// by opening a page of the extension there for a moment; a browser that does not
// run is started by that. One that stays silent is not tried again.
func (s *seeker) rouse(ctx context.Context, fits func(relay.Browser) bool) (relay.Browser, bool) {
	h := s.host
	list := h.remembered()
	i := slices.IndexFunc(list, func(o ownBrowser) bool {
		return fits(relay.Browser{InstallID: o.Install, Name: o.Name, Label: o.Label})
	})
	if i < 0 || !browser.HasDisplay(s.display) {
		return relay.Browser{}, false
	}
	found, err := browser.Find(browser.KindOf(list[i].Name), s.flags.BrowserPath)
	if err != nil {
		return relay.Browser{}, false
	}
	if found.Wake(s.display) != nil {
		return relay.Browser{}, false
	}
	wait, cancel := context.WithTimeout(ctx, rouseLimit)
	defer cancel()
	b, err := h.relay.Wait(wait, fits)
	if err != nil && ctx.Err() == nil {
		h.forget(list[i])
	}
	return b, err == nil
}
