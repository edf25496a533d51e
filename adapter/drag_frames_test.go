package adapter

import (
	"strings"
	"testing"
)

// dropPage has a card and a zone that takes it.
const dropPage = `<style>div{width:120px;height:50px;border:1px solid}</style><div id=card draggable=true>card</div><div id=zone>zone</div><script>
window.ends = 0;
card.ondragstart = (e) => e.dataTransfer.setData("text/plain", "card of " + location.pathname);
card.ondragend = () => ends++;
zone.ondragover = (e) => e.preventDefault();
zone.ondrop = (e) => { e.preventDefault(); zone.textContent = "got " + e.dataTransfer.getData("text/plain") };
</script>`

// TestB80DragAfterOneBetweenProcesses drags again where the drag before went
// into, or came out of, a frame of another process.
func TestB80DragAfterOneBetweenProcesses(t *testing.T) {
	s := open(t, "")
	s.site.page("/inner", dropPage)
	at := func(host, path string) string { return strings.Replace(s.site.URL, "127.0.0.1", host, 1) + path }
	s.site.page("/outer", dropPage+`<p style=height:1500px><iframe src="`+at("b.localhost", "/inner")+`" width=400 height=200></iframe>`)
	s.visit(at("a.localhost", "/outer"))
	list, err := s.Snapshot(t.Context(), SnapshotOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	refs := map[string]string{}
	for _, l := range list.Lines {
		for _, word := range []string{"card", "zone"} {
			if strings.Contains(l.Name+l.Text, word) && l.Ref != "" {
				where := "outer "
				if strings.HasPrefix(l.Ref, "f") {
					where = "inner "
				}
				refs[where+word] = l.Ref
			}
		}
	}
	if inner, err := s.frameOfRef(refs["inner zone"]); err != nil || inner.session == s.Page.session {
		t.Fatalf("%v: the frame is in the page's own process: %v", refs, err)
	}
	drag := func(from, to string) {
		t.Helper()
		d, err := s.Drag(t.Context(), Element{Ref: refs[from]}, Element{Ref: refs[to]}, DragOptions{})
		if err != nil || len(d.told()) == 0 || !strings.Contains(d.told()[0], "dropped on") {
			t.Fatalf("%s to %s: %+v %v", from, to, d, err)
		}
	}
	drag("outer card", "inner zone")
	drag("outer card", "outer zone")
	drag("inner card", "inner zone")
	drag("inner card", "outer zone")
	drag("outer card", "inner zone")
	s.is("zone.textContent", `"got card of /inner"`)
	s.is("ends", "3")
}
