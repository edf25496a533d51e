package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// nineTools are the facade's tools with the defaults of their parameters, as its
// specification has them; nil is a parameter without one.
var nineTools = map[string]map[string]any{
	"browser_session":  {"action": nil, "instance_id": nil, "headless": true, "profile": nil, "anti_detect": false, "use_pool": true},
	"browser_navigate": {"action": nil, "url": nil, "wait_for": nil, "timeout": 30.0},
	"browser_interact": {"action": nil, "selector": nil, "text": nil, "clear": false, "delay": 0.0, "button": "left", "click_count": 1.0, "value": nil, "index": nil,
		"label": nil, "direction": "down", "amount": 100.0, "key": nil, "modifiers": nil, "state": "visible", "timeout": 30.0},
	"browser_inspect": {"action": nil, "selector": nil, "max_depth": nil, "collapse_depth": nil, "ellipsize_text_after": 128.0, "attribute": nil},
	"browser_extract": {"action": nil, "selector": nil, "use_chunking": false, "offset": 0.0, "length": nil, "snapshot_checksum": nil,
		"ellipsize_text_after": 128.0, "include_tag_names": true, "skip_hidden": true, "max_depth": nil},
	"browser_capture": {"action": nil, "selector": nil, "full_page": false, "save_to_disk": true},
	"browser_execute": {"action": nil, "code": nil, "args": nil, "use_chunking": false, "offset": 0.0, "length": nil, "snapshot_checksum": nil},
	"browser_storage": {"action": nil, "filename": nil, "timeout": 30.0, "behavior": "allow", "download_path": nil},
	"web_search":      {"query": nil, "max_results": 10.0, "search_engine_url": nil, "timeout": nil},
}

// responseFields are those of the one response that all of them have.
var responseFields = strings.Fields(`success error data instance_id url text cookies result screenshot truncated returned_bytes total_bytes_estimate
	chunk_start chunk_end next_offset remaining_bytes snapshot_checksum`)

// TestFacadeAsSpecified is a client that knows the facade from its specification
// alone: the parameters and their defaults, the actions, the fields of answers.
func TestFacadeAsSpecified(t *testing.T) {
	a := &agent{t, shared(t).connectTools(t, "facade")}
	list, err := a.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, parameters := range nineTools {
		i := slices.IndexFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == name })
		if i < 0 {
			t.Errorf("there is no %s", name)
			continue
		}
		properties := list.Tools[i].InputSchema.(map[string]any)["properties"].(map[string]any)
		for parameter, standard := range parameters {
			p, ok := properties[parameter].(map[string]any)
			if !ok || !reflect.DeepEqual(p["default"], standard) {
				t.Errorf("%s: %s is %v, and its default should be %v", name, parameter, p, standard)
			}
		}
	}

	s := newSite(t, `<title>Start</title><h1 id=title>Welcome to Our Site</h1><p class=intro>This is the introduction.</p><input id=username value=old>
<select id=color><option value=r>Red<option value=g>Green<option value=2>1<option value=1>2</select><a id=next href=/second>Next</a><a id=get href=/file>Get</a><button id=go onclick="this.textContent='gone'">Go</button>`)
	s.page("/second", `<title>Second</title><p>second`).page("/search", `<title>Found</title><ol><li><h3><a href=/doc/1>The first document</a></h3><p>What it says of it.</p><li><h3><a href=/doc/2>The second document</a></h3><p>And of this one.</p></ol>`)
	s.handle("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="specified.csv"`)
		_, _ = w.Write([]byte("a,b\n"))
	})
	var saved []string
	defer func() {
		for _, path := range saved {
			_ = os.Remove(path)
		}
	}()
	// call makes a call and holds its answer against the fields that it must have.
	call := func(tool string, with args, want args) map[string]any {
		t.Helper()
		var v map[string]any
		if text := a.ok(tool, with).text; json.Unmarshal([]byte(text), &v) != nil || v["success"] != true {
			t.Fatalf("%s %v: %s", tool, with, text)
		}
		for field := range v {
			if !slices.Contains(responseFields, field) {
				t.Errorf("%s %v: no response has a field %s", tool, with, field)
			}
		}
		data, _ := v["data"].(map[string]any)
		for field, value := range want {
			in := v
			if rest, ok := strings.CutPrefix(field, "data."); ok {
				in, field = data, rest
			}
			if got, ok := in[field]; !ok || value != nil && !reflect.DeepEqual(got, value) {
				t.Errorf("%s %v: %s is %v, not %v, in %v", tool, with, field, got, value, v)
			}
		}
		return v
	}
	call("browser_navigate", args{"action": "goto", "url": s.URL + "/second"}, args{"url": s.URL + "/second"})
	call("browser_navigate", args{"action": "goto", "url": s.URL, "wait_for": "#go", "timeout": 20}, args{"url": s.URL + "/"})
	call("browser_navigate", args{"action": "back"}, args{"data.status": "navigated_back"})
	call("browser_navigate", args{"action": "forward"}, args{"data.status": "navigated_forward"})
	call("browser_navigate", args{"action": "refresh"}, args{"data.status": "refreshed"})
	call("browser_navigate", args{"action": "get_url"}, args{"url": s.URL + "/"})
	call("browser_session", args{"action": "list"}, args{"data.instances": nil})
	call("browser_session", args{"action": "get_active"}, args{"instance_id": nil})
	call("browser_interact", args{"action": "type", "selector": "#username", "text": "admin", "clear": true}, args{"data.status": "typed"})
	call("browser_interact", args{"action": "select", "selector": "#color", "value": "g"}, args{"data.status": "selected"})
	for _, choice := range []struct{ by, value, is string }{{"value", "1", "1"}, {"label", "1", "2"}, {"index", "1", "g"}} {
		with := args{"action": "select", "selector": "#color", choice.by: choice.value, "timeout": nil, "modifiers": nil} // None, as a client in Python sends it
		if choice.by == "index" {
			with["index"] = 1
		}
		call("browser_interact", with, args{"data.status": "selected"})
		call("browser_execute", args{"action": "evaluate", "code": "color.value"}, args{"result": choice.is})
	}
	call("browser_interact", args{"action": "hover", "selector": "#go"}, args{"data.status": nil})
	call("browser_interact", args{"action": "wait", "selector": "#go", "state": "present"}, args{"data.status": nil})
	call("browser_interact", args{"action": "scroll"}, args{"data.status": nil})
	call("browser_interact", args{"action": "press", "key": "Tab", "modifiers": []string{"shift"}}, args{"data.status": nil})
	call("browser_interact", args{"action": "click", "selector": "#go"}, args{"data.status": "clicked"})
	call("browser_inspect", args{"action": "exists", "selector": "#go"}, args{"data.exists": true})
	call("browser_inspect", args{"action": "get_attribute", "selector": "p", "attribute": "class"}, args{"data.value": "intro"})
	call("browser_inspect", args{"action": "get_html"}, args{"text": nil, "truncated": false, "returned_bytes": nil, "total_bytes_estimate": nil})
	call("browser_extract", args{"action": "get_text", "selector": "h1"}, args{"text": "h1#title: Welcome to Our Site", "truncated": false})
	first := call("browser_extract", args{"action": "get_text", "selector": "body", "use_chunking": true, "offset": 0, "length": 40},
		args{"chunk_start": 0.0, "chunk_end": nil, "next_offset": nil, "remaining_bytes": nil, "snapshot_checksum": nil})
	call("browser_extract", args{"action": "get_text", "selector": "body", "use_chunking": true, "offset": first["next_offset"], "snapshot_checksum": first["snapshot_checksum"]},
		args{"chunk_start": first["next_offset"], "remaining_bytes": 0.0})
	call("browser_extract", args{"action": "get_cookies"}, args{"cookies": nil})
	call("browser_execute", args{"action": "execute", "code": "return arguments[0] * 2", "args": []any{21}}, args{"result": 42.0})
	call("browser_execute", args{"action": "evaluate", "code": "document.title"}, args{"result": "Start"})
	call("browser_execute", args{"action": "evaluate", "code": "({none: null, list: [1, 'x', true], odd: NaN, gone: undefined})"},
		args{"result": map[string]any{"none": nil, "list": []any{1.0, "x", true}, "odd": nil}})
	if v := call("browser_execute", args{"action": "execute", "code": "return undefined"}, nil); len(v) != 1 {
		t.Errorf("undefined is %v", v)
	}
	call("browser_capture", args{"action": "element_screenshot", "selector": "#go", "save_to_disk": false}, args{"screenshot": nil, "data.format": "base64"})
	call("browser_capture", args{"action": "screenshot"}, args{"data.filepath": nil, "data.filename": nil, "data.format": "png", "data.saved": true})
	call("browser_storage", args{"action": "list_screenshots"}, args{"data.screenshots": nil, "data.count": nil})
	folder := call("browser_storage", args{"action": "set_download_behavior", "behavior": "allow", "download_path": "specified"}, args{"data.behavior": "allow", "data.path": nil})
	call("browser_interact", args{"action": "click", "selector": "#get"}, args{"data.status": "clicked"})
	got := call("browser_storage", args{"action": "wait_for_download", "filename": "specified", "timeout": 30}, args{"data.found": true, "data.filename": nil})
	if path := got["data"].(map[string]any)["filepath"].(string); !strings.HasPrefix(path, folder["data"].(map[string]any)["path"].(string)) {
		t.Errorf("the download is at %s", path)
	} else {
		saved = append(saved, path, got["data"].(map[string]any)["original"].(string))
	}
	call("browser_storage", args{"action": "list_downloads"}, args{"data.downloads": nil, "data.count": 1.0})
	call("browser_storage", args{"action": "clear_downloads"}, args{"data.cleared": 1.0})
	call("browser_storage", args{"action": "list_downloads"}, args{"data.count": 0.0})

	// By their GUIDs, and the same name twice.
	folder = call("browser_storage", args{"action": "set_download_behavior", "behavior": "allowAndName", "download_path": "specified"}, args{"data.behavior": "allowAndName", "data.path": nil})
	names := map[string]bool{}
	for range 2 {
		call("browser_interact", args{"action": "click", "selector": "#get"}, args{"data.status": "clicked"})
		got := call("browser_storage", args{"action": "wait_for_download"}, args{"data.found": true})["data"].(map[string]any)
		path := got["filepath"].(string)
		saved = append(saved, path, got["original"].(string))
		if names[path] = true; filepath.Dir(path) != folder["data"].(map[string]any)["path"] || !regexp.MustCompile(`^[0-9a-f-]{36}$`).MatchString(filepath.Base(path)) {
			t.Errorf("the download is at %s", path)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != "a,b\n" {
			t.Errorf("%s has %q %v", path, data, err)
		}
	}
	call("browser_storage", args{"action": "list_downloads"}, args{"data.count": 2.0})
	call("browser_storage", args{"action": "clear_downloads"}, args{"data.cleared": 2.0})
	for _, path := range saved {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is left", path)
		}
	}
	if len(names) != 2 {
		t.Errorf("the names are %v", names)
	}

	// None at all.
	call("browser_storage", args{"action": "set_download_behavior", "behavior": "deny"}, args{"data.behavior": "deny", "data.path": nil})
	call("browser_interact", args{"action": "click", "selector": "#get"}, args{"data.status": "clicked"})
	a.fails("browser_storage", args{"action": "wait_for_download"}).has(`"found":false`)
	call("browser_storage", args{"action": "list_downloads"}, args{"data.count": 0.0})
	call("browser_storage", args{"action": "set_download_behavior", "behavior": "default"}, args{"data.behavior": "default"})
	found := call("web_search", args{"query": "document", "search_engine_url": s.URL + "/search?q={query}"}, args{"text": nil, "data.provider": nil, "data.query": "document", "data.request_url": s.URL + "/search?q=document"})
	if results, _ := found["result"].(map[string]any)["results"].([]any); len(results) != 2 || !reflect.DeepEqual(results[0], map[string]any{
		"rank": 1.0, "title": "The first document", "url": s.URL + "/doc/1", "snippet": "What it says of it."}) {
		t.Errorf("results are %v", found["result"])
	}
	for tool, with := range map[string]args{"browser_session": {"action": "start"}, "browser_navigate": {"action": "goto"}, "browser_interact": {"action": "click"}, "browser_inspect": {"action": "exists"}} {
		if text := a.fails(tool, with).text; !strings.Contains(text, `"success":false`) || !strings.Contains(text, `"error":`) || strings.Contains(text, "--") {
			t.Errorf("%s %v: %s", tool, with, text)
		}
	}
}
