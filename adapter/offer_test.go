package adapter

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var updateOffers = flag.Bool("update-offers", false, "write the golden offers of testdata/offers")

// sites serves the pages of e2e/testdata/sites; what they send to /api/… is kept.
type sites struct {
	*httptest.Server
	mu   sync.Mutex
	sent map[string]map[string]any
	came chan struct{}
}

func newSites(t testing.TB) *sites {
	s := &sites{sent: map[string]map[string]any{}, came: make(chan struct{}, 100)}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("../e2e/testdata/sites")))
	mux.HandleFunc("POST /api/{kind}", func(w http.ResponseWriter, r *http.Request) {
		data := map[string]any{}
		if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			body, _ := io.ReadAll(r.Body)
			_ = json.Unmarshal(body, &data)
		} else {
			_ = r.ParseMultipartForm(1 << 20)
			for k, v := range r.PostForm {
				data[k] = strings.Join(v, ",")
			}
		}
		s.mu.Lock()
		s.sent[r.PathValue("kind")] = data
		s.mu.Unlock()
		s.came <- struct{}{}
		if then := r.FormValue("then"); then != "" {
			http.Redirect(w, r, then, http.StatusSeeOther)
		}
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// got waits until a kind was sent, and returns it.
func (s *sites) got(t testing.TB, kind string) map[string]any {
	t.Helper()
	late := time.After(10 * time.Second)
	for {
		s.mu.Lock()
		data := s.sent[kind]
		delete(s.sent, kind)
		s.mu.Unlock()
		if data != nil {
			return data
		}
		select {
		case <-s.came:
		case <-late:
			t.Fatalf("%s was not sent", kind)
		}
	}
}

// onSite shows a page of the sites.
func onSite(t testing.TB, path string) (*stage, *sites) {
	t.Helper()
	web := newSites(t)
	s := &stage{TB: t, Page: newTab(t, newBrowser(t, Options{}), true)}
	s.visit(web.URL + path)
	return s, web
}

func (s *stage) offers() []Offer {
	s.TB.Helper()
	list, err := s.Offers(s.TB.Context())
	if err != nil {
		s.Fatal(err)
	}
	return list
}

// take takes an offer, which must not fail.
func (s *stage) take(key string, args map[string]any) OfferTaken {
	s.TB.Helper()
	w := s.Watch(s.TB.Context())
	taken, err := s.TakeOffer(s.TB.Context(), key, args)
	w.Settle(s.TB.Context())
	if err != nil {
		s.Fatalf("%s %v: %v\n%+v\n%s", key, args, err, taken.Fields, said(s.offers()))
	}
	return taken
}

// said writes offers as text.
func said(list []Offer) string {
	var b strings.Builder
	number := func(n *float64) string {
		if n == nil {
			return ""
		}
		return fmt.Sprint(*n)
	}
	for _, o := range list {
		fmt.Fprintf(&b, "%s %q", o.Kind, o.Name)
		if o.About != "" {
			fmt.Fprintf(&b, " (%s)", o.About)
		}
		fmt.Fprintf(&b, " %s\n", o.Key)
		for _, f := range o.Fields {
			fmt.Fprintf(&b, "  %s: %s", f.Name, strings.TrimSpace(f.Type+" "+f.Format))
			if f.Required {
				b.WriteString(" required")
			}
			if n := number(f.Min) + ".." + number(f.Max); n != ".." {
				b.WriteString(" " + n)
			}
			if f.Step != nil {
				b.WriteString(" step " + number(f.Step))
			}
			if f.MinLength+f.MaxLength > 0 {
				fmt.Fprintf(&b, " length %d..%d", f.MinLength, f.MaxLength)
			}
			if f.Pattern != "" {
				b.WriteString(" /" + f.Pattern + "/")
			}
			if f.Options != nil {
				fmt.Fprintf(&b, " %q", f.Options)
			}
			if f.Default != "" {
				fmt.Fprintf(&b, " = %q", f.Default)
			}
			if f.Description != "" {
				b.WriteString(" # " + f.Description)
			}
			b.WriteByte('\n')
		}
		for i, item := range o.Items {
			fmt.Fprintf(&b, "    %d %s\n", i, item)
		}
	}
	return b.String()
}

// TestOffersOfSites holds what pages that nobody has seen before offer, beside
// testdata/offers.
func TestOffersOfSites(t *testing.T) {
	pages, err := filepath.Glob("../e2e/testdata/sites/*/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	s, web := onSite(t, "/")
	for _, page := range pages {
		kind, name := filepath.Base(filepath.Dir(page)), strings.TrimSuffix(filepath.Base(page), ".html")
		t.Run(kind+"/"+name, func(t *testing.T) {
			s.TB = t
			url := web.URL + "/" + kind + "/" + name + ".html"
			switch kind + "/" + name {
			case "shop/product":
				url += "?id=night-heron"
			case "search/results":
				url += "?q=night+heron"
			case "docs/page":
				url += "?limits"
			}
			s.visit(url)
			list := s.offers()
			got := said(list)
			golden := filepath.Join("testdata/offers", kind+"_"+name+".txt")
			if *updateOffers {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || string(want) != got {
				t.Errorf("%v: got\n%s", err, got)
			}
			keys := map[string]bool{}
			for _, o := range list {
				if keys[o.Key] {
					t.Errorf("%s is there twice", o.Key)
				}
				keys[o.Key] = true
			}
			s.visit(url)
			again := map[string]bool{}
			for _, o := range s.offers() {
				again[o.Key] = true
			}
			if !maps.Equal(keys, again) {
				t.Errorf("the keys after a reload: %v", slices.Sorted(maps.Keys(again)))
			}
		})
	}
}

// TestOffersLeaveOut holds what is not offered: what nobody can see or use, what
// stands behind a dialog, and what a password field holds.
func TestOffersLeaveOut(t *testing.T) {
	s := open(t, `<h1>Page</h1><button>Shown</button><button hidden>Hidden</button><button style="visibility:hidden">Unseen</button><button disabled>Off</button><button style="position:absolute;left:-999px">Away</button>
<div inert><button>Inert</button></div><details><summary>More</summary><button>Folded</button></details>
<form><input type=hidden name=t value=secret1><input name=u aria-label=User value=ada><input type=password aria-label=Password value=secret2><input name=x aria-label=Gone disabled><input aria-label=Fixed readonly value=1><input type=file aria-label=Photo><button>Sign in</button></form>
<script>const b = document.createElement('div'); document.body.append(b); b.attachShadow({mode: 'open'}).innerHTML = '<form aria-label="In the shade"><input aria-label=Word><button>Send</button></form>'</script>
<dialog id=d aria-label=Really><button>Yes</button><form method=dialog><button>No</button></form></dialog>`)
	text := said(s.offers())
	for _, want := range []string{`"Shown"`, `"More"`, `"Sign in"`, "user: string = \"ada\"", "password: string password\n", `"Send in the shade"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	for _, not := range []string{"Hidden", "Unseen", "Off", "Away", "Inert", "Folded", "secret", "Gone", "Fixed", "Photo"} {
		if strings.Contains(text, not) {
			t.Errorf("%s in\n%s", not, text)
		}
	}
	s.take("form:send-in-the-shade", map[string]any{"word": "x"})
	s.visit(s.site.URL)
	s.is("d.showModal()", "undefined")
	if text := said(s.offers()); text != "action \"Yes\" (Really) action:yes\naction \"No\" (Really) action:no\n" {
		t.Errorf("with a dialog:\n%s", text)
	}
	s.take("action:no", nil)
	s.is("d.open", "false")
}

// TestOfferManyRows holds that a long list is told in its first items, and that
// the others can be had.
func TestOfferManyRows(t *testing.T) {
	s := open(t, manyRows)
	list := s.offers()
	if len(list) != 2 || list[0].Kind != OfferList || len(list[0].Items) != 50 || list[1].Name != "Do" {
		t.Errorf("%s", said(list))
	}
	if taken := s.take(list[1].Key, map[string]any{"index": 700.0}); taken.Item != "link 700 — cell 700" {
		t.Errorf("%+v", taken.Item)
	}
	s.is("document.title", `"done 700"`)
}

const manyRows = `<main><h1>Rows</h1><table><tbody id=b></tbody></table></main><script>
b.innerHTML = Array.from({length: 1000}, (_, i) => '<tr><td>cell ' + i + '</td><td><a href="#' + i + '">link ' + i + '</a></td><td><button onclick="document.title=\'done ' + i + '\'">Do</button></td></tr>').join('')</script>`
