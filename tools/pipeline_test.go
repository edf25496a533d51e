package tools

import "testing"

const todo = `<!doctype html><title>To do</title><h1>To do</h1>
<ul id=list aria-label=Items><li>Bread</li></ul>
<input id=what aria-label=What>
<button id=add onclick="const l=document.createElement('li');l.textContent=what.value||'Milk';list.append(l)">Add</button>
<button onclick="">Nothing</button>
<button onclick="alert('Hello')">Alert</button>
<button onclick="window.open('/popup')">Popup</button>
<button onclick="console.error('broken')">Break</button>
<a href=/second>Second</a>`

func TestPipeline(t *testing.T) {
	base := site(t, map[string]string{"/": todo, "/second": `<title>Second</title><h1>Second page</h1>`, "/popup": `<title>Popup</title><h1>Pop</h1>`})
	a := newAgent(t, Options{})
	text := a.ok("browser_navigate", args{"url": base + "/"})
	has(t, text, "url: "+base, "title: To do", "snapshot:", `button "Add"`)
	text = a.ok("browser_click", args{"selector": "#add"})
	has(t, text, "changes:", "+ ", "Milk")
	lacks(t, text, "snapshot:", "Bread")
	text = a.ok("browser_click", args{"selector": "text=Nothing"})
	has(t, text, "no visible change")
	text = a.ok("browser_click", args{"selector": "text=Alert"})
	has(t, text, `dialog: alert "Hello"`)
	a.fails("DialogOpen", "browser_click", args{"selector": "#add"})
	text = a.ok("browser_dialog", args{"action": "accept"})
	has(t, text, `accepted alert "Hello"`)
	text = a.ok("browser_click", args{"selector": "text=Popup"})
	has(t, text, "tab opened: t")
	text = a.ok("browser_click", args{"selector": "text=Break"})
	has(t, text, "console: 1 error")
	has(t, a.ok("browser_console", nil), "error: broken")
	text = a.ok("browser_click", args{"selector": "text=Second"})
	has(t, text, "url: "+base+"/second", "Second page")
	a.ok("browser_tab_list", nil)
}
