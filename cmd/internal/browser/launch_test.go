package browser

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/extension"
)

func TestLaunchManagedConnectsAndEnds(t *testing.T) {
	for _, kind := range []string{"chromium", "chrome"} { // the second as if it were branded
		t.Run(kind, func(t *testing.T) { connectsAndEnds(t, kind) })
	}
}

func connectsAndEnds(t *testing.T, kind string) {
	s := testState(t)
	hellos := fakeRelay(t, s)
	o := Options{Browser: chromium(t), Headless: true, NoSandbox: true}
	o.Browser.Kind = kind
	for _, run := range []string{"new profile", "same profile again"} {
		start := time.Now()
		m, err := Launch(context.Background(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.Close)
		answered := time.Since(start)
		g := waitHello(t, hellos)
		t.Logf("%s: %s answered after %v, hello after %v", run, m.Product, answered, g.At.Sub(start))
		if g.Launch != m.Launch || g.Launch == "" {
			t.Errorf("hello says launch %q, want %q", g.Launch, m.Launch)
		}
		if want := "chrome-extension://" + extension.ID; g.Origin != want {
			t.Errorf("origin %q, want %q", g.Origin, want)
		}
		end := time.Now()
		m.Close()
		m.Close()
		t.Logf("closed after %v", time.Since(end))
		if m.exit != nil {
			t.Errorf("ended with %v", m.exit)
		}
		dir := filepath.Join(s.Dir, "profiles", kind+"-headless")
		if _, err := os.Lstat(filepath.Join(dir, "SingletonLock")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the profile is still marked as in use: %v", err)
		}
		if _, err := os.Stat(filepath.Join(dir, "Default")); err != nil {
			t.Errorf("the profile is not kept: %v", err)
		}
	}
}

// Both ways to load an extension, and what happens when a browser passes the
// flag over.
func TestLaunchLoadsExtension(t *testing.T) {
	for name, way := range map[string]int{"flag": loadByFlag, "pipe": loadByPipe} {
		t.Run(name, func(t *testing.T) {
			s := testState(t)
			hellos := fakeRelay(t, s)
			start := time.Now()
			m, err := startBare(context.Background(), launchOptions{
				Browser: chromium(t), Headless: true, NoSandbox: true, LoadWay: way,
				ProfileDir: t.TempDir(), ExtensionDir: smallExtension(t, pairingFor(s, shareAll, "by-"+name)),
			})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			answered := time.Since(start)
			g := waitHello(t, hellos)
			t.Logf("answered after %v, hello after %v", answered, g.At.Sub(start))
			if g.Launch != "by-"+name {
				t.Errorf("hello says %q", g.Launch)
			}
		})
	}
}

func TestLaunchAsRootWantsNoSandbox(t *testing.T) {
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("not root on Linux")
	}
	dir := filepath.Join(t.TempDir(), "profile")
	_, err := startBare(context.Background(), launchOptions{
		Browser: Installed{Kind: "chromium", Path: "/nowhere/chromium"}, Headless: true, ProfileDir: dir,
	})
	if err == nil || !strings.Contains(err.Error(), "--no-sandbox (TABRELAY_NO_SANDBOX=1)") ||
		!strings.Contains(err.Error(), "normal user") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a profile was made though nothing was started")
	}
}

// What a person is told when a start comes to nothing. The browsers are scripts.
func TestLaunchTellsWhyItFailed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts for a shell")
	}
	for name, test := range map[string]struct{ script, want, not string }{
		"explains itself": {
			`echo '[1:1:1115/1.2:ERROR:dbus/bus.cc:408] Failed to connect to the bus' >&2
			 echo '[1:1:1115/1.2:FATAL:zygote_host_impl_linux.cc:132] No usable sandbox! Update your kernel' >&2; exit 1`,
			"No usable sandbox!", "dbus",
		},
		"misses a library": {
			`echo 'chrome: error while loading shared libraries: libnss3.so: cannot open shared object file' >&2; exit 127`,
			"libnss3.so", "",
		},
		"handed over":  {`exit 0`, "another browser may be using", ""},
		"says nothing": {`exit 3`, "exit status 3", ""},
		"says a lot": {
			`i=0; while [ $i -lt 3000 ]; do printf 0123456789; i=$((i+1)); done >&2; exit 1`, "0123456789", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "chromium")
			if err := os.WriteFile(path, []byte("#!/bin/sh\n"+test.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			m, err := startBare(context.Background(), launchOptions{
				Browser:  Installed{Kind: "chromium", Path: path},
				Headless: true, NoSandbox: true, ProfileDir: t.TempDir(),
			})
			if err == nil {
				m.Close()
				t.Fatal("no error")
			}
			t.Log(err)
			if !strings.Contains(err.Error(), test.want) || test.not != "" && strings.Contains(err.Error(), test.not) {
				t.Errorf("got %v", err)
			}
			if len(err.Error()) > 800 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestLaunchGivesUpWithItsContext(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts for a shell")
	}
	path := filepath.Join(t.TempDir(), "chromium")
	// It tells that it runs, then says nothing over the pipe; its child would
	// outlive it if only the script were killed.
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho up >&2\ncat <&3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	gaveUp := errors.New("the caller gave up")
	_, err := startBare(ctx, launchOptions{
		Browser:  Installed{Kind: "chromium", Path: path},
		Headless: true, NoSandbox: true, ProfileDir: t.TempDir(),
		Stderr: writerFunc(func(b []byte) (int, error) { cancel(gaveUp); return len(b), nil }),
	})
	if !errors.Is(err, gaveUp) {
		t.Errorf("got %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// A browser that passes the flag over gets the extension the other way.
func TestLaunchFallsBackToPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts for a shell")
	}
	b := chromium(t)
	deaf := filepath.Join(t.TempDir(), "chromium")
	script := `#!/bin/sh
for a; do
  shift
  case "$a" in --load-extension=*|--disable-extensions-except=*) ;; *) set -- "$@" "$a" ;; esac
done
exec ` + b.Path + ` "$@"
`
	if err := os.WriteFile(deaf, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	b.Path = deaf
	s := testState(t)
	hellos := fakeRelay(t, s)
	m, err := startBare(context.Background(), launchOptions{
		Browser: b, Headless: true, NoSandbox: true, LoadWay: loadByFlag,
		ProfileDir: t.TempDir(), ExtensionDir: smallExtension(t, pairingFor(s, shareAll, "late")),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if g := waitHello(t, hellos); g.Launch != "late" {
		t.Errorf("hello says %q", g.Launch)
	}
}

// A browser that dies while it is in use is noticed, and can be started again.
func TestLaunchAgainAfterTheBrowserWasKilled(t *testing.T) {
	s := testState(t)
	hellos := fakeRelay(t, s)
	o := Options{Browser: chromium(t), Headless: true, NoSandbox: true, Profile: "Work"}
	first, err := Launch(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	waitHello(t, hellos)
	if _, err := Launch(context.Background(), s, o); !errors.Is(err, ErrProfileInUse) ||
		!strings.Contains(err.Error(), `profile "Work"`) {
		t.Errorf("second start of a named profile: %v", err)
	}
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-first.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("the end of the browser went unnoticed")
	}
	first.Close()
	again, err := Launch(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if g := waitHello(t, hellos); g.Launch != again.Launch {
		t.Errorf("hello says %q, want %q", g.Launch, again.Launch)
	}
}
