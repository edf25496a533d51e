package e2e

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestRoomsAreDrawn holds docs/rooms.svg to the imports of the code. Run it with
// -update to draw the picture anew.
func TestRoomsAreDrawn(t *testing.T) {
	const path = "../docs/rooms.svg"
	drawn := drawRooms(imports(t))
	if *update {
		if err := os.WriteFile(path, drawn, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, drawn) {
		t.Errorf("%s does not show the packages as they are: go test -run %s ./e2e -update", path, t.Name())
	}
}

// imports returns which packages of the project each one imports, without tests.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{if .GoFiles}}{{.ImportPath}} {{join .Imports \" \"}}{{end}}", "../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == module+"e2e" {
			continue
		}
		name := strings.TrimPrefix(fields[0], module)
		of[name] = nil
		for _, path := range fields[1:] {
			if own, ok := strings.CutPrefix(path, module); ok {
				of[name] = append(of[name], own)
			}
		}
	}
	return of
}

// reaches reports whether one package imports another, also through others.
func reaches(of map[string][]string, from, to string) bool {
	return slices.ContainsFunc(of[from], func(next string) bool { return next == to || reaches(of, next, to) })
}

// direct returns what a package imports and none of its other imports does: the
// arrows that say something.
func direct(of map[string][]string, name string) []string {
	var arrows []string
	for _, to := range of[name] {
		if !slices.ContainsFunc(of[name], func(other string) bool { return other != to && reaches(of, other, to) }) {
			arrows = append(arrows, to)
		}
	}
	slices.Sort(arrows)
	return arrows
}

// floors sorts packages into rows: each one stands below all that import it.
func floors(of map[string][]string) [][]string {
	var floor func(string) int
	floor = func(name string) int {
		at := 0
		for from, all := range of {
			if slices.Contains(all, name) {
				at = max(at, floor(from)+1)
			}
		}
		return at
	}
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		at := floor(name)
		for len(rows) <= at {
			rows = append(rows, nil)
		}
		rows[at] = append(rows[at], name)
	}
	return rows
}

// The sizes of a picture, in pixels.
const (
	roomWidth, roomHeight = 190, 44
	roomGap, floorGap     = 24, 70
	roomEdge              = 20
)

// drawRooms draws packages as rooms and imports as arrows, as SVG.
func drawRooms(of map[string][]string) []byte {
	rows := floors(of)
	widest := 0
	for _, row := range rows {
		widest = max(widest, len(row))
	}
	width := 2*roomEdge + widest*(roomWidth+roomGap) - roomGap
	height := 2*roomEdge + len(rows)*(roomHeight+floorGap) - floorGap
	type place struct{ x, y int }
	places := map[string]place{}
	for r, row := range rows {
		left := (width - len(row)*(roomWidth+roomGap) + roomGap) / 2
		for i, name := range row {
			places[name] = place{left + i*(roomWidth+roomGap), roomEdge + r*(roomHeight+floorGap)}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="14" text-anchor="middle">`+"\n", width, height)
	fmt.Fprintln(&b, `<title>The packages of Tabrelay and what they import; an import that another one implies is left out</title>`)
	fmt.Fprintln(&b, `<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#556"/></marker></defs>`)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	for _, row := range rows {
		for _, from := range row {
			for _, to := range direct(of, from) {
				a, z := places[from], places[to]
				fmt.Fprintf(&b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#556" marker-end="url(#tip)"/>`+"\n", a.x+roomWidth/2, a.y+roomHeight, z.x+roomWidth/2, z.y)
			}
		}
	}
	for _, row := range rows {
		for _, name := range row {
			p := places[name]
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="#eef3fb" stroke="#345"/>`, p.x, p.y, roomWidth, roomHeight)
			fmt.Fprintf(&b, `<text x="%d" y="%d" fill="#123">%s</text>`+"\n", p.x+roomWidth/2, p.y+roomHeight/2+5, html.EscapeString(name))
		}
	}
	fmt.Fprintln(&b, `</svg>`)
	return b.Bytes()
}
