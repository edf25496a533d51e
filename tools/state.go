package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

var state = []tool{
	{
		name: "browser_cookies", kind: onElement,
		destructive: true, openWorld: true,
		doc: "Read, set or delete a site's cookies.",
		body: do(func(ctx context.Context, c *call, a *cookiesArgs) (cookies, error) {
			v := cookies{Action: a.Action}
			err := c.shown(a.URL)
			if err != nil {
				return v, err
			}
			switch a.Action {
			case "get":
				var list []adapter.Cookie
				list, err = c.page.Cookies(ctx, a.URL)
				v.Cookies = cookiesOf(c.readableCookies(list), a.Name)
			case "set":
				v.Count = len(a.Cookies)
				err = c.page.SetCookies(ctx, a.URL, a.list())
			case "delete":
				v.Count, err = c.page.DeleteCookies(ctx, a.URL, a.Name)
			}
			return v, err
		}),
	},
	{
		name: "browser_storage", kind: onElement,
		destructive: true, openWorld: true,
		doc: "Read or change the site's storage.",
		body: do(func(ctx context.Context, c *call, a *storageArgs) (stored, error) {
			v := stored{Action: a.Action, Kind: cmp.Or(a.Kind, "local"), Key: a.Key}
			s, err := c.page.Storage(v.Kind)
			if err != nil {
				return v, err
			}
			switch {
			case a.Action == "get" && a.Key == "":
				v.Entries, v.Count, err = s.List(ctx, entryLimit)
			case a.Action == "get":
				v.Value, err = s.Get(ctx, a.Key)
				v.Value = bounded(v.Value, resultLimit)
			case a.Action == "set":
				err = s.Set(ctx, a.Key, *a.Value)
			case a.Action == "remove":
				var had bool
				if had, err = s.Remove(ctx, a.Key); had {
					v.Count = 1
				}
			case a.Action == "clear":
				v.Count, err = s.Clear(ctx)
			}
			return v, err
		}),
	},
}

// readableCookies hides what the agent is not to read.
func (c *call) readableCookies(list []adapter.Cookie) []adapter.Cookie {
	if c.session.opts.Cookies == "all" {
		return list
	}
	for i := range list {
		if list[i].HTTPOnly {
			list[i].Value = adapter.HiddenCookie
		}
	}
	return list
}

// shown refuses an address of a site that no tab of the agent shows now.
func (c *call) shown(address string) error {
	site := adapter.Site(address)
	if site == "" || strings.Contains(site, "*") {
		return nil // the page's own, or no address at all
	}
	if err := c.browser.Check(address); err != nil {
		return err
	}
	for _, p := range c.session.Holding().Pages {
		if site == adapter.Site(p.URL) {
			return nil
		}
	}
	return &Error{Kind: adapter.ErrBlocked, Text: "none of your tabs shows " + bounded(site, 80), Hint: "open the site first: only cookies of sites open in your tabs are available"}
}

// entryLimit is how many characters of a value a list shows.
const entryLimit = 200

type cookiesArgs struct {
	Action  string   `json:"action" enum:"get,set,delete"`
	Name    string   `json:"name,omitempty" doc:"delete: * for all"`
	Cookies []cookie `json:"cookies,omitempty"`
	URL     string   `json:"url,omitempty"`
	onPage
}

func (a *cookiesArgs) check() error {
	switch {
	case a.Action == "set" && len(a.Cookies) == 0:
		return invalid(`argument "cookies" is missing: give an array of {name, value}`)
	case a.Action == "delete" && a.Name == "":
		return invalid(`argument "name" is missing: give a cookie's name, or * for all of the site`)
	}
	return nil
}

func (a *cookiesArgs) list() []adapter.Cookie {
	list := make([]adapter.Cookie, len(a.Cookies))
	for i, c := range a.Cookies {
		list[i] = adapter.Cookie{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: c.Expires,
			Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite}
	}
	return list
}

type cookie struct {
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	Domain   string  `json:"domain,omitempty"`
	Path     string  `json:"path,omitempty"`
	Expires  float64 `json:"expires,omitempty" min:"0"`
	Secure   bool    `json:"secure,omitempty"`
	HTTPOnly bool    `json:"httpOnly,omitempty"`
	SameSite string  `json:"sameSite,omitempty" enum:"Strict,Lax,None"`
}

func cookiesOf(list []adapter.Cookie, name string) []cookie {
	v := []cookie{}
	for _, c := range list {
		if name == "" || c.Name == name {
			v = append(v, cookie{Name: c.Name, Value: bounded(c.Value, 4000), Domain: c.Domain, Path: c.Path, Expires: c.Expires,
				Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite})
		}
	}
	return v
}

func (c cookie) line() string {
	parts := []string{c.Name + "=" + c.Value, c.Domain + c.Path}
	if c.Expires > 0 {
		parts = append(parts, "expires "+time.Unix(int64(c.Expires), 0).UTC().Format(time.RFC3339))
	}
	if c.Secure {
		parts = append(parts, "secure")
	}
	if c.HTTPOnly {
		parts = append(parts, "httpOnly")
	}
	if c.SameSite != "" {
		parts = append(parts, c.SameSite)
	}
	return strings.Join(parts, "; ")
}

type cookies struct {
	Action  string   `json:"action"`
	Cookies []cookie `json:"cookies,omitempty"`
	Count   int      `json:"count,omitempty"`
}

func (v cookies) text() string {
	switch v.Action {
	case "set":
		return lines.Amount(v.Count, "cookie") + " set"
	case "delete":
		return lines.Amount(v.Count, "cookie") + " deleted"
	}
	if len(v.Cookies) == 0 {
		return "no cookies"
	}
	list := make([]string, len(v.Cookies))
	for i, c := range v.Cookies {
		list[i] = word(c.line())
	}
	return bounded(strings.Join(list, "\n"), resultLimit)
}

type storageArgs struct {
	Action string  `json:"action" enum:"get,set,remove,clear"`
	Kind   string  `json:"kind,omitempty" enum:"local,session" default:"local"`
	Key    string  `json:"key,omitempty" doc:"get: omit to list all"`
	Value  *string `json:"value,omitempty"`
	onPage
}

func (a *storageArgs) check() error {
	switch {
	case a.Key == "" && (a.Action == "set" || a.Action == "remove"):
		return invalid(`argument "key" is missing: %s needs it (clear removes all)`, a.Action)
	case a.Value == nil && a.Action == "set":
		return invalid(`argument "value" is missing: it must be a string`)
	}
	return nil
}

type stored struct {
	Action  string          `json:"action"`
	Kind    string          `json:"kind"`
	Key     string          `json:"key,omitempty"`
	Value   string          `json:"value,omitempty"`
	Entries []adapter.Entry `json:"entries,omitempty"`
	Count   int             `json:"count,omitempty"`
}

func (v stored) text() string {
	where := v.Kind + " storage"
	switch {
	case v.Action == "set":
		return fmt.Sprintf("%q set in %s", v.Key, where)
	case v.Action == "remove" && v.Count == 0:
		return fmt.Sprintf("%q was not in %s", v.Key, where)
	case v.Action == "remove":
		return fmt.Sprintf("%q removed from %s", v.Key, where)
	case v.Action == "clear":
		return fmt.Sprintf("%s cleared, %s", where, lines.Amount(v.Count, "key"))
	case v.Key != "":
		return block(v.Value)
	case len(v.Entries) == 0:
		return where + " is empty"
	}
	var b strings.Builder
	for _, e := range v.Entries {
		fmt.Fprintf(&b, "%s: %s\n", word(e.Key), oneLine(e.Value))
	}
	if more := v.Count - len(v.Entries); more > 0 {
		fmt.Fprintf(&b, "(%s left out: give key)\n", lines.Amount(more, "key"))
	}
	return bounded(strings.TrimSuffix(b.String(), "\n"), resultLimit)
}
