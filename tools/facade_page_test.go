package tools

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter/lines/linestest"
)

const facadeForm = `<!doctype html><title>Form</title><h1 id=title>Welcome to Our Site</h1>
<p class=intro>This is <b>the</b> introduction.</p>
<form><input id=name aria-label=Name value=old><input type=password id=secret value=hush>
<select id=color aria-label=Color><option value=r>Red</option><option value=g>Green</option><option value=b>Blue</option></select>
<button type=button id=save onclick="out.textContent='saved '+event.detail+' '+event.button">Save</button></form>
<div id=out></div><div id=late hidden>Late</div>
<a id=next href=/second data-kind=link>Second</a>
<p id=over onmouseenter="out.textContent='over'">Hover me</p>
<div id=box style="height:60px;overflow:auto"><div style="height:2000px">tall</div></div>
<script>
document.addEventListener('keydown', (e) => { keys.textContent += (e.ctrlKey ? 'C-' : '') + (e.shiftKey ? 'S-' : '') + e.key + ' '; });
save.addEventListener('contextmenu', (e) => { e.preventDefault(); out.textContent = 'menu'; });
</script><pre id=keys></pre><div style="height:3000px"></div>`

func TestFacadeNavigate(t *testing.T) {
	base := site(t, map[string]string{"/{$}": facadeForm, "/second": `<title>Second</title><h1>Second page</h1><script>setTimeout(() => document.body.append(Object.assign(document.createElement('p'), {id: 'soon', textContent: 'soon'})), 100)</script>`})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base + "/"}).is("url", base+"/").is("data.status", "navigated")
	f.ok("browser_navigate", args{"action": "goto", "url": base + "/second", "wait_for": "#soon"}).is("url", base+"/second")
	f.ok("browser_inspect", args{"action": "exists", "selector": "#soon"}).is("data.exists", true)
	f.ok("browser_navigate", args{"action": "back"}).is("data.status", "navigated_back").is("url", base+"/")
	f.ok("browser_navigate", args{"action": "forward"}).is("data.status", "navigated_forward").is("url", base+"/second")
	f.ok("browser_execute", args{"action": "execute", "code": "window.mark = 1"})
	f.ok("browser_navigate", args{"action": "refresh"}).is("data.status", "refreshed")
	f.ok("browser_execute", args{"action": "evaluate", "code": "typeof window.mark"}).is("result", "undefined")
	f.ok("browser_navigate", args{"action": "get_url"}).is("url", base+"/second").is("data.title", "Second")
	f.fails("browser_navigate", args{"action": "forward"}, "no page in that direction")
	f.fails("browser_navigate", args{"action": "goto", "url": base + "/second", "wait_for": "#never", "timeout": 3}, "#never").is("data.kind", "Timeout")
	f.fails("browser_navigate", args{"action": "goto", "url": "http://127.0.0.1:1/"}, "could not be opened").is("data.kind", "NavigationFailed")
	f.ok("browser_navigate", args{"action": "goto", "url": base + "/none"}).is("data.http_status", 404)
}

func TestFacadeInteract(t *testing.T) {
	base := site(t, map[string]string{"/{$}": facadeForm, "/second": `<title>Second</title>`})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	out := func(want string) {
		t.Helper()
		f.ok("browser_execute", args{"action": "evaluate", "code": "out.textContent"}).is("result", want)
	}
	clicked := f.ok("browser_interact", args{"action": "click", "selector": "#save"}).is("data.status", "clicked")
	out("saved 1 0")
	ref := must(linestest.Parse("- " + clicked.str("data.target")))[0].Ref
	if ref == "" {
		t.Fatalf("no ref in %s", clicked.text)
	}
	f.ok("browser_interact", args{"action": "click", "ref": ref, "click_count": 2})
	out("saved 2 0")
	f.ok("browser_interact", args{"action": "click", "selector": `role=button[name="Save"]`, "button": "right"})
	out("menu")
	f.ok("browser_interact", args{"action": "type", "selector": "#name", "text": " new"}).is("data.status", "typed").is("data.value", "old new")
	f.ok("browser_interact", args{"action": "type", "selector": "#name", "text": "fresh", "clear": true}).is("data.value", "fresh")
	f.ok("browser_interact", args{"action": "type", "selector": "#name", "text": "slow", "clear": true, "delay": 0.01}).is("data.value", "slow")
	f.ok("browser_execute", args{"action": "evaluate", "code": "keys.textContent"}).is("result", "w h Delete s l o w ") // what was there went first; a text ends with a key
	for _, choice := range []args{{"value": "g"}, {"index": 1}, {"label": "Green"}} {
		f.ok("browser_execute", args{"action": "execute", "code": "color.value = 'r'"})
		choice["action"], choice["selector"] = "select", "#color"
		f.ok("browser_interact", choice).is("data.status", "selected").is("data.value", "Green")
	}
	f.fails("browser_interact", args{"action": "select", "selector": "#color", "label": "Black"}, "Red")
	f.ok("browser_interact", args{"action": "hover", "selector": "#over"}).is("data.status", "hovered")
	out("over")
	f.ok("browser_interact", args{"action": "scroll"}).is("data.status", "scrolled")
	f.ok("browser_execute", args{"action": "evaluate", "code": "scrollY"}).is("result", 100)
	f.ok("browser_interact", args{"action": "scroll", "selector": "#box", "direction": "down", "amount": 250})
	f.ok("browser_execute", args{"action": "evaluate", "code": "box.scrollTop"}).is("result", 250)
	f.ok("browser_execute", args{"action": "execute", "code": "keys.textContent = ''; document.activeElement.blur()"})
	f.ok("browser_interact", args{"action": "press", "key": "Escape"}).is("data.status", "pressed")
	f.ok("browser_interact", args{"action": "press", "key": "k", "modifiers": []string{"ctrl"}})
	f.ok("browser_execute", args{"action": "evaluate", "code": "keys.textContent"}).is("result", "Escape C-Control C-k ")
	f.fails("browser_interact", args{"action": "click", "selector": "#missing"}, "#missing").is("data.kind", "ElementNotFound")
	f.fails("browser_interact", args{"action": "click", "ref": "e999"}, "e999").is("data.kind", "StaleRef")
	f.ok("browser_interact", args{"action": "click", "selector": "#next"}).is("url", base+"/second")
}

// TestFacadeRefs gives a ref wherever a selector may be.
func TestFacadeRefs(t *testing.T) {
	base := site(t, map[string]string{"/{$}": facadeForm})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	ref := func(selector string) string {
		t.Helper()
		v := f.ok("browser_interact", args{"action": "hover", "selector": selector})
		ref := must(linestest.Parse("- " + v.str("data.target")))[0].Ref
		if ref == "" {
			t.Fatalf("no ref in %s", v.text)
		}
		return ref
	}
	name, color, save := ref("#name"), ref("#color"), ref("#save")
	f.ok("browser_interact", args{"action": "click", "ref": save}).is("data.status", "clicked")
	f.ok("browser_interact", args{"action": "type", "ref": name, "text": "Ada", "clear": true}).is("data.value", "Ada")
	f.ok("browser_interact", args{"action": "select", "ref": color, "value": "b"}).is("data.value", "Blue")
	f.ok("browser_interact", args{"action": "hover", "ref": save})
	f.ok("browser_interact", args{"action": "press", "ref": name, "key": "Backspace"})
	f.ok("browser_interact", args{"action": "wait", "ref": name, "timeout": 2}).is("data.status", "visible")
	f.ok("browser_interact", args{"action": "scroll", "direction": "down", "amount": 300})
	f.ok("browser_interact", args{"action": "scroll", "direction": "up", "amount": 100})
	f.ok("browser_execute", args{"action": "evaluate", "code": "scrollY"}).is("result", 200)
	f.ok("browser_interact", args{"action": "scroll", "ref": save})
	f.ok("browser_inspect", args{"action": "exists", "ref": save}).is("data.exists", true)
	f.ok("browser_inspect", args{"action": "get_attribute", "ref": name, "attribute": "value"}).is("data.value", "Ad")
	has(t, f.ok("browser_inspect", args{"action": "get_html", "ref": save}).str("text"), `<button type="button" id="save"`)
	f.ok("browser_extract", args{"action": "get_text", "ref": save}).is("text", "button#save: Save")
	f.ok("browser_capture", args{"action": "element_screenshot", "ref": save, "save_to_disk": false}).is("data.format", "base64")
}

func TestFacadeWait(t *testing.T) {
	base := site(t, map[string]string{"/{$}": facadeForm, "/frame": `<iframe srcdoc="<p id=inner hidden>x</p>"></iframe>`})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	wait := func(state, selector string) args {
		return args{"action": "wait", "selector": selector, "state": state, "timeout": 5}
	}
	f.ok("browser_interact", wait("present", "#late")).is("data.status", "present")
	f.ok("browser_interact", wait("hidden", "#late"))
	f.ok("browser_interact", wait("hidden", "#missing"))
	f.fails("browser_interact", args{"action": "wait", "selector": "#late", "timeout": 0.2}, "#late", "visible").is("data.kind", "Timeout")
	f.ok("browser_execute", args{"action": "execute", "code": "setTimeout(() => late.hidden = false, 300)"})
	f.ok("browser_interact", wait("visible", "#late")).is("data.status", "visible")
	f.ok("browser_execute", args{"action": "execute", "code": "setTimeout(() => late.remove(), 300)"})
	f.ok("browser_interact", wait("hidden", "#late"))
	f.fails("browser_interact", wait("visible", "#["), "CSS")
	f.ok("browser_navigate", args{"action": "goto", "url": base + "/frame"})
	f.ok("browser_interact", wait("present", "#inner"))
	f.ok("browser_interact", wait("hidden", "#inner"))
	f.ok("browser_execute", args{"action": "execute", "code": "setTimeout(() => frames[0].document.getElementById('inner').hidden = false, 300)"})
	f.ok("browser_interact", wait("visible", "#inner"))
}

// TestFacadeSelectorsEnterFrames gives a chain of selectors, which leads into
// frames, to each action.
func TestFacadeSelectorsEnterFrames(t *testing.T) {
	base := site(t, map[string]string{
		"/{$}":   `<title>Shop</title><input id=card aria-label="Not this"><section id=box><b class=x>in the box</b></section><b class=x>outside</b><iframe id=pay src=/pay></iframe>`,
		"/pay":   `<input id=card aria-label="Card > 1"><button id=go onclick="this.textContent='paid'">Pay</button><iframe class=inner src=/inner></iframe>`,
		"/inner": `<p id=deep class=x>deep text</p><em>Don't pay</em>`,
	})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base, "wait_for": "iframe#pay >> iframe >> #deep"}).is("url", base+"/")
	card, pay := "iframe#pay >> #card", "iframe#pay >> #go"
	f.ok("browser_interact", args{"action": "wait", "selector": card}).is("data.status", "visible")
	f.ok("browser_interact", args{"action": "type", "selector": card, "text": "42"}).is("data.value", "42")
	f.ok("browser_inspect", args{"action": "get_attribute", "selector": `#pay >> role=textbox[name="Card > 1"]`, "attribute": "value"}).is("data.value", "42")
	f.ok("browser_inspect", args{"action": "get_attribute", "selector": "#card", "attribute": "value"}).is("data.value", "")
	f.ok("browser_interact", args{"action": "fill", "fields": []args{{"selector": card, "value": "43"}}})
	f.ok("browser_interact", args{"action": "click", "selector": pay}).is("data.status", "clicked")
	f.ok("browser_extract", args{"action": "get_text", "selector": pay}).is("text", "button#go: paid")
	f.ok("browser_inspect", args{"action": "get_html", "selector": "iframe#pay >> iframe.inner >> .x"}).is("text", `<p id="deep" class="x">deep text</p>`)
	f.ok("browser_inspect", args{"action": "exists", "selector": "iframe.inner >> .x"}).is("data.count", 1) // within the other frame
	f.ok("browser_inspect", args{"action": "exists", "selector": "iframe#pay >> iframe >> text=Don't pay"}).is("data.count", 1)
	f.ok("browser_inspect", args{"action": "exists", "selector": "#pay >> #none"}).is("data.exists", false)
	f.ok("browser_interact", args{"action": "wait", "selector": "#pay >> #none", "state": "hidden"})
	f.ok("browser_extract", args{"action": "get_text", "selector": "#box >> .x"}).is("text", "b.x: in the box") // no frame on the way
	f.ok("browser_capture", args{"action": "element_screenshot", "selector": pay, "save_to_disk": false}).is("data.format", "base64")
	f.fails("browser_interact", args{"action": "click", "selector": "#pay >> #none"}, "#pay >> #none").is("data.kind", "ElementNotFound")
	f.fails("browser_interact", args{"action": "click", "selector": "#none >> #go"}, "#none >> #go").is("data.kind", "ElementNotFound")
	f.fails("browser_interact", args{"action": "click", "selector": "#pay >> a["}, "CSS").is("data.kind", "InvalidArgument")
}

func TestFacadeDialog(t *testing.T) {
	base := site(t, map[string]string{"/{$}": `<title>ask</title><button id=a onclick="document.title = confirm('Sure?')">Ask</button>
<button id=p onclick="document.title = prompt('Name?', 'Ada')">Prompt</button><button id=w onclick="window.open('/pop')">Pop</button>`, "/pop": `<title>Pop</title><p>popped</p>`})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	f.ok("browser_interact", args{"action": "click", "selector": "#a"}).is("data.dialog.type", "confirm").is("data.dialog.message", "Sure?")
	f.fails("browser_inspect", args{"action": "get_html"}, "dialog", "Enter").is("data.kind", "DialogOpen")
	f.fails("browser_interact", args{"action": "click", "selector": "#a"}, "dialog", "Escape").is("data.kind", "DialogOpen")
	f.ok("browser_interact", args{"action": "press", "key": "Escape"}).is("data.status", "dismissed").is("data.answered.message", "Sure?")
	f.ok("browser_execute", args{"action": "evaluate", "code": "document.title"}).is("result", "false")
	f.ok("browser_interact", args{"action": "click", "selector": "#p"}).is("data.dialog.default", "Ada")
	f.ok("browser_interact", args{"action": "press", "key": "Enter", "text": "Grace"}).is("data.status", "accepted")
	f.ok("browser_execute", args{"action": "evaluate", "code": "document.title"}).is("result", "Grace")
	f.ok("browser_execute", args{"action": "execute", "code": "alert('from a script')"}).is("data.dialog.message", "from a script")
	f.ok("browser_interact", args{"action": "press", "key": "Enter"})

	popup := f.ok("browser_interact", args{"action": "click", "selector": "#w"})
	list, _ := popup.at("data.tabs_opened").([]any)
	if len(list) != 1 {
		t.Fatalf("no new tab in %s", popup.text)
	}
	id := list[0].(map[string]any)["page_id"]
	f.ok("browser_extract", args{"action": "get_text", "page_id": id}).is("text", "p: popped")
	f.ok("browser_navigate", args{"action": "get_url"}).is("url", base+"/")
}

func TestFacadeCookies(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "s1", HttpOnly: true, Path: "/"})
		_, _ = w.Write([]byte("<title>C</title>"))
	}))
	defer server.Close()
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": server.URL})
	v := f.ok("browser_extract", args{"action": "get_cookies"})
	has(t, v.text, `"cookies":[{"name":"session","value":"(hidden: HttpOnly)","domain":"127.0.0.1"`, `"httpOnly":true`, "only the cookies")
}

func TestFacadeExecute(t *testing.T) {
	base := site(t, map[string]string{"/{$}": `<title>E</title>`})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	run := func(code string, a ...any) reply {
		t.Helper()
		g := args{"action": "execute", "code": code}
		if len(a) > 0 {
			g["args"] = a
		}
		return f.ok("browser_execute", g)
	}
	run("return document.title").is("result", "E")
	run("document.title").is("result", "E")
	run("return arguments[0] + arguments[1].n", 1, map[string]int{"n": 2}).is("result", 3)
	run("(a, b) => a + b", "x", "y").is("result", "xy")
	run("const r = await Promise.resolve(4); return r").is("result", 4)
	run("let x = 5; x * 2").is("result", 10)
	has(t, run("return {a: [1, null]}").text, `"result":{"a":[1,null]}`)
	lacks(t, run("let y = 1; undefined").text, `"result"`)
	f.ok("browser_execute", args{"action": "evaluate", "code": "1 + 1"}).is("result", 2)
	f.ok("browser_execute", args{"action": "evaluate", "code": "null"}).is("result", nil)
	for code, is := range map[string]string{"() => () => 1": "function", "Symbol('s')": "symbol", "document.body": "node", "new Map([[1, 2]])": "map", "window": "window", "9n": "bigint"} {
		f.ok("browser_execute", args{"action": "evaluate", "code": code}).is("data.type", is)
	}
	lacks(t, f.ok("browser_execute", args{"action": "evaluate", "code": "[{}]"}).text, "type")
	has(t, f.ok("browser_execute", args{"action": "evaluate", "code": "({a: NaN, b: undefined})"}).text, `"result":{"a":null}`, "null stands for NaN, which JSON cannot represent")
	f.fails("browser_execute", args{"action": "execute", "code": "throw new Error('bad luck')"}, "bad luck").is("data.kind", "ScriptError")
	f.fails("browser_execute", args{"action": "evaluate", "code": "nope.nope"}, "nope")

	long := f.ok("browser_execute", args{"action": "evaluate", "code": "'ß'.repeat(100000)"}).is("truncated", true).is("returned_bytes", 32_000).is("total_bytes_estimate", 200_000)
	if s := long.str("result"); s != strings.Repeat("ß", 16_000) {
		t.Errorf("%d bytes", len(s))
	}
	object := f.ok("browser_execute", args{"action": "evaluate", "code": "Array.from({length: 20000}, (_, i) => i)"}).is("truncated", true)
	has(t, object.str("data.note"), "JSON text")

	// What is read in chunks ran once.
	chunked := args{"action": "execute", "code": "window.runs = (window.runs ?? 0) + 1; return '€'.repeat(10000)", "use_chunking": true}
	var got strings.Builder
	for range 10 {
		v := f.ok("browser_execute", chunked)
		got.WriteString(v.str("result"))
		if v.at("next_offset") == nil {
			break
		}
		chunked["offset"], chunked["snapshot_checksum"] = v.num("next_offset"), v.str("snapshot_checksum")
	}
	if got.String() != strings.Repeat("€", 10_000) {
		t.Errorf("%d bytes", got.Len())
	}
	f.ok("browser_execute", args{"action": "evaluate", "code": "window.runs"}).is("result", 1)
	f.fails("browser_execute", args{"action": "execute", "code": "return 'other'", "offset": 1, "snapshot_checksum": "abc"}, "run the code again")
	first := f.ok("browser_execute", args{"action": "evaluate", "code": "document.title + 'x'.repeat(20000)", "use_chunking": true})
	f.ok("browser_execute", args{"action": "execute", "code": "document.title = 'other'"})
	f.fails("browser_execute", args{"action": "evaluate", "code": "document.title + 'x'.repeat(20000)", "offset": first.num("next_offset"), "snapshot_checksum": first.str("snapshot_checksum")}, "changed")
}

func TestFacadeScreenshots(t *testing.T) {
	base := site(t, map[string]string{"/{$}": facadeForm})
	root := t.TempDir()
	f := newNineTools(t, Options{Settings: Settings{Output: root}})
	f.ok("browser_storage", args{"action": "list_screenshots"}).is("data.count", 0)
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	v := f.ok("browser_capture", args{"action": "screenshot"}).is("data.format", "png").is("data.saved", true)
	path := v.str("data.filepath")
	if filepath.Dir(path) != filepath.Join(resolved(root), "screenshots") || filepath.Base(path) != v.str("data.filename") {
		t.Errorf("it is at %s", path)
	}
	if data, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("%v", err)
	}
	full := f.ok("browser_capture", args{"action": "screenshot", "full_page": true})
	if full.num("data.height") < 3000 || full.num("data.height") <= v.num("data.height") {
		t.Errorf("%d high", full.num("data.height"))
	}
	element := f.ok("browser_capture", args{"action": "element_screenshot", "selector": "#save"})
	if element.num("data.width") > 300 {
		t.Errorf("%s", element.text)
	}
	inline := f.ok("browser_capture", args{"action": "element_screenshot", "selector": "#save", "save_to_disk": false}).is("data.format", "base64")
	if data, err := base64.StdEncoding.DecodeString(inline.str("screenshot")); err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("%v %s", err, inline.text)
	}
	if err := os.WriteFile(filepath.Join(root, "screenshots", "mine.png"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	list := f.ok("browser_storage", args{"action": "list_screenshots"}).is("data.count", 3)
	has(t, list.text, `"name":"screenshot-`, `"path":"`, `"size":`, `"modified":"2`)
	f.ok("browser_storage", args{"action": "clear_screenshots"}).is("data.cleared", 3)
	f.ok("browser_storage", args{"action": "list_screenshots"}).is("data.count", 0)
	if _, err := os.Stat(filepath.Join(root, "screenshots", "mine.png")); err != nil {
		t.Error("a file of somebody else is gone")
	}

	none := newNineTools(t, Options{})
	none.fails("browser_capture", args{"action": "screenshot"}, "save_to_disk")
}

func TestB87FacadeBatch(t *testing.T) {
	base := site(t, map[string]string{"/{$}": facadeForm})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	find := args{"role": "button", "name": "Save"}
	f.ok("browser_batch", args{"steps": []args{
		{"tool": "browser_interact", "arguments": args{"action": "type", "selector": "#name", "text": "Ada", "clear": true}},
		{"tool": "browser_interact", "arguments": args{"action": "click", "find": find}},
	}}).is("data.count", 2)
	f.ok("browser_execute", args{"action": "evaluate", "code": "document.querySelector('#name').value + out.textContent"}).is("result", "Adasaved 1 0")
	f.fails("browser_batch", args{"steps": []args{
		{"tool": "browser_interact", "arguments": args{"action": "click", "find": find}},
		{"tool": "browser_inspect", "arguments": args{"action": "get_attribute", "selector": "#none", "attribute": "id"}},
		{"tool": "browser_interact", "arguments": args{"action": "click", "find": find}},
	}}, "#none").is("data.failed_step", 2).is("data.count", 2)
}

// TestFacadeFormInOneCall: refs come without acting, a form is filled in at once,
// several options are chosen, and a text without a dialog to answer is refused.
func TestFacadeFormInOneCall(t *testing.T) {
	base := site(t, map[string]string{"/{$}": `<title>F</title><input aria-label=Name><input aria-label=Mail><select id=tags multiple aria-label=Tags><option>red<option>green<option>blue</select><input type=file id=doc aria-label=Doc>
<svg width=20 height=20><title>Star</title><path d="M1 1L9 9Z"/></svg>`})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	outline := f.ok("browser_inspect", args{"action": "outline"}).str("text")
	ref := regexp.MustCompile(`textbox "Name"[^\n]*\[(e\d+)\]`).FindStringSubmatch(outline)
	if ref == nil {
		t.Fatalf("no ref of Name in %s", outline)
	}
	v := f.ok("browser_interact", args{"action": "fill", "fields": []args{{"ref": ref[1], "value": "Ada"}, {"selector": "[aria-label=Mail]", "value": "ada@x.test"}}}).is("data.status", "filled")
	has(t, v.text, `"value":"Ada"`)
	f.ok("browser_interact", args{"action": "select", "selector": "#tags", "values": []string{"red", "blue"}}).is("data.status", "selected")
	f.ok("browser_execute", args{"action": "evaluate", "code": "[...document.querySelectorAll('input:not([type])')].map(i => i.value) + [...tags.selectedOptions].map(o => o.text)"}).is("result", "Ada,ada@x.testred,blue")
	f.fails("browser_interact", args{"action": "fill", "fields": []args{{"selector": "#none", "value": "x"}}}, "#none")
	f.fails("browser_interact", args{"action": "fill", "fields": []args{{"selector": "#doc", "value": "x"}}}, "takes files") // in the words of this set
	f.fails("browser_interact", args{"action": "fill"}, "fields")
	f.fails("browser_interact", args{"action": "press", "key": "Enter", "text": "yes"}, "no open dialog")
	html := f.ok("browser_inspect", args{"action": "get_html"}).str("text")
	has(t, html, "<title>Star</title></svg>")
	lacks(t, html, "<path")
}
