package extension_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/extension"
)

var (
	walks    = flag.Uint64("walks", 8, "how many walks TestB92WalksOfPersonAndAgents goes")
	walkSeed = flag.Uint64("seed", 1, "what is done in TestB92WalksOfPersonAndAgents; 0 for something new, which is printed")
)

// TestB92WalksOfPersonAndAgents does at random what a person, agents and pages may do,
// and holds that the extension lets through what the model allows, and nothing else.
func TestB92WalksOfPersonAndAgents(t *testing.T) {
	seed := *walkSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-seed %d", seed)
	r := newFakeRelay(t)
	one, two, three := threeSites(t)
	w := &walk{t: t, relay: r, chromium: launch(t, r, "asks"), sites: []string{one, two, three}}
	r.await(0, "hello", nil)
	w.person = w.page(base + "icons/16.png")
	w.eval(w.person, `(() => {
		const stay = () => chrome.runtime.connect({ name: "popup" }).onDisconnect.addListener(stay);
		stay();
		const seen = (wish) => new Promise((done) => {
			const port = chrome.runtime.connect({ name: "walk" });
			if (wish) port.postMessage(wish);
			port.onDisconnect.addListener(() => done(seen()));
			port.onMessage.addListener((view) => { port.disconnect(); done(view); });
		});
		globalThis.until = async (wish, holds) => {
			for (let view = await seen(wish); ; view = await seen()) if (await holds(view)) return view;
		};
	})()`, nil)
	r.await(0, "watching", nil)
	last := seed
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("-walks 1 -seed %d goes\n%s", last, strings.Join(w.story, "\n"))
		}
	})
	for ; last < seed+*walks; last++ {
		w.begin(last)
		for range 15 {
			w.step()
			if w.look(); t.Failed() {
				return
			}
		}
	}
}

type walk struct {
	*chromium
	t      *testing.T
	relay  *fakeRelay
	person string // a session of a page of the extension
	sites  []string

	consent
	rand  *rand.Rand
	story []string
	nonce int
	mark  int             // where the relay's part of this step begins
	told  map[string]bool // tab and site: what may be told in this step
}

func pick[T any](w *walk, list ...T) T { return list[w.rand.IntN(len(list))] }

func (w *walk) does(format string, a ...any) { w.story = append(w.story, fmt.Sprintf(format, a...)) }

// wish is the person's, in the panel; it returns when the view shows it.
func (w *walk) wish(wish string, holds string, a ...any) {
	w.eval(w.person, fmt.Sprintf(`until(%s, async (v) => %s).then(() => 1)`, wish, fmt.Sprintf(holds, a...)), nil)
}

// begin makes everything as it was at first, with two tabs of the person's.
func (w *walk) begin(seed uint64) {
	w.rand, w.story = rand.New(rand.NewPCG(seed, 1)), nil
	if w.away {
		w.connect()
	}
	w.wish(`{ ask: "resume" }`, "!v.paused")
	for _, who := range []string{"one", "two"} {
		w.wish(`{ ask: "resume", who: "`+who+`" }`, "true")
	}
	w.wish(`{ ask: "allSites", on: false }`, "!v.allSites")
	for _, site := range w.sites {
		w.eval(w.person, fmt.Sprintf(`until(null, async (v) => {
			const open = v.questions.find((q) => q.site === %[1]q);
			if (open) return void await until({ ask: "answer", id: open.id, choice: "no" }, () => true);
			if (v.rules.some((r) => r.site === %[1]q)) return void await until({ ask: "forget", site: %[1]q }, () => true);
			return true;
		}).then(() => 1)`, siteOf(w.t, site)), nil)
	}
	for _, g := range w.tabs {
		w.cdp("", "Target.closeTarget", args{"targetId": g.id})
	}
	w.consent = consent{rules: map[string]string{}, asked: map[string]bool{}, halted: map[string]bool{}}
	for range 2 {
		site := pick(w, w.sites...)
		var made target
		decode(w.t, w.cdp("", "Target.createTarget", args{"url": site + "/"}), &made)
		g := &ground{id: made.TargetID}
		w.tabs = append(w.tabs, g)
		w.find(g)
		w.arrive(g, site)
		g.agent = pick(w, "one", "two")
	}
	w.mark, w.told = w.relay.mark(), map[string]bool{}
}

// find learns what a new tab is called, and opens the second way in.
func (w *walk) find(g *ground) {
	w.eval(w.person, fmt.Sprintf(`chrome.debugger.getTargets().then(all => all.find(t => t.id === %q).tabId)`, g.id), &g.number)
	g.session = w.attach(g.id)
}

// arrive waits until a tab shows a site, and the worker knows it.
func (w *walk) arrive(g *ground, site string) {
	address := site + "/"
	if site == "" {
		address = "about:blank"
	} else {
		site = siteOf(w.t, site)
	}
	w.wish("null", `{
		const tab = await chrome.tabs.get(%[1]d), row = [...v.tabs, ...v.over].find(({ tabId }) => tabId === %[1]d);
		return tab.status === "complete" && tab.url.startsWith(%[2]q) && (row ? row.url.startsWith(%[2]q) : %[3]t);
	}`, g.number, address, !g.shared && !g.over)
	g.site = site
	w.settle()
}

// tries asks for something as the relay, and holds what comes of it against the model.
func (w *walk) tries(want int, method string, a args) []byte {
	w.t.Helper()
	raw, err := w.relay.ask(method, a)
	got := 0
	if r := (*refusal)(nil); errors.As(err, &r) {
		got = r.Code
	}
	w.does("  %s %v: %v", method, a, err)
	if got != want {
		w.t.Errorf("%s %v is answered with %v; want %d", method, a, err, want)
	}
	return raw
}

// acts has an agent try to leave its mark in a tab's page.
func (w *walk) acts(g *ground) {
	w.t.Helper()
	w.nonce++
	want := w.command(g)
	w.tries(want, "forwardCDPCommand", args{"id": g.id, "method": "Runtime.evaluate", "params": args{"expression": fmt.Sprintf("mark = %d", w.nonce)}})
	var marked bool
	w.eval(g.session, fmt.Sprintf("globalThis.mark === %d", w.nonce), &marked)
	if marked != (want == 0) {
		w.t.Errorf("in %s, which shows %q, it is %t that the agent did something", g.id, g.shows(), marked)
	}
}

// look holds what is known on both sides against the model.
func (w *walk) look() {
	w.t.Helper()
	w.allow()
	if !w.away {
		for _, g := range w.tabs {
			if w.rand.IntN(3) == 0 {
				w.tries(w.reach(g), "attachTab", args{"id": g.id, "agent": g.agent})
			}
			w.acts(g)
		}
		var listed struct {
			Tabs []struct {
				tab
				Withheld bool `json:"withheld"`
			} `json:"tabs"`
		}
		w.relay.do("listRegisteredTabs", nil, &listed)
		for _, one := range listed.Tabs {
			i := slices.IndexFunc(w.tabs, func(g *ground) bool { return g.id == string(one.ID) })
			if i < 0 || w.tabs[i].mine() != 0 {
				w.t.Errorf("the relay may use %s", one.ID)
			} else if g := w.tabs[i]; !w.permitted(g, g.shows()) && (!one.Withheld || one.Title != "" || one.URL != g.shows()+"/") {
				w.t.Errorf("of %s is told %+v", g.id, one)
			}
		}
		if n := len(slices.DeleteFunc(slices.Clone(w.tabs), func(g *ground) bool { return g.mine() != 0 })); len(listed.Tabs) != n {
			w.t.Errorf("the relay may use %d tabs; want %d", len(listed.Tabs), n)
		}
	}
	w.allow()
	for _, e := range w.relay.since(w.mark) {
		for _, site := range w.sites {
			host := strings.TrimPrefix(site, "http://")
			if strings.Contains(e.Params.Title+string(e.Params.Params), "Secret of "+host) && !w.told[string(e.Params.ID)+" "+siteOf(w.t, site)] {
				w.t.Errorf("told of %s: %s %s %s %s", host, e.Method, e.Params.Method, e.Params.Title, e.Params.Params)
			}
		}
	}
	w.mark, w.told = w.relay.mark(), map[string]bool{}
	var said, want []string
	w.eval(w.person, `until(null, () => true).then((v) => [...v.rules.map((r) => r.site + " " + r.choice), ...v.questions.map((q) => q.site + " asked")].sort())`, &said)
	for site, choice := range w.rules {
		want = append(want, site+" "+choice)
	}
	for site := range w.asked {
		want = append(want, site+" asked")
	}
	slices.Sort(want)
	if !slices.Equal(said, want) {
		w.t.Errorf("the person has said and is asked %q; want %q", said, want)
	}
}

// allow notes what may be told now.
func (w *walk) allow() {
	for _, g := range w.tabs {
		if g.mine() == 0 && w.permitted(g, g.shows()) {
			w.told[g.id+" "+g.shows()] = true
		}
	}
}

// step does something that can be done.
func (w *walk) step() {
	w.allow()
	all := append(slices.Clone(deeds), agents...)
	if w.away {
		all = deeds
	}
	for !pick(w, all...)(w, pick(w, append(w.tabs, nil)...)) {
	}
}

// worker evaluates in the extension's worker.
func (w *walk) worker(expression string) {
	found := w.targets(isWorker)
	if len(found) != 1 {
		w.t.Fatalf("workers of %s: %v", extension.ID, found)
	}
	session := w.attach(found[0].TargetID)
	w.eval(session, expression, nil)
	w.cdp("", "Target.detachFromTarget", args{"sessionId": session})
}
