package adapter

import (
	"strings"
	"testing"
)

const dragPage = `<style>.box{width:120px;height:60px;border:1px solid;margin:8px}li{height:30px;width:200px}</style>
<div id=card class=box draggable=true>Card</div><div id=zone class=box role=region aria-label=Zone tabindex=0>Zone</div><p id=log></p>
<div style="height:1500px"></div><div id=far class=box tabindex=0 role=region aria-label=Far>Far</div>
<script>
const note = t => log.textContent += t + " ";
card.ondragstart = e => { e.dataTransfer.setData("text/plain", "card 7"); note("start" + e.isTrusted) };
card.ondragend = e => note("end");
card.onmousedown = () => note("down"); addEventListener("mouseup", () => note("up"));
for (const z of [zone, far]) { z.ondragenter = e => { e.preventDefault(); note("enter") }; z.ondragover = e => e.preventDefault();
z.ondragleave = e => note("leave");
z.ondrop = e => { e.preventDefault(); note("drop:" + e.target.id + ":" + e.dataTransfer.getData("text/plain") + e.dataTransfer.files.length + e.isTrusted) }; }
</script>`

func TestB36DragWithDataTransfer(t *testing.T) {
	for name, open := range map[string]func(testing.TB, string) *stage{"front": open, "hidden": openHidden} {
		t.Run(name, func(t *testing.T) {
			s := open(t, dragPage)
			d, err := s.Drag(t.Context(), Element{Selector: "#card"}, Element{Selector: "#zone"}, DragOptions{})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(d)
			got := s.value("log.textContent")
			t.Log(got)
			if !strings.Contains(got, "starttrue") || !strings.Contains(got, "drop:zone:card 70true") || !strings.Contains(got, "end") {
				t.Error(got)
			}
			s.Evaluate(t.Context(), "log.textContent = ''", Element{})
			if _, err = s.Drag(t.Context(), Element{Selector: "#card"}, Element{Selector: "#far"}, DragOptions{}); err != nil {
				t.Fatal(err)
			}
			got = s.value("log.textContent")
			if !strings.Contains(got, "drop:far:card 70true") {
				t.Error(got)
			}
			s.Rest(t.Context())
		})
	}
}

const sortPage = `<style>li{height:30px;width:200px;border:1px solid;list-style:none;user-select:none}ul{padding:0}</style><ul id=list></ul><script>
list.innerHTML = [1,2,3,4,5].map(n => "<li id=i" + n + " aria-label='Item " + n + "' tabindex=0>" + n + "</li>").join("");
let held = null;
list.onmousedown = e => { held = e.target; e.preventDefault() };
onmousemove = e => { if (!held) return;
  for (const li of list.children) { if (li === held) continue;
    const b = li.getBoundingClientRect(), mid = b.top + b.height / 2;
    if (e.clientY > b.top && e.clientY < b.bottom) {
      const down = held.compareDocumentPosition(li) & 4;
      if (down && e.clientY > mid) { li.after(held); break }
      if (!down && e.clientY < mid) { li.before(held); break }
    } } };
onmouseup = () => held = null;</script>`

func TestB74SortableList(t *testing.T) {
	for name, open := range map[string]func(testing.TB, string) *stage{"front": open, "hidden": openHidden} {
		t.Run(name, func(t *testing.T) {
			s := open(t, sortPage)
			for _, step := range []struct{ from, to, want string }{
				{"#i1", "#i2", "21345"}, {"#i1", "#i5", "23451"}, {"#i5", "#i2", "52341"}, {"#i4", "#i3", "52431"},
			} {
				if _, err := s.Drag(t.Context(), Element{Selector: step.from}, Element{Selector: step.to}, DragOptions{}); err != nil {
					t.Fatal(err)
				}
				s.Rest(t.Context())
				s.is("list.innerText.replace(/\\s/g, '')", `"`+step.want+`"`)
			}
		})
	}
}

func TestB38Mouse(t *testing.T) {
	for name, open := range map[string]func(testing.TB, string) *stage{"front": open, "hidden": openHidden} {
		t.Run(name, func(t *testing.T) {
			s := open(t, `<body style="margin:0;height:4000px"><div id=pad style="width:400px;height:300px;background:#ccc"></div><script>
window.log = []; for (const type of ["mousedown","mouseup","click","dblclick","contextmenu"]) pad.addEventListener(type, e => log.push(type + e.button + "@" + e.clientX + "," + e.clientY));
pad.addEventListener("mousemove", e => log.push("move" + e.buttons)); pad.addEventListener("wheel", e => log.push("wheel" + e.deltaY))</script>`)
			do := func(o MouseOptions, want string) {
				t.Helper()
				s.Evaluate(t.Context(), "log.length = 0", Element{})
				if _, err := s.Mouse(t.Context(), o); err != nil {
					t.Fatalf("%+v: %v", o, err)
				}
				s.Rest(t.Context())
				got := s.value("log.join(' ')")
				if !strings.Contains(got, want) {
					t.Errorf("%+v: %s; want %s", o, got, want)
				}
			}
			do(MouseOptions{Action: "click", X: 50, Y: 60}, "mousedown0@50,60 mouseup0@50,60 click0@50,60")
			do(MouseOptions{Action: "click", X: 50, Y: 60, Count: 2}, "dblclick0")
			do(MouseOptions{Action: "click", X: 50, Y: 60, Button: "right"}, "contextmenu2")
			do(MouseOptions{Action: "drag", X: 50, Y: 60, ToX: 200, ToY: 160}, "mouseup0@200,160")
			do(MouseOptions{Action: "down", X: 50, Y: 60}, "mousedown0")
			do(MouseOptions{Action: "move", X: 90, Y: 60}, "move1")
			do(MouseOptions{Action: "up", X: 90, Y: 60}, "mouseup0@90,60")
			do(MouseOptions{Action: "wheel", X: 50, Y: 60, ToY: 300}, "wheel300")
			if got := s.value("scrollY"); got != "300" {
				t.Errorf("the wheel scrolled to %s", got)
			}
			for _, bad := range []MouseOptions{{Action: "click", X: 9000, Y: 1}, {Action: "wheel"}, {Action: "fly"}, {Action: "click", Button: "third"}} {
				if _, err := s.Mouse(t.Context(), bad); err == nil {
					t.Errorf("%+v: no error", bad)
				}
			}
		})
	}
}

// dragKinds has one of each way in which libraries drag: by the mouse with a
// threshold and moves that are looked at in a frame, by pointers after a press
// that lasts, and with a DataTransfer whose target is found in a timer.
const dragKinds = `<style>.b{position:absolute;width:80px;height:60px;border:1px solid;user-select:none;touch-action:none}</style>
<div id=mouse class=b style="left:10px;top:10px">Mouse</div><div id=hold class=b style="left:10px;top:110px">Hold</div>
<div id=data class=b style="left:10px;top:210px" draggable=true>Data</div><div id=goal class=b style="left:400px;top:200px;width:200px;height:200px">Goal</div>
<div id=lazy class=b style="left:700px;top:10px">Lazy</div><p id=said></p>
<script>
let held = null, at = null, hover = null;
mouse.onmousedown = e => held = {x: e.clientX, y: e.clientY, on: false, moves: 0};
onmousemove = e => { if (!held) return; if (!held.on) { held.on = Math.hypot(e.clientX - held.x, e.clientY - held.y) > 5; return }
  held.moves++; requestAnimationFrame(() => hover = document.elementsFromPoint(e.clientX, e.clientY).includes(goal)) };
onmouseup = e => { if (held?.on && hover && held.moves > 1) goal.append(mouse), said.textContent += "mouse@" + Math.round(e.clientX) + "," + Math.round(e.clientY) + " "; held = null };
let timer, lifted = false;
hold.onpointerdown = () => timer = setTimeout(() => lifted = true, 200);
addEventListener("pointermove", () => { if (!lifted) clearTimeout(timer) });
addEventListener("pointerup", e => { clearTimeout(timer); if (lifted && document.elementsFromPoint(e.clientX, e.clientY).includes(goal)) goal.append(hold), said.textContent += "hold "; lifted = false });
let over = 0, found = false;
data.ondragstart = e => e.dataTransfer.setData("text/plain", "d");
goal.ondragenter = e => e.preventDefault();
goal.ondragover = e => { e.preventDefault(); e.dataTransfer.dropEffect = "copy"; if (!over) { over = 1; setTimeout(() => found = true, 30) } };
goal.ondrop = e => { e.preventDefault(); said.textContent += "data:" + found + " " };
</script>`

func TestB80DragsOfEveryKind(t *testing.T) {
	for name, open := range map[string]func(testing.TB, string) *stage{"front": open, "hidden": openHidden} {
		t.Run(name, func(t *testing.T) {
			s := open(t, dragKinds)
			drag := func(from string, o DragOptions) Done {
				t.Helper()
				d, err := s.Drag(t.Context(), Element{Selector: from}, Element{Selector: "#goal"}, o)
				if err != nil {
					t.Fatal(err)
				}
				s.Rest(t.Context())
				return d
			}
			if d := drag("#mouse", DragOptions{}); d.Outcome != Happened {
				t.Errorf("%+v", d)
			}
			s.is("said.textContent", `"mouse@501,301 "`) // the middle, and not beyond
			if d := drag("#hold", DragOptions{}); d.Outcome != Happened {
				t.Errorf("%+v", d)
			}
			if d := drag("#data", DragOptions{}); d.Outcome != Happened {
				t.Errorf("%+v", d)
			}
			s.is("said.textContent", `"mouse@501,301 hold data:true "`)
			if d := drag("#lazy", DragOptions{}); d.Outcome != Unknown {
				t.Errorf("%+v", d)
			}
			s.Evaluate(t.Context(), "document.body.append(mouse); said.textContent = ''", Element{})
			drag("#mouse", DragOptions{At: &Offset{5, 5}, ToAt: &Offset{20, 30}})
			s.is("said.textContent", `"mouse@420,230 "`)
		})
	}
}

func TestB80DragIntoFrame(t *testing.T) {
	s := open(t, "")
	inner := `<body style="margin:0"><div id=zone style="width:200px;height:150px;background:#eee">Zone</div><script>
let n = 0, at = 0; zone.ondragenter = e => e.preventDefault(); zone.ondragover = e => { e.preventDefault(); n++; at ||= performance.now() };
zone.ondrop = e => { e.preventDefault(); zone.textContent = "got " + e.dataTransfer.getData("text/plain") + " " + (n > 1 && performance.now() - at > 10) }</script>`
	s.site.page("/inner", inner)
	for _, address := range []string{s.site.URL + "/inner", s.site.other("/inner")} {
		s.visit(s.site.page("/outer"+strings.ReplaceAll(strings.ReplaceAll(address, "/", ""), ":", ""), `<div id=block draggable=true style="width:80px;height:40px">Block</div><iframe src="`+address+`" width=300 height=200></iframe>
<script>block.ondragstart = e => e.dataTransfer.setData("text/plain", "block")</script>`))
		d, err := s.Drag(t.Context(), Element{Selector: "#block"}, Element{Selector: "#zone"}, DragOptions{})
		if err != nil || d.Outcome != Happened {
			t.Errorf("%s: %+v %v", address, d, err)
		}
		if got, err := s.Evaluate(t.Context(), "this.textContent", Element{Selector: "#zone"}); err != nil || !strings.Contains(got.Text, "got block true") {
			t.Errorf("%s: %s %v", address, got.Text, err)
		}
	}
}
