package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// demoCommand lets an agent without a mind book a night train: the calls are
// written down here, all else is as in earnest.
type demoCommand struct {
	Show bool `env:"-" help:"Show the browser window, to watch."`
	settings.Choice
	logging
}

const (
	demoLimit = 2 * time.Minute // for all of it
	demoLines = 9               // of an answer that are shown
	demoWidth = 110             // characters of a line that are shown
)

func (d demoCommand) Run(ctx context.Context, c console) error {
	ctx, cancel := context.WithTimeout(ctx, demoLimit)
	defer cancel()
	h, err := openHost(hostOptions{AnyPort: true, Log: c.log})
	if err != nil {
		return err
	}
	defer h.close()
	site, stop, err := serveDemoSite()
	if err != nil {
		return err
	}
	defer stop()
	s, err := newShow(ctx, h.seeker(settings.Agent{Choice: d.Choice, Headless: !d.Show}), c.stdout)
	if err != nil {
		return err
	}
	defer s.close()
	return s.play(site, d.Show)
}

// serveDemoSite serves the site on a free port of this machine.
func serveDemoSite() (url string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("demo site: %w", err)
	}
	server := &http.Server{Handler: demoSite(), ReadHeaderTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() { // ends with stop
		defer close(done)
		_ = server.Serve(listener)
	}()
	return "http://" + listener.Addr().String() + "/", func() {
		_ = server.Close()
		<-done
	}, nil
}

// show is a demonstration under way: an agent's calls and what is printed of
// them.
type show struct {
	ctx     context.Context
	client  *mcp.ClientSession
	session *tools.Session
	out     io.Writer
	style   style
	calls   int
	spent   time.Duration
	err     error  // of the first call that went wrong; later ones do nothing
	seen    string // all answers so far, the last one first
}

func newShow(ctx context.Context, s *seeker, out io.Writer) (*show, error) {
	server, session := tools.NewServer(tools.Options{Connect: s.connect, Logger: s.log, Version: release.Text()})
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		return nil, err
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "tabrelay-demo", Version: release.Text()}, nil).Connect(ctx, here, nil)
	if err != nil {
		return nil, err
	}
	return &show{ctx: ctx, client: client, session: session, out: out, style: styleOf(out)}, nil
}

func (s *show) close() {
	_ = s.client.Close()
	_ = s.session.Close()
}

// play books a night train.
func (s *show) play(site string, window bool) error {
	s.say("An agent books a night train. It sees what you see below, and nothing else.")
	s.call("browser_connect", "headless", !window)

	s.say("It opens the site and reads it.")
	s.call("browser_navigate", "url", site)

	s.say("It fills the form. Each answer says what changed, so it need not look again.")
	s.call("browser_type", "ref", s.ref(`"From"`), "text", "Berlin")
	s.call("browser_type", "ref", s.ref(`"To"`), "text", "Trieste")
	s.call("browser_select", "ref", s.ref(`combobox "Place"`), "values", []string{"Sleeper, own door"})
	s.call("browser_click", "ref", s.ref(`button "Find trains"`))

	s.say("The stations take their time; the table comes later.")
	s.call("browser_wait", "text", "trains found")

	s.say("A train's details open in a separate window. It continues there.")
	s.call("browser_click", "ref", s.ref(`link "Details of Night Heron"`))
	popup := s.match(`tab opened: (t\d+)`)
	s.call("browser_wait", "pageId", popup, "text", "Night Heron")
	s.call("browser_click", "pageId", popup, "ref", s.ref(`button "Choose this train"`))

	s.say("The window has closed itself, and the list knows the choice. The page asks before it takes the money.")
	s.call("browser_wait", "selector", "text=Night Heron, 20:12 from Berlin")
	s.call("browser_click", "selector", `role=button[name="Reserve"]`)
	s.call("browser_dialog", "action", "accept")
	s.call("browser_wait", "text", "Sleep well!")

	s.say("What does it say?")
	s.call("browser_evaluate", "script", "document.querySelector('#receipt').textContent")
	if s.err == nil && !strings.Contains(s.seen[:min(len(s.seen), 300)], "Your number is LL204-") {
		s.err = errors.New("the train was not booked")
	}
	if s.err != nil {
		return s.err
	}
	_, err := fmt.Fprintf(s.out, "\n%s %d calls in %s, including the browser's start.\n",
		s.style.good("Booked."), s.calls, rounded(s.spent))
	return err
}

func (s *show) say(text string) {
	if s.err == nil {
		fmt.Fprintf(s.out, "\n%s\n", s.style.bold(text))
	}
}

// call calls a tool with arguments, name after value, and prints both sides.
func (s *show) call(tool string, pairs ...any) {
	if s.err != nil {
		return
	}
	with := map[string]any{}
	var words []string
	for i := 0; i < len(pairs); i += 2 {
		with[pairs[i].(string)] = pairs[i+1]
		words = append(words, fmt.Sprintf("%s=%v", pairs[i], pairs[i+1]))
	}
	begin := time.Now()
	r, err := s.client.CallTool(s.ctx, &mcp.CallToolParams{Name: tool, Arguments: with})
	took := time.Since(begin)
	s.calls++
	s.spent += took
	if err != nil {
		s.err = fmt.Errorf("%s: %w", tool, err)
		return
	}
	var text string
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	s.seen = text + "\n" + s.seen
	head := tool + " " + strings.Join(words, " ")
	fmt.Fprintf(s.out, "  %s%*s%s\n", s.style.tool(lines.Clip(head, 80)), max(2, 84-len([]rune(lines.Clip(head, 80)))), "", s.style.soft(fmt.Sprintf("%7s", rounded(took))))
	list := strings.Split(text, "\n")
	if n := len(list) - demoLines; n > 1 && !r.IsError {
		list = append(list[:demoLines:demoLines], fmt.Sprintf("… and %d lines more", n))
	}
	for _, line := range list {
		fmt.Fprintf(s.out, "      %s\n", s.style.soft(lines.Clip(line, demoWidth)))
	}
	if r.IsError {
		s.err = fmt.Errorf("%s failed, see above", tool)
	}
}

// ref finds the ref of an element that an answer has shown.
func (s *show) ref(element string) string {
	return s.match(regexp.QuoteMeta(element) + `[^\n]*?\[((?:f\d+)?e\d+)\]`)
}

// match finds something in the answers so far.
func (s *show) match(pattern string) string {
	if s.err != nil {
		return ""
	}
	m := regexp.MustCompile(pattern).FindStringSubmatch(s.seen)
	if m == nil {
		s.err = fmt.Errorf("no answer shows %s", pattern)
		return ""
	}
	return m[1]
}

// style colours what a terminal shows, and nothing else.
type style bool

func styleOf(out io.Writer) style {
	f, ok := out.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return style(err == nil && info.Mode()&os.ModeCharDevice != 0)
}

func (s style) with(code, text string) string {
	if !s {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string { return s.with("1", text) }
func (s style) tool(text string) string { return s.with("36", text) }
func (s style) soft(text string) string { return s.with("2", text) }
func (s style) good(text string) string { return s.with("1;32", text) }

func rounded(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}
