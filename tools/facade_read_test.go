package tools

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFacadeHTML(t *testing.T) {
	long := strings.Repeat("wörter ", 60)
	base := site(t, map[string]string{"/{$}": `<!doctype html><title>H</title><main id=m class="a b"><ul><li>One <b>bold</b></li><li>Two</li></ul>
<p title="say &quot;hi&quot;">` + long + `</p><br><script>var x = 1 < 2</script></main>`, "/many": manyParagraphs(4000)})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	whole := f.ok("browser_inspect", args{"action": "get_html"}).is("truncated", false)
	has(t, whole.str("text"), "<html>", "<title>H</title>", `<main id="m" class="a b">`, "<li>One <b>bold</b></li>", `title="say &quot;hi&quot;"`, "…</p>", "<br>")
	if whole.num("returned_bytes") != len(whole.str("text")) || whole.num("total_bytes_estimate") != len(whole.str("text")) {
		t.Errorf("bytes are told wrong: %s", whole.text)
	}
	part := f.ok("browser_inspect", args{"action": "get_html", "selector": "#m", "max_depth": 1})
	has(t, part.str("text"), "<ul>", "deeper -->")
	lacks(t, part.str("text"), "<li>", "<html>")
	part = f.ok("browser_inspect", args{"action": "get_html", "selector": "#m", "collapse_depth": 1})
	has(t, part.str("text"), "<ul><!-- 3 elements: 2 li, 1 b; One bold", "--></ul>")
	part = f.ok("browser_inspect", args{"action": "get_html", "selector": "#m p", "ellipsize_text_after": 10})
	has(t, part.str("text"), ">wörter wör…</p>")
	part = f.ok("browser_inspect", args{"action": "get_html", "selector": "#m p", "ellipsize_text_after": 0})
	has(t, part.str("text"), strings.TrimSpace(long))
	f.fails("browser_inspect", args{"action": "get_html", "selector": "#none"}, "#none").is("data.kind", "ElementNotFound")

	f.ok("browser_navigate", args{"action": "goto", "url": base + "/many"})
	cut := f.ok("browser_inspect", args{"action": "get_html"}).is("truncated", true)
	if n := len(cut.str("text")); n > 128_000 || n < 127_990 || cut.num("returned_bytes") != n || cut.num("total_bytes_estimate") <= n || !utf8.ValidString(cut.str("text")) {
		t.Errorf("%d bytes of %d", n, cut.num("total_bytes_estimate"))
	}
}

func manyParagraphs(n int) string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Many</title>")
	for i := range n {
		fmt.Fprintf(&b, "<p>paragraph %d of ä long pagé</p>", i)
	}
	return b.String()
}

func TestFacadeInspect(t *testing.T) {
	base := site(t, map[string]string{"/{$}": facadeForm, "/frame": `<iframe srcdoc="<a href=/x>in a frame</a>"></iframe>`})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	f.ok("browser_inspect", args{"action": "exists", "selector": "#save"}).is("data.exists", true).is("data.visible", true)
	f.ok("browser_inspect", args{"action": "exists", "selector": "#late"}).is("data.exists", true).is("data.visible", false)
	f.ok("browser_inspect", args{"action": "exists", "selector": "#nothing"}).is("data.exists", false)
	f.ok("browser_inspect", args{"action": "exists", "selector": "text=Hover me"}).is("data.exists", true)
	f.ok("browser_inspect", args{"action": "exists", "ref": "e999"}).is("data.exists", false)
	f.ok("browser_inspect", args{"action": "get_attribute", "selector": "#next", "attribute": "href"}).is("data.value", "/second")
	f.ok("browser_inspect", args{"action": "get_attribute", "selector": "#next", "attribute": "data-kind"}).is("data.value", "link")
	none := f.ok("browser_inspect", args{"action": "get_attribute", "selector": "#next", "attribute": "rel"})
	has(t, none.text, `"value":null`)
	f.ok("browser_interact", args{"action": "type", "selector": "#name", "text": "x", "clear": true})
	f.ok("browser_inspect", args{"action": "get_attribute", "selector": "#name", "attribute": "value"}).is("data.value", "x")
	lacks(t, f.ok("browser_inspect", args{"action": "get_attribute", "selector": "#secret", "attribute": "value"}).text, "hush")
	lacks(t, f.ok("browser_inspect", args{"action": "get_html"}).text, "hush")
	f.fails("browser_inspect", args{"action": "get_attribute", "selector": "#none", "attribute": "x"}, "#none")
	f.ok("browser_navigate", args{"action": "goto", "url": base + "/frame"})
	f.ok("browser_inspect", args{"action": "get_attribute", "selector": "a", "attribute": "href"}).is("data.value", "/x")
	// Frames are empty in a whole page, and can be asked for.
	whole := f.ok("browser_inspect", args{"action": "get_html"}).is("data.frames", 1)
	lacks(t, whole.str("text"), ">in a frame<")
	has(t, whole.str("data.note"), "frames")
	f.ok("browser_inspect", args{"action": "get_html", "selector": "a"}).is("text", `<a href="/x">in a frame</a>`)
	f.ok("browser_extract", args{"action": "get_text", "selector": "a"}).is("text", "a: in a frame")
	f.ok("browser_extract", args{"action": "get_text"}).is("data.frames", 1)
	f.fails("browser_inspect", args{"action": "get_html", "selector": "a["}, "CSS")
}

func TestFacadeText(t *testing.T) {
	base := site(t, map[string]string{"/{$}": `<!doctype html><title>T</title><script>var no</script><h1 id=title>Welcome to Our Site</h1>
<p class=intro>This is <b>the</b> <a href=#>introduction</a> text.</p>
<div class=content>before<section><p>inner</p></section>after</div>
<nav><a class=x href=#>Home</a> <a class=x href=#>About</a></nav>
<div style="display:none">hidden</div><div style="visibility:hidden">invisible</div>
<p id=long>` + strings.Repeat("é", 300) + `</p><input id=f value=typed>`})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	f.ok("browser_extract", args{"action": "get_text"}).is("truncated", false).is("text", `h1#title: Welcome to Our Site
p.intro: This is the introduction text.
div.content: before
p: inner
div.content: after
a.x: Home
a.x: About
p#long: `+strings.Repeat("é", 128)+`…
input#f: typed`)
	f.ok("browser_extract", args{"action": "get_text", "selector": ".intro", "include_tag_names": false}).is("text", "This is the introduction text.")
	has(t, f.ok("browser_extract", args{"action": "get_text", "skip_hidden": false}).str("text"), "div: hidden", "div: invisible")
	f.ok("browser_extract", args{"action": "get_text", "selector": ".content", "max_depth": 0}).is("text", "div.content: beforeafter")
	f.ok("browser_extract", args{"action": "get_text", "selector": "#long", "ellipsize_text_after": 3}).is("text", "p#long: ééé…")
	f.fails("browser_extract", args{"action": "get_text", "selector": "#none"}, "#none")
}

func TestFacadeChunks(t *testing.T) {
	base := site(t, map[string]string{"/{$}": manyParagraphs(2500)})
	f := newNineTools(t, Options{})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	plain := f.ok("browser_extract", args{"action": "get_text"}).is("truncated", true)
	if n := plain.num("returned_bytes"); n > 64_000 || n < 63_990 {
		t.Errorf("%d bytes", n)
	}
	var got strings.Builder
	ask := args{"action": "get_text", "use_chunking": true, "length": 7001}
	total, first := 0, ""
	for range 100 {
		v := f.ok("browser_extract", ask)
		part := v.str("text")
		if !utf8.ValidString(part) || v.num("chunk_start") != got.Len() || v.num("chunk_end") != got.Len()+len(part) || v.num("returned_bytes") != len(part) {
			t.Fatalf("a bad chunk: %.300s", v.text)
		}
		got.WriteString(part)
		total = v.num("total_bytes_estimate")
		if v.num("remaining_bytes") != total-got.Len() {
			t.Fatalf("%d remain of %d after %d", v.num("remaining_bytes"), total, got.Len())
		}
		first = v.str("snapshot_checksum")
		if v.at("next_offset") == nil {
			break
		}
		ask["offset"], ask["snapshot_checksum"] = v.num("next_offset"), first
	}
	if got.Len() != total || strings.Count(got.String(), "\n") != 2499 || !strings.HasSuffix(got.String(), "p: paragraph 2499 of ä long pagé") {
		t.Errorf("%d of %d bytes", got.Len(), total)
	}
	v := f.ok("browser_extract", args{"action": "get_text", "use_chunking": true})
	if n := v.num("returned_bytes"); n > 16_000 || n < 15_990 {
		t.Errorf("a chunk has %d bytes", n)
	}
	f.ok("browser_extract", args{"action": "get_text", "use_chunking": true, "offset": total}).is("text", "").is("remaining_bytes", 0)
	f.fails("browser_extract", args{"action": "get_text", "use_chunking": true, "offset": total + 1}, "beyond the end")
	f.ok("browser_execute", args{"action": "execute", "code": "document.querySelector('p').remove()"})
	f.fails("browser_extract", args{"action": "get_text", "use_chunking": true, "offset": 100, "snapshot_checksum": first}, "changed", "offset 0")
}

func TestFacadeLimits(t *testing.T) {
	base := site(t, map[string]string{"/{$}": manyParagraphs(200)})
	file := filepath.Join(t.TempDir(), "tabrelay.yaml")
	if err := os.WriteFile(file, []byte("mcp:\n  tool_limits:\n    global_max_bytes: 3000\n    defaults: {response_bytes: 900}\n    browser_get_text: {response_bytes: 2000, chunk_bytes: 500}\n    browser_get_html: {ellipsize_text_after: 5}\n    chunks: {default_chunk_size_bytes: 400, max_chunk_bytes: 700}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	config, _, err := ReadConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	f := newNineTools(t, Options{Settings: Settings{Config: config}})
	f.ok("browser_navigate", args{"action": "goto", "url": base})
	within := func(v reply, most int) {
		t.Helper()
		if n := v.num("returned_bytes"); n > most || n < most-3 {
			t.Errorf("%d bytes, not %d", n, most)
		}
	}
	within(f.ok("browser_extract", args{"action": "get_text"}), 2000)
	within(f.ok("browser_extract", args{"action": "get_text", "use_chunking": true}), 500)
	within(f.ok("browser_extract", args{"action": "get_text", "use_chunking": true, "length": 100_000}), 700)
	html := f.ok("browser_inspect", args{"action": "get_html"})
	within(html, 900)
	has(t, html.str("text"), "<p>parag…</p>")
	within(f.ok("browser_execute", args{"action": "evaluate", "code": "'x'.repeat(5000)", "use_chunking": true}), 400)

	var usual Config
	usual.complete()
	if l := usual.Limits; l.GlobalMax != 256_000 || l.Chunks.Max != 128_000 || l.Text != (textLimits{64_000, 16_000, 128}) ||
		l.Execute.Response != 32_000 || l.Evaluate.Chunk != 12_000 || l.HTML != (textLimits{128_000, 32_000, 128}) {
		t.Errorf("%+v", usual)
	}
}

func TestFacadePart(t *testing.T) {
	l := textLimits{Response: 5, Chunk: 4}
	for _, c := range []struct {
		text       string
		args       string
		want       string
		start, end int
	}{
		{"aä€😀", `{"offset": 0, "use_chunking": true}`, "aä", 0, 3},
		{"aä€😀", `{"offset": 3}`, "€", 3, 6},
		{"aä€😀", `{"offset": 6, "length": 1}`, "😀", 6, 10},
		{"aä€😀", `{"offset": 5, "length": 3}`, "€", 3, 6},
		{"aä€😀", `{"offset": 10}`, "", 10, 10},
		{"", `{"use_chunking": true}`, "", 0, 0},
	} {
		var a chunkArgs
		if err := json.Unmarshal([]byte(c.args), &a); err != nil {
			t.Fatal(err)
		}
		got, _, chunk, err := a.part(c.text, l, 100)
		if err != nil || got != c.want || *chunk.ChunkStart != c.start || *chunk.ChunkEnd != c.end {
			t.Errorf("%s of %q: %q %d %d %v", c.args, c.text, got, *chunk.ChunkStart, *chunk.ChunkEnd, err)
		}
	}
	got, size, _, _ := (&chunkArgs{}).part("aä€😀", l, 100)
	if got != "aä" || !*size.Truncated || *size.TotalBytes != 10 {
		t.Errorf("%q", got)
	}
}
