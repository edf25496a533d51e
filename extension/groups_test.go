package extension_test

import (
	"sync"
	"testing"
)

// Groups show which agent's a tab is, and only those that were made for that are
// touched.
func TestGroups(t *testing.T) {
	r := newFakeRelay(t)
	c := launch(t, r, "chosen")
	r.await(0, "hello", nil)
	var done sync.WaitGroup
	var made []tab
	for range 3 {
		made = append(made, r.create("about:blank"))
	}
	// At once, and yet there is one.
	for _, one := range made {
		done.Go(func() {
			if _, err := r.ask("groupTabs", args{"ids": []any{one.ID}, "title": "one", "color": "blue"}); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	page := c.page(base + "options.html")
	groups := func(want string) {
		t.Helper()
		var got string
		c.eval(page, `chrome.tabGroups.query({}).then(async all => (await Promise.all(all.map(async g =>
			g.title + " " + g.color + " " + (await chrome.tabs.query({ groupId: g.id })).length))).sort().join())`, &got)
		if got != want {
			t.Errorf("groups are %s, want %s", got, want)
		}
	}
	groups("one blue 3")
	r.do("groupTabs", args{"ids": []any{made[0].ID}, "title": "two", "color": "red", "taken": true}, nil)
	r.do("leaveGroups", args{"title": "two"}, nil)
	groups("one blue 3")
	r.do("leaveGroups", args{"title": "one"}, nil)
	groups("left by agents grey 3")
	// Another one takes a tab, and goes.
	r.do("groupTabs", args{"ids": []any{made[0].ID}, "title": "two", "color": "red", "taken": true}, nil)
	groups("left by agents grey 2,two red 1")
	r.do("leaveGroups", args{"title": "two"}, nil)
	groups("left by agents grey 3")
	// The name is free, and what the person calls a group stays.
	r.do("groupTabs", args{"ids": []any{made[0].ID}, "title": "one", "color": "blue"}, nil)
	groups("left by agents grey 2,one blue 1")
	c.eval(page, `chrome.tabGroups.query({ title: "one" }).then(([g]) => chrome.tabGroups.update(g.id, { title: "Mine" })).then(() => 1)`, nil)
	r.do("groupTabs", args{"ids": []any{made[1].ID}, "title": "one", "color": "blue"}, nil)
	r.do("leaveGroups", args{"title": "one"}, nil)
	groups("Mine blue 2,left by agents grey 1")
	// One of another's making is not joined, whatever its title.
	c.eval(page, `chrome.tabGroups.query({ title: "Mine" }).then(([g]) => chrome.tabGroups.update(g.id, { title: "two" })).then(() => 1)`, nil)
	r.do("groupTabs", args{"ids": []any{made[2].ID}, "title": "two", "color": "blue"}, nil)
	groups("two blue 1,two blue 2")

	// A browser that was started anew has the groups of before, and nothing in them is shared.
	c.eval(page, `chrome.tabGroups.query({ title: "two" }).then((all) => Promise.all(all.map(async (g) =>
		(await chrome.tabs.query({ groupId: g.id })).length === 2 && chrome.tabGroups.update(g.id, { title: "Mine" }))).then(() => 1))`, nil)
	groups("Mine blue 2,two blue 1")
	mark := r.mark()
	c.eval(page, `chrome.storage.session.clear()`, nil)
	c.killWorker()
	if again := r.await(mark, "hello", nil).Params.Tabs; len(again) != 0 {
		t.Errorf("shared: %+v", again)
	}
	c.eval(page, `new Promise((done) => {
		const look = async () => (await chrome.tabGroups.query({ title: "left by agents", color: "grey" })).length === 1 && done(1);
		chrome.tabGroups.onUpdated.addListener(look);
		look();
	})`, nil)
	groups("Mine blue 2,left by agents grey 1")
}
