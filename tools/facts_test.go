package tools

import (
	"slices"
	"strings"
	"testing"
)

// everySet returns the tools of all sets, by set and name.
func everySet() map[string]*tool {
	list := map[string]*tool{}
	for _, p := range profiles {
		for i := range p.tools {
			list[p.name+" "+p.tools[i].name] = &p.tools[i]
		}
	}
	for _, t := range []*tool{&genericCall, &pageActs, &pageReads} {
		list["dynamic "+t.name] = t
	}
	return list
}

// hasArgument reports whether a tool has one of the arguments.
func (t *tool) hasArgument(names ...string) bool {
	return t.body.run != nil && slices.ContainsFunc(names, func(name string) bool { return t.takes().Property(name) != nil })
}

// paged reports whether a tool works in a page.
func (t *tool) paged() bool {
	if t.page != nil || t.body.run == nil {
		return true
	}
	_, ok := t.body.args().(pageArgs)
	return ok
}

var (
	scripts = []string{"script", "code", "predicate"}
	files   = []string{"file", "har", "save_to_disk"}
	entries = []string{"text", "keys", "key", "value", "values", "fields", "button"}
)

// TestReadOnly holds that a tool which runs scripts, writes files, enters
// something or starts something in the page is not announced as reading.
func TestReadOnly(t *testing.T) {
	for name, tool := range everySet() {
		if !tool.readOnly {
			continue
		}
		if tool.destructive || tool.settles || tool.idempotent || tool.opens {
			t.Errorf("%s reads, and does more", name)
		}
		if tool.hasArgument(slices.Concat(scripts, files)...) {
			t.Errorf("%s reads, and takes a script or writes a file", name)
		}
	}
	for _, name := range []string{"full browser_evaluate", "full browser_pdf", "full browser_trace", "full browser_wait", "full browser_screenshot",
		"full browser_network", "full browser_request", "facade browser_execute", "facade browser_capture"} {
		if everySet()[name].readOnly {
			t.Errorf("%s is announced as reading", name)
		}
	}
}

// TestDestructive holds that whatever enters, runs or removes something says so.
func TestDestructive(t *testing.T) {
	for name, tool := range everySet() {
		if tool.settles && tool.hasArgument(entries...) && !tool.destructive {
			t.Errorf("%s enters something, and is announced as adding only", name)
		}
		if tool.hasArgument("script", "code") && !tool.destructive {
			t.Errorf("%s runs any script, and is announced as adding only", name)
		}
	}
}

// TestIdempotent holds that what is entered or opened once more counts twice.
func TestIdempotent(t *testing.T) {
	for name, tool := range everySet() {
		if tool.idempotent && (tool.settles || tool.opens || tool.hasArgument(scripts...) || tool.hasArgument("action")) {
			t.Errorf("%s is announced as having no further effect", name)
		}
	}
}

// TestOpenWorld holds that what works in a page, or goes to an address, reaches
// websites; in the set that follows the page all do.
func TestOpenWorld(t *testing.T) {
	for name, tool := range everySet() {
		if want := strings.HasPrefix(name, "dynamic ") || tool.paged() || tool.hasArgument("url", "query") || tool == &genericCall || tool.name == batchName; tool.openWorld != want {
			t.Errorf("%s: openWorld is %v", name, tool.openWorld)
		}
	}
}

// TestSettles holds that what acts on an element is awaited, and that only tools
// of a page wait for it.
func TestSettles(t *testing.T) {
	for name, tool := range everySet() {
		if tool.hasArgument("ref") && tool.hasArgument(entries...) && !tool.readOnly && !tool.settles {
			t.Errorf("%s acts on an element, and is not awaited", name)
		}
		if tool.settles && !tool.paged() && !tool.hasArgument("url") {
			t.Errorf("%s is awaited, and has no page", name)
		}
	}
}

// TestDuringDialog holds that tools without a page work during a dialog, and that
// each set has one that answers it.
func TestDuringDialog(t *testing.T) {
	for name, tool := range everySet() {
		if !tool.paged() && !tool.hasArgument("url") && !tool.duringDialog {
			t.Errorf("%s has no page, and is refused while a dialog is open", name)
		}
		if tool.duringDialog && tool.kind == onJourney && tool.settles {
			t.Errorf("%s goes elsewhere while a dialog is open", name)
		}
	}
	for _, name := range []string{"full browser_dialog", "facade browser_interact", "minimal interact"} {
		if tool := everySet()[name]; !tool.duringDialog || !tool.settles {
			t.Errorf("%s does not answer dialogs", name)
		}
	}
}

// TestRepeatable holds that all that reads may run again, and nothing that acts.
func TestRepeatable(t *testing.T) {
	for name, tool := range everySet() {
		if tool.readOnly && !tool.repeatable {
			t.Errorf("%s reads, and may not run again", name)
		}
		if tool.repeatable && (tool.destructive || tool.settles) {
			t.Errorf("%s acts, and may run again", name)
		}
	}
	names := Repeatable("full")
	if !slices.Contains(names, "browser_snapshot") || !slices.Contains(names, "browser_connect") || slices.Contains(names, "browser_evaluate") {
		t.Errorf("repeatable are %v", names)
	}
}

// TestAnnotations holds what clients are told.
func TestAnnotations(t *testing.T) {
	for name, tool := range everySet() {
		a := tool.annotations()
		if a == nil {
			if tool.readOnly || !tool.destructive || tool.idempotent || !tool.openWorld {
				t.Errorf("%s: nothing is told", name)
			}
			continue
		}
		destructive := a.DestructiveHint == nil || *a.DestructiveHint
		open := a.OpenWorldHint == nil || *a.OpenWorldHint
		if a.ReadOnlyHint != tool.readOnly || open != tool.openWorld || !tool.readOnly && (destructive != tool.destructive || a.IdempotentHint != tool.idempotent) {
			t.Errorf("%s: told is %+v", name, a)
		}
	}
	for name, want := range map[string]string{"browser_tab_open": "Tab open", "browser_click": "Click", "web_search": "", "snapshot": ""} {
		if got := (&tool{name: name}).title(); got != want {
			t.Errorf("%s is titled %q", name, got)
		}
	}
}
