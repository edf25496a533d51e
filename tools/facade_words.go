package tools

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
