package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// vaultPage shows, logs, sends and keeps what is typed into it, wherever a page can.
const vaultPage = `<title>Bank</title><form id=f><label>Key <input id=key name=key></label><label>Pass <input id=pass type=password name=pass></label>
<label>Code <input id=code autocomplete=one-time-code></label></form><div id=editor contenteditable role=textbox aria-label=Editor></div><p id=said></p>
<script>code.value = String(481 * 1000 + 516);
key.oninput = async () => {
  const v = key.value;
  document.title = v;
  said.textContent = 'typed ' + v + ' in it';
  console.log('key is', v, {v});
  console.error(new Error(v));
  localStorage.setItem('key', v);
  document.cookie = 'key=' + encodeURIComponent(v);
  history.replaceState(null, '', '?key=' + encodeURIComponent(v));
  await fetch('/took?' + new URLSearchParams({v}), {method: 'POST', headers: {'Content-Type': 'application/json', 'X-Key': btoa(unescape(encodeURIComponent(v)))}, body: JSON.stringify({v, deep: JSON.stringify({v})})});
  await fetch('/form', {method: 'POST', body: new URLSearchParams({v})});
  document.body.dataset.sent = 'yes';
};</script>`

// everything is all that a call told, also what no person reads.
func everything(t *testing.T, a *agent, tool string, with args) string {
	t.Helper()
	res, err := a.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: with})
	if err != nil {
		return err.Error()
	}
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok && strings.HasPrefix(text.Text, "{") && !json.Valid([]byte(text.Text)) {
			t.Errorf("%s %v answers no JSON any more: %s", tool, with, text.Text)
		}
	}
	raw, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestB94SecretByItsNameIsTypedAndNowhereReadable(t *testing.T) {
	t.Parallel()
	const value = `S3cr&t "pä55`
	d := newDesk(t)
	file := filepath.Join(t.TempDir(), "secrets.env")
	if err := os.WriteFile(file, []byte(`BANK='`+value+`' # 127.0.0.1`+"\nELSE=elsewhere-only # bank.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var took []string
	web := newSite(t, vaultPage)
	web.mux.HandleFunc("/took", func(w http.ResponseWriter, r *http.Request) {
		var body struct{ V string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Echo", url.QueryEscape(body.V))
		_ = json.NewEncoder(w).Encode(map[string]string{"echo": body.V})
	})
	web.mux.HandleFunc("/form", func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		took = append(took, r.FormValue("v"))
	})
	var said strings.Builder
	// use opens the page with a set, types the secret, and waits until the site has it.
	use := func(set string, open, fill func(*agent), read map[string][]args) {
		a, _ := d.front(d.managed("--tools", set, "--secrets", file, "--structured", "--log-level", "debug")...)
		tell := func(text string) { said.WriteString(set + " " + text + "\n") }
		init := a.session.InitializeResult()
		tell(init.Instructions)
		open(a)
		fill(a)
		for tool, calls := range read {
			for _, with := range calls {
				tell(tool + " " + everything(t, a, tool, with))
			}
		}
		list, err := a.session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := json.Marshal(list)
		tell(string(raw))
		if set != "dynamic" && (!strings.Contains(init.Instructions, "BANK (127.0.0.1)") || !strings.Contains(string(raw), `"secret":{`)) {
			t.Errorf("%s: the agent is not told that it has secrets: %s", set, init.Instructions)
		}
	}
	sent := `document.body.dataset.sent === 'yes'`
	use("full", func(a *agent) {
		a.ok("browser_connect", nil)
		a.ok("browser_tab_open", args{"url": web.URL})
		a.fails("browser_type", args{"selector": "#key", "secret": "NONE"}).has("BANK")
		a.fails("browser_type", args{"selector": "#key", "secret": "ELSE"}).has("not for http://127.0.0.1")
		a.fails("browser_type", args{"selector": "#key", "secret": "BANK", "text": "x"})
		a.fails("browser_type", args{"selector": "#key"}).has("text")
	}, func(a *agent) {
		said.WriteString(everything(t, a, "browser_type", args{"selector": "#key", "secret": "BANK"}))
		a.ok("browser_wait", args{"predicate": sent})
		said.WriteString(everything(t, a, "browser_fill_form", args{"fields": []args{{"selector": "#pass", "secret": "BANK"}, {"selector": "#editor", "secret": "BANK"}}}))
		if got := a.value(`String(pass.value.length)`); got != fmt.Sprintf("%q", fmt.Sprint(len([]rune(value)))) {
			t.Errorf("the password has %s characters", got)
		}
		for offset := range 80 { // also from within the secret on
			said.WriteString(everything(t, a, "browser_content", args{"format": "text", "offset": offset}))
		}
	}, map[string][]args{
		"browser_snapshot": {nil, {"all": true, "urls": true}}, "browser_content": {nil}, "browser_find": {{"text": "typed"}}, "browser_tab_list": {nil}, "browser_console": {nil, {"all": true}},
		"browser_evaluate": {{"script": "key.value"}, {"script": "({a: [key.value], t: document.title})"}, {"script": "btoa(unescape(encodeURIComponent('x' + key.value)))"}, {"script": "(() => { throw new Error(key.value) })()"}},
		"browser_network":  {nil, {"har": "all.har"}}, "browser_request": {{"id": "last"}, {"id": "r1"}, {"id": "r2"}, {"id": "r3"}, {"id": "r4"}, {"id": "r2", "file": "body.json"}, {"id": "r2", "file": "sent.json", "part": "request"}},
		"browser_storage": {{"action": "get"}}, "browser_cookies": {{"action": "get"}}, "browser_navigate": {{"url": web.URL + "/took?again"}},
	})
	use("facade", func(a *agent) {
		a.ok("browser_navigate", args{"action": "goto", "url": web.URL})
	}, func(a *agent) {
		said.WriteString(everything(t, a, "browser_interact", args{"action": "type", "selector": "#key", "secret": "BANK"}))
		a.ok("browser_interact", args{"action": "wait", "selector": "body[data-sent]"})
	}, map[string][]args{
		"browser_extract": {{"action": "get_text"}, {"action": "get_text", "use_chunking": true, "length": 11, "offset": 18}, {"action": "get_text", "use_chunking": true, "length": 9, "offset": 7}},
		"browser_inspect": {{"action": "get_html"}, {"action": "get_attribute", "selector": "#key", "attribute": "value"}, {"action": "outline"}},
		"browser_execute": {{"action": "evaluate", "code": "key.value"}, {"action": "evaluate", "code": "[key.value]"}, {"action": "evaluate", "code": "key.value", "length": 5, "offset": 3}},
		"browser_storage": {{"action": "get_cookies"}}, "browser_batch": {{"steps": []args{{"tool": "browser_execute", "arguments": args{"action": "evaluate", "code": "document.title"}}}}},
	})
	use("minimal", func(a *agent) {
		a.ok("navigate", args{"url": web.URL})
	}, func(a *agent) {
		said.WriteString(everything(t, a, "interact", args{"action": "type", "element": args{"css": "#key"}, "secret": "BANK", "snapshot": true}))
	}, map[string][]args{"snapshot": {nil}, "console": {nil}})
	use("dynamic", func(a *agent) {
		a.ok("connect_browser", args{"launch": true})
		a.ok("open_tab", args{"url": web.URL + "/?"})
	}, func(*agent) {}, map[string][]args{"list_tabs": {nil}})
	for _, with := range [][]string{{"status"}, {"status", "--json"}} {
		out, err := d.command(with...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v %s", with, err, out)
		}
		said.Write(out)
	}
	files := 0
	err := filepath.WalkDir(d.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !e.Type().IsRegular() || strings.Contains(path, "profile") { // the browser's own
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		files++
		said.WriteString(path + "\n")
		_, err = io.Copy(&said, f)
		return err
	})
	if err != nil || !strings.Contains(said.String(), "all.har") || !strings.Contains(said.String(), "daemon.log") {
		t.Errorf("the files are not among what was read (%d): %v", files, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(took) < 2 || took[0] != value || took[1] != value {
		t.Errorf("the site got %q", took)
	}
	all := said.String()
	quoted, _ := json.Marshal(value)
	forms := []string{"S3cr", "pä55", "p%C3%A455", `p\u00e455`, "481516", strings.Trim(string(quoted), `"`), "elsewhere-only"}
	for i := range 3 {
		form := base64.StdEncoding.EncodeToString([]byte("xyz"[:i] + value))
		forms = append(forms, form[4:len(form)-4])
	}
	for _, form := range forms {
		if i := strings.Index(all, form); i >= 0 {
			t.Errorf("%q can be read in …%s…", form, all[max(0, i-300):min(len(all), i+100)])
		}
	}
	if n := strings.Count(all, "secret BANK"); n < 30 {
		t.Errorf("it is masked %d times only", n)
	}
}
