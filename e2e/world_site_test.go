package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// world serves the programs of e2e/world, each bundled when it is first asked for.
type world struct {
	*site
	mu    sync.Mutex
	built map[string]map[string][]byte // by program: its files by their endings
	hosts map[string]string            // by program
}

func newWorld(t *testing.T) *world {
	w := &world{site: newSite(t, ""), built: map[string]map[string][]byte{}, hosts: map[string]string{}}
	w.handle("/{program}/", func(rw http.ResponseWriter, r *http.Request) {
		program := r.PathValue("program")
		files, err := w.files(program)
		if err != nil {
			http.Error(rw, err.Error(), http.StatusNotFound)
			return
		}
		rw.Header().Set("Cache-Control", "max-age=600")
		switch filepath.Ext(r.URL.Path) {
		case ".js":
			rw.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			_, _ = rw.Write(files[".js"])
		case ".css":
			rw.Header().Set("Content-Type", "text/css; charset=utf-8")
			_, _ = rw.Write(files[".css"])
		default:
			rw.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(rw, `<!doctype html><html lang=en><meta charset=utf-8><title>%[1]s</title><link rel=stylesheet href=main.css>
<style>body { font: 15px/1.4 sans-serif; margin: 16px }</style><main id=root></main><script src=main.js></script>`, program)
		}
	})
	return w
}

// address returns where a program is served. One after the other is on another
// host, so that going from one to the next changes process.
func (w *world) address(t *testing.T, program string) string {
	t.Helper()
	if _, err := w.files(program); err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	host := w.hosts[program]
	if host == "" {
		host = fmt.Sprintf("%c.localhost", 'a'+len(w.hosts)%4)
		w.hosts[program] = host
	}
	return strings.Replace(w.URL, "127.0.0.1", host, 1) + "/" + program + "/"
}

func (w *world) files(program string) (map[string][]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if files := w.built[program]; files != nil {
		return files, nil
	}
	main, _ := filepath.Glob(filepath.Join("world", filepath.Base(program), "main.js*"))
	if len(main) == 0 {
		return nil, os.ErrNotExist
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: main,
		Outfile:     "main.js",
		Bundle:      true,
		Format:      api.FormatIIFE,
		JSX:         api.JSXAutomatic,
		Define:      map[string]string{"process.env.NODE_ENV": `"production"`, "global": "globalThis"},
		Loader: map[string]api.Loader{".svg": api.LoaderDataURL, ".png": api.LoaderDataURL, ".gif": api.LoaderDataURL,
			".woff": api.LoaderEmpty, ".woff2": api.LoaderEmpty, ".ttf": api.LoaderEmpty, ".eot": api.LoaderEmpty},
		LogLevel: api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		return nil, fmt.Errorf("%s: %s", program, strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	files := map[string][]byte{}
	for _, f := range result.OutputFiles {
		files[filepath.Ext(f.Path)] = f.Contents
	}
	w.built[program] = files
	return files, nil
}
