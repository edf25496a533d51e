package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestB77ClickUnderAHoverStyle has an element that is gone from under the
// pointer as long as the picture of its hover style is not there.
func TestB77ClickUnderAHoverStyle(t *testing.T) {
	inPlaces(t, `<h1>empty</h1>`, func(t *testing.T, a *agent, _ answer) {
		s := newSite(t, `<style>.more { content: url(/a.svg) } .more:hover { content: url(/b.svg) }</style>
			<div role=group aria-label=Around style="width:300px;height:200px"><span class=more role=button aria-label=More></span></div>
			<script>window.log = []; document.addEventListener("click", e => log.push(e.target.getAttribute("aria-label")), true)</script>`)
		s.handle("/a.svg", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>`)
		}).handle("/b.svg", hold)
		a.ok("browser_navigate", args{"url": s.URL, "waitUntil": "load"})
		an := a.call("browser_click", args{"selector": ".more", "timeoutMs": 1000})
		log := a.value("log.join()")
		if honest := an.failed || strings.Contains(an.text, "went to group") || strings.Contains(an.text, "outcome is unknown") || log == `"More"`; !honest {
			t.Fatalf("the click events went to %s, and the answer is\n%s", log, an.text)
		}
		a.ok("browser_evaluate", args{"script": `log.length = 0; document.querySelector("style").textContent = ".more { content: url(/a.svg) }"`})
		a.ok("browser_click", args{"selector": ".more"}).has(`clicked button "More"`).lacks(", but")
		if v := a.value("log.join()"); v != `"More"` {
			t.Fatalf("the click event went to %s", v)
		}
	})
}

// TestB77ClickOnWhatLetsThePointerThrough has a button that what is around it
// takes the click for.
func TestB77ClickOnWhatLetsThePointerThrough(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open(newSite(t, `<div role=button tabindex=0 aria-label=Outer onclick="said.textContent = 'outer'"><button id=in style="pointer-events:none">In</button></div><p id=said>-</p>
		<label><input type=checkbox id=box style="pointer-events:none">Box</label><button id=icon><svg width=20 height=20><rect width=20 height=20 /></svg></button>`).URL)
	a.ok("browser_click", args{"selector": "#in"}).has(`the click event went to button "Outer"`, "outer")
	a.ok("browser_click", args{"selector": "#box"}).has("[checked]").lacks("went to")
	a.ok("browser_click", args{"selector": "#icon"}).lacks("went to")
}

func TestB78KeysInOneCall(t *testing.T) {
	inPlaces(t, `<div id=ed contenteditable aria-label=Text>one two three</div><script>
		let from = 0, to = 0;
		const offset = (node, at) => node === ed ? (at ? ed.textContent.length : 0) : at;
		document.addEventListener("selectionchange", () => { const s = getSelection(); if (!s.rangeCount || !ed.contains(s.anchorNode)) return;
			const r = s.getRangeAt(0); from = offset(r.startContainer, r.startOffset); to = offset(r.endContainer, r.endOffset) });
		ed.addEventListener("beforeinput", e => { e.preventDefault();
			const text = ed.textContent, data = e.inputType === "insertParagraph" ? "|" : e.data ?? "";
			ed.textContent = text.slice(0, from) + data + text.slice(to); from = to = from + data.length;
			getSelection().collapse(ed.firstChild, from) })</script>`,
		func(t *testing.T, a *agent, _ answer) {
			keys := "Control+End Control+Shift+ArrowLeft Control+End Enter x Control+Home Shift+End Control+Home y"
			a.ok("browser_press", args{"keys": keys, "selector": "#ed"})
			together := a.value("ed.textContent")
			a.ok("browser_reload", nil)
			a.ok("browser_click", args{"selector": "#ed", "snapshot": "none"})
			for key := range strings.FieldsSeq(keys) {
				a.ok("browser_press", args{"keys": key, "snapshot": "none"})
			}
			if alone := a.value("ed.textContent"); together != alone || together != `"yone two three|x"` {
				t.Fatalf("in one call %s, one by one %s", together, alone)
			}
			a.ok("browser_type", args{"text": "z"}).has("typed into")
		})
}

func TestB79FormThatClearsWhatWasNotChosen(t *testing.T) {
	inPlaces(t, `<label>City <input id=city role=combobox aria-autocomplete=list aria-controls=list aria-expanded=false></label><ul id=list role=listbox hidden></ul>
		<label>Note <input id=note></label><script>
		let chosen = "", timer;
		city.oninput = () => { clearTimeout(timer); timer = setTimeout(() => { list.hidden = false;
			list.replaceChildren(...["Bern", "Basel"].filter(c => c.toLowerCase().includes(city.value.toLowerCase())).map(c =>
				Object.assign(document.createElement("li"), {role: "option", textContent: c, onmousedown: e => e.preventDefault(), onclick() { chosen = city.value = c; list.hidden = true }}))) }, 200) };
		city.onblur = () => { city.value = chosen; list.hidden = true }</script>`,
		func(t *testing.T, a *agent, first answer) {
			city, note := first.ref(`"City"`), first.ref(`"Note"`)
			a.ok("browser_fill_form", args{"fields": []args{{"ref": city, "value": "bern"}, {"ref": note, "value": "x"}}}).has(`"Bern"`)
			if v := a.value("chosen + city.value"); v != `"BernBern"` {
				t.Fatalf("the page has %s", v)
			}
			a.ok("browser_fill_form", args{"fields": []args{{"ref": city, "value": "B"}}}).has("no option was chosen", `"Bern", "Basel"`)
			an := a.call("browser_fill_form", args{"fields": []args{{"ref": city, "value": "B"}, {"ref": note, "value": "y"}}}).has(`"Bern"`)
			if !an.failed && !strings.Contains(an.text, "ended up as") {
				t.Fatalf("it does not say that B was not kept:\n%s", an.text)
			}
		})
}

func TestB81SliderIsSet(t *testing.T) {
	inPlaces(t, `<div id=s role=slider tabindex=0 aria-label=Volume aria-valuenow=50 aria-valuemin=0 aria-valuemax=100>o</div><script>
		s.onkeydown = e => { const d = {ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5}[e.key]; if (d) s.ariaValueNow = Math.min(100, Math.max(0, +s.ariaValueNow + d)) }</script>
		<div id=w role=slider tabindex=0 aria-label=Width aria-valuenow=5>o</div><script>
		w.onkeydown = e => w.ariaValueNow = +w.ariaValueNow + ({ArrowRight: 1, ArrowLeft: -1}[e.key] ?? 0)</script>`,
		func(t *testing.T, a *agent, first answer) {
			ref := first.ref(`"Volume"`)
			a.ok("browser_fill_form", args{"fields": []args{{"ref": ref, "value": "85"}}}).has(`"85"`)
			if v := a.value("s.ariaValueNow"); v != `"85"` {
				t.Fatalf("the slider is at %s", v)
			}
			a.fails("browser_fill_form", args{"fields": []args{{"ref": ref, "value": "33"}}}).has("is at", "moves in steps of 5")
			a.ok("browser_type", args{"ref": ref, "text": "10"}).has(`"10"`)
			a.ok("browser_type", args{"ref": first.ref(`"Width"`), "text": "8"}).has(`"8"`)
		})
}

func TestB80DragsSayWhatCameOfThem(t *testing.T) {
	inPlaces(t, `<h1>empty</h1>`, func(t *testing.T, a *agent, _ answer) {
		s := newSite(t, `<style>.b{width:90px;height:40px;border:1px solid}</style><div id=card class=b draggable=true tabindex=0 role=button aria-label=Card>Card</div>
			<div id=loose class=b tabindex=0 role=button aria-label=Loose>Loose</div><div id=wall tabindex=0 role=group aria-label=Wall style="width:200px;height:90px">Wall</div>
			<iframe src="ORIGIN/zone" width=300 height=200></iframe><script>card.ondragstart = e => e.dataTransfer.setData("text/plain", "card")</script>`)
		s.page("/zone", `<body style="margin:0"><div id=zone tabindex=0 role=group aria-label=Zone style="width:200px;height:150px">Zone</div><script>
			zone.ondragenter = zone.ondragover = e => e.preventDefault(); zone.ondrop = e => { e.preventDefault(); zone.textContent = "got " + e.dataTransfer.getData("text/plain") }</script>`)
		an := a.ok("browser_navigate", args{"url": s.URL, "waitUntil": "load"})
		a.fails("browser_drag", args{"ref": an.ref(`"Card"`), "toRef": an.ref(`"Wall"`)}).has("does not accept")
		a.ok("browser_drag", args{"ref": an.ref(`"Loose"`), "toRef": an.ref(`"Wall"`)}).has("is unknown")
		a.ok("browser_drag", args{"ref": an.ref(`"Card"`), "toRef": an.ref(`"Zone"`)}).has("dropped on", "got card")
	})
}
