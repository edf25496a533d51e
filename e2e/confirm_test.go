package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestThePersonConfirms has the person asked, in their browser, for what a policy has
// them confirm, by an agent whose program shows no questions.
func TestThePersonConfirms(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy.json")
	if err := os.WriteFile(file, []byte(`{"confirm": ["submit", "evaluate"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPerson(t, "TABRELAY_POLICY="+file)
	s := newSite(t, `<title>Shop</title><form onsubmit="event.preventDefault();said.textContent+=' sent'"><input type=password aria-label=Password><button>Log in “now”</button></form><output id=said>Nothing</output>`)
	d := p.decides()
	d.eval(`(port.postMessage({ ask: "allSites", on: true }), until(v => v.allSites))`)
	a := p.agent(t)
	a.ok("browser_navigate", args{"url": s.URL})
	asked := func(choice, tool string, with args) answer {
		t.Helper()
		came := make(chan answer, 1)
		go func() { came <- a.call(tool, with) }()
		q := d.eval(`until(v => v.questions.length > 0).then(v => v.questions)`)
		if strings.Count(q, `"id"`) != 1 || !strings.Contains(q, `"agent":"e2e`) || !strings.Contains(q, "Allow "+tool+" on "+s.URL+"? It ") {
			t.Errorf("the person is asked %s", q)
		}
		d.eval(`until(v => v.questions.length > 0).then(v => (port.postMessage({ ask: "answer", id: v.questions[0].id, choice: "` + choice + `" }), until(v => v.questions.length === 0)))`)
		return <-came
	}
	asked("no", "browser_click", args{"selector": "button"}).has("nothing was sent", "they said no")
	a.ok("browser_snapshot", args{"diff": false}).lacks("sent")
	asked("once", "browser_click", args{"selector": "button"}).has(`clicked button "Log in “now”"`, "Nothing sent")
	asked("once", "browser_evaluate", args{"script": "6 * 7"}).has("result: 42")

	// Nobody is asked for what nobody waits for any more.
	came := make(chan answer, 1)
	go func() { came <- a.call("browser_evaluate", args{"script": "said.textContent += ' ran'"}) }()
	d.eval(`until(v => v.questions.length > 0)`)
	d.eval(`(port.postMessage({ ask: "pause" }), until(v => v.paused))`)
	an := <-came
	an.has("the person paused")
	an.within(20 * time.Second)
	d.eval(`(port.postMessage({ ask: "resume" }), until(v => !v.paused))`)
	a.ok("browser_snapshot", args{"diff": false}).lacks("ran")
}

// confirmsInItsProgram has the person asked by the agent's own program, behind a front,
// in protocols in which the server asks and in one in which an answer does.
func confirmsInItsProgram(t *testing.T, d *desk, page string) {
	file := filepath.Join(t.TempDir(), "policy.json")
	if err := os.WriteFile(file, []byte(`{"confirm": ["evaluate"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		asked, says := 0, "decline"
		client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			return &mcp.ElicitResult{Action: says, Content: map[string]any{"allow": true}}, nil
		}})
		session, err := client.Connect(context.WithoutCancel(t.Context()), &mcp.CommandTransport{Command: d.command(d.managed("--policy", file)...)}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		a := &agent{t, session}
		a.ok("browser_navigate", args{"url": page})
		a.fails("browser_evaluate", args{"script": "6 * 7"}).has("they said no")
		says = "accept"
		a.ok("browser_evaluate", args{"script": "6 * 7"}).has("result: 42")
		if now := session.InitializeResult().ProtocolVersion; now != version || asked != 2 {
			t.Errorf("%s: asked %d times in %s", version, asked, now)
		}
	}
}
