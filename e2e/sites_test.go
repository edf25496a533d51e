package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errand is a task in words, as a person would give it, and what its site has
// to receive in the end. Nothing in it is about the page's elements.
type errand struct {
	site   string
	words  string
	values map[string]string // what to say where it is asked for
	items  []string          // what to choose, in this order
	sent   string            // the kind of message the site gets
	want   map[string]string
}

var errands = []errand{
	{site: "mail", words: "Compose a message and send it",
		values: map[string]string{"to": "ada@example.test", "subject": "Herons", "body": "They fly at night."},
		sent:   "send", want: map[string]string{"to": "ada@example.test", "subject": "Herons", "body": "They fly at night."}},
	{site: "flights", words: "Search flights and select one",
		values: map[string]string{"trip": "One way", "from": "Zurich", "to": "Lisbon", "depart": "2026-05-14", "passengers": "2"}, items: []string{"Heron Airways"},
		sent: "book", want: map[string]string{"from": "ZRH", "to": "LIS", "on": "2026-05-14", "n": "2", "line": "Heron Airways"}},
	{site: "code", words: "Submit a new issue",
		values: map[string]string{"title": "Sleeps by day", "description": "And wakes at dusk.", "labels": "bug\nenhancement"},
		sent:   "issue", want: map[string]string{"issue[title]": "Sleeps by day", "issue[body]": "And wakes at dusk.", "issue[labels]": "bug,idea"}},
	{site: "shop", words: "Open the print and order it",
		values: map[string]string{"size": "A3", "quantity": "2"}, items: []string{"Night Heron"},
		sent: "cart", want: map[string]string{"id": "night-heron", "size": "A3", "quantity": "2"}},
	{site: "search", words: "Search and open what was found",
		values: map[string]string{"query": "night heron"}, items: []string{"Encyclopedia"},
		sent: "visit", want: map[string]string{"n": "1"}},
	{site: "docs", words: "Open the page and say: no, it did not help enough",
		values: map[string]string{"what could be better": "Say when it resets."}, items: []string{"Rate limits"},
		sent: "feedback", want: map[string]string{"topic": "limits", "good": "false", "text": "Say when it resets."}},
	{site: "forum", words: "Open the discussion and post a reply",
		values: map[string]string{"reply": "Seen it too."}, items: []string{"Night heron seen"},
		sent: "reply", want: map[string]string{"text": "Seen it too."}},
	{site: "settings", words: "Save the profile",
		values: map[string]string{"display name": "Grace", "time zone": "Europe/Lisbon", "pronouns": "they/them"},
		sent:   "profile", want: map[string]string{"display_name": "Grace", "zone": "Europe/Lisbon", "pronouns": "they/them"}},
	{site: "calendar", words: "Create an event",
		values: map[string]string{"title": "Night walk", "date": "2026-05-14", "start": "21:30", "end": "23:00", "guests": "ada@example.test"},
		sent:   "event", want: map[string]string{"title": "Night walk", "date": "2026-05-14", "start": "21:30", "end": "23:00", "guests": "ada@example.test"}},
	{site: "checkout", words: "Pay for the order",
		values: map[string]string{"full name": "Ada", "street": "Seeweg 1", "postal code": "6300", "city": "Zug", "country": "Switzerland", "method": "Express, 1 day", "gift": "true", "card number": "4242424242424242", "expiry date": "12/29", "security code": "123"},
		sent:   "order", want: map[string]string{"name": "Ada", "zip": "6300", "country": "CH", "m": "exp", "gift": "on", "card": "4242"}},
}

// TestDynamicSites holds that a script which knows nothing of a page runs an
// errand on each of ten sites with the tools that the page offers: it compares
// words and chooses among names, descriptions and schemas.
func TestDynamicSites(t *testing.T) {
	t.Parallel()
	server := shared(t)
	for _, e := range errands {
		t.Run(e.site, func(t *testing.T) {
			web := newErrandSite(t)
			e.values = maps.Clone(e.values) // what is given is taken out
			r := &runner{agent: &agent{t, server.connectTools(t, "dynamic")}, errand: e, did: map[string]bool{}}
			r.ok("connect_browser", args{"launch": true})
			r.ok("open_tab", args{"url": web.URL + "/" + e.site + "/index.html"})
			for range 12 {
				if web.has(e) {
					t.Logf("done in %d calls", len(r.log))
					return
				}
				if !r.step() {
					break
				}
			}
			if !web.hasSoon(e) {
				t.Fatalf("%s was not done; the site got %v\n%s", e.words, web.all(), strings.Join(r.log, "\n"))
			}
		})
	}
}

// runner runs an errand by comparing words.
type runner struct {
	*agent
	errand errand
	did    map[string]bool // tools with their arguments that were called
	log    []string
}

// choice is a call that could be made, and how much speaks for it.
type choice struct {
	tool   string
	with   args
	values []string // those of the errand that it gives
	item   bool     // it takes the wanted item
	score  float64
}

// step makes the call that most speaks for, and reports whether there was one.
func (r *runner) step() bool {
	list, err := r.session.ListTools(r.t.Context(), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	var best choice
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		for _, c := range r.choices(tool) {
			if c.score > best.score && !r.did[fmt.Sprint(c.tool, c.with)] {
				best = c
			}
		}
	}
	if best.tool == "" {
		r.log = append(r.log, "nothing fits among "+strings.Join(names, " "))
		return false
	}
	r.did[fmt.Sprint(best.tool, best.with)] = true
	an := r.call(best.tool, best.with)
	r.log = append(r.log, fmt.Sprintf("%s %v: %s", best.tool, best.with, an.text))
	if an.failed || strings.Contains(an.text, "filled in, not sent") {
		return true // another one next, with the same values
	}
	for _, key := range best.values {
		delete(r.errand.values, key)
	}
	if best.item {
		r.errand.items = r.errand.items[1:]
	}
	return true
}

var toldItem = regexp.MustCompile(`(\d+) “([^”]*)”`)

// choices are the calls of a tool that could serve the errand.
func (r *runner) choices(tool *mcp.Tool) []choice {
	if tool.Meta["tabrelay/untrusted"] != true {
		return nil // no tool of the page
	}
	var schema struct {
		Properties map[string]struct {
			Type        string `json:"type"`
			Description string `json:"description"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	raw, _ := json.Marshal(tool.InputSchema)
	if err := json.Unmarshal(raw, &schema); err != nil {
		r.t.Fatalf("%s: %v", tool.Name, err)
	}
	alike := overlap(words(tool.Name), words(r.errand.words))
	c := choice{tool: tool.Name, with: args{}}
	for _, key := range slices.Sorted(maps.Keys(r.errand.values)) {
		fits, best := "", 0
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			fit := 0
			switch p := schema.Properties[name]; {
			case overlap(words(name), words(key)) == 1 && overlap(words(key), words(name)) == 1:
				fit = 3
			case overlap(words(key), words(name)) == 1:
				fit = 2
			case overlap(words(key), words(p.Description)) == 1:
				fit = 1
			}
			if fit > best && c.with[name] == nil {
				fits, best = name, fit
			}
		}
		if best > 0 {
			c.with[fits] = converted(schema.Properties[fits].Type, r.errand.values[key])
			c.values = append(c.values, key)
		}
	}
	for _, name := range schema.Required {
		if _, ok := c.with[name]; !ok && name != "index" {
			return nil
		}
	}
	if _, ok := schema.Properties["index"]; !ok {
		switch {
		case len(c.values) > 0:
			c.score = 5*float64(len(c.values)) + alike
		case len(schema.Properties) == 0 && alike >= 0.5:
			c.score = 3 * alike
		}
		return []choice{c}
	}
	var list []choice
	for _, m := range toldItem.FindAllStringSubmatch(tool.Description, -1) {
		index, _ := strconv.Atoi(m[1])
		one := choice{tool: c.tool, with: args{"index": index}, values: c.values}
		for name, v := range c.with {
			one.with[name] = v
		}
		switch like := overlap(words(m[2]), words(r.errand.words)); {
		case len(r.errand.items) > 0 && strings.Contains(m[2], r.errand.items[0]):
			one.item, one.score = true, 4+alike
		case like >= 0.5:
			one.score = 2 * like
		}
		list = append(list, one)
	}
	return list
}

// words are the words of a text that say something, in one form.
func words(text string) []string {
	var list []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if slices.Contains([]string{"a", "an", "the", "and", "of", "in", "as", "is", "item"}, w) || unicode.IsDigit(rune(w[0])) {
			continue
		}
		list = append(list, strings.TrimSuffix(w, "s"))
	}
	return list
}

// overlap tells which part of some words others have.
func overlap(some, others []string) float64 {
	n := 0
	for _, w := range some {
		if slices.Contains(others, w) {
			n++
		}
	}
	return float64(n) / max(float64(len(some)), 1)
}

// converted is a value as a schema's type wants it.
func converted(kind, value string) any {
	switch kind {
	case "integer", "number":
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			return n
		}
	case "boolean":
		return value == "true"
	case "array":
		return strings.Split(value, "\n")
	}
	return value
}

// errandSite serves testdata/sites; what the pages send to /api/… is kept.
type errandSite struct {
	*httptest.Server
	came chan struct{}
	mu   sync.Mutex
	sent map[string]map[string]string
}

func newErrandSite(t *testing.T) *errandSite {
	s := &errandSite{sent: map[string]map[string]string{}, came: make(chan struct{}, 100)}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("testdata/sites")))
	mux.HandleFunc("POST /api/{kind}", func(w http.ResponseWriter, r *http.Request) {
		got := map[string]string{}
		if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			var data map[string]any
			body, _ := io.ReadAll(r.Body)
			_ = json.Unmarshal(body, &data)
			for k, v := range data {
				got[k] = fmt.Sprint(v)
			}
		} else {
			_ = r.ParseMultipartForm(1 << 20)
			for k, v := range r.PostForm {
				got[k] = strings.Join(v, ",")
			}
		}
		s.mu.Lock()
		s.sent[r.PathValue("kind")] = got
		s.mu.Unlock()
		s.came <- struct{}{}
		if then := r.FormValue("then"); then != "" {
			http.Redirect(w, r, then, http.StatusSeeOther)
		}
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// has reports whether the site got what an errand is about.
func (s *errandSite) has(e errand) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.sent[e.sent]
	for k, v := range e.want {
		if got == nil || got[k] != v {
			return false
		}
	}
	return true
}

// hasSoon is has for what may be on its way.
func (s *errandSite) hasSoon(e errand) bool {
	late := time.After(5 * time.Second)
	for !s.has(e) {
		select {
		case <-s.came:
		case <-late:
			return false
		}
	}
	return true
}

func (s *errandSite) all() map[string]map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}
