package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/relay"
)

// checkOrigins returns an error unless each text is the origin of a web page.
func checkOrigins(origins []string) error {
	for _, origin := range origins {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || origin != strings.ToLower(u.Scheme+"://"+u.Host) {
			return fmt.Errorf("--allow-origin %s: an origin is http or https and a host in lower case, such as https://app.example: %w", origin, errUsage)
		}
	}
	return nil
}

// guard lets in callers that use a loopback name and know the token; of web pages,
// only those of the given origins.
func guard(token string, origins []string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close") // unless the caller belongs here
		if !relay.Loopback(r.Host) {
			http.Error(w, "this Host is not allowed: use 127.0.0.1 or localhost", http.StatusForbidden)
			return
		}
		if from := r.Header.Values("Origin"); len(from) > 0 {
			if len(from) > 1 || !slices.Contains(origins, from[0]) {
				http.Error(w, "web pages may not call this address, unless --allow-origin names their origin", http.StatusForbidden)
				return
			}
			share(w.Header(), from[0])
			if r.Method == http.MethodOptions { // the browser asks, without the token
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(strings.TrimSpace(given)))
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="tabrelay"`)
			http.Error(w, "a bearer token is required; `tabrelay token` prints it", http.StatusUnauthorized)
			return
		}
		w.Header().Del("Connection")
		next.ServeHTTP(w, r)
	})
}

// share lets pages of an origin read the answer, as the Fetch standard has it.
func share(h http.Header, origin string) {
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID, "+versionField+", "+sessionField+", Mcp-Method, Mcp-Name")
	h.Set("Access-Control-Expose-Headers", sessionField)
}
