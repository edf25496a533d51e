package e2e

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shellPage has a button that counts.
const shellPage = `<!doctype html><title>Count</title><h1>Count</h1><button onclick="this.textContent = 'pressed ' + ++n">press</button><script>let n = 0</script>`

// Calls from a shell are one agent's: tabs and refs go on between processes, in
// each set of tools; pictures go to files; and the doctor hears the browser answer.
func TestShell(t *testing.T) {
	d := newDesk(t)
	d.env = []string{"TABRELAY_BROWSER=chromium", "TABRELAY_BROWSER_PATH=" + d.path, "TABRELAY_HEADLESS=1", "TABRELAY_NO_SANDBOX=1", "TABRELAY_IDLE=1m"}
	base := newSite(t, shellPage).URL
	work := t.TempDir()
	try := func(status int, args ...string) (string, string) {
		t.Helper()
		var out, wrong bytes.Buffer
		cmd := d.command(args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = work, &out, &wrong
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != status {
			t.Fatalf("%s: status %d, %s%s", args, code, &out, &wrong)
		}
		return out.String(), wrong.String()
	}
	call := func(args ...string) string {
		t.Helper()
		out, _ := try(0, append([]string{"call"}, args...)...)
		return out
	}

	try(0, "tools")
	call("--no-group", "browser_connect") // nothing was begun with another
	call("browser_navigate", "url="+base+"/")
	ref := regexp.MustCompile(`button "press" \[(e\d+)\]`).FindStringSubmatch(call("browser_snapshot"))
	if ref == nil {
		t.Fatal("no button")
	}
	for _, want := range []string{"pressed 1", "pressed 2"} {
		if out := call("browser_click", "ref="+ref[1]); !strings.Contains(out, want) {
			t.Errorf("%s is not in:\n%s", want, out)
		}
	}
	if _, wrong := try(1, "call", "browser_click", "ref=e999"); !strings.Contains(wrong, "hint:") {
		t.Error(wrong)
	}

	if _, wrong := try(1, "call", "--profile", "other", "browser_snapshot"); !strings.Contains(wrong, `session "shell" began with another setting of profile: end it with `+"`tabrelay call --end --session shell`") {
		t.Error(wrong)
	}

	if out := call("browser_screenshot"); !strings.Contains(out, "picture: "+filepath.Join(work, "browser_screenshot.png")) {
		t.Error(out)
	}
	var said struct {
		IsError bool
		Content []struct{ Type, File, Text string }
	}
	if err := json.Unmarshal([]byte(call("--json", "--out", "two.png", "browser_screenshot")), &said); err != nil || said.IsError || said.Content[0].File != filepath.Join(work, "two.png") {
		t.Errorf("%v: %+v", err, said)
	}
	for _, name := range []string{"browser_screenshot.png", "two.png"} {
		data, _ := os.ReadFile(filepath.Join(work, name))
		if _, err := png.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}

	for set, first := range map[string][][]string{
		"facade":  {{"browser_navigate", "action=goto", "url=" + base + "/"}, {"browser_navigate", "action=get_url"}},
		"minimal": {{"navigate", "url=" + base + "/"}, {"snapshot"}},
		"dynamic": {{"connect_browser"}, {"list_tabs"}},
	} {
		for _, one := range first {
			call(append([]string{"--session", "sets", "--tools", set}, one...)...)
		}
	}
	list := filepath.Join(work, "list.txt")
	text := "# a list\nbrowser_connect\nbrowser_navigate url=" + base + "/\nbrowser_click 'selector=text=press'\n"
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	goesOn, looks := filepath.Join(work, "goes_on.txt"), filepath.Join(work, "looks.txt")
	for path, text := range map[string]string{goesOn: "browser_click ref=" + ref[1] + "\n", looks: "browser_snapshot\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"--keep", list}, {"--end", looks}} {
		if out, _ := try(0, append([]string{"run", "--session", "list"}, args...)...); !strings.Contains(out, "pressed 1") {
			t.Error(out)
		}
	}
	if out, _ := try(0, "run", goesOn); !strings.Contains(out, "pressed 3") {
		t.Error(out)
	}
	if out := call("browser_click", "ref="+ref[1]); !strings.Contains(out, "pressed 4") {
		t.Error(out)
	}
	if out, _ := try(0, "run", "--session", "new", list); !strings.Contains(out, "pressed 1") {
		t.Error(out)
	}
	examined, _ := d.command("doctor").Output() // its status says whether the usual port is free, too
	if out := string(examined); !regexp.MustCompile(`ok +connected +managed, Chromium \d+ answers in [\d.]+ ms`).MatchString(out) {
		t.Error(out)
	}
	call("--end", "--profile", "other") // whatever else is asked for, it ends
	if out, _ := try(0, "status"); strings.Contains(out, "agent shell,") || strings.Contains(out, "agent list,") || strings.Contains(out, "agent new,") || !strings.Contains(out, "agent sets,") {
		t.Error(out)
	}
}
