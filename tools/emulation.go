package tools

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
)

// emulation are the settings of a page. They last until they are undone by a
// call without arguments, or the connection ends.
var emulation = []tool{
	{
		name: "browser_set_offline", kind: onElement,
		destructive: true, idempotent: true, openWorld: true,
		doc: "Take the page offline, or back online.",
		body: do(func(ctx context.Context, c *call, a *offlineArgs) (setting, error) {
			return c.set("the page is offline", "the page is online", a.Offline), c.page.SetOffline(ctx, a.Offline)
		}),
	},
	{
		name: "browser_set_headers", kind: onElement,
		destructive: true, idempotent: true, openWorld: true,
		doc: "Send extra headers; {} clears them.",
		body: do(func(ctx context.Context, c *call, a *headersArgs) (setting, error) {
			return c.set("sent with every request: "+strings.Join(slices.Sorted(maps.Keys(a.Headers)), ", "), "no extra headers", len(a.Headers) > 0), c.page.SetHeaders(ctx, a.Headers)
		}),
	},
	{
		name: "browser_set_geolocation", kind: onElement,
		destructive: true, idempotent: true, openWorld: true,
		doc: "Set the page's location; no arguments reset it.",
		body: do(func(ctx context.Context, c *call, a *placeArgs) (setting, error) {
			at := a.place()
			if at == nil {
				return c.set("", "the location is no longer set", false), c.page.SetGeolocation(ctx, nil)
			}
			return c.set(fmt.Sprintf("the page is at %v, %v (±%v m)", at.Latitude, at.Longitude, at.Accuracy), "", true), c.page.SetGeolocation(ctx, at)
		}),
	},
	{
		name: "browser_set_timezone", kind: onElement,
		destructive: true, idempotent: true, openWorld: true,
		doc: "Set the page's time zone; no arguments reset it.",
		body: do(func(ctx context.Context, c *call, a *timezoneArgs) (setting, error) {
			return c.set("the time zone is "+a.Timezone, "the time zone is no longer set", a.Timezone != ""), c.page.SetTimezone(ctx, a.Timezone)
		}),
	},
	{
		name: "browser_set_locale", kind: onElement,
		destructive: true, idempotent: true, openWorld: true,
		doc: "Set the page's locale; no arguments reset it.",
		body: do(func(ctx context.Context, c *call, a *localeArgs) (setting, error) {
			return c.set("the locale is "+a.Locale, "the locale is no longer set", a.Locale != ""), c.page.SetLocale(ctx, a.Locale)
		}),
	},
	{
		name: "browser_set_device", kind: onElement,
		destructive: true, idempotent: true, openWorld: true,
		doc: "Emulate a device; no arguments reset it.",
		body: do(func(ctx context.Context, c *call, a *deviceArgs) (setting, error) {
			d, err := a.device(c.page.Device())
			if err != nil {
				return setting{}, err
			}
			err = c.page.SetDevice(ctx, d)
			return c.set("the device is "+d.String()+"; reload so the page adapts to it", "the device is no longer emulated", d != adapter.Device{}), err
		}),
	},
}

// setting says what is set now, and for which page.
type setting struct {
	PageID string `json:"pageId"`
	Set    string `json:"set,omitempty"`
	Undone bool   `json:"undone,omitempty"`
}

func (c *call) set(on, off string, is bool) setting {
	v := setting{PageID: c.tab.id, Set: on, Undone: !is}
	if !is {
		v.Set = off
	}
	return v
}

func (v setting) text() string { return v.PageID + ": " + v.Set }

type offlineArgs struct {
	Offline bool `json:"offline"`
	onPage
}

type headersArgs struct {
	Headers map[string]string `json:"headers"`
	onPage
}

type placeArgs struct {
	Latitude  *float64 `json:"latitude,omitempty"`
	Longitude *float64 `json:"longitude,omitempty"`
	Accuracy  *float64 `json:"accuracy,omitempty" doc:"meters" min:"0"`
	onPage
}

// defaultAccuracy is that of a phone outdoors, in meters.
const defaultAccuracy = 20

func (a *placeArgs) check() error {
	switch {
	case a.Latitude != nil && a.Longitude == nil:
		return invalid(`argument "longitude" is missing: give both, or none to undo`)
	case a.Latitude == nil && (a.Longitude != nil || a.Accuracy != nil):
		return invalid(`argument "latitude" is missing: give both latitude and longitude, or none to undo`)
	}
	return nil
}

func (a *placeArgs) place() *adapter.Place {
	if a.Latitude == nil {
		return nil
	}
	at := &adapter.Place{Latitude: *a.Latitude, Longitude: *a.Longitude, Accuracy: defaultAccuracy}
	if a.Accuracy != nil {
		at.Accuracy = *a.Accuracy
	}
	return at
}

type timezoneArgs struct {
	Timezone string `json:"timezone,omitempty" doc:"such as Europe/Rome"`
	onPage
}

type localeArgs struct {
	Locale string `json:"locale,omitempty" doc:"such as de-DE"`
	onPage
}

type deviceArgs struct {
	Name          string   `json:"name,omitempty" doc:"such as iPhone 15, Pixel 8, iPad, Desktop"`
	Width         *int     `json:"width,omitempty" min:"0"`
	Height        *int     `json:"height,omitempty" min:"0"`
	Scale         *float64 `json:"scale,omitempty" min:"0"`
	Mobile        *bool    `json:"mobile,omitempty"`
	Touch         *bool    `json:"touch,omitempty"`
	UserAgent     *string  `json:"userAgent,omitempty"`
	ColorScheme   string   `json:"colorScheme,omitempty" enum:"light,dark"`
	ReducedMotion *bool    `json:"reducedMotion,omitempty"`
	CPU           *float64 `json:"cpu,omitempty" doc:"times slower" min:"1"`
	Network       string   `json:"network,omitempty" enum:"slow3g,fast3g,4g,offline"`
	onPage
}

// device puts what is given over what is set.
func (a *deviceArgs) device(d adapter.Device) (adapter.Device, error) {
	rest := *a
	if rest.onPage = (onPage{}); rest == (deviceArgs{}) {
		return adapter.Device{}, nil
	}
	if a.Name != "" {
		named, err := adapter.KnownDevice(a.Name)
		if err != nil {
			return d, err
		}
		d.Width, d.Height, d.Scale, d.Mobile, d.Touch, d.UserAgent = named.Width, named.Height, named.Scale, named.Mobile, named.Touch, named.UserAgent
	}
	over(&d.Width, a.Width)
	over(&d.Height, a.Height)
	over(&d.Scale, a.Scale)
	over(&d.Mobile, a.Mobile)
	over(&d.Touch, a.Touch)
	over(&d.UserAgent, a.UserAgent)
	over(&d.ReducedMotion, a.ReducedMotion)
	over(&d.CPU, a.CPU)
	if d.CPU == 1 {
		d.CPU = 0
	}
	d.ColorScheme, d.Network = cmp.Or(a.ColorScheme, d.ColorScheme), cmp.Or(a.Network, d.Network)
	return d, nil
}

// over sets a value where another one is given.
func over[T any](to *T, given *T) {
	if given != nil {
		*to = *given
	}
}
