// Package setup adds tabrelay to the configuration of MCP clients, and takes it out
// again.
//
//	c, _ := setup.Find("cursor")
//	change, err := c.Add(setup.ThisHome(), setup.Server{Command: "/usr/bin/tabrelay"})
//	fmt.Print(change.Diff())
//	err = change.Write(stateDir)
//
// Files are edited as texts: what is there stays as it is written, with comments,
// order and indentation.
package setup

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"
)

// name is what the server is called in every client.
const name = "tabrelay"

// Server is how a client starts tabrelay.
type Server struct {
	Command string
	Args    []string
}

// Home is where a person's programs keep what they are told.
type Home struct {
	GOOS    string
	Dir     string // of the person
	Config  string // XDG_CONFIG_HOME, Application Support, or APPDATA
	XDG     string // XDG_CONFIG_HOME, also where Config is another
	Environ func(name string) string
}

// ThisHome is that of who runs this process.
func ThisHome() Home {
	home, _ := os.UserHomeDir()
	h := Home{GOOS: runtime.GOOS, Dir: home, Config: xdg.ConfigHome, Environ: os.Getenv}
	if h.GOOS == "windows" {
		h.Config = cmp.Or(os.Getenv("APPDATA"), filepath.Join(home, "AppData", "Roaming"))
	}
	h.XDG = cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	return h
}

// Client is an MCP client that can be set up.
type Client struct {
	ID   string // as it is named on the command line
	Name string
	Then string // what makes it read its configuration again

	file  func(Home) string // its configuration, for all projects
	mark  func(Home) string // a folder that it makes
	shape shape
}

// shape is how a client writes servers down.
type shape struct {
	key   string // of the object, or table, that has them by name
	kind  bool   // an entry says that it is stdio
	tools bool   // an entry says which tools may be used
	toml  bool
}

// Clients are those that are known, as their own documentation describes them.
var Clients = []Client{
	{ID: "claude-code", Name: "Claude Code", Then: "start a new session", shape: shape{key: "mcpServers", kind: true},
		file: func(h Home) string {
			return filepath.Join(cmp.Or(h.Environ("CLAUDE_CONFIG_DIR"), h.Dir), ".claude.json")
		},
		mark: func(h Home) string { return filepath.Join(h.Dir, ".claude") }},
	{ID: "claude-desktop", Name: "Claude Desktop", Then: "quit and reopen it", shape: shape{key: "mcpServers"},
		file: func(h Home) string { return filepath.Join(h.Config, "Claude", "claude_desktop_config.json") },
		mark: func(h Home) string { return filepath.Join(h.Config, "Claude") }},
	{ID: "cursor", Name: "Cursor", Then: "nothing more is needed", shape: shape{key: "mcpServers"},
		file: func(h Home) string { return filepath.Join(h.Dir, ".cursor", "mcp.json") },
		mark: func(h Home) string { return filepath.Join(h.Dir, ".cursor") }},
	{ID: "vscode", Name: "VS Code", Then: "start the server in the MCP view", shape: shape{key: "servers", kind: true},
		file: func(h Home) string { return filepath.Join(h.Config, "Code", "User", "mcp.json") },
		mark: func(h Home) string { return filepath.Join(h.Config, "Code", "User") }},
	{ID: "vscode-insiders", Name: "VS Code Insiders", Then: "start the server in the MCP view", shape: shape{key: "servers", kind: true},
		file: func(h Home) string { return filepath.Join(h.Config, "Code - Insiders", "User", "mcp.json") },
		mark: func(h Home) string { return filepath.Join(h.Config, "Code - Insiders", "User") }},
	{ID: "copilot", Name: "GitHub Copilot CLI", Then: "start a new session", shape: shape{key: "mcpServers", kind: true, tools: true},
		file: func(h Home) string { return filepath.Join(h.Dir, ".copilot", "mcp-config.json") },
		mark: func(h Home) string { return filepath.Join(h.Dir, ".copilot") }},
	{ID: "windsurf", Name: "Windsurf", Then: "press Refresh in its MCP settings", shape: shape{key: "mcpServers"},
		file: func(h Home) string { return filepath.Join(h.Dir, ".codeium", "windsurf", "mcp_config.json") },
		mark: func(h Home) string { return filepath.Join(h.Dir, ".codeium", "windsurf") }},
	{ID: "codex", Name: "Codex", Then: "start a new session", shape: shape{key: "mcp_servers", toml: true},
		file: func(h Home) string {
			return filepath.Join(cmp.Or(h.Environ("CODEX_HOME"), filepath.Join(h.Dir, ".codex")), "config.toml")
		},
		mark: func(h Home) string { return filepath.Join(h.Dir, ".codex") }},
	{ID: "gemini", Name: "Gemini CLI", Then: "start a new session", shape: shape{key: "mcpServers"},
		file: func(h Home) string { return filepath.Join(h.Dir, ".gemini", "settings.json") },
		mark: func(h Home) string { return filepath.Join(h.Dir, ".gemini") }},
	{ID: "kiro", Name: "Kiro", Then: "nothing more is needed", shape: shape{key: "mcpServers"},
		file: func(h Home) string { return filepath.Join(h.Dir, ".kiro", "settings", "mcp.json") },
		mark: func(h Home) string { return filepath.Join(h.Dir, ".kiro") }},
	{ID: "lmstudio", Name: "LM Studio", Then: "switch it on beside the chat", shape: shape{key: "mcpServers"},
		file: func(h Home) string { return filepath.Join(h.Dir, ".lmstudio", "mcp.json") },
		mark: func(h Home) string { return filepath.Join(h.Dir, ".lmstudio") }},
	{ID: "zed", Name: "Zed", Then: "nothing more is needed", shape: shape{key: "context_servers"},
		file: func(h Home) string { return filepath.Join(h.zed(), "settings.json") }, mark: Home.zed},
}

// zed keeps to ~/.config on macOS, too.
func (h Home) zed() string {
	if h.GOOS == "windows" {
		return filepath.Join(h.Config, "Zed")
	}
	return filepath.Join(h.XDG, "zed")
}

// Find returns the client of an ID.
func Find(id string) (Client, bool) {
	for _, c := range Clients {
		if c.ID == id {
			return c, true
		}
	}
	return Client{}, false
}

// Installed reports whether a client seems to be used by this person.
func (c Client) Installed(h Home) bool {
	for _, path := range []string{c.mark(h), c.file(h)} {
		if _, err := os.Stat(path); err == nil {
			return true
		}
	}
	return false
}
