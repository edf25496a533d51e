package e2e

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestB26Find(t *testing.T) {
	t.Parallel()
	s := newSite(t, table(300)+`<iframe src="/in" title="Inner" width=400 height=200></iframe><iframe src="ORIGIN/in2" width=400 height=200></iframe><iframe src="/secret" style="display:none"></iframe>`)
	s.page("/in", `<h2>Framed words</h2><button>Deep Order</button>`).page("/in2", `<p>Far away</p><button onclick="this.textContent='pressed'">Other order</button>`).page("/secret", `<p>hidden order</p>`)
	a := newAgent(t)
	a.open(s.URL)
	an := a.ok("browser_find", args{"text": "customer 250"}).has("1 match", "table", "Customer 250", "Town").lacks("Customer 30\n")
	a.ok("browser_click", args{"ref": an.ref(`"Open 250"`)}).has("row 250")
	a.ok("browser_find", args{"text": "Customer 250", "context": 0}).has("Customer 250").lacks("Customer 249", "Customer 251")
	a.ok("browser_find", args{"regex": `/CUSTOMER 29[0-2]\b/i`}).has("3 matches", "Customer 290", "Customer 292")
	a.ok("browser_find", args{"regex": `CUSTOMER 29`}).has("nothing found")
	a.ok("browser_find", args{"text": "no such words"}).has("nothing found")
	a.ok("browser_find", args{"regex": `/(deep|other) order/i`}).has("2 matches", `iframe "Inner"`, "Deep Order").lacks("hidden order")
	an = a.ok("browser_find", args{"text": "Other order"})
	a.ok("browser_click", args{"ref": an.ref("button", "Other order")}).has("pressed")
	many := a.ok("browser_find", args{"text": "Customer"}).has("more matches not shown")
	if len(many.text) > 40_000 {
		t.Fatalf("a search that finds much has %d bytes", len(many.text))
	}
	a.fails("browser_find", args{"regex": "("}).has("error:", "regex", "hint:")
	a.fails("browser_find", nil).has("error:", "text or regex")
	a.fails("browser_find", args{"text": "a", "regex": "b"}).has("both")
	a.fails("browser_find", args{"text": "a", "context": -1}).has("context")
}

// TestB26FindSeesWhatCame holds that a search knows what only Chrome can tell,
// also of what came since the page was looked at, in frames as well.
func TestB26FindSeesWhatCame(t *testing.T) {
	page := `<h1>here</h1><div id=app></div><script>
		const came = (name) => {
			const word = document.createElement("div");
			word.textContent = name + " word"; word.style.width = "90px";
			word.addEventListener("click", () => word.textContent = name + " pressed");
			const host = document.createElement("x-box");
			const root = host.attachShadow({mode: "closed"});
			root.innerHTML = "<div style='width:90px'>" + name + " secret</div>";
			root.firstChild.addEventListener("click", () => root.firstChild.textContent = name + " opened");
			app.append(word, host);
		}; came("first")</script>`
	inPlaces(t, `<h1>empty</h1>`, func(t *testing.T, a *agent, _ answer) {
		s := newSite(t, page).page("/around", `<iframe src="/" width=400 height=200></iframe>`)
		for _, path := range []string{"/", "/around"} {
			a.ok("browser_navigate", args{"url": s.URL + path, "snapshot": "none", "waitUntil": "load"})
			for _, name := range []string{"first", "second"} {
				if name != "first" {
					a.ok("browser_evaluate", args{"script": `(frames[0] ?? window).eval("came('` + name + `')")`})
				}
				ref := a.ok("browser_find", args{"text": name + " word"}).ref(name + " word")
				a.ok("browser_click", args{"ref": ref, "snapshot": "none"})
				a.ok("browser_find", args{"text": name + " pressed"}).has("1 match")
				ref = a.ok("browser_find", args{"text": name + " secret"}).ref(name + " secret")
				a.ok("browser_click", args{"ref": ref, "snapshot": "none"})
				a.ok("browser_find", args{"text": name + " opened"}).has("1 match")
			}
		}
	})
}

func TestB23ThousandRowsFound(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open(newSite(t, table(1000)).URL)
	an := a.ok("browser_find", args{"text": "Customer 500"}).has("1 match", "Town")
	a.ok("browser_click", args{"ref": an.ref(`"Open 500"`)}).has("row 500")
}

var boxPattern = regexp.MustCompile(`\[box=([-\d.]+),([-\d.]+),([-\d.]+),([-\d.]+)\]`)

func TestB18Boxes(t *testing.T) {
	inPlaces(t, `<body style="margin:0;height:3000px"><button style="position:absolute;left:20px;top:30px;width:100px;height:40px">Top</button>
		<div style="position:absolute;left:10px;top:200px;height:100px;width:300px;overflow:auto" id=sc><div style="height:50px"></div><button style="display:block;margin:0;width:90px;height:30px" onclick="this.textContent = 'hit ' + this.textContent">Scrolled</button><div style="height:500px"></div></div>
		<iframe src="/in" style="position:absolute;left:50px;top:400px;border:5px solid;padding:7px;width:500px;height:300px"></iframe>`,
		func(t *testing.T, a *agent, first answer) {
			a.ok("browser_evaluate", args{"script": "scrollTo(0, 100); sc.scrollTop = 20; 1"})
			check := func(an answer, name string, want ...float64) {
				t.Helper()
				m := boxPattern.FindStringSubmatch(an.line(name))
				if m == nil {
					t.Fatalf("no box: %s", an.line(name))
				}
				for i, w := range want {
					if got, _ := strconv.ParseFloat(m[i+1], 64); got != w {
						t.Errorf("%s: box %v, want %v", name, m[1:], want)
						return
					}
				}
			}
			an := a.ok("browser_snapshot", args{"boxes": true})
			check(an, `"Top"`, 20, -70, 100, 40)
			check(an, `"Scrolled"`, 10, 130, 90, 30)
			a.ok("browser_mouse", args{"action": "click", "x": 10 + 45, "y": 130 + 15}).has("hit Scrolled")
		})
}

func TestB18BoxesInFrames(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<body style="margin:0;height:3000px"><iframe src="/in" style="position:absolute;left:50px;top:400px;border:5px solid;padding:7px;width:500px;height:300px"></iframe>
		<iframe src="ORIGIN/deep" style="position:absolute;left:50px;top:800px;border:0;width:400px;height:300px;transform:scale(.5);transform-origin:0 0"></iframe>`)
	s.page("/in", `<body style="margin:0;height:2000px"><button style="position:absolute;left:3px;top:150px;width:60px;height:20px">Inner</button><script>scrollTo(0, 100)</script>`)
	s.page("/deep", `<body style="margin:0"><iframe srcdoc="<body style='margin:0'><button style='position:absolute;left:10px;top:10px;width:60px;height:20px'>Deepest</button>" style="position:absolute;left:20px;top:40px;border:0"></iframe>`)
	a := newAgent(t)
	a.open(s.URL).has("Inner", "Deepest")
	a.ok("browser_evaluate", args{"script": "scrollTo(0, 250); 1"})
	an := a.ok("browser_snapshot", args{"boxes": true})
	for name, want := range map[string]string{`"Inner"`: "[box=65,212,60,20]", `"Deepest"`: "[box=65,575,30,10]"} {
		an.line(name, want)
	}
}

func TestB17SnapshotOptions(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<nav aria-label="Menu"><a href="/one">One</a><a href="ORIGIN/two?x=1">Two</a></nav><main><h1>Title</h1><p>Some text</p><section aria-label="Part"><ul><li>a<ul><li>b<button>Deep</button></li></ul></li></ul></section>
		<div class=wrap><div><span>plain</span></div></div><iframe src="/in"></iframe></main>`).page("/in", `<p>framed</p><button>Inner</button>`)
	a := newAgent(t)
	an := a.open(s.URL)
	part := a.ok("browser_snapshot", args{"ref": an.ref(`"Part"`)})
	part.has(`"Deep"`).lacks("Title", "Menu", "framed")
	shallow := a.ok("browser_snapshot", args{"depth": 1}).has(`"Menu"`, "inside").lacks(`"Deep"`, "Inner")
	if len(shallow.text) >= len(an.text) {
		t.Fatal("a snapshot of one level is not shorter")
	}
	a.ok("browser_snapshot", args{"interactive": true}).has(`"Deep"`, `"One"`, "Inner").lacks("Some text", "framed")
	a.ok("browser_snapshot", args{"urls": true}).has("url=/one", s.other()+"/two?x=1")
	all := a.ok("browser_snapshot", args{"all": true})
	if strings.Count(all.text, "[e") <= strings.Count(an.text, "[e") {
		t.Fatal("all tells no more elements")
	}
	a.fails("browser_snapshot", args{"ref": "e9999"}).has("error:", "e9999", "hint:")
	a.fails("browser_snapshot", args{"ref": "f9e1"}).has("error:", "hint:")
	a.fails("browser_snapshot", args{"ref": "button"}).has("error:", "button", "hint:")
	a.fails("browser_snapshot", args{"depth": 0}).has("depth")
	framed := a.ok("browser_snapshot", args{"ref": an.ref("iframe")}).has("framed", "Inner")
	a.ok("browser_click", args{"ref": framed.ref("Inner")})
}

func TestB27Diff(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<h1>List</h1><button>Keep</button><ul id=list><li>one</li></ul>`+strings.Repeat("<p>filler</p>", 30))
	a := newAgent(t)
	ref := a.open(s.URL).ref("Keep")
	a.ok("browser_snapshot", args{"diff": true}).has("no changes").lacks("filler")
	a.ok("browser_evaluate", args{"script": `list.insertAdjacentHTML("beforeend", "<li>two <button>New</button></li>"); document.querySelector("h1").textContent = "Lists"; 1`})
	an := a.ok("browser_snapshot", args{"diff": true}).has("changes:", "New", `"Lists"`).lacks("filler", "Keep")
	a.ok("browser_snapshot", nil).has("filler", "["+ref+"]", "["+an.ref("New")+"]")
	a.ok("browser_snapshot", args{"diff": true}).has("no changes")
}

func TestB24PagesOfASnapshot(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	an := a.open(newSite(t, table(5000)+`<p>the very end</p>`).URL)
	next := regexp.MustCompile(`offset=(\d+)`)
	seen := map[string]bool{}
	parts, last := 0, 0
	for ; ; parts++ {
		for _, row := range regexp.MustCompile(`Customer (\d+)`).FindAllStringSubmatch(an.text, -1) {
			seen[row[1]] = true
		}
		m := next.FindStringSubmatch(an.text)
		if m == nil {
			break
		}
		offset, _ := strconv.Atoi(m[1])
		if offset <= last {
			t.Fatalf("offset %d leads to offset %d:\n%s", last, offset, an.text[max(0, len(an.text)-400):])
		}
		last = offset
		an = a.ok("browser_snapshot", args{"offset": offset})
	}
	an.has("the very end")
	for i := 1; i <= 5000; i++ {
		if !seen[fmt.Sprint(i)] {
			t.Fatalf("row %d is in none of %d parts", i, parts+1)
		}
	}
}
