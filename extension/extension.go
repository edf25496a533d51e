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

import "embed"

// ID is what Chrome derives from the manifest's key; the socket's Origin is chrome-extension://ID.
const ID = "ekfhcnianlidohikgfmhjoeagkgpohnh"

// Files is all that Chrome loads, with manifest.json at the root; pairing.json is not among it.
//
//go:embed manifest.json policy.json suffixes.txt *.js *.html *.css icons/*.png _locales
var Files embed.FS

// Policy is the table of what the extension lets through to the debugger, as JSON.
//
//go:generate go run ./bundle
func Policy() []byte {
	table, err := Files.ReadFile("policy.json")
	if err != nil {
		panic(err) // It is compiled in.
	}
	return table
}

//go:embed page/bundle.js
var pageScript string

// PageObject is the expression that the page script's functions are reached by in the world it was evaluated in.
// It is a symbol because the page names properties of window: <a id=x>, <iframe name=x>.
const PageObject = `globalThis[Symbol.for("tabrelay")]`

// PageScript is the statement that makes PageObject; evaluating it again changes nothing.
func PageScript() string { return pageScript }
