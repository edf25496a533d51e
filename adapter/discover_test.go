package adapter

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
)

// TestSnapshotsKeepNoHandlers sees that listeners are found, and that what a page
// drops is collected however often it was read: Chrome holds each handler that
// it has told of.
func TestSnapshotsKeepNoHandlers(t *testing.T) {
	s := open(t, `<div id=plain>Plain</div><div id=in-open></div><div id=in-closed></div><script>
		const held = [];
		function listens(element) { const handler = () => {}; element.addEventListener("click", handler); held.push(new WeakRef(handler)) }
		listens(plain);
		for (const mode of ["open", "closed"]) {
			const root = document.getElementById("in-" + mode).attachShadow({mode});
			root.innerHTML = "<div>Within " + mode + "</div>";
			listens(root.firstChild);
		}
		const drop = () => { for (const id of ["plain", "in-open", "in-closed"]) document.getElementById(id).remove() };
		</script>`)
	for range 3 {
		snap, err := s.Snapshot(t.Context(), SnapshotOptions{})
		if err != nil || strings.Count(snap.Text(), "- clickable") != 3 {
			t.Fatalf("listeners are not found: %v\n%s", err, snap.Text())
		}
	}
	s.is("drop(); held.filter((h) => h.deref()).length > 0", "true") // in the same task they stay
	if _, err := s.Snapshot(t.Context(), SnapshotOptions{}); err != nil {
		t.Fatal(err)
	}
	var left string
	for n := 0; left != "0" && n < 10; n++ { // what is on the stack at a collection is spared
		if _, err := call(t.Context(), s.session, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
			t.Fatal(err)
		}
		left = s.value("held.filter((h) => h.deref()).length")
	}
	if left != "0" {
		t.Errorf("%s handlers are held", left)
	}
}
