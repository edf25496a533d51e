package tools

import (
	"slices"
	"sync"

	"github.com/tabrelay/tabrelay/adapter"
)

// Claims keep the agents of one process off each other's tabs. A session claims
// the tabs that it opens or uses, and what those open in turn; the others do not
// see them until it ends. The zero value is ready; it may be shared by sessions
// of different browsers, since tab ids are unique.
type Claims struct {
	// mu guards the following.
	mu      sync.Mutex
	holders map[string]*Session // by target id
	opening map[*Session]int    // tabs that are being opened and have no id yet
	gone    []string            // ids of the tabs that went last
}

// claim makes a tab the session's, and reports whether it is.
func (c *Claims) claim(target string, s *Session) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h := c.holders[target]; h != nil {
		return h == s
	}
	if c.holders == nil {
		c.holders = map[string]*Session{}
	}
	c.holders[target] = s
	return true
}

// holder returns whose a tab is: its own claim's or its opener's; nil where it
// is nobody's.
func (c *Claims) holder(t adapter.Tab) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h := c.holders[t.ID]; h != nil {
		return h
	}
	return c.holders[t.Opener]
}

// open marks that a session is opening a tab; until the returned function is
// called, a new tab may be its.
func (c *Claims) open(s *Session) (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opening == nil {
		c.opening = map[*Session]int{}
	}
	c.opening[s]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.opening[s]--; c.opening[s] == 0 {
			delete(c.opening, s)
		}
	}
}

// unsure reports whether a new tab of unknown origin may be another session's.
func (c *Claims) unsure(s *Session) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for other := range c.opening {
		if other != s {
			return true
		}
	}
	return false
}

// release gives up all that a session holds.
func (c *Claims) release(s *Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for target, h := range c.holders {
		if h == s {
			delete(c.holders, target)
		}
	}
}

// forget drops a tab that is gone.
func (c *Claims) forget(target string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.holders, target)
	if c.gone = append(c.gone, target); len(c.gone) > goneLimit {
		c.gone = slices.Delete(c.gone, 0, 1)
	}
}

// goneLimit is how many tabs that are gone are remembered: who hears of one later
// than others need not hear that it came.
const goneLimit = 500

// went reports whether a tab is known to be gone.
func (c *Claims) went(target string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.gone, target)
}
