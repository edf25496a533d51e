package browser

import (
	"fmt"
	"os/exec"

	"github.com/tabrelay/tabrelay/cmd/internal/process"
	"github.com/tabrelay/tabrelay/extension"
)

// openWake opens the extension's wake page in a person's browser for a moment; a
// browser that does not run is started by that, and stays.
func (b Installed) Wake(display []string) error {
	cmd := exec.Command(b.Path, append(b.prefix(), "chrome-extension://"+extension.ID+"/wake.html")...)
	if display != nil {
		cmd.Env = OnDisplay(display)
	}
	process.Detach(cmd) // if it is the browser itself, it is the person's
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("wake the extension: %w", err)
	}
	go func() { _ = cmd.Wait() }() // ends with the browser, or when it has told the one that runs
	return nil
}
