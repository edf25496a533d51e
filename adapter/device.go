package adapter

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Device is what a page believes of the machine that shows it; the zero value
// changes nothing.
type Device struct {
	Width, Height int // CSS pixels of the viewport; 0 leaves it
	Scale         float64
	Mobile        bool // as phones lay pages out: viewport meta, thin scroll bars
	Touch         bool
	UserAgent     string
	ColorScheme   string  // light or dark
	ReducedMotion bool    // the person prefers little of it
	CPU           float64 // slower by this factor
	Network       string  // slow3g, fast3g, 4g or offline
}

// phones and the like, by name. What they say of themselves is true to their
// kind, not to the day.
var devices = []struct {
	name string
	Device
}{
	{"iPhone SE", Device{Width: 375, Height: 667, Scale: 2, Mobile: true, Touch: true, UserAgent: safari("iPhone; CPU iPhone OS 18_0 like Mac OS X")}},
	{"iPhone 15", Device{Width: 393, Height: 852, Scale: 3, Mobile: true, Touch: true, UserAgent: safari("iPhone; CPU iPhone OS 18_0 like Mac OS X")}},
	{"iPhone 15 Pro Max", Device{Width: 430, Height: 932, Scale: 3, Mobile: true, Touch: true, UserAgent: safari("iPhone; CPU iPhone OS 18_0 like Mac OS X")}},
	{"iPad", Device{Width: 820, Height: 1180, Scale: 2, Mobile: true, Touch: true, UserAgent: safari("iPad; CPU OS 18_0 like Mac OS X")}},
	{"Pixel 8", Device{Width: 412, Height: 915, Scale: 2.625, Mobile: true, Touch: true, UserAgent: android("Pixel 8", "Mobile ")}},
	{"Galaxy S24", Device{Width: 360, Height: 780, Scale: 3, Mobile: true, Touch: true, UserAgent: android("SM-S921B", "Mobile ")}},
	{"Galaxy Tab S9", Device{Width: 800, Height: 1280, Scale: 2, Mobile: true, Touch: true, UserAgent: android("SM-X710", "")}},
	{"Laptop", Device{Width: 1366, Height: 768, Scale: 1}},
	{"Desktop", Device{Width: 1920, Height: 1080, Scale: 1}},
}

func safari(system string) string {
	return "Mozilla/5.0 (" + system + ") AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
}

func android(model, more string) string {
	return "Mozilla/5.0 (Linux; Android 15; " + model + ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 " + more + "Safari/537.36"
}

// platform is what a phone says beside its user agent.
func (d Device) platform() (string, *emulation.UserAgentMetadata) {
	if strings.Contains(d.UserAgent, "Android") {
		_, rest, _ := strings.Cut(d.UserAgent, "Android 15; ")
		model, _, _ := strings.Cut(rest, ")")
		return "Linux armv81", &emulation.UserAgentMetadata{Platform: "Android", PlatformVersion: "15.0.0", Model: model, Mobile: true}
	}
	for _, name := range []string{"iPhone", "iPad"} {
		if strings.Contains(d.UserAgent, name) {
			return name, nil // Safari has no such data
		}
	}
	return "", nil
}

// KnownDevice returns a device by its name, without regard to letter case. It
// fails with ErrInvalid, and the names, when there is none.
func KnownDevice(name string) (Device, error) {
	names := make([]string, len(devices))
	for i, d := range devices {
		if strings.EqualFold(d.name, strings.TrimSpace(name)) {
			return d.Device, nil
		}
		names[i] = d.name
	}
	return Device{}, fail(ErrInvalid, "known devices: "+strings.Join(names, ", ")+"; or give width, height and so on", "there is no device %q", lines.Clip(name, 60))
}

// String says what is set, or "" for nothing.
func (d Device) String() string {
	var parts []string
	add := func(when bool, format string, args ...any) {
		if when {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	size := func(n int) string {
		if n == 0 {
			return "as it is"
		}
		return fmt.Sprint(n)
	}
	add(d.Width > 0 || d.Height > 0, "%s×%s", size(d.Width), size(d.Height))
	add(d.Scale > 0, "scale %.4g", d.Scale)
	add(d.Mobile, "mobile")
	add(d.Touch, "touch")
	add(d.UserAgent != "", "user agent %q", lines.Clip(d.UserAgent, 60))
	add(d.ColorScheme != "", "%s", d.ColorScheme)
	add(d.ReducedMotion, "reduced motion")
	add(d.CPU > 1, "CPU %.4g× slower", d.CPU)
	add(d.Network != "", "network %s", d.Network)
	return strings.Join(parts, ", ")
}

// Device returns what is set for the page.
func (p *Page) Device() Device {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings.device
}

// deviceLimit is how many pixels a viewport may be wide or high.
const deviceLimit = 10_000

// SetDevice makes the page believe that it is on a device; the zero value undoes
// it. Servers are told with the next request.
func (p *Page) SetDevice(ctx context.Context, d Device) error {
	switch {
	case d.Width < 0 || d.Height < 0 || d.Width > deviceLimit || d.Height > deviceLimit:
		return fail(ErrInvalid, "give CSS pixels, such as 390 and 844", "width and height must be 0 to %d", deviceLimit)
	case d.Scale < 0 || d.Scale > 10:
		return fail(ErrInvalid, "give device pixels per CSS pixel, such as 2", "scale must be 0 to 10")
	case d.CPU != 0 && d.CPU < 1 || d.CPU > 100:
		return fail(ErrInvalid, "4 means four times slower", "cpu must be 1 to 100")
	case !slices.Contains([]string{"", "light", "dark"}, d.ColorScheme):
		return fail(ErrInvalid, "use light or dark", "%q is not a color scheme", d.ColorScheme)
	case strings.ContainsAny(d.UserAgent, "\r\n\x00"):
		return fail(ErrInvalid, "leave out line breaks", "userAgent spans several lines")
	}
	if _, ok := profiles[d.Network]; !ok {
		return fail(ErrInvalid, "use slow3g, fast3g, 4g or offline", "%q is not a network", d.Network)
	}
	if d.sized() != p.Device().sized() { // without frames a hidden tab keeps its size
		s, err := p.attached(ctx)
		if err == nil {
			err = p.wake(ctx, s)
		}
		if err != nil {
			return p.reason(err)
		}
	}
	return p.setDevice(ctx, d)
}

func (p *Page) setDevice(ctx context.Context, d Device) error {
	if d.sized() || p.Device().sized() {
		select {
		case p.drawing <- struct{}{}:
			defer func() { <-p.drawing }()
		case <-ctx.Done():
			return p.reason(ctx.Err())
		}
	}
	return p.change(ctx, func(t *settings) []order {
		before := t.device
		t.device = d
		orders := t.deviceOrders()
		if before.UserAgent != "" && d.UserAgent == "" {
			orders = append(orders, t.agentOrders()...)
		}
		if before.Network != d.Network {
			orders = append(orders, t.networkOrders()...)
		}
		return orders
	})
}

// sized reports whether the device has a screen of its own.
func (d Device) sized() bool { return d.Width > 0 || d.Height > 0 || d.Scale > 0 || d.Mobile }

func metrics(d Device) order {
	return ordered(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(d.Width), Height: int64(d.Height), DeviceScaleFactor: d.Scale, Mobile: d.Mobile,
		ScreenWidth: int64(d.Width), ScreenHeight: int64(d.Height),
	})
}

// deviceOrders are all but those of the network.
func (t *settings) deviceOrders() []order {
	d := t.device
	media := emulation.SetEmulatedMediaParams{}
	if d.ColorScheme != "" {
		media.Features = append(media.Features, &emulation.MediaFeature{Name: "prefers-color-scheme", Value: d.ColorScheme})
	}
	if d.ReducedMotion {
		media.Features = append(media.Features, &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"})
	}
	touch := emulation.SetTouchEmulationEnabledParams{Enabled: d.Touch}
	if d.Touch {
		touch.MaxTouchPoints = 5
	}
	screen := ordered(emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	if d.sized() {
		screen = metrics(d)
	}
	orders := []order{
		screen.mainOnly(), ordered(emulation.SetTouchEmulationEnabled, touch), ordered(emulation.SetEmulatedMedia, media),
		ordered(emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: max(1, d.CPU)}),
	}
	if d.UserAgent != "" {
		orders = append(orders, t.agentOrders()...)
	}
	return orders
}

// profile is how a network behaves: milliseconds, and bytes a second.
type profile struct{ latency, down, up float64 }

var profiles = map[string]profile{
	"":        {0, -1, -1},
	"offline": {0, 0, 0},
	"slow3g":  {2000, 50_000, 50_000},
	"fast3g":  {560, 180_000, 84_000},
	"4g":      {165, 1_012_500, 168_750},
}

// conditions are the parameters of Network.emulateNetworkConditions.
type conditions struct {
	Offline  bool    `json:"offline"`
	Latency  float64 `json:"latency"`
	Download float64 `json:"downloadThroughput"`
	Upload   float64 `json:"uploadThroughput"`
}

// emulateConditions is the one command for the network that old and new
// browsers know; cdproto has left it out since it is deprecated.
var emulateConditions = cdp.Command[conditions, cdp.Empty]{Method: "Network.emulateNetworkConditions"}

func (t *settings) networkOrders() []order {
	name := t.device.Network
	if t.offline {
		name = "offline"
	}
	n := profiles[name]
	return []order{ordered(emulateConditions, conditions{Offline: name == "offline", Latency: n.latency, Download: n.down, Upload: n.up})}
}
