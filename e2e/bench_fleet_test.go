package e2e

import (
	"slices"
	"testing"
	"time"
)

// fleetRounds is how often each step is measured on each way.
const fleetRounds = 50

// BenchmarkFleet prints what work in a real browser costs over a fleet on this
// machine: two daemons and a NATS server on loopback, beside an agent with a browser
// of its own daemon. The two take turns, so that what else the machine does is the
// same for both.
func BenchmarkFleet(b *testing.B) {
	url := newNATS(b).ClientURL()
	s := newSite(b, counter)
	s.page("/noise", `<title>Noise</title><body style="margin:0"><canvas id=c width=640 height=400></canvas><script>
		const at = c.getContext("2d"), pixels = at.createImageData(640, 400);
		for (let i = 0; i < pixels.data.length; i += 65536) crypto.getRandomValues(pixels.data.subarray(i, i + 65536));
		for (let i = 3; i < pixels.data.length; i += 4) pixels.data[i] = 255;
		at.putImageData(pixels, 0, 0);</script>`)
	host, guest := newDesk(b), newDesk(b)
	pair(host, guest, "attic", "cellar")
	name := host.offer(url, append([]string{"--machine", "attic", "--browsers", "managed"}, host.managed()...)...)
	local, _ := host.front(host.managed()...)
	local.ok("browser_connect", nil)
	remote, _ := guest.front("--fleet", url)
	remote.ok("browser_connect", args{"browser": name})
	ways := []*agent{local, remote}
	for _, step := range []struct{ name, budget, page, tool string }{
		{"click", "1.5 ms", "/", "browser_click"}, {"evaluate", "1 ms", "/", "browser_evaluate"}, {"screenshot", "10 ms", "/noise", "browser_screenshot"},
	} {
		with := map[string]args{"browser_click": {"selector": "button"}, "browser_evaluate": {"script": "1+1"}, "browser_screenshot": {"selector": "canvas"}}[step.tool]
		took := make([][]time.Duration, len(ways))
		var more []time.Duration
		bytes := 0
		for _, a := range ways {
			a.open(s.URL + step.page)
		}
		for n := range warmRounds + fleetRounds {
			var turn [2]time.Duration
			for i := range ways {
				way := (i + n) % len(ways)
				an := ways[way].ok(step.tool, with)
				turn[way] = an.took
				for _, image := range an.images {
					bytes = len(image.Data)
				}
			}
			if n < warmRounds {
				continue
			}
			for way, t := range turn {
				took[way] = append(took[way], t)
			}
			more = append(more, turn[1]-turn[0])
		}
		for _, list := range [][]time.Duration{took[0], took[1], more} {
			slices.Sort(list)
		}
		of := func(list []time.Duration, hundredth int) time.Duration {
			return list[len(list)*hundredth/100].Round(10 * time.Microsecond)
		}
		b.Logf("%s (%d bytes): here %v, over the fleet %v; of each turn the fleet took %v more (half of them between %v and %v); budget %s",
			step.name, bytes, of(took[0], 50), of(took[1], 50), of(more, 50), of(more, 25), of(more, 75), step.budget)
	}
}
