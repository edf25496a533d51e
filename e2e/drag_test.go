package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const dragPage = `<style>.box { width: 160px; height: 60px; border: 1px solid; margin: 8px }</style>
	<div id=card class=box draggable=true tabindex=0 role=button aria-label="Card">Card</div>
	<div id=zone class=box tabindex=0 role=group aria-label="Zone">Zone</div><div id=wall class=box tabindex=0 role=group aria-label="Wall">Wall</div>
	<textarea id=area aria-label="Area"></textarea><p id=said>-</p><div style="height:1600px"></div>
	<div id=far class=box tabindex=0 role=group aria-label="Far">Far</div>
	<div id=ball tabindex=0 role=button aria-label="Ball" style="position:absolute;left:400px;top:20px;width:40px;height:40px;background:#c33"></div>
	<div id=hole tabindex=0 role=group aria-label="Hole" style="position:absolute;left:600px;top:220px;width:80px;height:80px;border:1px solid"></div>
	<script>
	card.ondragstart = e => { e.dataTransfer.setData("text/plain", "card 7"); said.textContent = "start" };
	card.ondragend = () => said.textContent += " end";
	for (const z of [zone, far]) { z.ondragover = e => e.preventDefault();
		z.ondrop = async e => { e.preventDefault(); const d = e.dataTransfer, files = [...d.files];
			said.textContent += " drop on " + z.id + ": " + d.getData("text/plain") + d.getData("text/html").replace(/<meta[^>]*>/, "");
			for (const f of files) said.textContent += " " + f.name + "(" + f.type + ")=" + await f.text() } }
	let held = false; ball.onmousedown = e => { held = true; e.preventDefault() };
	onmousemove = e => { if (held) { ball.style.left = e.pageX - 20 + "px"; ball.style.top = e.pageY - 20 + "px" } };
	onmouseup = e => { if (held) { held = false; const h = hole.getBoundingClientRect();
		said.textContent = e.clientX > h.left && e.clientX < h.right && e.clientY > h.top && e.clientY < h.bottom ? "in the hole" : "missed" } };
	</script>`

func TestB36DragAndDrop(t *testing.T) {
	inPlaces(t, dragPage, func(t *testing.T, a *agent, first answer) {
		card := first.ref(`"Card"`)
		a.ok("browser_drag", args{"ref": card, "toRef": first.ref(`"Zone"`)}).has("dropped on", "drop on zone: card 7", "end")
		a.ok("browser_drag", args{"ref": card, "toSelector": "#far"}).has("drop on far: card 7")
		a.fails("browser_drag", args{"ref": card, "toRef": first.ref(`"Wall"`)}).has("error:", "does not accept", "hint:")
		a.ok("browser_drag", args{"selector": "#ball", "toSelector": "#hole"}).has("in the hole")
		a.ok("browser_drop", args{"selector": "#zone", "text": "plain words"}).has("drop on zone: plain words")
		a.ok("browser_drop", args{"selector": "#zone", "html": "<b>bold</b>"}).has("<b>bold</b>")
		a.ok("browser_drop", args{"selector": "#area", "text": "into the field"})
		if v := a.value("area.value"); v != `"into the field"` {
			t.Fatalf("the text area has %s", v)
		}
		a.fails("browser_drop", args{"selector": "#wall", "text": "x"}).has("error:", "does not accept", "hint:")
	})
}

// TestB36DragFromAndToAPlace drags between points within elements.
func TestB36DragFromAndToAPlace(t *testing.T) {
	inPlaces(t, `<style>div { position: absolute; width: 200px; height: 100px; border: 0 solid }</style><div id=from style="left:20px;top:20px">From</div>
		<div style="left:300px;top:40px;overflow:auto"><div id=to style="left:0;top:0;height:400px">To</div></div><p id=said style="position:absolute;top:200px">-</p><script>
		const told = e => said.textContent += " " + [e.type, e.target.id, e.offsetX, e.offsetY].join("/");
		from.onmousedown = e => { e.preventDefault(); told(e) }; to.onmouseup = told</script>`,
		func(t *testing.T, a *agent, _ answer) {
			a.ok("browser_drag", args{"selector": "#from", "at": args{"x": 7, "y": 9}, "toSelector": "#to", "toAt": args{"x": 30, "y": 80}}).
				has("mousedown/from/7/9", "mouseup/to/30/80")
			a.ok("browser_evaluate", args{"script": "to.parentElement.scrollTop = 50"})
			a.ok("browser_drag", args{"selector": "#from", "toSelector": "#to", "toAt": args{"x": 30, "y": 60}}).has("mousedown/from/100/50", "mouseup/to/30/60")
			a.fails("browser_drag", args{"selector": "#from", "toSelector": "#to", "toAt": args{"x": 30}}).has("toAt", "y")
		})
}

func TestB36DropFiles(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"a.txt": "alpha", "b.json": `{"b":1}`} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	page := dragPage + `<iframe srcdoc="<div id=in tabindex=0 role=group aria-label=Inner style='height:60px' ondragover='event.preventDefault()' ondrop='event.preventDefault(); this.textContent = event.dataTransfer.files[0].name'>Inner</div>"></iframe>`
	inPlacesWith(t, page, []string{"--root", root}, func(t *testing.T, a *agent, first answer) {
		a.ok("browser_drop", args{"ref": first.ref(`"Zone"`), "files": []string{"a.txt", filepath.Join(root, "b.json")}}).has("drop on zone")
		a.ok("browser_wait", args{"text": `a.txt(text/plain)=alpha b.json(application/json)={"b":1}`})
		a.ok("browser_drop", args{"ref": first.ref(`"Inner"`), "files": []string{"a.txt"}}).has("a.txt")
		a.fails("browser_drop", args{"selector": "#wall", "files": []string{"a.txt"}}).has("does not accept")
		a.fails("browser_drop", args{"selector": "#zone", "files": []string{"/etc/passwd"}}).has("error:", "outside the allowed folders", "hint:")
		a.fails("browser_drop", args{"selector": "#zone", "files": []string{"none.txt"}}).has("error:", "none.txt")
	})
}

func TestB36DragInFrames(t *testing.T) {
	inPlaces(t, `<h1>empty</h1>`,
		func(t *testing.T, a *agent, first answer) {
			s := newSite(t, dragPage)
			outer := newSite(t, `<h1>around</h1><div style="height:900px"></div><iframe src="`+s.other()+`" width=900 height=700></iframe>`)
			an := a.ok("browser_navigate", args{"url": outer.URL, "waitUntil": "load"})
			a.ok("browser_drag", args{"ref": an.ref(`"Card"`), "toRef": an.ref(`"Zone"`)}).has("drop on zone: card 7")
			a.ok("browser_drag", args{"ref": an.ref(`"Ball"`), "toRef": an.ref(`"Hole"`)}).has("in the hole")
			a.ok("browser_drop", args{"ref": an.ref(`"Zone"`), "text": "plain words"}).has("drop on zone: plain words")
		})
}

func TestB36BadInput(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open(newSite(t, dragPage).URL)
	a.fails("browser_drag", args{"selector": "#card"}).has("toRef")
	a.fails("browser_drag", args{"toSelector": "#card"}).has("ref", "selector")
	a.fails("browser_drag", args{"selector": "#card", "toSelector": "#none", "timeoutMs": 600}).has("#none", "hint:")
	a.fails("browser_drop", args{"selector": "#zone"}).has("files, text or html")
	a.fails("browser_drop", args{"selector": "#zone", "files": "a"}).has("files", "array")
	for want, with := range map[string]args{
		"action": {"action": "fly", "x": 1, "y": 1}, `"x"`: {"action": "click", "y": 1}, "toX": {"action": "drag", "x": 1, "y": 1},
		"wheel": {"action": "wheel", "x": 1, "y": 1}, "outside the viewport": {"action": "click", "x": 90000, "y": 1}, "0 or more": {"action": "click", "x": -4, "y": 1},
	} {
		a.fails("browser_mouse", with).has("error:", want)
	}
}

func TestB74SortableList(t *testing.T) {
	inPlaces(t, `<style>li { height: 30px; width: 200px; border: 1px solid; list-style: none; user-select: none } ul { padding: 0 }</style>
		<ul id=list></ul><p id=order></p><script>
		list.innerHTML = [1, 2, 3, 4, 5].map(n => "<li id=i" + n + " role=button aria-label='Item " + n + "' tabindex=0>" + n + "</li>").join("");
		let held = null; list.onmousedown = e => { held = e.target; e.preventDefault() };
		onmousemove = e => { if (!held) return; for (const li of list.children) { if (li === held) continue;
			const b = li.getBoundingClientRect(), mid = b.top + b.height / 2; if (e.clientY <= b.top || e.clientY >= b.bottom) continue;
			const down = held.compareDocumentPosition(li) & 4; if (down && e.clientY > mid) { li.after(held); break } if (!down && e.clientY < mid) { li.before(held); break } } };
		onmouseup = () => { held = null; order.textContent = "order " + [...list.children].map(li => li.textContent).join("") }</script>`,
		func(t *testing.T, a *agent, first answer) {
			item := func(n string) string { return first.ref(`"Item ` + n + `"`) }
			a.ok("browser_drag", args{"ref": item("1"), "toRef": item("2")}).has("order 21345")
			a.ok("browser_drag", args{"ref": item("1"), "toRef": item("5")}).has("order 23451")
			a.ok("browser_drag", args{"ref": item("5"), "toRef": item("2")}).has("order 52341")
			a.ok("browser_drag", args{"ref": item("4"), "toRef": item("3")}).has("order 52431")
		})
}

func TestB38Mouse(t *testing.T) {
	inPlaces(t, `<body style="margin:0;height:4000px"><div id=pad style="width:400px;height:200px;background:#ccc"></div><p id=log>-</p><script>
		for (const type of ["click", "dblclick", "contextmenu", "wheel", "mousedown", "mouseup"]) pad.addEventListener(type, e =>
			log.textContent += " " + [type, e.button, e.clientX, e.clientY].join("/"))</script>`,
		func(t *testing.T, a *agent, first answer) {
			at := func(action string, more args) answer {
				with := args{"action": action, "x": 50, "y": 60}
				for k, v := range more {
					with[k] = v
				}
				return a.ok("browser_mouse", with)
			}
			at("drag", args{"toX": 200, "toY": 160}).has("mouseup/0/200/160")
			at("click", nil).has("click/0/50/60")
			at("click", args{"count": 2}).has("dblclick/0/50/60")
			at("click", args{"button": "right"}).has("contextmenu/2")
			at("down", nil).has("mousedown")
			at("up", args{"x": 70}).has("mouseup/0/70/60")
			at("move", nil)
			at("wheel", args{"toY": 300}).has("wheel/0/50/60")
			if v := a.value("scrollY"); v != "300" {
				t.Fatalf("the wheel scrolled to %s", v)
			}
		})
}

func TestB73ScrollableRegions(t *testing.T) {
	inPlaces(t, `<div id=box role=region aria-label="Log" tabindex=0 style="height:100px;width:300px;overflow:auto">`+strings.Repeat("<p>line</p>", 60)+`</div>
		<select aria-label="Many" multiple size=3>`+strings.Repeat("<option>o</option>", 30)+`</select>
		<textarea aria-label="Text" readonly rows=2>`+strings.Repeat("row\n", 40)+`</textarea><input aria-label="One">`,
		func(t *testing.T, a *agent, first answer) {
			first.line(`"Log"`, "below")
			first.line(`"Many"`, "below")
			first.line(`"Text"`, "below", "readonly", "multiline")
			if strings.Contains(first.line(`"One"`), "multiline") {
				t.Fatal("an input is told as multi-line")
			}
			a.ok("browser_scroll", args{"ref": first.ref(`"Log"`)}).has("above")
			if v := a.value("box.scrollTop > 0 && scrollY === 0"); v != "true" {
				t.Fatal("the element was not scrolled")
			}
			a.ok("browser_scroll", args{"ref": first.ref(`"Text"`), "to": "bottom"}).has("above")
		})
}

// TestB73ScrollingTellsWhatItBrings holds that lists that grow as they are
// scrolled do so before the answer, in whichever way they notice.
func TestB73ScrollingTellsWhatItBrings(t *testing.T) {
	inPlaces(t, `<div id=box role=region aria-label="Feed" tabindex=0 style="height:100px;width:300px;overflow:auto"><div style="height:300px">old</div><div id=end>end</div></div>
		<div style="height:3000px">tall</div><p id=foot>foot</p><script>
		const more = (place, name) => place.insertAdjacentHTML("beforebegin", "<button>" + name + "</button>");
		new IntersectionObserver(([e]) => e.isIntersecting && more(end, "Fed"), {root: box}).observe(end);
		addEventListener("scroll", () => more(foot, "Loaded"), {once: true})</script>`,
		func(t *testing.T, a *agent, first answer) {
			an := a.ok("browser_scroll", args{"ref": first.ref(`"Feed"`), "to": "bottom"})
			a.ok("browser_click", args{"ref": an.ref("button", `"Fed"`), "snapshot": "none"})
			an = a.ok("browser_scroll", args{"to": "bottom"})
			a.ok("browser_click", args{"ref": an.ref("button", `"Loaded"`), "snapshot": "none"})
			a.ok("browser_scroll", args{"to": "bottom"})
			a.ok("browser_scroll", args{"to": "bottom"}).has("nothing to scroll").within(time.Second)
			a.ok("browser_scroll", args{"selector": "text=tall", "to": "element"}).within(time.Second)
			a.ok("browser_scroll", args{"selector": "text=tall", "to": "element"}).within(time.Second)
		})
}
