package browser

import (
	"context"
	"os/exec"
	"regexp"
	"runtime"
	"time"
)

// versionLimit bounds how long a browser may take to say its version.
const versionLimit = 5 * time.Second

var majorVersion = regexp.MustCompile(`(\d+)\.\d+\.\d+`)

// platforms are what Chrome says of systems in its user agent, whatever they are
// exactly.
var platforms = map[string]string{
	"linux": "X11; Linux x86_64", "darwin": "Macintosh; Intel Mac OS X 10_15_7",
}

// UserAgent is what the browser sends where it has a window, "" if that cannot be
// known: one without says that in its place. Its client hints are the same in both.
func (b Installed) UserAgent(ctx context.Context) string {
	platform := platforms[runtime.GOOS]
	if platform == "" { // there, a browser does not print its version
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	said, err := exec.CommandContext(ctx, b.Path, append(b.prefix(), "--version")...).Output()
	version := majorVersion.FindStringSubmatch(string(said))
	if err != nil || version == nil {
		return ""
	}
	agent := "Mozilla/5.0 (" + platform + ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + version[1] + ".0.0.0 Safari/537.36"
	if b.Kind == "edge" {
		agent += " Edg/" + version[1] + ".0.0.0"
	}
	return agent
}
