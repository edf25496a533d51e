package adapter

import (
	"strings"
	"testing"
	"time"
)

// What is dragged, dropped on, edited or chosen has a ref where a listener says so, also one of the list around it.
func TestB83RefsByListeners(t *testing.T) {
	s := open(t, `<ul id=sortable><li>First</li><li>Second</li><li>Third</li></ul>
<ul id=links><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul>
<div id=blocks><div class=block>Alpha</div><div class=block>Beta</div><div class=block>Gamma</div></div>
<table id=rows><tbody><tr><td>1</td><td>One</td></tr><tr><td>2</td><td>Two</td></tr></tbody></table>
<div id=zone>Drop here</div><div id=menu>Right click me</div><div id=dbl>Double click me</div>
<svg width=90 height=60><path id=slice d="M0 0h20v20h-20z"></path><path d="M30 0h20v20h-20z"></path></svg>
<div id=days><div class=day>1</div><div class=day>2</div><div class=day><button>Add</button></div></div>
<script>
const on = (id, ...types) => { for (const type of types) document.getElementById(id).addEventListener(type, () => {}); };
on('sortable', 'mousedown'); on('links', 'click'); on('blocks', 'pointerdown'); on('zone', 'dragover', 'drop'); on('menu', 'contextmenu');
on('dbl', 'dblclick'); on('slice', 'click'); on('days', 'click'); document.querySelector('tbody').addEventListener('click', () => {});
</script>`)
	snap, err := s.Snapshot(t.Context(), SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`listitem [e\d+]: First`, `listitem [e\d+]: Third`, `clickable "Alpha" [e\d+]`, `clickable "Gamma" [e\d+]`, `clickable "1 One" [e\d+]`,
		`clickable "Drop here" [e\d+]`, `clickable "Right click me" [e\d+]`, `clickable "Double click me" [e\d+]`, `clickable "id slice" [e\d+]`,
		`clickable "1" [e\d+]`, `clickable "2" [e\d+]`, `button "Add" [e\d+]`, `link "B" [e\d+]`,
	} {
		before, after, _ := strings.Cut(want, `[e\d+]`)
		found := false
		for line := range strings.Lines(snap.Text()) {
			_, rest, ok := strings.Cut(line, "- "+before+"[e")
			_, rest, closed := strings.Cut(rest, "]")
			found = found || ok && closed && strings.HasPrefix(rest, after)
		}
		if !found {
			t.Errorf("no %s", want)
		}
	}
	if t.Failed() {
		t.Log(snap.Text())
	}
}

// TestFramesOfAnotherDocument holds that frames leave with their document, also
// where the browser keeps it and tells nothing of them, and come back with it.
func TestFramesOfAnotherDocument(t *testing.T) {
	s := open(t, "")
	s.site.page("/leaf", `<button onclick="this.textContent='Done'">Leaf</button>`)
	first := s.site.page("/first", `<iframe src="/leaf"></iframe><iframe srcdoc="<iframe src=/leaf></iframe>"></iframe>`)
	s.visit(first)
	if frames, _ := s.documents(); len(frames) != 4 {
		t.Errorf("%d frames", len(frames))
	}
	s.visit(s.site.page("/second", `<p>No frames`))
	if frames, _ := s.documents(); len(frames) != 1 {
		t.Errorf("%d frames after they left", len(frames))
	}
	if _, err := s.Back(s.within(30*time.Second), Loaded); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(s.within(30*time.Second), WaitOptions{Text: "Leaf"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Click(t.Context(), Element{Ref: s.ref(`"Leaf"`)}, ClickOptions{}); err != nil {
		t.Error(err)
	}
}
