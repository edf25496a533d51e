package main

import (
	"embed"
	"io/fs"
	"net/http"
)

//go:embed site
var siteFiles embed.FS

// demoSite serves the small site on which `tabrelay demo` shows what an agent
// can do: a form at /, results that come late at /trains.html, a train's own
// page in a popup, and dialogs. It keeps nothing and loads nothing from elsewhere.
func demoSite() http.Handler {
	pages, err := fs.Sub(siteFiles, "site")
	if err != nil {
		panic(err) // the name is a constant
	}
	files := http.FileServerFS(pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "this site only shows itself", http.StatusMethodNotAllowed)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		files.ServeHTTP(w, r)
	})
}
