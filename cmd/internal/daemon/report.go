package daemon

import (
	"fmt"
	"io"
	"time"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Status is what a daemon tells of itself.
type Status struct {
	Running  bool            `json:"running"`
	PID      int             `json:"pid"`
	Version  string          `json:"version"`
	Port     int             `json:"port"`
	Taken    int             `json:"portTaken,omitempty"` // the usual port, if another program has it
	Started  time.Time       `json:"started"`
	Uptime   float64         `json:"uptime"`           // seconds
	Memory   int64           `json:"memory,omitempty"` // bytes that it holds; 0 where the system does not tell
	HTTP     bool            `json:"http"`             // agents are served over HTTP, too, at that port
	Agents   []AgentStatus   `json:"agents"`
	Browsers []BrowserStatus `json:"browsers"`
	Clients  int             `json:"clients"` // sockets of CDP clients, those of the agents among them
	CDP      []Address       `json:"cdp"`     // addresses that were given out
	Refused  *RefusedStatus  `json:"refused,omitempty"`
}

// RefusedStatus is the extension that was refused last.
type RefusedStatus struct {
	At  time.Time `json:"at"`
	Why string    `json:"why"` // and what to do
}

type AgentStatus struct {
	Name    string    `json:"name,omitempty"`   // by which it is told apart
	Client  string    `json:"client,omitempty"` // the name that it gave
	Version string    `json:"version,omitempty"`
	PID     int       `json:"pid"`            // of its tabrelay process
	HTTP    bool      `json:"http,omitempty"` // that process stands for all agents over HTTP
	Since   time.Time `json:"since"`
	Browser string    `json:"browser,omitempty"`
	Tabs    []string  `json:"tabs"` // page ids of those that it holds
}

type BrowserStatus struct {
	Called    string      `json:"called,omitempty"` // by which an agent can choose it
	Name      string      `json:"name"`
	Managed   bool        `json:"managed"`
	Headless  bool        `json:"headless,omitempty"`
	Profile   string      `json:"profile,omitempty"`
	Connected bool        `json:"connected"`
	Extension string      `json:"extension,omitempty"` // its version
	Answer    float64     `json:"answer,omitempty"`    // milliseconds that the extension took, where that was asked
	Silent    string      `json:"silent,omitempty"`    // why it gave none
	Tabs      []TabStatus `json:"tabs"`
}

type TabStatus struct {
	Title  string `json:"title"`
	URL    string `json:"url"`
	Page   string `json:"page,omitempty"`   // the id by which its agent knows it
	Agent  string `json:"agent,omitempty"`  // the name of that agent
	Client string `json:"client,omitempty"` // the name that it gave
	Holder int    `json:"holder,omitempty"` // the pid of that agent's tabrelay process
}

// Print prints a status for a person.
func (s Status) Print(w io.Writer) error {
	memory := ""
	if s.Memory > 0 {
		memory = fmt.Sprintf(", %d MB", s.Memory>>20)
	}
	fmt.Fprintf(w, "tabrelay %s, pid %d, port %d, up %s%s\n", s.Version, s.PID, s.Port, time.Since(s.Started).Round(time.Second), memory)
	if s.Taken != 0 {
		fmt.Fprintln(w, PortTaken(s.Taken))
	}
	if s.HTTP {
		fmt.Fprintf(w, "agents over HTTP: http://127.0.0.1:%d/mcp\n", s.Port)
	}
	if len(s.Agents) == 0 {
		fmt.Fprintln(w, "no agents")
	}
	for _, a := range s.Agents {
		uses := "no browser"
		if a.Browser != "" {
			uses = a.Browser + ", " + lines.Amount(len(a.Tabs), "tab")
		}
		way := fmt.Sprintf("pid %d", a.PID)
		if a.HTTP {
			way = "over HTTP, " + way
		}
		fmt.Fprintf(w, "agent %s (%s), for %s: %s\n", named(a.Name, a.Version), way, time.Since(a.Since).Round(time.Second), uses)
	}
	if len(s.Browsers) == 0 {
		fmt.Fprintln(w, "no browsers")
	}
	for _, b := range s.Browsers {
		kind := "your own"
		if b.Managed {
			kind = "managed"
		}
		if b.Headless {
			kind += ", without a window"
		}
		if b.Profile != "" {
			kind += ", profile " + b.Profile
		}
		if !b.Connected {
			kind += ", not connected now"
		}
		name := b.Name
		if b.Called != "" {
			name = b.Called + ", " + name
		}
		fmt.Fprintf(w, "browser %s (%s): %s\n", name, kind, lines.Amount(len(b.Tabs), "tab"))
		for _, t := range b.Tabs {
			held := ""
			if t.Holder != 0 {
				held = fmt.Sprintf(", %s of %s (pid %d)", t.Page, named(t.Agent, ""), t.Holder)
			}
			fmt.Fprintf(w, "  %q %s%s\n", lines.Clip(t.Title, 60), lines.Clip(t.URL, 100), held)
		}
	}
	for _, a := range s.CDP {
		where := ""
		if a.Port != 0 {
			where = fmt.Sprintf(", port %d without a secret", a.Port)
			if a.Asks {
				where += ", you are asked about each client"
			}
		}
		fmt.Fprintf(w, "CDP address %s to %s (%s tabs%s), until %s: %s\n", a.Called(), a.Browser, a.Tabs, where, a.End(), lines.Amount(a.Clients, "client"))
	}
	if r := s.Refused; r != nil {
		fmt.Fprintf(w, "an extension was refused %s ago: %s\n", time.Since(r.At).Round(time.Second), r.Why)
	}
	_, err := fmt.Fprintln(w)
	return err
}

func named(name, version string) string {
	switch {
	case name == "":
		return "unnamed"
	case version == "":
		return name
	}
	return name + ", version " + version
}

// PortTaken says what it means that the usual port is another program's.
func PortTaken(port int) string {
	return fmt.Sprintf("port %d is taken, perhaps by another tabrelay: your own browser stays with that program, and only managed browsers can be used here; "+
		"quit that program and run `tabrelay stop`: tabrelay restarts on the next call", port)
}
