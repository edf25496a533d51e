package e2e

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestB59Content(t *testing.T) {
	t.Parallel()
	words := strings.Repeat("<p>The quick brown fox jumps over the lazy dog, and nobody minds, because it is what foxes do all day long, in summer and in winter.</p>", 12)
	s := newSite(t, `<title>Article</title><nav><a href="/home">Home page link</a></nav><article><h1>Foxes</h1><p>An <b>important</b> word and <a href="/more?x=1">a link</a>.</p>`+words+`
		<table><tr><th>Name<th>Age</tr><tr><td>Ada<td>36</tr><tr><td>Bob<td>41</tr></table><ul><li>one</li><li>two</li></ul><pre><code>x := 1</code></pre><p style="display:none">hidden words</p></article><footer>Imprint</footer>`)
	s.page("/app", `<title>App</title><h1>Dashboard</h1><div id=box><p>Small <i>text</i></p><table><tr><td>A<td>1</tr><tr><td>B<td>2</tr></table></div><my-box></my-box><iframe src="ORIGIN/in"></iframe>
		<script>document.querySelector("my-box").attachShadow({mode: "open"}).innerHTML = "<p>from the shadow</p>"</script>`).page("/in", `<p>from the frame</p><a href="/deep">Deep</a>`)
	s.page("/long", `<title>Long</title><ul>`+func() string {
		var b strings.Builder
		for i := range 3000 {
			b.WriteString("<li>entry number " + strconv.Itoa(i) + "</li>")
		}
		return b.String()
	}()+`</ul>`)
	a := newAgent(t)
	a.open(s.URL)
	a.ok("browser_content", nil).has("Foxes", "**important**", "[a link]("+s.URL+"/more?x=1)", "| Name | Age |", "| Ada | 36 |", "- one", "x := 1", "main content").lacks("hidden words", "Home page link", "<p>")
	a.ok("browser_content", args{"selector": "body"}).has("Home page link", "Imprint").lacks("hidden words")
	a.ok("browser_content", args{"selector": "table"}).has("| Bob | 41 |").lacks("Foxes")
	a.ok("browser_content", args{"format": "text"}).has("important word", "Imprint").lacks("**", "hidden words")
	a.ok("browser_content", args{"format": "html", "selector": "nav"}).has(`<a href="` + s.URL + `/home">Home page link</a>`)
	a.ok("browser_content", args{"format": "links"}).has("[Home page link]("+s.URL+"/home)", "/more?x=1)")
	a.fails("browser_content", args{"selector": ".none"}).has("error:", ".none", "hint:")
	a.fails("browser_content", args{"selector": "###"}).has("error:", "###")
	a.fails("browser_content", args{"format": "pdf"}).has("format", "markdown")
	a.ok("browser_navigate", args{"url": s.URL + "/app"})
	a.ok("browser_content", nil).has("# Dashboard", "*text*", "| A | 1 |", "from the shadow", "from the frame")
	a.ok("browser_content", args{"format": "links"}).has("[Deep](" + s.other() + "/deep)")
	a.ok("browser_navigate", args{"url": s.URL + "/long"})
	next := regexp.MustCompile(`offset=(\d+)`)
	an, whole, parts := a.ok("browser_content", nil), "", 1
	for ; parts < 20; parts++ {
		if len(an.text) > 24_000 {
			t.Fatalf("a part has %d bytes", len(an.text))
		}
		whole += an.text
		m := next.FindStringSubmatch(an.text)
		if m == nil {
			break
		}
		offset, _ := strconv.Atoi(m[1])
		an = a.ok("browser_content", args{"offset": offset})
	}
	for i := range 3000 {
		if !strings.Contains(whole, "entry number "+strconv.Itoa(i)+"\n") && i < 2999 {
			t.Fatalf("entry %d is in none of %d parts", i, parts)
		}
	}
	a.fails("browser_content", args{"offset": 10_000_000}).has("error:", "offset")
}
