package adapter

import (
	"context"
	"maps"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// settings are what was set for a page, until it is undone or the connection
// ends: whoever holds the other end of a session that has gone takes back what
// it set, as Chrome does. Page.mu guards it; maps and slices are replaced, never
// changed.
type settings struct {
	headers  map[string]string
	offline  bool
	timezone string
	locale   string
	device   Device
	place    *Place
	routes   []Route
	routed   int // of the ids of routes
}

// autoAttach says how frames of other processes are attached: they wait until
// they are listened to and what is set is in force, or their first requests would
// be missed.
var autoAttach = target.SetAutoAttachParams{AutoAttach: true, Flatten: new(true), WaitForDebuggerOnStart: true}

// order is a command for each session of a page, with its types put away.
type order struct {
	main  bool // the page's own session only
	post  func(*session)
	start func(context.Context, *session) func() error
}

func ordered[P, R any](cmd cdp.Command[P, R], params P) order {
	return order{
		post:  func(s *session) { post(s, cmd, params) },
		start: func(ctx context.Context, s *session) func() error { return discard(start(ctx, s, cmd, params)) },
	}
}

func (o order) mainOnly() order {
	o.main = true
	return o
}

// change makes a change of the settings and sends what brings it about, which
// the change returns. When the page's own session refuses it, the settings stay
// what they were.
func (p *Page) change(ctx context.Context, mutate func(*settings) []order) error {
	ctx, s, stop, err := p.work(ctx)
	if err != nil {
		return err
	}
	defer stop()
	p.mu.Lock()
	before := p.settings
	orders := mutate(&p.settings)
	others := p.others()
	p.mu.Unlock()
	waits := make([]func() error, len(orders))
	for i, o := range orders {
		waits[i] = o.start(ctx, s)
	}
	for _, wait := range waits {
		if e := wait(); e != nil && err == nil {
			err = e
		}
	}
	if err != nil {
		p.mu.Lock()
		p.settings = before
		p.mu.Unlock()
		return p.reason(err)
	}
	for _, other := range others {
		for _, o := range orders {
			if !o.main {
				o.post(other)
			}
		}
	}
	return nil
}

// dress sends to a session that is new what was set before; it does not wait. It
// reports whether it lets the session run itself, later, if that waits.
func (p *Page) dress(s *session, main bool) (later bool) {
	p.mu.Lock()
	t := p.settings
	p.mu.Unlock()
	var orders []order
	if t.headers != nil {
		orders = append(orders, t.headerOrders()...)
	}
	if t.offline || t.device.Network != "" {
		orders = append(orders, t.networkOrders()...)
	}
	if t.timezone != "" {
		orders = append(orders, t.timezoneOrders()...)
	}
	if t.locale != "" {
		orders = append(orders, t.localeOrders()...)
	}
	if t.device != (Device{}) {
		orders = append(orders, t.deviceOrders()...)
	}
	if len(t.routes) > 0 {
		orders = append(orders, t.routeOrders()...)
	}
	for _, o := range orders {
		if main || !o.main {
			o.post(s)
		}
	}
	if t.place != nil {
		p.browser.conn.wg.Go(func() { // ends by its limit
			p.bring(s, t.place)
			post(s, runtime.RunIfWaitingForDebugger, cdp.Empty{})
		})
	}
	return t.place != nil
}

// SetOffline cuts the page off the network, or connects it again.
func (p *Page) SetOffline(ctx context.Context, offline bool) error {
	return p.change(ctx, func(t *settings) []order {
		t.offline = offline
		return t.networkOrders()
	})
}

// SetHeaders sends headers with every request of the page; none undoes it.
func (p *Page) SetHeaders(ctx context.Context, headers map[string]string) error {
	for name, value := range headers {
		if err := checkHeader(name, value); err != nil {
			return err
		}
	}
	return p.change(ctx, func(t *settings) []order {
		t.headers = nil
		if len(headers) > 0 {
			t.headers = maps.Clone(headers)
		}
		return t.headerOrders()
	})
}

func (t *settings) headerOrders() []order {
	h := network.Headers{}
	for name, value := range t.headers {
		h[name] = value
	}
	return []order{ordered(network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: h})}
}

func checkHeader(name, value string) error {
	bad := func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) }
	switch {
	case name == "" || strings.ContainsFunc(name, bad):
		return fail(ErrInvalid, "names are letters, digits and dashes", "%q is not the name of a header", name)
	case strings.ContainsAny(value, "\r\n\x00"):
		return fail(ErrInvalid, "leave out line breaks", "the value of header %s spans several lines", name)
	}
	return nil
}

// SetTimezone makes the page believe that it is in a time zone, such as
// Europe/Rome; "" undoes it. Chrome has one time zone for all frames of a
// process, so a tab of the same site may see it too.
func (p *Page) SetTimezone(ctx context.Context, zone string) error {
	err := p.change(ctx, func(t *settings) []order {
		t.timezone = zone
		return t.timezoneOrders()
	})
	if says(err, saysBadZone) {
		return fail(ErrInvalid, "give an IANA name, such as Europe/Rome", "%q is not a time zone", zone)
	}
	return inUse(err, "time zone")
}

func (t *settings) timezoneOrders() []order {
	return []order{ordered(emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: t.timezone})}
}

// SetLocale makes the page believe that the person prefers a language, such as
// de-DE: in dates and numbers, in navigator.language and in Accept-Language; ""
// undoes it. As with time zones, Chrome has one locale for a process.
func (p *Page) SetLocale(ctx context.Context, locale string) error {
	err := p.change(ctx, func(t *settings) []order {
		t.locale = locale
		return t.localeOrders()
	})
	if says(err, saysBadLocale) {
		return fail(ErrInvalid, "give a language with a region, such as de-DE", "%q is not a locale", locale)
	}
	return inUse(err, "locale")
}

func (t *settings) localeOrders() []order {
	return append(t.agentOrders(),
		ordered(emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: strings.ReplaceAll(t.locale, "-", "_")}))
}

// agentOrders tell who the browser says that it is, and which languages it
// prefers.
func (t *settings) agentOrders() []order {
	a := emulation.SetUserAgentOverrideParams{UserAgent: t.device.UserAgent, AcceptLanguage: t.locale}
	if language, _, ok := strings.Cut(t.locale, "-"); ok {
		a.AcceptLanguage += "," + language
	}
	if t.device.UserAgent != "" && t.device.Mobile {
		a.Platform, a.UserAgentMetadata = t.device.platform()
	}
	return []order{ordered(emulation.SetUserAgentOverride, a)}
}

// inUse explains that another page of the same process has one already.
func inUse(err error, what string) error {
	if says(err, saysInEffect) {
		return fail(ErrUnsupported, "undo it there, or use that page", "another page of the same site already has its own %s", what)
	}
	return err
}
