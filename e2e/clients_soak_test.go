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

// TestClientsSoak kills CDP clients by chance while others and an agent work in the same
// browser: nobody else notices, and nothing of them is left.
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
