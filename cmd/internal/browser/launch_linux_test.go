package browser

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

const childState = "TABRELAY_TEST_CHILD_STATE"

// TestChildLaunches is not a test of its own: run again with a state folder in
// its environment, this binary is the process that TestKilledParent kills.
func TestChildLaunches(t *testing.T) {
	dir := os.Getenv(childState)
	if dir == "" {
		t.Skip("only runs as a child")
	}
	s, err := state.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Find("chromium", os.Getenv("TABRELAY_BROWSER_PATH"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Launch(context.Background(), s, Options{Browser: b, Headless: true, NoSandbox: true})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("browser %d\n", m.cmd.Process.Pid)
	<-m.Done()
}

func TestKilledParentTakesItsBrowserAlong(t *testing.T) {
	chromium(t)
	s := testState(t)
	hellos := fakeRelay(t, s)
	child := exec.Command(os.Args[0], "-test.run=^TestChildLaunches$")
	child.Env = append(os.Environ(), childState+"="+s.Dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Process.Kill(); _ = child.Wait() })
	pid := 0
	for lines := bufio.NewScanner(out); pid == 0 && lines.Scan(); {
		_, _ = fmt.Sscanf(lines.Text(), "browser %d", &pid)
	}
	if pid == 0 {
		t.Fatal("the child started no browser")
	}
	waitHello(t, hellos)

	dir := filepath.Join(s.Dir, "profiles", "chromium-headless")
	family := groupOf(t, pid)
	if len(family) < 3 {
		t.Fatalf("%d processes seen: a browser has more", len(family))
	}
	if p, err := takeProfile(s.Dir, "chromium", true, ""); err != nil || p.Dir != dir+"-2" {
		t.Errorf("while the profile is in use: got %+v, %v", p, err)
	} else {
		p.release()
	}

	start := time.Now()
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	// The next tabrelay gets the same profile, though the browser is still leaving.
	p, err := takeProfile(s.Dir, "chromium", true, "")
	if err != nil {
		t.Fatal(err)
	}
	defer p.release()
	if p.Dir != dir {
		t.Errorf("got profile %s, want %s", p.Dir, dir)
	}
	for _, pid := range family {
		if !awaitExit(pid, 20*time.Second) {
			t.Errorf("process %d is still there", pid)
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	}
	t.Logf("%d processes gone %v after the kill", len(family), time.Since(start))
}

// A browser that does not listen any more is killed, and its profile can be used
// at once.
func TestHungBrowserIsKilled(t *testing.T) {
	s := testState(t)
	hellos := fakeRelay(t, s)
	o := Options{Browser: chromium(t), Headless: true, NoSandbox: true, Profile: "hung"}
	m, err := Launch(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	waitHello(t, hellos)
	family := groupOf(t, m.cmd.Process.Pid)
	if err := m.cmd.Process.Signal(unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	m.patience = 200 * time.Millisecond
	m.Close()
	for _, pid := range family {
		if !awaitExit(pid, 20*time.Second) {
			t.Errorf("process %d is still there", pid)
		}
	}
	m, err = Launch(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
}

// groupOf lists the living processes of a group.
func groupOf(t *testing.T, group int) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, stat := range stats {
		data, err := os.ReadFile(stat)
		if err != nil {
			continue // gone since
		}
		_, after, _ := bytes.Cut(data, []byte(") "))
		fields := strings.Fields(string(after)) // state, parent, group
		if len(fields) < 3 || fields[2] != strconv.Itoa(group) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}
