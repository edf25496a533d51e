package e2e

import (
	"fmt"
	"strings"
	"testing"
)

func TestB71ThingsThatActWithoutARole(t *testing.T) {
	inPlaces(t, `<style>.pointer { cursor: pointer } .quiet { font-size: 0; display:inline-block; width:20px; height:20px }</style>
		<span class="icon icon-trash pointer" title="" style="display:inline-block;width:16px;height:16px" onclick="said.textContent='trash'"></span>
		<div id=plain style="width:80px">Plain div</div><div id=tab tabindex=0>Tab stop</div>
		<p>Read <span class=pointer onclick="said.textContent='terms'">the terms</span> and <span class=pointer onclick="said.textContent='rules'">the rules</span> first.</p>
		<button class=quiet aria-label="Tiny" onclick="said.textContent='tiny'"></button>
		<div aria-hidden=true><button onclick="said.textContent='hidden from aria'">Ghost</button></div>
		<ul><li>Invoice 7 <i class=pointer style="display:inline-block;width:16px;height:16px" onclick="said.textContent='near'"></i></li></ul>
		<span class=pointer title="Print it" style="display:inline-block;width:16px;height:16px" onclick="said.textContent='titled'"></span>
		<table><tr><td>Rate<td>9</table><i class=pointer style="display:inline-block;width:16px;height:16px" onclick="said.textContent='rated'"></i>
		<p id=said>-</p><script>plain.addEventListener("click", () => said.textContent = "plain")</script>`,
		func(t *testing.T, a *agent, first answer) {
			for line, want := range map[string]string{
				"trash": "trash", "Plain div": "plain", "the terms": "terms", "the rules": "rules", "Tiny": "tiny", "Ghost": "hidden from aria",
				"Print it": "titled", "Invoice 7": "near", "near Rate 9": "rated",
			} {
				a.ok("browser_click", args{"ref": first.ref(line, "[e")})
				if v := a.value("said.textContent"); v != `"`+want+`"` {
					t.Fatalf("%s: clicking it said %s", line, v)
				}
			}
			if first.line("the terms") == first.line("the rules") {
				t.Fatal("two clickable words share a line")
			}
			first.ref("Tab stop")
		})
}

func TestB72FieldsThatRewrite(t *testing.T) {
	inPlaces(t, `<input aria-label="Digits" oninput="this.value = this.value.replace(/\D/g, '')">
		<input aria-label="Upper" oninput="this.value = this.value.toUpperCase()"><input aria-label="Short" maxlength=3>
		<input aria-label="Never" oninput="this.value = ''"><input type=number aria-label="Number">`,
		func(t *testing.T, a *agent, first answer) {
			a.ok("browser_type", args{"ref": first.ref(`"Digits"`), "text": "a1b2"}).has("12")
			a.ok("browser_type", args{"ref": first.ref(`"Upper"`), "text": "abc"}).has("ABC")
			a.ok("browser_type", args{"ref": first.ref(`"Short"`), "text": "abcdef"}).has("abc")
			a.fails("browser_type", args{"ref": first.ref(`"Never"`), "text": "abc", "timeoutMs": 1500}).has("error:")
			a.fails("browser_type", args{"ref": first.ref(`"Number"`), "text": "abc", "timeoutMs": 1500}).has("error:")
			a.ok("browser_fill_form", args{"fields": []args{{"ref": first.ref(`"Digits"`), "value": "x3y4"}}}).has(`"34"`)
			a.fails("browser_fill_form", args{"fields": []args{{"ref": first.ref(`"Never"`), "value": "abc"}, {"ref": first.ref(`"Upper"`), "value": "ok"}}, "timeoutMs": 3000}).has("1 of 2", `"OK"`)
		})
}

// TestB75WhatIsBeingAnimatedAwayIsGone has items that fade and fold away for
// longer than anybody waits for them.
func TestB75WhatIsBeingAnimatedAwayIsGone(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	an := a.open(newSite(t, `<style>@keyframes away { to { opacity: 0; transform: translateX(90px) } } @keyframes pulse { 50% { opacity: 0 } }
		.fades { transition: opacity 60s; opacity: 0 } .slides { animation: away 60s } .folds { transition: max-height 60s; max-height: 0 !important } .pulses { animation: pulse 60s } .spins { animation: away 60s infinite }
		.flashes { animation: away 60s 2 } .comes { animation: away 60s reverse } .waits { animation: away 60s 60s } .lags { transition: opacity 60s 60s; opacity: 0 }
		@keyframes toast { from, to { opacity: 0 } 1%, 99% { opacity: 1 } } .toasts { animation: toast 60s } .turns { animation: toast 60s reverse }</style>
		<ul><li style="max-height:90px">Ann <button onclick="leave(this, 'fades')">Drop 1</button><li style="max-height:90px">Bob <button onclick="leave(this, 'slides')">Drop 2</button>
		<li style="max-height:90px">Cid <button onclick="leave(this, 'folds')">Drop 3</button><li>Dan <button onclick="leave(this, 'pulses')">Keep 4</button><li>Eve <button onclick="leave(this, 'spins')">Keep 5</button>
		<li>Fay <button onclick="leave(this, 'flashes')">Keep 6</button><li>Gus <button onclick="leave(this, 'comes')">Keep 7</button>
		<li>Hal <button onclick="leave(this, 'waits')">Keep 8</button><li>Ian <button onclick="leave(this, 'lags')">Keep 9</button><li>Jim <button onclick="leave(this, 'toasts')">Keep 10</button><li>Kay <button onclick="leave(this, 'turns')">Keep 11</button></ul><p id=said>-</p>
		<script>const leave = (button, name) => { button.parentElement.className = name; said.textContent = name }</script>`).URL)
	for _, item := range []string{`Ann | button "Drop 1"`, `Bob | button "Drop 2"`, `Cid | button "Drop 3"`} {
		a.ok("browser_click", args{"ref": an.ref(item)}).lacks("  - listitem: "+item, "no visible change")
	}
	for n := 4; n <= 11; n++ {
		a.ok("browser_click", args{"ref": an.ref(fmt.Sprintf(`"Keep %d"`, n))}).lacks("- listitem")
	}
	a.ok("browser_snapshot", nil).has("Dan", "Eve", "Fay", "Gus", "Hal", "Ian", "Jim", "Kay").lacks("Ann", "Bob", "Cid")
}

func TestB75AnswersShowTheChange(t *testing.T) {
	inPlaces(t, `<h1>List</h1><button onclick="more('Remove')">Add</button>
		<input aria-label="Query" oninput="more('Typed')"><select aria-label="Sort" onchange="more('Sorted')"><option>a<option>b</select>
		<div role=button tabindex=0 aria-label="Keys" onkeydown="more('Pressed')">Keys</div><p onmouseenter="more('Hovered')">Hover here</p>
		<div role=group aria-label="Zone" tabindex=0 ondragover="event.preventDefault()" ondrop="event.preventDefault(); more('Dropped')">Zone</div>
		<div role=button draggable=true tabindex=0 aria-label="Card">Card</div>
		<div role=region id=box aria-label="Log" tabindex=0 style="height:80px;overflow:auto" onscroll="this.onscroll = null; more('Scrolled')"><div style="height:900px">log</div></div>
		<ul id=list aria-label="Items"></ul>`+strings.Repeat("<p>filler text that never changes</p>", 60)+`<script>
		const more = (name) => list.insertAdjacentHTML('beforeend', '<li><button>' + name + ' ' + (list.children.length + 1) + '</button></li>')</script>`,
		func(t *testing.T, a *agent, first answer) {
			ref := first.ref("button", `"Add"`)
			an := a.ok("browser_click", args{"ref": ref}).has("changes:", `button "Remove 1"`).lacks("filler")
			a.ok("browser_click", args{"ref": an.ref("button", "Remove 1")})
			a.ok("browser_click", args{"ref": ref}).has(`button "Remove 2"`).lacks("filler", `"Remove 1"`)
			a.ok("browser_click", args{"ref": ref, "snapshot": "full"}).has("filler", `"Remove 1"`)
			a.ok("browser_click", args{"ref": ref, "snapshot": "none"}).lacks("filler", `"Remove 4"`)
			// What each action brought is there to be acted on.
			for _, c := range []struct {
				tool string
				with args
				came string
			}{
				{"browser_type", args{"ref": first.ref(`"Query"`), "text": "x"}, "Typed"},
				{"browser_select", args{"ref": first.ref(`"Sort"`), "values": []string{"b"}}, "Sorted"},
				{"browser_press", args{"ref": first.ref(`"Keys"`), "keys": "x"}, "Pressed"},
				{"browser_hover", args{"selector": "text=Hover here"}, "Hovered"},
				{"browser_drop", args{"ref": first.ref(`"Zone"`), "text": "x"}, "Dropped"},
				{"browser_drag", args{"ref": first.ref(`"Card"`), "toRef": first.ref(`"Zone"`)}, "Dropped"},
				{"browser_scroll", args{"ref": first.ref(`"Log"`)}, "Scrolled"},
				{"browser_fill_form", args{"fields": []args{{"ref": first.ref(`"Query"`), "value": "y"}}}, "Typed"},
				{"browser_evaluate", args{"script": "more('Evaluated')"}, ""}, // reads: says what it returns
			} {
				an := a.ok(c.tool, c.with).lacks("filler")
				if c.came != "" {
					a.ok("browser_click", args{"ref": an.ref("button", `"`+c.came), "snapshot": "none"})
				}
			}
		})
}
