package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestDemoSiteIsSelfContained(t *testing.T) {
	server := httptest.NewServer(demoSite())
	defer server.Close()
	elsewhere := regexp.MustCompile(`(?i)(?:src|href|url|import|from)\s*[=(]?\s*["'(]?(?:https?:)?//`)
	entries, err := siteFiles.ReadDir("site")
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{"/"}
	for _, e := range entries {
		if e.Name() != "index.html" { // which the file server moves to /
			paths = append(paths, "/"+e.Name())
		}
	}
	for _, path := range paths {
		answer, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || len(body) == 0 {
			t.Errorf("%s: %s, %d bytes, %v", path, answer.Status, len(body), err)
		}
		if at := elsewhere.Find(body); at != nil {
			t.Errorf("%s loads from elsewhere: %s", path, at)
		}
		if policy := answer.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'self'") {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
	answer, err := http.Post(server.URL, "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("post: %s", answer.Status)
	}
}

// What scripts put into the pages is there in a real browser.
func TestDemoSiteInChromium(t *testing.T) {
	b := installed(t)
	server := httptest.NewServer(demoSite())
	defer server.Close()
	for path, wants := range map[string][]string{
		"/": {`min="20`, "Find trains"},
		"/trains.html?from=Bern&to=Graz&date=2027-03-12&place=sleeper": {
			"Bern to Graz", "Friday 12 March · sleeper", "12 trains found.", "Night Heron", "€133.00",
		},
		"/train.html?id=LL+204&from=Bern&to=Graz&place=sleeper": {"Night Heron – Lantern Line", "Verona", "€133.00", "Graz"},
		"/train.html?id=none":                  {"No such train"},
		"/trains.html?from=Bern&chosen=LL+204": {"Night Heron, 20:12 from Bern", `data-id="LL 204" class="on"`},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		// Virtual time does not wait for the page's delay.
		out, err := exec.CommandContext(ctx, b.Path, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
			"--disable-background-networking", "--user-data-dir="+t.TempDir(), "--virtual-time-budget=5000", "--dump-dom",
			server.URL+path).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s lacks %q", path, want)
			}
		}
	}
}
