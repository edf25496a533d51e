package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// decodeTOON reads texts with the format's own decoder and no options.
func decodeTOON(t *testing.T, texts []string) (decoded []map[string]any) {
	t.Helper()
	if _, err := os.Stat("../node_modules/@toon-format/toon"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("no @toon-format/toon: run npm ci")
		}
		t.Skip("no @toon-format/toon: run npm ci")
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "--input-type=module", "-e", `import {decode} from "@toon-format/toon"; import {readFileSync} from "node:fs";
		console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((text) => decode(text))))`)
	cmd.Dir, cmd.Stdin = "..", strings.NewReader(string(in))
	out, err := cmd.Output()
	if err != nil || json.Unmarshal(out, &decoded) != nil {
		t.Fatalf("%v\n%s\n%s", err, out, strings.Join(texts, "\n\n"))
	}
	return decoded
}

// TestMinimalAsSpecified is a client that knows the four tools from their
// specification alone, and reads each answer and error with the format's own
// decoder: methods, the three ways to name an element, states and codes.
func TestMinimalAsSpecified(t *testing.T) {
	a := &agent{t, shared(t).connectTools(t, "minimal")}
	list, err := a.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "console interact navigate snapshot" {
		t.Errorf("the tools are %s", got)
	}
	s := newSite(t, `<title>Login - Example App</title><h1>Welcome back</h1><label>Email <input type=email></label><label>Password <input type=password></label>
<label><input type=checkbox> Remember me</label><button class=submit-btn onclick="document.title='Signed in'">Sign in</button><button disabled>Off</button>
<details><summary>More</summary>text</details><select aria-label=Country><option>Italy<option>France</select>
<button onclick="console.error('Uncaught TypeError'); console.warn('Deprecation warning')">Log</button><script>document.querySelector('input').focus()</script>`)
	s.page("/empty", "")

	var texts []string
	var checks []func(v map[string]any)
	say := func(failed bool, tool string, with args, check func(v map[string]any)) {
		t.Helper()
		an := a.call(tool, with)
		if an.failed != failed {
			t.Errorf("%s %v: %s", tool, with, an.text)
		}
		texts, checks = append(texts, an.text), append(checks, check)
	}
	is := func(want map[string]any) func(map[string]any) {
		t.Helper()
		return func(v map[string]any) {
			for field, value := range want {
				if got, ok := v[field]; !ok || got != value {
					t.Errorf("%s is %v, not %v, in %v", field, got, value, v)
				}
			}
		}
	}
	code := func(want string) func(map[string]any) {
		return func(v map[string]any) {
			e, _ := v["error"].(map[string]any)
			if message, _ := e["message"].(string); e["code"] != want || message == "" || strings.Contains(message, "--") {
				t.Errorf("the error is %v, not %s", v, want)
			}
		}
	}
	say(false, "navigate", args{"url": s.URL}, is(map[string]any{"url": s.URL + "/", "title": "Login - Example App"}))
	say(false, "snapshot", nil, func(v map[string]any) {
		is(map[string]any{"url": s.URL + "/", "title": "Login - Example App"})(v)
		for name, want := range map[string][2]string{"Welcome back": {"heading", ""}, "Email": {"textbox", "focused"}, "Password": {"textbox", ""}, "Remember me": {"checkbox", "unchecked"},
			"Sign in": {"button", ""}, "Off": {"button", "disabled"}, "More": {"button", "collapsed"}} {
			e := elementNamed(v, name)
			if ref, _ := e["ref"].(string); !strings.HasPrefix(ref, "e") || e["role"] != want[0] || e["states"] != want[1] {
				t.Errorf("%s is %v", name, e)
			}
		}
	})
	say(false, "interact", args{"action": "type", "element": args{"ref": "e2"}, "text": "ada@x.test"}, is(map[string]any{"success": true}))
	say(false, "interact", args{"action": "click", "element": args{"role": "checkbox", "name": "Remember me"}, "snapshot": true}, func(v map[string]any) {
		if e := elementNamed(v, "Remember me"); v["success"] != true || !strings.Contains(e["states"].(string), "checked") || strings.Contains(e["states"].(string), "unchecked") {
			t.Errorf("it is %v", e)
		}
	})
	say(false, "interact", args{"action": "hover", "element": args{"css": ".submit-btn"}}, is(map[string]any{"success": true}))
	say(false, "interact", args{"action": "select", "element": args{"role": "combobox"}, "value": "France"}, is(map[string]any{"success": true}))
	say(false, "interact", args{"action": "press", "key": "Tab"}, is(map[string]any{"success": true}))
	say(false, "interact", args{"action": "click", "element": args{"role": "button", "name": "Sign in"}, "snapshot": true}, is(map[string]any{"title": "Signed in"}))
	say(false, "interact", args{"action": "click", "element": args{"role": "button", "name": "Log"}}, is(map[string]any{"success": true}))
	say(false, "console", nil, func(v map[string]any) {
		logs, _ := v["logs"].([]any)
		told := map[any]any{}
		for _, log := range logs {
			log := log.(map[string]any)
			if told[log["text"]] = log["level"]; log["ts"].(float64) < 1.7e9 {
				t.Errorf("ts is in seconds, not %v", log["ts"])
			}
		}
		if told["Uncaught TypeError"] != "error" || told["Deprecation warning"] != "warn" {
			t.Errorf("the console is %v", v)
		}
	})
	say(true, "interact", args{"action": "click", "element": args{"ref": "e9999"}}, code("ELEMENT_NOT_FOUND"))
	say(true, "interact", args{"action": "click", "element": args{"css": "#none"}}, code("ELEMENT_NOT_FOUND"))
	say(true, "interact", args{"action": "click", "element": args{"role": "button"}}, code("ELEMENT_AMBIGUOUS"))
	say(true, "navigate", args{"url": "http://127.0.0.1:1/"}, code("NAVIGATION_FAILED"))
	say(false, "navigate", args{"url": s.URL + "/empty"}, is(map[string]any{"url": s.URL + "/empty", "title": ""}))
	say(false, "snapshot", nil, func(v map[string]any) {
		if elements, ok := v["elements"].([]any); !ok || len(elements) != 0 || v["title"] != "" {
			t.Errorf("an empty page is %v", v)
		}
	})
	for i, v := range decodeTOON(t, texts) {
		checks[i](v)
	}
}

// elementNamed returns an element of a decoded snapshot.
func elementNamed(v map[string]any, name string) map[string]any {
	elements, _ := v["elements"].([]any)
	for _, e := range elements {
		if e := e.(map[string]any); e["name"] == name {
			return e
		}
	}
	return map[string]any{"states": ""}
}
