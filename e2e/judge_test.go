package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/tools/schema"
)

// judged makes TestJudge look at every page of e2e/judge, not only at those that
// are made of no library.
var judged = flag.String("judge", "", "judge the pages of e2e/judge whose names have this; all for every one")

// TestJudge holds that the tools of a page are what a person would call what the
// page is for, as written down in e2e/judge/verbs.txt: nine of ten of them are there,
// nine of ten that are there are among them, and they stay in each of its states.
// `make judge` looks at every page and prints a table.
func TestJudge(t *testing.T) {
	if _, err := os.Stat("judge/node_modules"); err != nil && *judged != "" {
		t.Fatal("the libraries are not installed: run make judge")
	}
	t.Parallel()
	pages := readVerbs(t)
	j := &judge{site: newJudgeSite(t), server: shared(t)}
	f := j.server.follower(t, "")
	f.ok("connect_browser", args{"launch": true})
	var all verdict
	for _, p := range pages {
		if !p.picked() {
			continue
		}
		v := j.look(f, p)
		t.Log(v)
		all.add(v)
	}
	all.page = "all"
	t.Log(all)
	if all.wanted == 0 || all.met*10 < all.wanted*9 || len(all.other)*10 > all.offered || len(all.lost) > 0 {
		t.Error("the tools are not what a person would call them")
	}
}

// judgedPage is a page with what a person would call what it is for.
type judgedPage struct {
	address string
	states  []judgedState // the first is the page as it opens
}

type judgedState struct {
	address string     // of the state; "" for none
	script  string     // that leads to it; "" for none
	verbs   [][]string // names that say the same
	may     []string   // names that need not be there
}

// picked reports whether the page is looked at now. Without the flag those are that
// need no library.
func (p judgedPage) picked() bool {
	if *judged != "" {
		return *judged == "all" || strings.Contains(p.address, *judged)
	}
	text, err := os.ReadFile("judge/pages/" + strings.Split(p.address, "?")[0])
	return err == nil && !strings.Contains(string(text), "node_modules")
}

func readVerbs(t *testing.T) []judgedPage {
	text, err := os.ReadFile("judge/verbs.txt")
	if err != nil {
		t.Fatal(err)
	}
	var pages []judgedPage
	for line := range strings.Lines(string(text)) {
		mark, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if mark == "==" {
			pages = append(pages, judgedPage{address: rest, states: make([]judgedState, 1)})
		}
		if mark == "" || mark == "#" || mark == "==" || len(pages) == 0 {
			continue
		}
		states := &pages[len(pages)-1].states
		state := &(*states)[len(*states)-1]
		switch mark {
		case ">":
			next := judgedState{address: rest}
			if script, ok := strings.CutPrefix(rest, "do "); ok {
				next = judgedState{script: script}
			}
			*states = append(*states, next)
		case "?":
			state.may = append(state.may, strings.Split(rest, " | ")...)
		default:
			state.verbs = append(state.verbs, strings.Split(strings.TrimSpace(line), " | "))
		}
	}
	return pages
}

// judge looks at pages as an agent sees them.
type judge struct {
	site   *site
	server *server
}

// verdict is how the tools of a page are called.
type verdict struct {
	page            string
	wanted, met     int // verbs
	offered         int // names of the page
	missed          []string
	other           []string // that no person would call it
	lost            []string // that another state of the page has not
	size, pageBytes int      // of the list, and of the page's part of it
	usual           int      // pageBytes of the page as it opens
	told            string
}

func (v *verdict) add(o verdict) {
	v.wanted, v.met, v.offered = v.wanted+o.wanted, v.met+o.met, v.offered+o.offered
	v.other, v.lost = append(v.other, o.other...), append(v.lost, o.lost...)
	v.size, v.pageBytes = max(v.size, o.size), max(v.pageBytes, o.pageBytes)
	v.usual = max(v.usual, o.usual)
}

func (v verdict) String() string {
	text := fmt.Sprintf("%-22s %3d of %3d verbs, %3d of %3d names are none; list %5d bytes, page %5d, as it opens %5d", v.page, v.met, v.wanted, len(v.other), v.offered, v.size, v.pageBytes, v.usual)
	if v.page == "all" {
		return text
	}
	for what, list := range map[string][]string{"missing": v.missed, "other": v.other, "lost": v.lost} {
		if len(list) > 0 {
			text += "\n    " + what + ": " + strings.Join(list, ", ")
		}
	}
	return text + v.told
}

// look opens a page and each of its states.
func (j *judge) look(f *follower, p judgedPage) verdict {
	v := verdict{page: p.address}
	f.ok("open_tab", args{"url": j.site.URL + "/" + p.address})
	opened := p.states[0]
	first := j.state(f, &v, opened, opened, nil)
	v.usual = v.pageBytes
	for _, s := range append(p.states[1:], judgedState{address: p.address}) {
		if s.address != "" {
			f.ok("go_to", args{"url": j.site.URL + "/" + s.address})
		} else {
			f.ok("go_to", args{"url": j.site.URL + "/" + p.address})
			j.state(f, &verdict{}, opened, opened, first)
			c := j.server.cdp(f.t)
			c.call(c.attach(j.site.URL+"/"+p.address), "Runtime.evaluate", args{"expression": s.script + "; 0"}, nil)
		}
		j.state(f, &v, s, opened, first)
	}
	f.ok("close_tab", nil)
	return v
}

// state judges the names that there are when the page has come to rest: before are
// those of the page as it opened.
func (j *judge) state(f *follower, v *verdict, s, opened judgedState, before []string) []string {
	var names []string
	missing, lost := s.verbs, before
	patience := 20 * time.Second
	if *judged != "" {
		patience = 2 * time.Second // with libraries, some names are never there
	}
	for limit, still := time.Now().Add(patience), 0; still < 2; {
		f.ok("list_tabs", nil)
		now := j.list(f, v)
		if slices.Equal(now, names) {
			still++
		}
		names = now
		missing = slices.DeleteFunc(slices.Clone(s.verbs), func(same []string) bool { return shares(same, names) })
		lost = slices.DeleteFunc(slices.Clone(before), func(name string) bool { return slices.Contains(names, name) })
		if len(missing)+len(lost) > 0 && time.Now().Before(limit) {
			still = 0
		}
	}
	v.wanted, v.met = v.wanted+len(s.verbs), v.met+len(s.verbs)-len(missing)
	for _, same := range missing {
		v.missed = append(v.missed, same[0])
	}
	where := strings.TrimSpace(s.address + s.script)
	for _, name := range lost {
		v.lost = append(v.lost, fmt.Sprintf("%s (%.40s)", name, where))
	}
	for _, name := range names {
		if slices.Contains(before, name) {
			continue
		}
		v.offered++
		named := slices.ContainsFunc(slices.Concat(s.verbs, opened.verbs), func(same []string) bool { return slices.Contains(same, name) })
		if !named && !slices.Contains(s.may, name) && !slices.Contains(opened.may, name) {
			v.other = append(v.other, name)
		}
	}
	return names
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(one string) bool { return slices.Contains(b, one) })
}

// list returns the names of the page's tools, without our own.
func (j *judge) list(f *follower, v *verdict) (names []string) {
	f.t.Helper()
	list, err := f.session.ListTools(f.t.Context(), nil)
	if err != nil {
		f.t.Fatal(err)
	}
	size := func(list []*mcp.Tool) int {
		text, err := json.Marshal(map[string]any{"tools": list})
		if err != nil {
			f.t.Fatal(err)
		}
		return len(text)
	}
	own := []string{"list_tabs", "open_tab", "focus_tab", "close_tab", "read_page", "find_on_page", "press_key", "back", "go_to"}
	page := slices.DeleteFunc(slices.Clone(list.Tools), func(tool *mcp.Tool) bool { return slices.Contains(own, tool.Name) })
	if n := size(list.Tools); n > v.size {
		v.size, v.pageBytes = n, size(page)
		if *judged != "" {
			v.told = ""
			for _, tool := range page {
				takes, _ := json.Marshal(tool.InputSchema)
				v.told += fmt.Sprintf("\n    . %s: %.150s %.300s", tool.Name, tool.Description, takes)
			}
		}
	}
	for _, tool := range page {
		if buttons := folded(tool); strings.HasPrefix(tool.Name, "press_") && buttons != nil {
			names = append(names, buttons...)
		} else {
			names = append(names, tool.Name)
		}
	}
	return names
}

// folded returns the names of the buttons that a tool presses, one of several.
func folded(tool *mcp.Tool) (names []string) {
	var takes struct {
		Properties struct{ Button struct{ Enum []string } }
	}
	text, _ := json.Marshal(tool.InputSchema)
	_ = json.Unmarshal(text, &takes)
	for _, button := range takes.Properties.Button.Enum {
		names = append(names, schema.Name(button))
	}
	return names
}

// newJudgeSite serves the pages of e2e/judge and the libraries that they are made of.
func newJudgeSite(t *testing.T) *site {
	s := newSite(t, "")
	s.mux.Handle("/node_modules/", http.FileServer(http.Dir("judge")))
	s.mux.Handle("/", http.FileServer(http.Dir("judge/pages")))
	built := sync.OnceValue(func() api.BuildResult {
		return api.Build(api.BuildOptions{EntryPoints: []string{"judge/pages/angular.mjs"}, NodePaths: []string{"judge/node_modules"}, Bundle: true, Format: api.FormatIIFE})
	})
	s.mux.HandleFunc("/angular.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		for _, file := range built().OutputFiles {
			_, _ = w.Write(file.Contents)
		}
	})
	return s
}
