package tools

import (
	"regexp"
	"strings"
)

const dialogHow = "browser_interact press with key Enter accepts it (text fills a prompt), Escape dismisses it"

// fullNames are the names of tools in a text.
var fullNames = regexp.MustCompile(`browser_[a-z_]+`)

// facadeWords says in the words of the facade what speaks of the full set.
func facadeWords(s string) string {
	known := profileNamed("facade").byName
	return fullNames.ReplaceAllStringFunc(facadeNames.Replace(s), func(name string) string {
		if known[name] != nil {
			return name
		}
		return "the full set of tools (--tools full)"
	})
}

var facadeNames = strings.NewReplacer(
	"answer it with browser_dialog first", dialogHow,
	"answer it with browser_dialog", dialogHow,
	"browser_dialog", "browser_interact press",
	"call browser_connect first", "call browser_navigate goto first",
	"call browser_connect to connect again", "call again to connect again",
	"browser_connect", "browser_session launch",
	"browser_disconnect", "browser_session terminate",
	"see browser_tab_list for the pages then", "the pages may be others then",
	"see browser_tab_list for the open pages", "see browser_session list for the open pages",
	"browser_tab_list", "browser_session list",
	"browser_tab_open", "browser_navigate goto",
	"browser_tab_focus", "page_id",
	"browser_reload", "browser_navigate refresh",
	"browser_back", "browser_navigate back",
	"browser_evaluate", "browser_execute",
	"browser_click", "browser_interact click",
	"browser_type", "browser_interact type",
	"browser_select", "browser_interact select",
	"browser_press", "browser_interact press",
	"browser_hover", "browser_interact hover",
	"browser_scroll", "browser_interact scroll",
	"browser_wait", "browser_interact wait",
	"browser_downloads", "browser_storage list_downloads",
	"browser_screenshot", "browser_capture screenshot",
	"browser_cookies", "browser_extract get_cookies",
	"browser_content", "browser_extract get_text",
	"browser_snapshot", "browser_inspect get_html",
	"browser_upload", "the full set of tools (--tools full)",
	"take a new snapshot", "look again with browser_inspect get_html, then give a selector",
	"take a snapshot to see", "look with browser_inspect get_html to see",
	"take a snapshot", "look with browser_inspect get_html",
	"from a snapshot, such as", "from an answer, such as",
	"as snapshots show them", "as answers show them",
	"timeoutMs", "timeout",
	"values is empty", "value is empty",
)

// retired are the granular tools that the facade stands for, with the call to
// make instead.
var retired = map[string]string{
	"browser_launch":             `browser_session {"action": "launch"}`,
	"browser_terminate":          `browser_session {"action": "terminate", "instance_id": …}`,
	"browser_list":               `browser_session {"action": "list"}`,
	"browser_get_active":         `browser_session {"action": "get_active"}`,
	"browser_back":               `browser_navigate {"action": "back"}`,
	"browser_forward":            `browser_navigate {"action": "forward"}`,
	"browser_refresh":            `browser_navigate {"action": "refresh"}`,
	"browser_get_url":            `browser_navigate {"action": "get_url"}`,
	"browser_click":              `browser_interact {"action": "click", "selector": …}`,
	"browser_type":               `browser_interact {"action": "type", "selector": …, "text": …}`,
	"browser_select":             `browser_interact {"action": "select", "selector": …, "value": …}`,
	"browser_hover":              `browser_interact {"action": "hover", "selector": …}`,
	"browser_scroll":             `browser_interact {"action": "scroll"}`,
	"browser_press":              `browser_interact {"action": "press", "key": …}`,
	"browser_wait_for":           `browser_interact {"action": "wait", "selector": …}`,
	"browser_get_html":           `browser_inspect {"action": "get_html"}`,
	"browser_exists":             `browser_inspect {"action": "exists", "selector": …}`,
	"browser_get_attribute":      `browser_inspect {"action": "get_attribute", "selector": …, "attribute": …}`,
	"browser_get_text":           `browser_extract {"action": "get_text", "selector": …}`,
	"browser_get_text_chunk":     `browser_extract {"action": "get_text", "selector": …, "use_chunking": true}`,
	"browser_get_cookies":        `browser_extract {"action": "get_cookies"}`,
	"browser_screenshot":         `browser_capture {"action": "screenshot"}`,
	"browser_element_screenshot": `browser_capture {"action": "element_screenshot", "selector": …}`,
	"browser_execute_chunk":      `browser_execute {"action": "execute", "code": …, "use_chunking": true}`,
	"browser_evaluate":           `browser_execute {"action": "evaluate", "code": …}`,
	"browser_evaluate_chunk":     `browser_execute {"action": "evaluate", "code": …, "use_chunking": true}`,
}
