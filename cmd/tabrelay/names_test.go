package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// What agents call themselves, and what they call, stays in its line, and short,
// wherever a person reads it.
func TestAgentsWriteNoLinesOfOurs(t *testing.T) {
	d := newDesk(t)
	forged := "1\nagent forged (pid 1)\r\u2028\x1b[2J\u202e" + strings.Repeat("x", 1<<20)
	word, err := json.Marshal(forged)
	if err != nil {
		t.Fatal(err)
	}
	p := d.front()
	p.ask("initialize", fmt.Sprintf(`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":%s,"version":%[1]s}}`, word))
	p.ask("tools/call", fmt.Sprintf(`{"name":%s,"arguments":{%[1]s:%[1]s}}`, word))
	p.ask("tools/call", fmt.Sprintf(`{"name":"browser_click","arguments":{"ref":%s}}`, word))
	if out, err := d.command("call", "--session", "a/../\nagent forged\x1b[2J", "browser_tab_list").CombinedOutput(); err == nil {
		t.Errorf("a call without a browser: %s", out)
	}
	for of, line := range map[string]string{
		"status": `^(tabrelay .*|port .*|agent (1 agent forged|a/\.\./ agent forged) .*|no browsers|)$`,
		"log":    `^(\d{4}-\d\d-\d\d [\d:]{8}  (1|a/\.\./) .*|)$`,
	} {
		out, err := d.command(of).Output()
		if err != nil {
			t.Fatalf("%s: %v", of, err)
		}
		if len(out) > 2000 || strings.ContainsAny(string(out), "\r\x1b\u2028\u202e") {
			t.Errorf("%s: %d bytes: %.500q", of, len(out), out)
		}
		fits := regexp.MustCompile(line)
		for one := range strings.SplitSeq(string(out), "\n") {
			if !fits.MatchString(one) {
				t.Errorf("%s has the line %.200q", of, one)
			}
		}
	}
	if out, err := d.command("status", "--json").Output(); err != nil || len(out) > 4000 {
		t.Errorf("status --json: %d bytes, %v", len(out), err)
	}
}
