package browser

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// displayNames are the variables that say where a window opens.
var displayNames = []string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"}

// Display is where this process's windows open, as lines of an environment;
// empty for nowhere, nil where no variable says it.
func Display() []string {
	if runtime.GOOS != "linux" {
		return nil
	}
	lines := []string{}
	for _, name := range displayNames {
		if value := os.Getenv(name); value != "" {
			lines = append(lines, name+"="+value)
		}
	}
	return lines
}

// OnDisplay is this process's environment, with windows opening elsewhere.
func OnDisplay(display []string) []string {
	env := slices.DeleteFunc(os.Environ(), func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		return slices.Contains(displayNames, name)
	})
	return append(env, display...)
}

// HasDisplay reports whether a window can be opened, with an environment or, for
// nil, this process's own.
func HasDisplay(env []string) bool {
	if env == nil {
		env = Display()
	}
	return runtime.GOOS != "linux" || slices.ContainsFunc(env, func(line string) bool {
		name, value, _ := strings.Cut(line, "=")
		return value != "" && (name == "DISPLAY" || name == "WAYLAND_DISPLAY")
	})
}
