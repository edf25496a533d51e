package e2e

import "testing"

func TestB50Console(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<script>
		console.log("plain", {a: 1}, [1, 2]); console.warn("careful"); console.error("wrong"); console.debug("tiny");
		function deep() { throw new Error("boom") } setTimeout(deep);
		Promise.reject(new TypeError("rejected"));
		setTimeout(() => document.title = "ready", 50)</script>`).page("/many", `<script>for (let i = 0; i < 5000; i++) console.log("line " + i)</script>`)
	a := newAgent(t)
	a.open(s.URL)
	a.ok("browser_wait", args{"predicate": `document.title === "ready"`})
	all := a.ok("browser_console", args{"level": "debug"})
	all.has("plain", "a: 1", "careful", "wrong", "tiny", "boom", "deep", "rejected", "TypeError")
	a.ok("browser_console", args{"level": "warning"}).has("careful", "wrong", "boom").lacks("plain", "tiny")
	a.ok("browser_console", args{"level": "error"}).has("wrong", "boom").lacks("careful")
	a.ok("browser_navigate", args{"url": s.URL + "/many"})
	now := a.ok("browser_console", nil).has("line 4999").lacks("careful", "line 0\n")
	a.ok("browser_navigate", args{"url": s.URL})
	a.ok("browser_wait", args{"predicate": `document.title === "ready"`})
	a.ok("browser_console", nil).has("careful").lacks("line 4999")
	a.ok("browser_console", args{"all": true}).has("careful", "line 4999")
	if len(now.text) > 200_000 {
		t.Fatalf("the console's answer has %d bytes", len(now.text))
	}
	a.ok("browser_console", args{"clear": true})
	a.ok("browser_console", args{"all": true}).lacks("line 4999", "careful")
	a.fails("browser_console", args{"level": "loud"}).has("error:", "level")
}

func TestB50ErrorsAreToldWithActions(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<button onclick="console.error('first'); console.warn('second'); nothing.here">Break</button>`)
	a := newAgent(t)
	a.ok("browser_click", args{"ref": a.open(s.URL).ref("button", "Break")}).has("console:", "2 errors", "1 warning")
}
