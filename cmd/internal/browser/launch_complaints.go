package browser

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
)

const (
	maxComplaint  = 300 // bytes of a line that reach an error
	maxComplaints = 40  // lines looked at
)

// noise is what healthy browsers write to stderr on machines without a desktop.
var noise = regexp.MustCompile(`(?i)dbus|gcm|vaapi|vulkan|libva|gtk|fontconfig|DevTools listening|gpu|` +
	`sandbox_linux|on_device_model|histogram|cert_verify|INFO:|WARNING:|VERBOSE`)

// telling marks the lines that explain a start that came to nothing.
var telling = regexp.MustCompile(`(?i)FATAL|sandbox!|--no-sandbox|DISPLAY|cannot open|shared libraries|` +
	`ProcessSingleton|profile appears|in use|No such file|Permission denied|not found|No space`)

var logPrefix = regexp.MustCompile(`^\[[^\]]*\]\s*`)

// complaints keeps the first lines of a browser's stderr.
type complaints struct {
	also io.Writer // nil, or who else hears it

	// mu guards the following.
	mu    sync.Mutex
	lines []string
	rest  []byte
}

// Write never tells the browser of an error: it is the browser's stderr.
func (c *complaints) Write(b []byte) (int, error) {
	if c.also != nil {
		_, _ = c.also.Write(b)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lines) >= maxComplaints {
		return len(b), nil
	}
	c.rest = append(c.rest, b...)
	for len(c.lines) < maxComplaints {
		line, rest, whole := bytes.Cut(c.rest, []byte("\n"))
		if !whole {
			break
		}
		c.lines = append(c.lines, cleanLine(line))
		c.rest = rest
	}
	if len(c.rest) > 4*maxComplaint && len(c.lines) < maxComplaints {
		c.lines = append(c.lines, cleanLine(c.rest)) // a line without an end
		c.rest = nil
	}
	if len(c.lines) >= maxComplaints {
		c.rest = nil
	}
	return len(b), nil
}

// first is the line that tells most: one that is known to explain, or else the
// first one that is not known as noise. It may be empty.
func (c *complaints) first() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := c.lines
	if rest := cleanLine(c.rest); rest != "" {
		lines = append(lines[:len(lines):len(lines)], rest)
	}
	quiet := ""
	for _, line := range lines {
		if telling.MatchString(line) {
			return plainLine(line)
		}
		if quiet == "" && line != "" && !noise.MatchString(line) {
			quiet = plainLine(line)
		}
	}
	return quiet
}

func cleanLine(line []byte) string {
	if len(line) > 4*maxComplaint {
		line = line[:4*maxComplaint]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(line), ""))
}

// plainLine drops Chrome's [pid:tid:time:LEVEL:file] prefix and bounds the rest.
func plainLine(line string) string {
	line = logPrefix.ReplaceAllString(line, "")
	if len(line) > maxComplaint {
		line = strings.ToValidUTF8(line[:maxComplaint], "") + "…"
	}
	return line
}

// sandboxFlag turns the sandbox off.
const sandboxFlag = "--no-sandbox (TABRELAY_NO_SANDBOX=1)"

// remedied adds what to do about a line that is known.
func remedied(err error, line string) error {
	r := &Remedy{Err: err}
	low := strings.ToLower(line)
	switch {
	case strings.Contains(low, "sandbox"):
		r.Err = fmt.Errorf("%w; this system denies the browser its sandbox", err)
		r.Flag = "allow unprivileged user namespaces, or turn it off with " + sandboxFlag
	case strings.Contains(low, "display"):
		r.Do, r.Flag = headlessHow, "use --headless"
	case strings.Contains(low, "shared libraries"):
		r.Do = "install what it lacks with the system's package manager"
	case strings.Contains(low, "singleton"), strings.Contains(low, "in use"):
		r.Do = "close the browser that uses this profile"
	}
	return r
}

// headlessHow is what an agent can do where no window opens.
const headlessHow = "ask for one without a window, with headless true"
