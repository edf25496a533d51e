package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestSameDocument(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"http://one.test/a", "http://one.test/a", true},
		{"http://one.test/a", "http://one.test/a#top", true},
		{"http://one.test/a#one", "http://one.test/a#two", true},
		{"http://one.test/a", "http://one.test/b", false},
		{"http://one.test/a", "http://one.test/a?q", false},
		{"http://one.test/a", "https://one.test/a", false},
		{"", "about:blank", false},
		{"http://%zz", "http://%zz", true},
		{"http://%zz", "http://%zz#x", false},
	} {
		if got := sameDocument(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

// A find stands for a ref in a step, and in each field of a list in it.
func TestB87FindsOfAStep(t *testing.T) {
	for given, want := range map[string]string{
		`{"find":{"role":"button","name":"Save"}}`:                `{"selector":"role=button[name=\"Save\"]"}`,
		`{"find":{"role":"button"},"button":"right"}`:             `{"button":"right","selector":"role=button"}`,
		`{"find":{"role":"link","name":"a \"b\" \\"}}`:            `{"selector":"role=link[name=\"a \\\"b\\\" \\\\\"]"}`,
		`{"fields":[{"find":{"role":"textbox"},"text":"x"},"y"]}`: `{"fields":[{"selector":"role=textbox","text":"x"},"y"]}`,
		`{"ref":"e1"}`:                       `{"ref":"e1"}`,
		`{"find":{"name":"Save"}}`:           "must be {role, name}",
		`{"find":{"role":"x","level":1}}`:    "must be {role, name}",
		`{"find":"button"}`:                  "must be {role, name}",
		`{"fields":[{"find":{"name":"x"}}]}`: "must be {role, name}",
	} {
		var args map[string]any
		if err := json.Unmarshal([]byte(given), &args); err != nil {
			t.Fatal(err)
		}
		err := resolveFinds(args)
		got, _ := json.Marshal(args)
		if err != nil {
			got = []byte(err.Error())
		}
		if !strings.Contains(string(got), want) || err == nil && string(got) != want {
			t.Errorf("%s: %s", given, got)
		}
	}
}

func TestB87StepsThatAreNone(t *testing.T) {
	for _, tool := range []string{"browser_batch", "browser_connect", "browser_disconnect", "browser_session"} {
		if err := checkSteps([]batchStep{{Tool: "browser_click"}, {Tool: tool}}); err == nil || !strings.Contains(err.Error(), "steps[1].tool") {
			t.Errorf("%s: %v", tool, err)
		}
	}
	if err := checkSteps(make([]batchStep, batchSteps)); err != nil {
		t.Error(err)
	}
	if err := checkSteps(make([]batchStep, batchSteps+1)); err == nil {
		t.Errorf("%d steps are taken", batchSteps+1)
	}
	a := &batchArgs{Steps: make([]batchStep, 3)}
	if a.limit() != 180_000 {
		t.Errorf("three steps may take %d ms", a.limit())
	}
	if a.TimeoutMs = 5; a.limit() != 5 {
		t.Errorf("a batch of 5 ms may take %d", a.limit())
	}
}

// What nobody announced stops a batch; what a step says of its surroundings is told
// at its end.
func TestB87Batch(t *testing.T) {
	base := site(t, map[string]string{"/": todo, "/second": `<title>Second</title><h1>Second page</h1>`,
		"/popup": `<title>Popup</title>`})
	a := newAgent(t, Options{})
	run := func(steps ...string) string {
		t.Helper()
		return a.call("browser_batch", args{"steps": json.RawMessage("[" + strings.Join(steps, ",") + "]")}).Text()
	}
	click := func(text, more string) string {
		return fmt.Sprintf(`{"tool":"browser_click","arguments":{"find":{"role":"%s","name":%q}}%s}`, map[bool]string{true: "link", false: "button"}[text == "Second"], text, more)
	}
	navigate := fmt.Sprintf(`{"tool":"browser_navigate","arguments":{"url":%q}}`, base+"/")
	text := run(navigate, click("Add", ""), click("Break", ""), click("Popup", ""))
	has(t, text, "1. ", "4. ", "Milk", "console: 1 error", "tab opened: t")
	lacks(t, text, "stopped:")
	text = run(click("Second", ""), click("Add", ""))
	has(t, text, "stopped: the page navigated", "1 step not run", "Second page")
	lacks(t, text, "2. ")
	text = run(navigate, click("Second", `,"navigates":true`), `{"tool":"browser_evaluate","arguments":{"script":"document.title"}}`)
	has(t, text, "3. ", "Second")
	lacks(t, text, "stopped:")
	text = run(navigate, click("Second", ""), navigate) // the next goes elsewhere itself
	lacks(t, text, "stopped:")
	text = run(click("Alert", ""), click("Add", ""))
	has(t, text, "stopped: a dialog is open", "1 step not run", `dialog: alert "Hello"`)
	text = run(`{"tool":"browser_dialog","arguments":{"action":"accept"}}`, click("Alert", ""), `{"tool":"browser_dialog","arguments":{"action":"accept"}}`, click("Add", ""))
	has(t, text, "4. ")
	lacks(t, text, "stopped:")
	text = run(click("Add", ""), click("Nobody", ""), click("Add", ""), click("Add", ""))
	has(t, text, "step 2 of 4, browser_click: ", "1. ", "not run: 2 steps")
	text = run(`{"tool":"browser_tab_open","arguments":{"url":"`+base+`/popup"}}`, `{"tool":"browser_evaluate","arguments":{"script":"document.title"}}`)
	has(t, text, "Popup") // the tab that was opened is the page from then on
	text = run(`{"tool":"browser_tab_close","arguments":{}}`, `{"tool":"nothing"}`)
	has(t, text, "step 2 of 2")
}
