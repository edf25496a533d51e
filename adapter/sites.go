package adapter

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"golang.org/x/net/publicsuffix"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Sites say which sites may be opened, looked at and acted on: where Allow is not
// empty, only those that it matches, and never those that Block matches. A pattern
// is a host, which includes its subdomains (example.com), or *. and a host for the
// subdomains alone (*.example.com); a port may follow. The zero value allows all.
type Sites struct {
	Allow, Block []string
}

// Check returns an error that names the first pattern that is not valid.
func (s Sites) Check() error {
	for _, list := range []struct {
		flag     string
		patterns []string
	}{{"--allow-sites", s.Allow}, {"--block-sites", s.Block}} {
		for _, pattern := range list.patterns {
			if err := checkPattern(list.flag, pattern, list.flag == "--allow-sites"); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkPattern returns an error that says what is wrong with a pattern. One that
// allows sites may not be a public suffix.
func checkPattern(where, pattern string, allows bool) error {
	host, port := patternHost(pattern)
	if strings.Trim(port, "0123456789") != "" {
		host = ""
	}
	host = strings.TrimPrefix(host, "*.")
	if host == "" || strings.ContainsAny(host, "*/:@?# ") && net.ParseIP(host) == nil {
		return fmt.Errorf("%s: %q is not a valid pattern; give a host such as example.com or *.example.com", where, pattern)
	}
	if suffix, listed := publicsuffix.PublicSuffix(host); listed && suffix == host && allows {
		return fmt.Errorf("%s: %s is a public suffix, under which anyone can have a site; give a host below it", where, host)
	}
	return nil
}

func patternHost(pattern string) (host, port string) {
	pattern = strings.ToLower(strings.TrimSpace(pattern))
	if h, p, err := net.SplitHostPort(pattern); err == nil {
		return strings.TrimSuffix(h, "."), p
	}
	return strings.TrimSuffix(strings.Trim(pattern, "[]"), "."), ""
}

// CoversSite reports whether one of some patterns matches all that another does.
func CoversSite(patterns []string, other string) bool {
	host, port := patternHost(other)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		h, p := patternHost(pattern)
		if p != "" && p != port {
			return false
		}
		if below, ok := strings.CutPrefix(h, "*."); ok {
			return host == h || strings.HasSuffix(strings.TrimPrefix(host, "*"), "."+below)
		}
		host := strings.TrimPrefix(host, "*.")
		return host == h || net.ParseIP(host) == nil && strings.HasSuffix(host, "."+h)
	})
}

// matches reports whether a pattern means an address.
func matches(pattern string, u *url.URL) bool {
	host, port := patternHost(pattern)
	if port != "" && port != portOf(u) {
		return false
	}
	is := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if below, ok := strings.CutPrefix(host, "*."); ok {
		return strings.HasSuffix(is, "."+below)
	}
	return is == host || net.ParseIP(is) == nil && strings.HasSuffix(is, "."+host)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "http" || u.Scheme == "ws":
		return "80"
	case u.Scheme == "https" || u.Scheme == "wss":
		return "443"
	}
	return ""
}

func (s Sites) zero() bool { return len(s.Allow) == 0 && len(s.Block) == 0 }

// refusal returns the flag that keeps an address out, or "". An address without a
// host is of no site.
func (s Sites) refusal(address string) string {
	if s.zero() || !sited(address) {
		return ""
	}
	u, err := hostOf(address)
	switch {
	case err != nil && len(s.Allow) > 0:
		return "--allow-sites"
	case err != nil:
		return "--block-sites"
	}
	for _, pattern := range s.Block {
		if matches(pattern, u) {
			return "--block-sites"
		}
	}
	for _, pattern := range s.Allow {
		if matches(pattern, u) {
			return ""
		}
	}
	if len(s.Allow) > 0 {
		return "--allow-sites"
	}
	return ""
}

// hostOf parses an address up to its host and port. What follows them is the
// page's own affair: browsers take a % there that stands for nothing.
func hostOf(address string) (*url.URL, error) {
	address = strings.TrimPrefix(address, "blob:")
	if scheme, rest, ok := strings.Cut(address, "://"); ok {
		if end := strings.IndexAny(rest, "/?#"); end >= 0 {
			address = scheme + "://" + rest[:end]
		}
	}
	return url.Parse(address)
}

// Site is the site of an address: its registrable domain, or its host where it
// has none. It is empty for an address without a host.
func Site(address string) string {
	u, err := hostOf(address)
	if err != nil {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil && net.ParseIP(host) == nil {
		return site
	}
	return host
}

// Origin is the scheme and host of an address, such as https://example.com:8443, or
// its scheme where it has no host; "" for what is no address.
func Origin(address string) string {
	u, err := hostOf(address)
	switch {
	case err != nil || u.Scheme == "":
		return ""
	case u.Host == "":
		return u.Scheme + ":"
	}
	return u.Scheme + "://" + u.Host
}

// Allowed returns an error where the page shows a site that is kept out: nothing
// of it is read then, and nothing done but to leave it.
func (p *Page) Allowed(ctx context.Context) error {
	sites := p.browser.opts.Sites
	if sites.zero() {
		return nil
	}
	address := p.URL()
	if err := sites.outside(address); err != nil || sited(address) {
		return err
	}
	// Only its documents tell whose such a page is. One that cannot be attached
	// cannot be read either.
	_, _ = p.attached(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.outside(p.tree.frames[p.tree.root])
}

// outside returns an error for a frame of a site that is kept out; mu is held.
func (p *Page) outside(f *frame) error {
	if p.browser.opts.Sites.zero() {
		return nil
	}
	return p.browser.opts.Sites.outside(p.addressOf(f))
}

// isOutside reports whether a frame is of a site that is kept out.
func (p *Page) isOutside(f *frame) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.outside(f) != nil
}

func (s Sites) outside(address string) error {
	flag := s.refusal(address)
	if flag == "" {
		return nil
	}
	host := address
	if u, err := hostOf(address); err == nil {
		host = u.Host
	} else if address == opaqueOrigin {
		host = "a page without a site of its own"
	}
	return &Error{Kind: ErrBlocked, Text: lines.Clip(host, 100) + " is not allowed here", Hint: "use a site that is allowed, or close the tab", Flag: flag + " excludes it"}
}

// keptOut reports whether a frame is of a site that is kept out. An unknown frame
// (nil) counts as kept out where any frame of the session is; mu of the page is
// held.
func (at source) keptOut(f *frame) bool {
	p := at.page
	if p.browser.opts.Sites.zero() {
		return false
	}
	if f != nil {
		return p.outside(f) != nil
	}
	for _, f := range p.tree.frames {
		if f.session == at.session && p.outside(f) != nil {
			return true
		}
	}
	return false
}

// mayPoint returns an error where the mouse would act on a frame that is kept out,
// or on one that holds such a frame. What is asked for is a point of the page.
func (a *actor) mayPoint(ctx context.Context, v view, o MouseOptions) error {
	p := a.page
	if p.browser.opts.Sites.zero() {
		return nil
	}
	points := [][2]float64{{o.X, o.Y}}
	if o.Action == "drag" {
		points = append(points, [2]float64{o.ToX, o.ToY})
	}
	for _, at := range points {
		hit, err := call(ctx, a.session, dom.GetNodeForLocation, dom.GetNodeForLocationParams{X: int64(v.X + at[0]), Y: int64(v.Y + at[1])})
		if says(err, saysNoNode) {
			continue
		}
		if err != nil {
			return err
		}
		node, err := call(ctx, a.session, dom.DescribeNode, dom.DescribeNodeParams{BackendNodeID: hit.BackendNodeID})
		if err != nil {
			return err
		}
		p.mu.Lock()
		err = errors.Join(p.outsideWithin(hit.FrameID, false), p.outsideWithin(node.Node.FrameID, true))
		p.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// mayType returns an error where keys would go to a frame that is kept out.
func (a *actor) mayType(ctx context.Context) error {
	if a.page.browser.opts.Sites.zero() {
		return nil
	}
	if _, err := a.page.focused(ctx); errors.Is(err, ErrBlocked) {
		return err
	}
	return nil
}

// outsideWithin is outside for the frame with an id, and for those that it holds
// where deep is set; mu is held.
func (p *Page) outsideWithin(id cdp.FrameID, deep bool) error {
	f := p.tree.frames[id]
	if f == nil {
		return nil
	}
	if err := p.outside(f); err != nil {
		return err
	}
	for _, child := range p.tree.frames {
		if deep && child.parent == id {
			if err := p.outsideWithin(child.id, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// addressOf is the address that says whose a frame is: a document without an
// address of its own is of its origin, and one without that of the frame around
// it; mu is held.
func (p *Page) addressOf(f *frame) string {
	address := ""
	for f != nil {
		switch {
		case sited(f.url):
			return f.url
		case sited(f.origin):
			return f.origin
		case f.url != "":
			address = f.url
		}
		f = p.tree.frames[f.parent]
	}
	return address
}

// opaqueOrigin is how the browser writes the origin of a document that has none, such
// as a sandboxed one: it may be of any site.
const opaqueOrigin = "://"

// sited reports whether an address is of a site, or not readable.
func sited(address string) bool {
	u, err := hostOf(address)
	return err != nil || u.Hostname() != "" && slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme)
}
