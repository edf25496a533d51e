package relay

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write what the relay said into the conversations")

// A conversation is a text of lines:
//
//	# a comment
//	ext connects, ext closes, ext disconnects (as the person wants), client1 connects, client1 closes
//	client1 connects apart  a client that sees the tabs that it opens and no others
//	client1 connects at 9222  one that came through a port that asks for no secret
//	client1 connects agent mouse  one of this program's agents
//	client1 connects brief  one that waits 3 s for an extension that is away
//	old> {"id":1,…}       what the extension says on its last socket but one
//	front                 from here on clients' tabs behave as in front
//	client1> {"id":1,…}   what a client says
//	ext> {"id":1,…}       what the extension says
//	advance 60s
//	groups TAB1 TAB2, renames
//	client1< {…}          what the relay must say next, in this order
//	ext< {…}
//	disk< a copy           of a download is made
//	person< ends 0123abcd  an address, as they ask in the panel
//
// After each line of input the relay must have said what follows it and
// nothing else. With -update those lines are written anew.
func TestConversations(t *testing.T) {
	converse(t, "testdata/*.txt", newTalk)
}

// converse plays the conversations of a folder, each with a talk of its own.
func converse(t *testing.T, pattern string, start func() *talk) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no conversations", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := start().run(t, string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			compare(t, string(want), got)
		})
	}
}

func compare(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			t.Fatalf("line %d\n want %s\n  got %s", i+1, a, b)
		}
	}
}

// talk plays a conversation with a hub whose clock and ids are its own.
type talk struct {
	hub     *hub
	now     time.Time
	wakeAt  time.Time
	ids     int
	ext     *mute
	old     *mute
	clients map[string]*mute
	out     []string
	front   bool

	strangers interface {
		play(name, rest string) (mine bool, err error)
	}
}

// mute is a peer that only notes what it is told.
type mute struct {
	name   string
	talk   *talk
	client *client
}

func (m *mute) send(frame []byte) {
	line := string(frame)
	if !json.Valid(frame) {
		line = "INVALID " + line
	}
	m.talk.out = append(m.talk.out, m.name+"< "+line)
}

func (m *mute) sendFor(_ *flow, frame []byte) { m.send(frame) }

func (m *mute) close(code int, reason string) {
	m.talk.out = append(m.talk.out, fmt.Sprintf("%s closed %d %s", m.name, code, reason))
}

func newTalk() *talk {
	tk := &talk{now: time.Unix(1e9, 0), clients: map[string]*mute{}}
	tk.hub = newHub(Options{}.withDefaults(), func() time.Time { return tk.now }, func() string {
		tk.ids++
		return fmt.Sprintf("S%02d", tk.ids)
	}, func(at time.Time) { tk.wakeAt = at })
	tk.hub.aside = func(work, then func()) {
		tk.out = append(tk.out, "disk< a copy")
		work()
		then()
	}
	tk.hub.wish = func(_ string, w Wish) {
		if w.End != "" {
			tk.out = append(tk.out, "person< ends "+w.End)
		}
	}
	return tk
}

func (tk *talk) run(t *testing.T, text string) string {
	var b strings.Builder
	for n, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			fmt.Fprintln(&b, line)
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		if strings.HasSuffix(name, "<") || strings.HasPrefix(rest, "closed ") {
			continue
		}
		fmt.Fprintln(&b, line)
		mine, err := false, error(nil)
		if tk.strangers != nil {
			mine, err = tk.strangers.play(name, rest)
		}
		if !mine && err == nil {
			err = tk.play(name, rest)
		}
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		for _, out := range tk.out {
			fmt.Fprintln(&b, out)
		}
		tk.out = nil
	}
	return b.String()
}

func (tk *talk) play(name, rest string) error {
	switch {
	case name == "advance":
		d, err := time.ParseDuration(rest)
		if err != nil {
			return err
		}
		end := tk.now.Add(d)
		for !tk.wakeAt.IsZero() && !tk.wakeAt.After(end) {
			tk.now, tk.wakeAt = tk.wakeAt, time.Time{}
			tk.hub.tick()
		}
		tk.now = end
		return nil
	case name == "front":
		tk.front = true
		return nil
	case name == "groups":
		tk.hub.group(strings.Fields(rest), "agent", "blue", false)
		return nil
	case name == "renames":
		tk.hub.leaveGroups("agent")
		return nil
	case name == "ext" && rest == "connects":
		tk.old, tk.ext = tk.ext, &mute{name: "ext", talk: tk}
		return nil
	case name == "ext" && rest == "closes":
		tk.hub.lose(tk.ext, false)
		return nil
	case name == "ext" && rest == "disconnects":
		tk.hub.lose(tk.ext, true)
		return nil
	case name == "old>":
		return tk.hub.hear(tk.old, scratch(rest))
	case name == "ext>":
		if tk.hub.extension != tk.ext {
			v, err := parseHello([]byte(rest))
			if err != nil {
				tk.ext.close(closeUpdate, err.Error())
				return nil
			}
			tk.hub.greet(tk.ext, v)
			return nil
		}
		if err := tk.hub.hear(tk.ext, scratch(rest)); err != nil {
			tk.out = append(tk.out, "ext closed 0 "+err.Error())
			tk.hub.lose(tk.ext, false)
		}
		return nil
	case rest == "connects" || rest == "connects apart" || rest == "connects brief" || strings.HasPrefix(rest, "connects at ") || strings.HasPrefix(rest, "connects to ") || strings.HasPrefix(rest, "connects named ") || strings.HasPrefix(rest, "connects as ") || strings.HasPrefix(rest, "connects agent "):
		m := &mute{name: name, talk: tk}
		_, page, _ := strings.Cut(rest, " to ")
		g := guest{page: page, plain: !tk.front, only: rest == "connects apart"}
		_, g.name, _ = strings.Cut(rest, " named ")
		if port, ok := strings.CutPrefix(rest, "connects at "); ok {
			g.program = "Program/1.0"
			g.port, _ = strconv.Atoi(port)
			g.visit = func(came bool) { tk.out = append(tk.out, fmt.Sprintf("%s< visits %t", name, came)) }
		}
		if rest == "connects brief" {
			g.away = 3 * time.Second
		}
		if title, ok := strings.CutPrefix(rest, "connects as "); ok {
			g.name, g.far = title, true
		}
		if title, ok := strings.CutPrefix(rest, "connects agent "); ok {
			g.name, g.agent = title, true
		}
		c, ok := tk.hub.connect(m, g)
		if !ok {
			return fmt.Errorf("%s cannot connect", name)
		}
		m.client = c
		tk.clients[name] = m
		return nil
	case rest == "closes":
		tk.hub.disconnect(tk.clients[name].client)
		return nil
	case strings.HasSuffix(name, ">") && tk.clients[name[:len(name)-1]] != nil:
		data := scratch(rest)
		tk.hub.receive(tk.clients[name[:len(name)-1]].client, data)
		for i := range data {
			data[i] = '!' // the hub must not have kept it
		}
		return nil
	}
	return fmt.Errorf("nobody understands %q", name+" "+rest)
}

func scratch(s string) []byte { return bytes.Clone([]byte(s)) }
