package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

// noted is an entry of the history.
type noted struct{ Kind, Who, Did, Page, Site, To, Outcome, Why string }

// history starts `tabrelay log --follow` and returns what waits for the first
// entry that is meant, and returns all up to it.
func (d *desk) history() (until func(func(noted) bool) []noted) {
	d.t.Helper()
	lines := bufio.NewScanner(d.prints("log", "--follow", "--json"))
	var list []noted
	return func(meant func(noted) bool) []noted {
		d.t.Helper()
		for lines.Scan() {
			var e noted
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				d.t.Fatalf("%s: %v", lines.Bytes(), err)
			}
			if list = append(list, e); meant(e) {
				return list
			}
		}
		d.t.Fatalf("the history ends before what is waited for: %+v", list)
		return nil
	}
}

func TestB95HistoryTellsWhoDidWhatWhere(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	web := newSite(t, `<title>PAGEWORD</title><label>Name <input id=i></label><button>PAGEWORD</button><a href="/PATHWORD/x?q=PATHWORD">on</a>`)
	web.page("/PATHWORD/", `<title>PAGEWORD</title><p>PAGEWORD`)
	a, _ := d.front(d.managed()...)
	a.ok("browser_connect", nil)
	until := d.history()
	until(func(e noted) bool { return e.Did == "browser_connect" })
	// Two at once, and one of whom nothing is noted.
	b, _ := d.front(d.managed("--tools", "dynamic")...)
	quiet, _ := d.front(d.managed("--history=false")...)
	var wg sync.WaitGroup
	wg.Go(func() {
		a.ok("browser_tab_open", args{"url": web.URL})
		a.ok("browser_type", args{"selector": "#i", "text": "TYPEDWORD"})
		a.fails("browser_click", args{"ref": "e999"})
		a.fails("browser_click", args{"selector": "#PAGEWORD", "timeoutMs": 1500})
		a.ok("browser_batch", args{"steps": []args{{"tool": "browser_press", "arguments": args{"keys": "Tab"}}}})
		a.ok("browser_click", args{"selector": "a"})
		a.fails("browser_dialog", args{"action": "accept", "text": "TYPEDWORD"})
	})
	wg.Go(func() {
		b.ok("connect_browser", args{"launch": true})
		an := b.ok("open_tab", args{"url": web.URL})
		b.ok("read_page", nil)
		for _, tool := range strings.Fields(an.text) {
			if tool = strings.TrimPrefix(tool, "+"); strings.Contains(tool, "pageword") && strings.Trim(tool, "abcdefghijklmnopqrstuvwxyz_") == "" {
				b.ok(tool, nil)
			}
		}
		b.fails("PAGEWORD_tool", nil)
	})
	wg.Go(func() {
		quiet.ok("browser_connect", nil)
		quiet.ok("browser_tab_open", args{"url": web.URL})
	})
	wg.Wait()
	// A client of CDP.
	out, err := d.command(append([]string{"cdp", "--name", "play", "--json"}, d.managed()...)...).Output()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	var address struct{ WebSocketDebuggerURL string }
	if err := json.Unmarshal(out, &address); err != nil {
		t.Fatal(err)
	}
	conn, _, err := websocket.DefaultDialer.Dial(address.WebSocketDebuggerURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	until(func(e noted) bool { return e.Who == "play" && e.Did == "connected" })
	_ = conn.Close()
	until(func(e noted) bool { return e.Who == "play" && e.Did == "left" })
	_ = b.session.Close()
	followed := until(func(e noted) bool { return e.Who == "e2e 2" && e.Did == "left" })

	var mine, other []string
	for _, e := range followed {
		words := strings.Join(slices.DeleteFunc([]string{e.Did, e.Site, e.To, e.Outcome, e.Why}, func(s string) bool { return s == "" }), " ")
		switch e.Who {
		case "e2e":
			if mine = append(mine, words); (e.Page == "") != (e.Site == "") {
				t.Errorf("%+v", e)
			}
		case "e2e 2":
			other = append(other, words)
		case "play":
			if e.Kind != "client" {
				t.Errorf("%+v", e)
			}
		default:
			t.Errorf("who is that? %+v", e)
		}
	}
	want := []string{"connected", "browser_connect done", "browser_tab_open " + web.URL + " done", "browser_type " + web.URL + " done", "browser_click " + web.URL + " error StaleRef",
		"browser_click " + web.URL + " error ElementNotFound", "browser_press " + web.URL + " done", "browser_batch " + web.URL + " done", "browser_click " + web.URL + " done",
		"browser_dialog " + web.URL + " error InvalidArgument"}
	if !slices.Equal(mine, want) {
		t.Errorf("it tells\n%s\nwant\n%s", strings.Join(mine, "\n"), strings.Join(want, "\n"))
	}
	if !slices.ContainsFunc(other, func(s string) bool { return strings.HasPrefix(s, "page tool ") }) {
		t.Errorf("the other: %q", other)
	}
	// All of it is in the file, and what is printed of one agent is its own.
	data, err := os.ReadFile(filepath.Join(d.dir, "history.jsonl"))
	if err != nil || strings.Count(string(data), "\n") < len(followed) {
		t.Errorf("%v: %d entries were followed, the file has\n%s", err, len(followed), data)
	}
	if info, err := os.Stat(filepath.Join(d.dir, "history.jsonl")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	for _, with := range [][]string{{"log"}, {"log", "--json"}, {"log", "--agent", "e2e"}} {
		out, err := d.command(with...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "browser_type") || strings.Contains(string(out), "play") != (len(with) < 3) {
			t.Errorf("%v: %v\n%s", with, err, out)
		}
		data = append(data, out...)
	}
	for _, word := range []string{"pageword", "typedword", "pathword"} {
		if i := strings.Index(strings.ToLower(string(data)), word); i >= 0 {
			t.Errorf("%s is in …%s…", word, data[max(0, i-200):i+20])
		}
	}
}
