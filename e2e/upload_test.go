package e2e

import (
	"os"
	"path/filepath"
	"testing"
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
