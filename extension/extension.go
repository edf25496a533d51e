// Package extension is the browser's side of Tabrelay: a Manifest V3 extension in plain JavaScript
// modules, and the script that is evaluated in pages.
//
//	err := os.CopyFS(dir, extension.Files) // then write dir/pairing.json and load dir in the browser
//
// Three facts explain the rest. The extension carries out what the relay's commands say and keeps no
// feature of its own, so that it seldom changes. Chrome stops its worker whenever it is idle while the
// debugger's attachments live on, so what must be remembered lies in chrome.storage.session and
// attachments are found again, not made anew. And whom it trusts is in pairing.json, which is written
// beside a copy and read again at each connection attempt.
package extension

import (
	"bytes"
	"embed"
	"io/fs"
	"strings"
	"sync"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/js"
)

// ID is what Chrome derives from the manifest's key; the socket's Origin is chrome-extension://ID.
const ID = "ekfhcnianlidohikgfmhjoeagkgpohnh"

// Files is all that Chrome loads, with manifest.json at the root; pairing.json is not among it.
//
//go:embed manifest.json *.js *.html *.css icons/*.png
var Files embed.FS

//go:embed page/*.js
var page embed.FS

// PageScript is one expression statement that defines globalThis.tabrelay in the world it is evaluated in.
func PageScript() string { return pageScript() }

var pageScript = sync.OnceValue(func() string {
	names, err := fs.Glob(page, "page/*.js")
	if err != nil {
		panic(err) // The pattern is a constant.
	}
	var whole bytes.Buffer
	whole.WriteString("(() => {\n")
	for _, name := range names { // fs.Glob sorts within a folder.
		text, err := page.ReadFile(name)
		if err != nil {
			panic(err) // Glob found it in what is compiled in.
		}
		whole.Write(text)
	}
	whole.WriteString("})();\n")
	// It goes to each document anew, through several processes: without comments and long names it is less than
	// half as long.
	var b strings.Builder
	if err := js.Minify(minify.New(), &b, &whole, nil); err != nil {
		panic(err) // It does not parse, which each test that looks at a page would show.
	}
	return b.String()
})
