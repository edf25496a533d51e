package e2e

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

var clientsSoak = flag.Duration("clients-soak", 0, "how long TestClientsSoak lasts; it is skipped without")

// TestClientsSoak kills CDP clients and closes tabs of theirs by chance while others and
// an agent work in the same browser, and pages and workers die under them: nobody else
// notices, who loses a tab goes on with another, and nothing of them is left.
func TestClientsSoak(t *testing.T) {
	if *clientsSoak == 0 {
		t.Skip("-clients-soak says how long")
	}
	needClients(t)
	seed := chosenSeed()
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	s := own(t)
	agent := s.agent(t)
	site, endpoint := clientSite(t), strings.Replace(s.relay(t, "/cdp/"), "ws://", "http://", 1)
	agent.open(site)

	var mu sync.Mutex // guards killed and rounds
	killed, rounds := map[*exec.Cmd]bool{}, map[string]int{}
	var read sync.WaitGroup
	start := func(kind, name string) *exec.Cmd {
		cmd := exec.Command("node", "clients/soak.mjs", kind, endpoint, site+"?soak", name)
		var complaints strings.Builder
		cmd.Stderr = &complaints
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		read.Go(func() { // ends with the process
			for lines := bufio.NewScanner(out); lines.Scan(); {
				mu.Lock()
				rounds[kind]++
				rounds[kind+" "+lines.Text()]++
				mu.Unlock()
			}
			_ = cmd.Wait()
			mu.Lock()
			defer mu.Unlock()
			if !killed[cmd] {
				t.Errorf("%s was disturbed: %.1000s", name, complaints.String())
			}
		})
		return cmd
	}
	kill := func(cmd *exec.Cmd) {
		mu.Lock()
		killed[cmd] = true
		mu.Unlock()
		_ = cmd.Process.Kill()
	}
	kinds := []string{"playwright", "playwright", "playwright", "puppeteer", "puppeteer"}
	person := s.cdp(t)
	running, deaths := make([]*exec.Cmd, len(kinds)), 0
	for i, kind := range kinds {
		running[i] = start(kind, fmt.Sprint(kind, i))
	}
	for end := time.Now().Add(*clientsSoak); time.Now().Before(end) && !t.Failed(); deaths++ {
		for next := time.Now().Add(time.Second + time.Duration(chance.Int64N(int64(6*time.Second)))); time.Now().Before(next); {
			if got := agent.value("6 * 7"); got != "42" {
				t.Errorf("the agent is told %s", got)
			}
		}
		if chance.IntN(2) == 0 {
			closeOne(person, chance)
			continue
		}
		i := chance.IntN(len(kinds))
		kill(running[i])
		running[i] = start(kinds[i], fmt.Sprint(kinds[i], i, " after ", deaths))
	}
	for _, cmd := range running {
		kill(cmd)
	}
	read.Wait()
	t.Logf("%d deaths; rounds: %v", deaths, rounds)
	if rounds["playwright"] == 0 || rounds["puppeteer"] == 0 {
		t.Error("nobody worked")
	}
	s.cdp(t).without("?soak")
}

// closeOne closes one of the tabs that clients work in, if there is one.
func closeOne(person *client, chance *rand.Rand) {
	person.t.Helper()
	_ = person.socket.SetReadDeadline(time.Now().Add(time.Minute))
	var seen struct {
		TargetInfos []struct{ TargetID, URL string }
	}
	person.call("", "Target.getTargets", nil, &seen)
	var theirs []string
	for _, target := range seen.TargetInfos {
		if strings.HasSuffix(target.URL, "?soak") {
			theirs = append(theirs, target.TargetID)
		}
	}
	if len(theirs) > 0 {
		person.tries("", "Target.closeTarget", map[string]any{"targetId": theirs[chance.IntN(len(theirs))]}) // it may be gone
	}
}
