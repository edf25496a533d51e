package adapter

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Cookie is a cookie of a site.
type Cookie struct {
	Name, Value string
	Domain      string // without it, the site's host alone
	Path        string
	Expires     float64 // seconds since 1970; 0 for the session's
	Secure      bool
	HTTPOnly    bool
	SameSite    string // Strict, Lax, None or ""
}

// HiddenCookie stands in the place of a value that no script of a page can read.
const HiddenCookie = "(hidden: HttpOnly)"

// cookiesHidden returns the headers of a request or of an answer as an agent may read
// them, changed in their place. They have to be whole: a line cut off no longer says
// that its cookie is HttpOnly. Of a cookie sent the browser says so, in sent; where
// that is nil, every one counts as HttpOnly.
func (at source) cookiesHidden(h network.Headers, sent []*network.AssociatedCookie) network.Headers {
	if !at.page.browser.opts.HideCookies {
		return h
	}
	hide := func(text, between string, httpOnly func(cookie, name string) bool) string {
		list := strings.Split(text, between)
		for i, cookie := range list {
			pair, rest, _ := strings.Cut(cookie, ";")
			name, _, named := strings.Cut(pair, "=")
			if !named { // it is all value
				name = ""
			}
			if httpOnly(cookie, name) {
				list[i] = strings.TrimSuffix(name+"="+HiddenCookie+";"+rest, ";")
			}
		}
		return strings.Join(list, between)
	}
	for name, v := range h {
		text, _ := v.(string)
		switch strings.ToLower(name) {
		case "cookie":
			h[name] = hide(text, "; ", func(_, name string) bool {
				return sent == nil || slices.ContainsFunc(sent, func(a *network.AssociatedCookie) bool { return a.Cookie.Name == name && a.Cookie.HTTPOnly })
			})
		case "set-cookie":
			h[name] = hide(text, "\n", func(cookie, _ string) bool { return strings.Contains(strings.ToLower(cookie), "httponly") })
		}
	}
	return h
}

// site returns the address whose cookies are meant: the one given, or the
// page's. There is no way to mean all.
func (p *Page) site(address string) (*url.URL, error) {
	if address == "" {
		if address = p.URL(); !strings.HasPrefix(address, "http") {
			return nil, fail(ErrInvalid, "give url, or navigate to the site first", "this page belongs to no site that can have cookies")
		}
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Contains(u.Host, "*") {
		return nil, fail(ErrInvalid, "give a full address, such as https://example.com/", "url %q is not a site's address", lines.Clip(address, 80))
	}
	return u, nil
}

// Cookies returns the cookies that the browser would send to an address, that of
// the page if empty, by name.
func (p *Page) Cookies(ctx context.Context, address string) ([]Cookie, error) {
	ctx, s, stop, err := p.work(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	u, err := p.site(address)
	if err != nil {
		return nil, err
	}
	res, err := call(ctx, s, network.GetCookies, network.GetCookiesParams{URLs: []string{u.String()}})
	if err != nil {
		return nil, p.reason(err)
	}
	return cookiesOf(res.Cookies), nil
}

// Jar returns the cookies of all sites that the browser has, by name. In a
// person's browser that is no more than the cookies of the tabs that they share.
// Those of sites that may not be used are left out.
func (p *Page) Jar(ctx context.Context) ([]Cookie, error) {
	ctx, s, stop, err := p.work(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	res, err := call(ctx, s, storage.GetCookies, storage.GetCookiesParams{})
	if err != nil {
		return nil, p.reason(err)
	}
	return slices.DeleteFunc(cookiesOf(res.Cookies), func(c Cookie) bool {
		return p.browser.opts.Sites.outside("https://"+strings.TrimPrefix(c.Domain, ".")+"/") != nil
	}), nil
}

func cookiesOf(all []*network.Cookie) []Cookie {
	list := make([]Cookie, len(all))
	for i, c := range all {
		list[i] = Cookie{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: max(0, c.Expires),
			Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: string(c.SameSite)}
	}
	slices.SortFunc(list, func(a, b Cookie) int { return strings.Compare(a.Name+" "+a.Path, b.Name+" "+b.Path) })
	return list
}

// SetCookies sets cookies for an address, that of the page if empty. A domain
// must be the address's host or one that it is part of.
func (p *Page) SetCookies(ctx context.Context, address string, list []Cookie) error {
	ctx, s, stop, err := p.work(ctx)
	if err != nil {
		return err
	}
	defer stop()
	u, err := p.site(address)
	if err != nil {
		return err
	}
	for _, c := range list {
		domain := strings.ToLower(strings.TrimPrefix(c.Domain, "."))
		switch host := strings.ToLower(u.Hostname()); {
		case c.Name == "" && c.Value == "" || strings.ContainsAny(c.Name, "=;\r\n\t \x00") || strings.ContainsAny(c.Value, ";\r\n\x00"):
			return fail(ErrInvalid, "give a name and value without ; or line breaks", "%q is not a valid cookie", lines.Clip(c.Name, 80))
		case domain != "" && domain != host && !strings.HasSuffix(host, "."+domain):
			return fail(ErrInvalid, "give the url of that site", "the cookie %q is for %s, which is neither %s nor one of its parent domains", lines.Clip(c.Name, 80), domain, host)
		case !slices.Contains([]string{"", "Strict", "Lax", "None"}, c.SameSite):
			return fail(ErrInvalid, "use Strict, Lax or None", "sameSite %q of the cookie %q is unknown", lines.Clip(c.SameSite, 20), c.Name)
		}
	}
	for _, c := range list {
		params := network.SetCookieParams{Name: c.Name, Value: c.Value, URL: u.String(), Domain: c.Domain, Path: c.Path,
			SameSite: network.CookieSameSite(c.SameSite), Expires: cdp.TimeSinceEpoch(c.Expires)}
		if c.Secure {
			params.Secure = new(true)
		}
		if c.HTTPOnly {
			params.HTTPOnly = new(true)
		}
		refused := fail(ErrInvalid, "secure cookies need https, sameSite None needs secure, and __Host- names need secure and no domain", "the browser refused the cookie %q", lines.Clip(c.Name, 80))
		if _, err := call(ctx, s, network.SetCookie, params); err != nil {
			if says(err, saysInvalid, saysSanitizing) {
				return refused
			}
			return p.reason(err)
		}
		res, err := call(ctx, s, network.GetCookies, network.GetCookiesParams{URLs: []string{u.JoinPath().String()}})
		if err == nil && c.Path == "" && c.Expires == 0 && !slices.ContainsFunc(res.Cookies, func(o *network.Cookie) bool { return o.Name == c.Name && o.Value == c.Value }) {
			return refused
		}
	}
	return nil
}

// DeleteCookies deletes the cookies with a name that an address gets, that of
// the page if empty; "*" deletes all that it gets. It returns how many they were.
func (p *Page) DeleteCookies(ctx context.Context, address, name string) (int, error) {
	list, err := p.Cookies(ctx, address)
	if err != nil {
		return 0, err
	}
	ctx, s, stop, err := p.work(ctx)
	if err != nil {
		return 0, err
	}
	defer stop()
	n := 0
	for _, c := range list {
		if name != "*" && c.Name != name {
			continue
		}
		_, err := call(ctx, s, network.DeleteCookies, network.DeleteCookiesParams{Name: c.Name, Domain: c.Domain, Path: c.Path})
		if err != nil {
			return n, p.reason(err)
		}
		n++
	}
	if n == 0 && name != "*" {
		var names []string
		for _, c := range list {
			names = append(names, c.Name)
		}
		return 0, fail(ErrNotFound, "there are: "+lines.Clip(strings.Join(names, ", "), 300), "the site has no cookie %q", lines.Clip(name, 80))
	}
	return n, nil
}
