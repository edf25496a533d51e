package extension_test

import (
	"fmt"
	"slices"
	"strings"
)

// deed does something in a tab, or in none, and says whether that could be done.
type deed func(w *walk, g *ground) bool

// on is a deed in a tab for which a condition holds.
func on(holds func(*ground) bool, do func(*walk, *ground)) deed {
	return func(w *walk, g *ground) bool {
		if g == nil || !holds(g) {
			return false
		}
		do(w, g)
		return true
	}
}

func isShared(g *ground) bool  { return g.shared }
func notShared(g *ground) bool { return !g.shared }
func always(*ground) bool      { return true }

// deeds are those of the person and of pages.
var deeds = []deed{
	on(notShared, func(w *walk, g *ground) {
		w.does("the person shares %s", g.id)
		g.share()
		w.wish(fmt.Sprintf(`{ ask: "share", tabId: %d }`, g.number), "v.tabs.some(({ tabId }) => tabId === %d)", g.number)
	}),
	on(isShared, func(w *walk, g *ground) {
		w.does("the person stops sharing %s", g.id)
		g.takeBack()
		w.wish(fmt.Sprintf(`{ ask: "stop", tabId: %d }`, g.number), "!v.tabs.some(({ tabId }) => tabId === %d)", g.number)
	}),
	on(isShared, func(w *walk, g *ground) {
		w.does("the person takes %s over", g.id)
		g.takeBack()
		g.over = true
		w.wish(fmt.Sprintf(`{ ask: "takeOver", tabId: %d }`, g.number), "v.over.some(({ tabId }) => tabId === %d)", g.number)
	}),
	on(always, func(w *walk, g *ground) {
		site := pick(w, w.sites...)
		w.does("%s goes to %s", g.id, site)
		w.eval(g.session, fmt.Sprintf(`void (location = %q)`, site+"/"), nil)
		w.arrive(g, site)
	}),
	on(always, func(w *walk, g *ground) {
		if len(w.tabs) < 6 {
			w.pops(g, g.session)
		}
	}),
	on(always, func(w *walk, g *ground) {
		w.does("the person closes %s", g.id)
		w.closes(g)
		w.cdp("", "Target.closeTarget", args{"targetId": g.id})
		w.wish("null", "![...v.tabs, ...v.over].some(({ tabId }) => tabId === %d)", g.number)
	}),
	(*walk).cancel, (*walk).cancel,
	func(w *walk, _ *ground) bool {
		w.paused = !w.paused
		w.does("all paused: %t", w.paused)
		w.wish(fmt.Sprintf(`{ ask: %q }`, map[bool]string{true: "pause", false: "resume"}[w.paused]), "v.paused === %t", w.paused)
		return true
	},
	(*walk).pauses,
	(*walk).decides, (*walk).decides, (*walk).decides,
	func(w *walk, _ *ground) bool {
		if len(w.rules) == 0 {
			return false
		}
		site := siteOf(w.t, pick(w, w.sites...))
		w.does("the person forgets %s", site)
		delete(w.rules, site)
		w.wish(fmt.Sprintf(`{ ask: "forget", site: %q }`, site), "!v.rules.some((r) => r.site === %q)", site)
		w.settle()
		return true
	},
	func(w *walk, _ *ground) bool {
		w.allSites = !w.allSites
		w.does("all sites: %t", w.allSites)
		w.wish(fmt.Sprintf(`{ ask: "allSites", on: %t }`, w.allSites), "v.allSites === %t", w.allSites)
		w.settle()
		return true
	},
	func(w *walk, _ *ground) bool {
		if w.away {
			w.connect()
			return true
		}
		w.does("the person disconnects")
		w.away = true
		w.wish(`{ ask: "disconnect" }`, `v.state === "disconnected" && !v.tabs.some(({ attached }) => attached)`)
		w.settle()
		return true
	},
	func(w *walk, _ *ground) bool {
		if w.rand.IntN(4) > 0 {
			return false // it takes long
		}
		w.does("the worker ends")
		mark := w.relay.mark()
		w.killWorker()
		if !w.away {
			w.relay.await(mark, "hello", nil)
			w.relay.await(mark, "watching", nil)
		}
		return true
	},
}

// agents are the deeds of agents.
var agents = []deed{
	func(w *walk, _ *ground) bool {
		if len(w.tabs) >= 6 {
			return false
		}
		site, agent := pick(w, w.sites...), pick(w, "one", "two")
		want := codePaused
		if !w.paused && !w.halted[agent] {
			want = w.wants(siteOf(w.t, site))
		}
		w.does("%s opens %s", agent, site)
		raw := w.tries(want, "createTab", args{"url": site + "/", "agent": agent})
		if want != 0 || w.t.Failed() {
			return true
		}
		var made tab
		decode(w.t, raw, &made)
		g := &ground{id: string(made.ID), agent: agent, shared: true, attached: true}
		w.tabs = append(w.tabs, g)
		w.find(g)
		w.arrive(g, site)
		return true
	},
	on(always, func(w *walk, g *ground) {
		site := pick(w, w.sites...)
		want := w.command(g)
		if want == 0 {
			want = w.visit(g, siteOf(w.t, site))
		}
		w.does("%s sends %s to %s", g.agent, g.id, site)
		w.tries(want, "forwardCDPCommand", args{"id": g.id, "method": "Page.navigate", "params": args{"url": site + "/"}})
		if want == 0 && !w.t.Failed() {
			w.arrive(g, site)
		}
	}),
	on(always, func(w *walk, g *ground) {
		if w.permitted(g, g.shows()) {
			return
		}
		want := w.use(g)
		w.does("%s leaves what %s shows", g.agent, g.id)
		w.tries(want, "leaveTab", args{"id": g.id})
		if want == 0 && !w.t.Failed() {
			w.arrive(g, "")
		}
	}),
	on(always, func(w *walk, g *ground) {
		want := w.use(g)
		w.does("%s closes %s", g.agent, g.id)
		w.tries(want, "closeTab", args{"id": g.id})
		if want == 0 {
			w.closes(g)
		}
	}),
	on(always, func(w *walk, g *ground) {
		w.does("%s brings %s to the front", g.agent, g.id)
		w.tries(w.use(g), "activateTab", args{"id": g.id})
	}),
	on(always, func(w *walk, g *ground) {
		w.does("%s lets go of %s", g.agent, g.id)
		if w.tries(g.mine(), "detachTab", args{"id": g.id}); g.mine() == 0 {
			g.attached = false
		}
	}),
}

// decides answers one of the person's questions.
func (w *walk) decides(_ *ground) bool {
	var open []string
	for _, site := range w.sites {
		if w.asked[siteOf(w.t, site)] {
			open = append(open, siteOf(w.t, site))
		}
	}
	if len(open) == 0 {
		return false
	}
	site, choice := pick(w, open...), pick(w, "once", "always", "no")
	w.does("the person says of %s: %s", site, choice)
	delete(w.asked, site)
	w.rules[site] = choice
	var id string
	w.eval(w.person, fmt.Sprintf(`until(null, () => true).then((v) => v.questions.find((q) => q.site === %q).id)`, site), &id)
	w.wish(fmt.Sprintf(`{ ask: "answer", id: %q, choice: %q }`, id, choice), "v.rules.some((r) => r.site === %q)", site)
	w.settle()
	return true
}

// pauses halts an agent by its name, or lets it go on.
func (w *walk) pauses(_ *ground) bool {
	if w.away {
		return false
	}
	who := pick(w, "one", "two")
	has := []string{}
	for _, g := range w.tabs {
		if g.agent == who && g.shared {
			has = append(has, g.id)
		}
	}
	on := !w.halted[who]
	w.does("%s, which has %s, is paused: %t", who, strings.Join(has, " "), on)
	w.relay.do("show", args{"fresh": true, "entries": []args{}, "actors": []args{{"name": who, "kind": "agent", "tabs": has}}}, nil)
	w.consent.pause(who, on)
	mark := w.relay.mark()
	w.wish(fmt.Sprintf(`{ ask: %q, who: %q }`, map[bool]string{true: "pause", false: "resume"}[on], who), "v.actors.some((a) => a.paused === %t)", on)
	w.relay.await(mark, "paused", nil)
	return true
}

// cancel is the person's, on the bar: Chrome tells it of each tab that is attached.
func (w *walk) cancel(_ *ground) bool {
	if !slices.ContainsFunc(w.tabs, func(g *ground) bool { return g.attached }) {
		return false
	}
	w.does("the person cancels")
	var numbers []string
	for _, g := range w.tabs {
		if g.attached {
			numbers = append(numbers, fmt.Sprint(g.number))
		}
		if g.shared {
			g.takeBack()
		}
	}
	w.worker(`(async () => {
		const all = [` + strings.Join(numbers, ", ") + `].map((tabId) => ({ tabId }));
		await Promise.all(all.map((one) => chrome.debugger.detach(one)));
		for (const one of all) chrome.debugger.onDetach.dispatch(one, "canceled_by_user");
	})()`)
	w.wish("null", "v.tabs.length === 0")
	return true
}

func (w *walk) connect() {
	w.does("the person connects")
	mark := w.relay.mark()
	w.away = false
	w.wish(`{ ask: "connect" }`, `v.state === "connected"`)
	w.relay.await(mark, "hello", nil)
	w.relay.await(mark, "watching", nil)
}

// pops has a page open another.
func (w *walk) pops(by *ground, session string) {
	site := pick(w, w.sites...)
	w.does("%s opens %s by itself", by.id, site)
	before := w.targets(func(target) bool { return true })
	w.cdp(session, "Runtime.evaluate", args{"expression": fmt.Sprintf("void open(%q)", site+"/"), "userGesture": true})
	var made []target
	for len(made) == 0 {
		made = w.targets(func(t target) bool {
			return t.Type == "page" && !slices.ContainsFunc(before, func(b target) bool { return b.TargetID == t.TargetID })
		})
	}
	g := &ground{id: made[0].TargetID}
	w.opens(by, g)
	w.find(g)
	w.arrive(g, site)
}
