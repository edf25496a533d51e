package e2e

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestB44FileChooser(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"a.txt": "alpha", "b.txt": "beta"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	secret := filepath.Join(outside, "secret.txt")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(root, "link.txt")); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, `<input type=file id=one aria-label="One"><input type=file multiple id=many style="display:none">
		<button onclick="many.click()">Attach</button><button onclick="setTimeout(() => one.click(), 100)">Later</button><p id=said>-</p><script>
		for (const f of [one, many]) { f.onchange = async () => { said.textContent = f.id + ":"; for (const x of f.files) said.textContent += " " + x.name + "=" + await x.text() };
			f.oncancel = () => said.textContent = f.id + " cancelled" }</script>`).
		page("/frame", `<h1>around</h1><iframe src="ORIGIN/" width=600 height=300></iframe>`).page("/front", frontPage)
	for _, place := range places {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			a := own(t, "--root", root).agent(t)
			if place == "background" {
				a.ok("browser_tab_open", args{"url": s.URL + "/front", "front": true})
			}
			an := a.ok("browser_tab_open", args{"url": s.URL, "front": place == "front"})
			a.fails("browser_upload", args{"files": []string{"a.txt"}}).has("error:", "no file chooser", "hint:")
			a.ok("browser_click", args{"ref": an.ref(`"One"`)}).has("chooser:", "one file")
			a.ok("browser_upload", args{"files": []string{"a.txt"}}).lacks("chooser:")
			a.ok("browser_wait", args{"text": "one: a.txt=alpha"})
			a.ok("browser_click", args{"ref": an.ref("button", "Attach")}).has("chooser:", "files")
			a.ok("browser_snapshot", nil).has("chooser:")
			a.fails("browser_upload", args{"files": []string{secret}}).has("error:", "outside the allowed folders", "hint:", "chooser:")
			a.fails("browser_upload", args{"files": []string{filepath.Join(root, "..", filepath.Base(outside), "secret.txt")}}).has("outside the allowed folders")
			a.fails("browser_upload", args{"files": []string{"link.txt"}}).has("error:", "outside the allowed folders")
			a.fails("browser_upload", args{"files": []string{"missing.txt"}}).has("error:", "missing.txt")
			a.ok("browser_upload", args{"files": []string{"a.txt", filepath.Join(root, "b.txt")}})
			a.ok("browser_wait", args{"text": "many: a.txt=alpha b.txt=beta"})
			a.ok("browser_click", args{"ref": an.ref("button", "Attach")}).has("chooser:")
			a.ok("browser_upload", args{"files": []string{}}).has("many cancelled").lacks("chooser:")
			a.ok("browser_click", args{"ref": an.ref("button", "Later")}).has("chooser:")
			a.fails("browser_upload", args{"files": []string{"a.txt", "b.txt"}}).has("error:", "one file only")
			a.ok("browser_upload", nil).has("one cancelled")
			a.ok("browser_upload", args{"ref": an.ref(`"One"`), "files": []string{"b.txt"}})
			a.ok("browser_wait", args{"text": "one: b.txt=beta"})
			a.fails("browser_upload", args{"ref": an.ref("button", "Later"), "files": []string{"b.txt"}}).has("error:", "takes no files")
			framed := a.ok("browser_navigate", args{"url": s.URL + "/frame"}).lacks("chooser:")
			a.ok("browser_click", args{"ref": framed.ref("button", "Attach")}).has("chooser:")
			a.ok("browser_upload", args{"files": []string{"a.txt"}})
			a.ok("browser_wait", args{"text": "many: a.txt=alpha"})
		})
	}
}

func TestB44NoRoots(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	an := a.open(newSite(t, `<input type=file aria-label="One">`).URL)
	a.fails("browser_upload", args{"ref": an.ref(`"One"`), "files": []string{"/etc/passwd"}}).has("error:", "hint:", "--root")
	a.fails("browser_upload", args{"files": "x"}).has("files")
}

// TestB44LargeFiles holds what goes through the page, as files that are dropped
// always do: up to 50 MB. Chrome itself may read larger ones.
func TestB44LargeFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	const most = 50 << 20
	data := make([]byte, most+1)
	for i := range data {
		data[i] = byte(i * i >> 8)
	}
	for name, size := range map[string]int{"most.bin": most, "more.bin": most + 1} {
		if err := os.WriteFile(filepath.Join(root, name), data[:size], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := own(t, "--root", root).agent(t)
	a.open(newSite(t, `<input type=file id=one><div id=zone role=group aria-label=Zone style="width:200px;height:90px" ondragover="event.preventDefault()"
		ondrop="event.preventDefault(); tell(event.dataTransfer.files[0])">Zone</div><p id=said>-</p><script>one.onchange = () => tell(one.files[0]);
		const tell = async (f) => { const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", await f.arrayBuffer()));
			said.textContent = f.name + " " + f.size + " " + [...sum].map(b => b.toString(16).padStart(2, "0")).join("") }</script>`).URL)
	said := func(name string, size int) args {
		return args{"text": fmt.Sprintf("%s %d %x", name, size, sha256.Sum256(data[:size])), "timeoutMs": 40000}
	}
	an := a.ok("browser_drop", args{"selector": "#zone", "files": []string{"most.bin"}})
	t.Logf("50 MB took %s", an.took)
	a.ok("browser_wait", said("most.bin", most))
	a.fails("browser_drop", args{"selector": "#zone", "files": []string{"more.bin"}}).has("error:", "50 MB", "hint:").within(3 * time.Second)
	a.fails("browser_drop", args{"selector": "#zone", "files": []string{"most.bin", "more.bin"}}).has("error:", "100 MB", "hint:")
	an = a.ok("browser_upload", args{"selector": "#one", "files": []string{"more.bin"}})
	t.Logf("by Chrome itself: %s", an.took)
	a.ok("browser_wait", said("more.bin", most+1))
}
