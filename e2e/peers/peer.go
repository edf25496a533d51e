package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ask is a call of a tool.
type ask struct {
	Tool string         `json:"name"`
	With map[string]any `json:"arguments"`
}

// peer is an MCP server for browsers, and what its tools are called.
type peer struct {
	name, version string
	command       []string
	env           []string
	dir           string // where it works, and leaves what it leaves

	begin    []ask // before anything else
	navigate func(url string) ask
	snapshot ask
	click    func(ref string) ask
	fill     func(ref, text string) ask
	evaluate func(expression string) ask
	open     func(url string) ask // another page, in front of the first
	first    []ask                // what leads back to the first page where clicks go to the one in front
	behind   func(ref string) ask // clicks in the first page, where another is in front
	forgets  bool                 // refs are others once it was led back
}

// install installs the peers in dir and returns them, with Tabrelay first.
func install(ctx context.Context, o order, dir string) ([]peer, error) {
	npm := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--prefix", dir,
		"@playwright/mcp@latest", "chrome-devtools-mcp@latest", "agent-browser@latest")
	npm.Env = append(os.Environ(), "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1", "PUPPETEER_SKIP_DOWNLOAD=1")
	if out, err := npm.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm install: %w\n%s", err, out)
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	own, err := exec.CommandContext(ctx, o.tabrelay, "version").Output()
	if err != nil {
		return nil, err
	}
	all := []peer{
		tabrelay(o, dir, strings.TrimSpace(strings.TrimPrefix(string(own), "tabrelay "))),
		playwright(o, bin), devtools(o, bin), agentBrowser(o, bin, dir),
	}
	for i, module := range []string{"", "@playwright/mcp", "chrome-devtools-mcp", "agent-browser"} {
		all[i].dir = dir
		if module == "" {
			continue
		}
		var m struct{ Version string }
		text, err := os.ReadFile(filepath.Join(dir, "node_modules", module, "package.json"))
		if err == nil {
			err = json.Unmarshal(text, &m)
		}
		if err != nil {
			return nil, err
		}
		all[i].version = m.Version
	}
	return all, nil
}

func with(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

func tabrelay(o order, dir, version string) peer {
	return peer{
		name: "Tabrelay", version: version,
		command: []string{o.tabrelay, "--browser-path", o.chromium, "--headless", "--no-sandbox"},
		env:     []string{"TABRELAY_STATE=" + filepath.Join(dir, "tabrelay")},
		begin:   []ask{{"browser_connect", with()}},
		navigate: func(url string) ask {
			return ask{"browser_navigate", with("url", url)}
		},
		snapshot: ask{"browser_snapshot", with()},
		click:    func(ref string) ask { return ask{"browser_click", with("ref", ref)} },
		fill:     func(ref, text string) ask { return ask{"browser_type", with("ref", ref, "text", text)} },
		evaluate: func(js string) ask { return ask{"browser_evaluate", with("script", js)} },
		open:     func(url string) ask { return ask{"browser_tab_open", with("url", url, "front", true)} },
		behind:   func(ref string) ask { return ask{"browser_click", with("ref", ref, "pageId", "t1")} },
	}
}

func playwright(o order, bin string) peer {
	element := func(ref string) map[string]any { return with("element", "it", "target", ref) }
	return peer{
		name:     "Playwright MCP",
		command:  []string{filepath.Join(bin, "playwright-mcp"), "--executable-path", o.chromium, "--headless", "--no-sandbox", "--isolated"},
		navigate: func(url string) ask { return ask{"browser_navigate", with("url", url)} },
		snapshot: ask{"browser_snapshot", with()},
		click:    func(ref string) ask { return ask{"browser_click", element(ref)} },
		fill: func(ref, text string) ask {
			m := element(ref)
			m["text"] = text
			return ask{"browser_type", m}
		},
		evaluate: func(js string) ask { return ask{"browser_evaluate", with("function", "() => "+js)} },
		open:     func(url string) ask { return ask{"browser_tabs", with("action", "new", "url", url)} },
		first:    []ask{{"browser_tabs", with("action", "select", "index", 0)}},
		behind:   func(ref string) ask { return ask{"browser_click", element(ref)} },
	}
}

func devtools(o order, bin string) peer {
	on := func(pairs ...any) map[string]any { return with(append(pairs, "pageId", 1)...) }
	return peer{
		name: "chrome-devtools-mcp",
		command: []string{filepath.Join(bin, "chrome-devtools-mcp"), "--headless", "--isolated", "--executablePath=" + o.chromium,
			"--chromeArg=--no-sandbox", "--no-usage-statistics", "--no-performance-crux"},
		begin:    []ask{{"list_pages", with()}},
		navigate: func(url string) ask { return ask{"navigate_page", on("url", url)} },
		snapshot: ask{"take_snapshot", on()},
		click:    func(ref string) ask { return ask{"click", on("uid", ref)} },
		fill:     func(ref, text string) ask { return ask{"fill", on("uid", ref, "value", text)} },
		evaluate: func(js string) ask { return ask{"evaluate_script", on("function", "() => "+js)} },
		open:     func(url string) ask { return ask{"new_page", with("url", url)} },
		behind:   func(ref string) ask { return ask{"click", on("uid", ref)} },
	}
}

func agentBrowser(o order, bin, dir string) peer {
	return peer{
		name:     "agent-browser",
		command:  []string{filepath.Join(bin, "agent-browser"), "mcp"},
		env:      []string{"AGENT_BROWSER_EXECUTABLE_PATH=" + o.chromium, "AGENT_BROWSER_ARGS=--no-sandbox", "HOME=" + dir},
		navigate: func(url string) ask { return ask{"agent_browser_open", with("url", url)} },
		snapshot: ask{"agent_browser_snapshot", with("interactive", false)},
		click:    func(ref string) ask { return ask{"agent_browser_click", with("selector", "@"+ref)} },
		fill: func(ref, text string) ask {
			return ask{"agent_browser_fill", with("selector", "@"+ref, "text", text)}
		},
		evaluate: func(js string) ask { return ask{"agent_browser_eval", with("script", js)} },
		open:     func(url string) ask { return ask{"agent_browser_tab_new", with("url", url)} },
		first:    []ask{{"agent_browser_tab_switch", with("tab", "t1")}},
		behind:   func(ref string) ask { return ask{"agent_browser_click", with("selector", "@"+ref)} },
		forgets:  true,
	}
}
