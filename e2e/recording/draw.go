package main

import (
	"fmt"
	"html"
	"strings"
	"time"
)

// The size of what is drawn, in pixels.
const (
	rowHeight = 18
	charWidth = 8
	margin    = 14
)

// How long a reader is given for a line that begins a part, for a call, and for a
// line of an answer; and for the end.
const (
	forPart   = 1600 * time.Millisecond
	forCall   = 450 * time.Millisecond
	forAnswer = 60 * time.Millisecond
	forEnd    = 6 * time.Second
)

// kind says what a line of the demo is: its colour, and how long it is read.
func kind(text string) (class string, pause time.Duration) {
	switch {
	case strings.HasPrefix(text, "      "), text == "":
		return "a", forAnswer
	case strings.HasPrefix(text, "  "):
		return "c", forCall
	}
	return "p", forPart
}

// draw draws the lines as they come from below, again and again.
func draw(lines []line) []byte {
	at, whole := make([]time.Duration, len(lines)), time.Duration(0)
	for i, l := range lines {
		at[i] = whole
		_, pause := kind(l.text)
		whole += pause
	}
	whole += forEnd
	w, h := width*charWidth+2*margin, height*rowHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"><title>tabrelay demo</title><style>`, w, h)
	b.WriteString(`text{font:13px ui-monospace,Menlo,Consolas,monospace;white-space:pre;fill:#9ca3af}.p{fill:#f9fafb;font-weight:bold}.c{fill:#67e8f9}`)
	fmt.Fprintf(&b, `#s{animation:s %.1fs step-end infinite}@keyframes s{`, whole.Seconds())
	for i := range lines {
		fmt.Fprintf(&b, `%.3f%%{transform:translateY(%dpx)}`, 100*at[i].Seconds()/whole.Seconds(), -rowHeight*(i+1))
	}
	fmt.Fprintf(&b, `100%%{transform:translateY(%dpx)}}`, -rowHeight*len(lines))
	b.WriteString(`@media(prefers-reduced-motion){#s{animation-play-state:paused;animation-delay:-1e6s}}`)
	fmt.Fprintf(&b, `</style><rect width="%d" height="%d" rx="8" fill="#111827"/><svg x="%d" y="%d" width="%d" height="%d"><g id="s" transform="translate(0 %d)">`,
		w, h, margin, margin, w-2*margin, height*rowHeight, -rowHeight*len(lines))
	for i, l := range lines {
		if l.text == "" {
			continue
		}
		class, _ := kind(l.text)
		text := []rune(l.text)
		fmt.Fprintf(&b, `<text class="%s" y="%d">%s</text>`, class, height*rowHeight+rowHeight*i+13, html.EscapeString(string(text[:min(len(text), width)])))
	}
	b.WriteString("</g></svg></svg>\n")
	return []byte(b.String())
}
