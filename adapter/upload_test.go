package adapter

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "golang.org/x/image/webp"
)

const uploadPage = `<input type=file id=one><input type=file multiple id=many><p id=said></p><script>
for (const f of [one, many]) f.onchange = async () => { said.textContent = f.id; for (const x of f.files) said.textContent += " " + x.name + ":" + x.size + ":" + x.type + ":" + [...new Uint8Array(await x.arrayBuffer())].reduce((a, b) => (a * 31 + b) % 65521, 7) }</script>`

// TestB44ContentGoesThroughThePage is the way where the browser does not let the
// extension hand over files.
func TestB44ContentGoesThroughThePage(t *testing.T) {
	root := t.TempDir()
	sum := map[string]string{}
	write := func(name string, size int) {
		data := bytes.Repeat([]byte("0123456789abcdefghij\xff"), size/21+1)[:size]
		a := 7
		for _, b := range data {
			a = (a*31 + int(b)) % 65521
		}
		sum[name] = string(marshal(a))
		if err := os.WriteFile(filepath.Join(root, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("empty.txt", 0)
	write("small.json", 100)
	write("large.png", 3<<20+17)
	for _, through := range []bool{false, true} {
		b := newBrowser(t, Options{Roots: []string{root}})
		b.handOver = through
		s := openIn(t, b, uploadPage, true)
		told := 0
		ctx := WithProgress(t.Context(), func(float64, float64, string) { told++ })
		d, err := s.Upload(ctx, Element{Selector: "#many"}, []string{"empty.txt", "small.json", "large.png"})
		if err != nil {
			t.Fatal(err)
		}
		if d.Value != "empty.txt, small.json, large.png" {
			t.Errorf("it has %q", d.Value)
		}
		if err := s.Wait(t.Context(), WaitOptions{Predicate: "said.textContent.split(' ').length === 4"}); err != nil {
			t.Fatal(err)
		}
		got := s.value("said.textContent")
		for _, want := range []string{"empty.txt:0:text/plain:" + sum["empty.txt"], "small.json:100:application/json:" + sum["small.json"], "large.png:3145745:image/png:" + sum["large.png"]} {
			if !strings.Contains(got, want) {
				t.Errorf("through the page %v: %s, want %s", through, got, want)
			}
		}
		if through && told < 4 {
			t.Errorf("progress was told %d times", told)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ctx = WithProgress(ctx, func(float64, float64, string) { cancel() })
		if _, err := s.Upload(ctx, Element{Selector: "#one"}, []string{"large.png"}); through && err == nil {
			t.Error("an upload that was given up went on")
		}
		cancel()
	}
}

func TestB44FiftyMegabytesGoThroughThePage(t *testing.T) {
	root := t.TempDir()
	data := bytes.Repeat([]byte("0123456789abcdef"), parcelLimit/16)
	data[len(data)-1] = 'z'
	if err := os.WriteFile(filepath.Join(root, "most.bin"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "more.bin"), append(data, 0), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, Options{Roots: []string{root}})
	b.handOver = true
	s := openIn(t, b, `<input type=file id=one><p id=said></p><script>one.onchange = async () => {
		const [file] = one.files, hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
		said.textContent = file.size + " " + Array.from(hash, (b) => b.toString(16).padStart(2, "0")).join("") }</script>`, true)
	ctx, cancel := WithLimit(t.Context(), 2*time.Minute)
	defer cancel()
	if _, err := s.Upload(ctx, Element{Selector: "#one"}, []string{"more.bin"}); err == nil || !strings.Contains(err.Error(), "50 MB") {
		t.Errorf("a file that is too large: %v", err)
	}
	if _, err := s.Upload(ctx, Element{Selector: "#one"}, []string{"most.bin"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(ctx, WaitOptions{Predicate: "said.textContent"}); err != nil {
		t.Fatal(err)
	}
	s.is("said.textContent", fmt.Sprintf(`"%d %x"`, parcelLimit, sha256.Sum256(data)))
}

func TestB57Labels(t *testing.T) {
	s := open(t, `<body style="margin:0;background:#fff"><button style="position:absolute;left:100px;top:100px;width:80px;height:30px">Save</button>`)
	before := s.value("document.documentElement.outerHTML")
	for _, format := range []string{"png", "jpeg", "webp"} {
		img, err := s.Screenshot(t.Context(), ScreenshotOptions{Labels: true, Format: format, Quality: 100})
		if err != nil {
			t.Fatal(format, err)
		}
		s.is("document.documentElement.outerHTML", before)
		pic, got, err := image.Decode(bytes.NewReader(img.Data))
		if err != nil || got != format || img.MIME != "image/"+format || pic.Bounds().Dx() != img.Width {
			t.Fatalf("%s: %v: it is %s of %v, said to be %s of %d", format, err, got, pic.Bounds(), img.MIME, img.Width)
		}
		// Those that lose something blur a line of one pixel; the label's ground is wider.
		near := func(c uint32, want int) bool { return int(c>>8) > want-40 && int(c>>8) < want+40 }
		if r, g, b, _ := pic.At(101, 89).RGBA(); !near(r, 0xd5) || !near(g, 0x1f) || !near(b, 0x2d) {
			t.Errorf("%s: no label at the element: %x %x %x", format, r>>8, g>>8, b>>8)
		}
		if r, g, b, _ := pic.At(140, 100).RGBA(); format == "png" && (r>>8 != 0xd5 || g>>8 != 0x1f || b>>8 != 0x2d) {
			t.Errorf("no box at the element: %x %x %x", r>>8, g>>8, b>>8)
		}
	}
}
