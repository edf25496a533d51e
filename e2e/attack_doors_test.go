package e2e

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/tabrelay/tabrelay/extension"
)

// door is an address of the program, and what opens it.
type door struct {
	path   string
	socket bool
	origin string // that belongs there
	bearer bool
	secret string // within the path
}

// attackDoors knocks at each door with a wrong Host, a wrong Origin, and each
// kind of wrong secret. Whoever is let in sees a status below 300.
func attackDoors(a *attacks) {
	s := own(a.t)
	agent := s.agent(a.t)
	agent.open("about:blank")
	at, err := url.Parse(s.url)
	if err != nil {
		a.t.Fatal(err)
	}
	secretOf := func(path string) string {
		address := s.relay(a.t, path)
		return address[strings.LastIndex(address, "/")+1:]
	}
	extensionOrigin := "chrome-extension://" + extension.ID
	cdp := secretOf("/cdp/")
	doors := map[string]door{
		"mcp":         {path: "/mcp", bearer: true},
		"extension":   {path: "/extension/" + secretOf("/extension/"), socket: true, origin: extensionOrigin, secret: secretOf("/extension/")},
		"cdp":         {path: "/cdp/" + cdp, socket: true, secret: cdp},
		"cdp browser": {path: "/cdp/" + cdp + "/devtools/browser/x", socket: true, secret: cdp},
		"cdp version": {path: "/cdp/" + cdp + "/json/version", secret: cdp},
		"cdp list":    {path: "/cdp/" + cdp + "/json/list", secret: cdp},
		"proxy":       {path: "/proxy/" + cdp, socket: true, secret: cdp},
	}
	hosts := []string{
		"evil.test", "evil.test:" + at.Port(), "127.0.0.1.evil.test", "localhost.evil.test", "evil.test.localhost.com", "0.0.0.0", "0.0.0.0:" + at.Port(),
		"127.0.0.2", "127.1", "2130706433", "0x7f000001", "[::]", "[::ffff:7f00:1]", "localhost.", "local\u200bhost", "192.168.0.1", "169.254.169.254",
	}
	origins := []string{
		"https://evil.test", "http://localhost:3000", "http://localhost", "http://127.0.0.1", at.Scheme + "://" + at.Host, "null", "file://", "https://localhost",
		"chrome-extension://" + strings.Repeat("a", 32), extensionOrigin + ".evil.test", extensionOrigin + "@evil.test", "moz-extension://" + extension.ID,
		strings.ToUpper(extensionOrigin), extensionOrigin + "/", "chrome://newtab", "devtools://devtools",
	}
	knock := func(d door, host, origin, bearer string) string {
		address := *at
		address.Path, address.RawPath = d.path, ""
		r, err := http.NewRequest("GET", address.String(), nil)
		if err != nil {
			return ""
		}
		if d.path == "/mcp" {
			r.Method = "POST"
			r.Header.Set("Accept", "application/json, text/event-stream")
			r.Header.Set("Content-Type", "application/json")
			r.Body = http.NoBody
		}
		if host != "" {
			r.Host = host
		}
		if origin != "" {
			r.Header["Origin"] = []string{origin}
		}
		if bearer != "" {
			r.Header.Set("Authorization", bearer)
		}
		if d.socket {
			r.Header.Set("Connection", "Upgrade")
			r.Header.Set("Upgrade", "websocket")
			r.Header.Set("Sec-WebSocket-Version", "13")
			r.Header.Set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
		}
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			return "" // not even understood
		}
		_ = res.Body.Close()
		if res.StatusCode < 300 {
			return res.Status
		}
		return ""
	}
	for name, d := range doors {
		own := "Bearer " + token
		if !d.bearer {
			own = ""
		}
		for _, host := range hosts {
			a.try(attack{name + " as host " + host, func(*testing.T) string { return knock(d, host, d.origin, own) }})
		}
		for _, origin := range origins {
			if name == "proxy" && origin == "chrome-extension://"+strings.Repeat("a", 32) {
				continue // any extension that has the secret may come by this door
			}
			a.try(attack{name + " from " + origin, func(*testing.T) string { return knock(d, "", origin, own) }})
		}
		for kind, wrong := range wrongSecrets(d.secret) {
			a.try(attack{name + " with " + kind, func(*testing.T) string {
				d := d
				d.path = strings.Replace(d.path, d.secret, wrong, 1)
				return knock(d, "", d.origin, own)
			}})
		}
	}
	mcp := doors["mcp"]
	for kind, wrong := range wrongSecrets(token) {
		for _, scheme := range []string{"Bearer ", "bearer  ", "Basic ", "Bearer\t", ""} {
			a.try(attack{"mcp with " + scheme + kind, func(*testing.T) string { return knock(mcp, "", "", scheme+wrong) }})
		}
	}
	a.try(attack{"mcp without a token", func(*testing.T) string { return knock(mcp, "", "", "") }},
		attack{"mcp with the CDP secret", func(*testing.T) string { return knock(mcp, "", "", "Bearer "+cdp) }},
		attack{"cdp with the MCP token", func(*testing.T) string { return knock(door{path: "/cdp/" + token, socket: true}, "", "", "") }},
		attack{"the extension's door with the CDP secret", func(*testing.T) string {
			return knock(door{path: "/extension/" + cdp, socket: true}, "", extensionOrigin, "")
		}})
	session := agent.session.ID()
	for _, method := range []string{"POST", "GET", "DELETE", "PUT", "OPTIONS", "PATCH"} {
		for kind, with := range map[string][3]string{ // Host, Origin, Authorization
			"no token": {}, "a wrong token": {"", "", "Bearer " + cdp}, "another host": {"evil.test", "", "Bearer " + token}, "a page's Origin": {"", "https://evil.test", "Bearer " + token},
			"no Origin at all": {"", "null", "Bearer " + token}, "the token as a cookie": {"", "", "Cookie " + token},
		} {
			a.try(attack{"another's MCP session by " + method + " with " + kind, func(*testing.T) string {
				return mcpSession(s.url, method, session, with)
			}})
		}
	}
	for kind, id := range wrongSecrets(session) {
		for _, method := range []string{"POST", "GET", "DELETE"} {
			a.try(attack{"an MCP session that is " + kind + " by " + method, func(*testing.T) string {
				if id == "" {
					return ""
				}
				return mcpSession(s.url, method, id, [3]string{"", "", "Bearer " + token})
			}})
		}
	}
	for _, first := range []string{
		`{"method":"hello","params":{"protocol":1,"installId":"x","tabs":[]}}`,
		`{"method":"hello","params":{"protocol":2,"installId":"x","tabs":[{"id":"A","url":"http://a.test/"}]}}`,
		`{"method":"proof","params":{}}`, `{"method":"prove","params":{"nonce":""}}`, `{"id":1,"result":{}}`, `{}`, `[]`, `null`, "", "\x00",
	} {
		a.try(attack{"the extension's door, saying " + excerpt(first), func(*testing.T) string {
			return pretends(s, doors["extension"], first)
		}})
	}
	a.try(attack{"the state folder, by others", func(*testing.T) string { return readableByOthers(s.state) }})
	agent.ok("browser_evaluate", args{"script": "1+1"}).has("2") // nobody was disturbed
}

// mcpSession asks for what an MCP session has or hears, or for its end.
func mcpSession(address, method, session string, with [3]string) string {
	r, err := http.NewRequest(method, address, strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"browser_tab_list","arguments":{}}}`))
	if err != nil {
		return ""
	}
	for name, value := range map[string]string{"Mcp-Session-Id": session, "Last-Event-ID": "0", "Accept": "application/json, text/event-stream", "Content-Type": "application/json", "Origin": with[1], "Authorization": with[2]} {
		if value != "" {
			r.Header[http.CanonicalHeaderKey(name)] = []string{value}
		}
	}
	if with[0] != "" {
		r.Host = with[0]
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return ""
	}
	_ = res.Body.Close()
	if res.StatusCode < 300 {
		return res.Status
	}
	return ""
}

// wrongSecrets are secrets that are nearly right.
func wrongSecrets(right string) map[string]string {
	if right == "" {
		return nil
	}
	last := right[len(right)-1]
	return map[string]string{
		"another secret": "00000000-0000-4000-8000-000000000000", "no secret": "", "its first byte": right[:1], "its beginning": right[:len(right)-1],
		"its end": right[1:], "more behind": right + "x", "more before": "x" + right, "itself twice": right + right, "its capitals": strings.ToUpper(right) + "Z",
		"the last byte changed": right[:len(right)-1] + string(last^1), "a wildcard": "*", "a dot": ".", "two dots": "..", "a NUL behind": right + "\x00",
		"a space behind": right + " ", "another path": right + "/../" + right + "x", "an empty part": "//",
	}
}

// pretends connects where the extension does, with its Origin, and says something
// first. It returns what it is told as if it were the extension.
func pretends(s *server, d door, first string) string {
	at, _ := url.Parse(s.url)
	socket, _, err := websocket.DefaultDialer.Dial("ws://"+at.Host+d.path, http.Header{"Origin": {d.origin}})
	if err != nil {
		return ""
	}
	defer socket.Close()
	_ = socket.WriteMessage(websocket.TextMessage, []byte(first))
	_ = socket.SetReadDeadline(time.Now().Add(40 * time.Second))
	for {
		_, frame, err := socket.ReadMessage()
		if err != nil {
			if strings.Contains(err.Error(), "timeout") {
				return "it was left to stay"
			}
			return ""
		}
		for _, said := range []string{"listRegisteredTabs", "listTabs", "forwardCDPCommand", "createTab", "attachTab"} {
			if strings.Contains(string(frame), said) {
				return "it was told " + excerpt(string(frame))
			}
		}
	}
}

// readableByOthers names a file of the state folder that others than its owner
// may read.
func readableByOthers(dir string) (found string) {
	for _, name := range []string{"", "relay.json"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().Perm()&0o077 != 0 {
			found = name + " " + info.Mode().String()
		}
	}
	return found
}
