package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tabrelay/tabrelay/adapter"
)

// LaunchWant is the browser instance that an agent wants for itself.
type LaunchWant struct {
	Headless   bool
	Profile    string // a name; empty for one that nobody uses
	AntiDetect bool   // nothing announces automation
	Pool       bool   // a warm one may be taken, and another kept warm
}

// Launched is a browser that was started for one session. It ends with the
// process at the latest.
type Launched struct {
	Endpoint
	// Close ends the browser; it may be called more than once.
	Close func()
}

// instances are the browsers of a session of the facade: the one that it is
// connected to by itself, and those that it launched, each with a session of
// its own. Calls go to the active one.
type instances struct {
	// Static after construction.
	home *Session

	// mu guards the following.
	mu       sync.Mutex
	launched []*instance // in the order of their launch
	active   *instance   // nil for home
	count    int
	closed   bool
	kept     *keptResult
	saving   Saving
}

// instance is a browser that was launched.
type instance struct {
	// Static after construction.
	id      string
	want    LaunchWant
	end     Launched
	session *Session
}

// acting returns the session that a call is for: that of the active instance.
func (s *Session) acting() *Session {
	i := s.instances
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.active == nil {
		return s
	}
	return i.active.session
}

func (i *instances) launch(ctx context.Context, want LaunchWant) (browserResponse, error) {
	o := i.home.opts
	if o.Launch == nil {
		return browserResponse{}, &Error{Kind: adapter.ErrUnsupported, Text: "no instances can be launched here",
			Advice: adapter.AdviceConnect}
	}
	end, err := o.Launch(ctx, want)
	if err != nil {
		return browserResponse{}, err
	}
	i.mu.Lock()
	i.count++
	one := &instance{id: fmt.Sprintf("instance-%d", i.count), want: want, end: end}
	i.mu.Unlock()
	connected := false
	o.Connect = func(context.Context, Want) (Endpoint, error) {
		if connected { // a browser comes once
			i.drop(one)
			one.close()
			return Endpoint{}, &Error{Kind: ErrNotConnected, Text: one.id + " has ended", Hint: "launch another with browser_session; calls go to " + i.current() + " now"}
		}
		connected = true
		return end.Endpoint, nil
	}
	one.session = newSession(o)
	one.session.instances = i
	b, err := one.session.connect(ctx, Want{}, false)
	if err != nil {
		end.Close()
		return browserResponse{}, err
	}
	i.mu.Lock()
	closed := i.closed
	if !closed {
		i.launched = append(i.launched, one)
		i.active = one
	}
	i.mu.Unlock()
	if closed {
		one.close()
		return browserResponse{}, &Error{Kind: ErrNotConnected, Text: "the session is closed"}
	}
	v := status("launched", "browser", cmp.Or(end.Name, b.Version().Product), "headless", want.Headless)
	v.InstanceID = one.id
	if want.Profile != "" {
		v.put("profile", want.Profile)
	}
	if want.AntiDetect {
		note := "navigator.webdriver is false"
		if agent := b.Version().UserAgent; strings.Contains(agent, "Headless") {
			note += "; its user agent says that it is headless: set headless to false to avoid that"
		} else if want.Headless {
			note += "; its user agent is that of a browser with a window"
		}
		v.put("note", note)
	}
	return v, nil
}

func (i *instances) terminate(ctx context.Context, id string) (browserResponse, error) {
	v := status("terminated")
	v.InstanceID = id
	if id == defaultInstance {
		i.home.CloseTabs(ctx)
		if _, err := i.home.disconnect(); err != nil {
			return browserResponse{}, &Error{Kind: ErrNotConnected, Text: "the default instance is not connected", Hint: i.names()}
		}
		v.put("note", "this session's tabs are closed; the browser was not launched here and keeps running")
		return v, nil
	}
	i.mu.Lock()
	at := slices.IndexFunc(i.launched, func(one *instance) bool { return one.id == id })
	var one *instance
	if at >= 0 {
		one = i.launched[at]
	}
	i.mu.Unlock()
	if one == nil {
		return browserResponse{}, invalid("there is no instance %q: %s", id, i.names())
	}
	i.drop(one)
	one.close()
	v.put("active", i.current())
	return v, nil
}

// drop forgets an instance; calls then go to the one before it.
func (i *instances) drop(one *instance) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.launched = slices.DeleteFunc(i.launched, func(o *instance) bool { return o == one })
	if i.active == one {
		i.active = nil
		if n := len(i.launched); n > 0 {
			i.active = i.launched[n-1]
		}
	}
}

// current is the id of the instance that calls go to.
func (i *instances) current() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.active == nil {
		return defaultInstance
	}
	return i.active.id
}

func (o *instance) close() {
	_ = o.session.Close()
	o.end.Close()
}

// closeInstances ends the browsers that a session launched, when it is closed itself.
func (s *Session) closeInstances() {
	i := s.instances
	if i.home != s {
		return
	}
	i.mu.Lock()
	launched := i.launched
	i.launched, i.active, i.closed = nil, nil, true
	i.mu.Unlock()
	var all sync.WaitGroup
	for _, one := range launched {
		all.Go(one.close)
	}
	all.Wait()
}

// save sets what becomes of downloads in each instance, and in those to come.
func (i *instances) save(ctx context.Context, as Saving) error {
	i.mu.Lock()
	sessions := []*Session{i.home}
	for _, one := range i.launched {
		sessions = append(sessions, one.session)
	}
	i.saving = as
	i.mu.Unlock()
	for _, s := range sessions {
		s.mu.Lock()
		b := s.browser
		s.mu.Unlock()
		if b == nil || b.Err() != nil {
			continue // its next connection begins so
		}
		if err := b.RefuseDownloads(ctx, as.Denied); err != nil {
			return err
		}
	}
	return nil
}
