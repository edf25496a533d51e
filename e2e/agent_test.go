package e2e

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent is an MCP client as a test uses it.
type agent struct {
	t       testing.TB
	session *mcp.ClientSession
}

// args are the arguments of a call.
type args = map[string]any

// answer is what a call said.
type answer struct {
	t      testing.TB
	call   string
	text   string
	failed bool
	images []*mcp.ImageContent
	took   time.Duration
}

// callLimit bounds a call of a test; no tool may take longer.
const callLimit = 45 * time.Second

// newAgent returns an agent of the shared server, connected to the browser.
func newAgent(t testing.TB) *agent {
	t.Helper()
	return shared(t).agent(t)
}

// agent returns a new agent of the server, connected to the browser.
func (s *server) agent(t testing.TB) *agent {
	t.Helper()
	a := &agent{t, s.connect(t)}
	a.ok("browser_connect", nil)
	return a
}

// call calls a tool; what the tool answers is never a reason to stop.
func (a *agent) call(tool string, with args) answer {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), callLimit)
	defer cancel()
	return a.callCtx(ctx, tool, with)
}

func (a *agent) callCtx(ctx context.Context, tool string, with args) answer {
	a.t.Helper()
	begin := time.Now()
	res, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: with})
	an := answer{t: a.t, call: tool, took: time.Since(begin)}
	if err != nil {
		an.failed, an.text = true, "protocol: "+err.Error()
		return an
	}
	an.failed = res.IsError
	for _, c := range res.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			an.text += c.Text
		case *mcp.ImageContent:
			an.images = append(an.images, c)
		}
	}
	return an
}

// ok calls a tool that must not fail.
func (a *agent) ok(tool string, with args) answer {
	a.t.Helper()
	an := a.call(tool, with)
	if an.failed {
		a.t.Fatalf("%s %v failed after %s:\n%s", tool, with, an.took, an.text)
	}
	return an
}

// fails calls a tool that must fail, as a tool and not as a protocol.
func (a *agent) fails(tool string, with args) answer {
	a.t.Helper()
	an := a.call(tool, with)
	if !an.failed || strings.HasPrefix(an.text, "protocol:") {
		a.t.Fatalf("%s %v should have failed:\n%s", tool, with, an.text)
	}
	return an
}

// open opens a page in a new tab and returns the answer.
func (a *agent) open(url string) answer {
	a.t.Helper()
	return a.ok("browser_tab_open", args{"url": url})
}

// value evaluates a script in the page and returns its value as JSON.
func (a *agent) value(script string) string {
	a.t.Helper()
	first, _, _ := strings.Cut(a.ok("browser_evaluate", args{"script": script}).text, "\n")
	return strings.TrimPrefix(strings.TrimSpace(first), "result: ")
}

// has fails the test where the answer lacks one of the texts.
func (an answer) has(texts ...string) answer {
	an.t.Helper()
	for _, text := range texts {
		if !strings.Contains(an.text, text) {
			an.t.Fatalf("%s: no %q in:\n%s", an.call, text, an.text)
		}
	}
	return an
}

// lacks fails the test where the answer has one of the texts.
func (an answer) lacks(texts ...string) answer {
	an.t.Helper()
	for _, text := range texts {
		if strings.Contains(an.text, text) {
			an.t.Fatalf("%s: %q should not be in:\n%s", an.call, text, an.text)
		}
	}
	return an
}

// within fails the test where the answer took clearly longer. A machine that is
// busy with other tests is slow as well, so there is room above the limit: what
// is looked for is a call that runs into its timeout.
func (an answer) within(limit time.Duration) answer {
	an.t.Helper()
	if an.took > limit+3*time.Second {
		an.t.Fatalf("%s took %s, more than %s:\n%s", an.call, an.took, limit, an.text)
	}
	return an
}

var refPattern = regexp.MustCompile(`\[((?:f\d+)?e\d+)\]`)

// ref returns the ref of the first line that has all the texts.
func (an answer) ref(texts ...string) string {
	an.t.Helper()
	line := an.line(texts...)
	m := refPattern.FindStringSubmatch(line)
	if m == nil {
		an.t.Fatalf("%s: no ref in line %q of:\n%s", an.call, line, an.text)
	}
	return m[1]
}

// line returns the first line that has all the texts.
func (an answer) line(texts ...string) string {
	an.t.Helper()
lines:
	for line := range strings.Lines(an.text) {
		for _, text := range texts {
			if !strings.Contains(line, text) {
				continue lines
			}
		}
		return strings.TrimRight(line, "\n")
	}
	an.t.Fatalf("%s: no line with %q in:\n%s", an.call, texts, an.text)
	return ""
}

var pagePattern = regexp.MustCompile(`\bt\d+\b`)

// page returns the first page id of the line that has all the texts.
func (an answer) page(texts ...string) string {
	an.t.Helper()
	line := an.line(texts...)
	id := pagePattern.FindString(line)
	if id == "" {
		an.t.Fatalf("%s: no page id in line %q of:\n%s", an.call, line, an.text)
	}
	return id
}
