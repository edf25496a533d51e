package e2e

import (
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
		<p id=said>-</p><script>plain.addEventListener("click", () => said.textContent = "plain")</script>`,
		func(t *testing.T, a *agent, first answer) {
			for line, want := range map[string]string{
				"trash": "trash", "Plain div": "plain", "the terms": "terms", "the rules": "rules", "Tiny": "tiny", "Ghost": "hidden from aria",
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
	t.Parallel()
	s := newSite(t, `<input aria-label="Digits" oninput="this.value = this.value.replace(/\D/g, '')">
		<input aria-label="Upper" oninput="this.value = this.value.toUpperCase()"><input aria-label="Short" maxlength=3>
		<input aria-label="Never" oninput="this.value = ''"><input type=number aria-label="Number">`)
	a := newAgent(t)
	an := a.open(s.URL)
	a.ok("browser_type", args{"ref": an.ref(`"Digits"`), "text": "a1b2"}).has("12")
	a.ok("browser_type", args{"ref": an.ref(`"Upper"`), "text": "abc"}).has("ABC")
	a.ok("browser_type", args{"ref": an.ref(`"Short"`), "text": "abcdef"}).has("abc")
	a.fails("browser_type", args{"ref": an.ref(`"Never"`), "text": "abc", "timeoutMs": 1500}).has("error:")
	a.fails("browser_type", args{"ref": an.ref(`"Number"`), "text": "abc", "timeoutMs": 1500}).has("error:")
}

func TestB75AnswersShowTheChange(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<h1>List</h1><button onclick="list.insertAdjacentHTML('beforeend', '<li><button>Remove '+(list.children.length+1)+'</button></li>')">Add</button>
		<ul id=list aria-label="Items"></ul>`+strings.Repeat("<p>filler text that never changes</p>", 60))
	a := newAgent(t)
	ref := a.open(s.URL).ref("button", "Add")
	an := a.ok("browser_click", args{"ref": ref}).has("changes:", `button "Remove 1"`).lacks("filler")
	a.ok("browser_click", args{"ref": an.ref("button", "Remove 1")})
	a.ok("browser_click", args{"ref": ref}).has(`button "Remove 2"`).lacks("filler", `"Remove 1"`)
	a.ok("browser_click", args{"ref": ref, "snapshot": "full"}).has("filler", `"Remove 1"`)
	a.ok("browser_click", args{"ref": ref, "snapshot": "none"}).lacks("filler", `"Remove 4"`)
}
