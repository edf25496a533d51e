package main

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/tools"
)

// plainFlag keeps a browser from announcing that it is automated: with it
// navigator.webdriver is false, as where a person uses it.
const plainFlag = "--disable-blink-features=AutomationControlled"

// pool numbers the instances of a host, and knows the warm one. The zero value
// is ready.
type pool struct {
	// mu guards the following.
	mu    sync.Mutex
	count int
	spare *managedKey // a browser that runs and has nobody yet, or is starting
}

// number makes a key one of an instance of its own.
func (p *pool) number(key managedKey) managedKey {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	key.Instance = p.count
	return key
}

// take returns the warm instance where it is such a one as is wanted.
func (p *pool) take(key managedKey) (managedKey, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spare == nil {
		return key, false
	}
	key.Instance = p.spare.Instance
	if key != *p.spare {
		return key, false
	}
	p.spare = nil
	return key, true
}

// keep makes an instance the warm one, unless there is one.
func (p *pool) keep(key managedKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spare != nil {
		return false
	}
	p.spare = &key
	return true
}

// drop forgets the warm instance.
func (p *pool) drop(key managedKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spare != nil && *p.spare == key {
		p.spare = nil
	}
}

// launch starts a managed browser for one agent alone, or takes the warm one. It
// ends with Close, or with the host.
func (s *seeker) launch(ctx context.Context, want tools.LaunchWant) (tools.Launched, error) {
	h := s.host
	if err := s.allows(tools.Want{Headless: &want.Headless, Profile: want.Profile}); err != nil {
		return tools.Launched{}, err
	}
	want.Profile = cmp.Or(want.Profile, s.flags.Profile)
	kind, _, err := browser.SplitName(s.flags.Browser)
	if err != nil {
		return tools.Launched{}, browserError(err)
	}
	key := managedKey{Browser: s.flags.Browser, Kind: kind, Headless: want.Headless, Profile: want.Profile,
		Path: s.flags.BrowserPath, NoSandbox: s.flags.NoSandbox, Plain: want.AntiDetect}
	if !want.Headless {
		key.Display = strings.Join(s.display, "\n")
	}
	pooled := want.Pool && want.Profile == ""
	warm := false
	if pooled {
		key, warm = h.pool.take(key)
	}
	if !warm {
		key = h.pool.number(key)
	}
	b, gone, err := h.managed(ctx, key)
	if err != nil {
		h.retire(key)
		return tools.Launched{}, err
	}
	if pooled {
		h.warm(key)
	}
	end := h.endpoint(b, "It is a browser of your own, launched for this session.")
	end.Gone = gone
	return tools.Launched{Endpoint: end, Close: sync.OnceFunc(func() { h.retire(key) })}, nil
}

// retire ends a browser and forgets it, in this order: a host that is closed
// meanwhile waits for it.
func (h *host) retire(key managedKey) {
	h.mu.Lock()
	b := h.browsers[key]
	h.mu.Unlock()
	if b == nil {
		return
	}
	b.close()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.browsers[key] == b {
		delete(h.browsers, key)
	}
}

// warm starts another browser like one that was launched, for the next launch;
// it is one at the most. It ends with the host.
func (h *host) warm(like managedKey) {
	key := h.pool.number(like)
	if !h.pool.keep(key) {
		return
	}
	go func() { // ends with the start, which has its own limits
		if _, _, err := h.managed(context.Background(), key); err != nil {
			h.log.Debug("no warm browser", "err", err)
			h.pool.drop(key)
			h.retire(key)
		}
	}()
}

// args are the flags that a key asks for beyond the usual ones.
func (k managedKey) args(ctx context.Context, b browser.Installed) []string {
	if !k.Plain {
		return nil
	}
	flags := []string{plainFlag}
	if k.Headless {
		if agent := b.UserAgent(ctx); agent != "" {
			flags = append(flags, "--user-agent="+agent)
		}
	}
	return flags
}
