package e2e

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkLoadTable prints what the product does under load, beside its budgets.
func BenchmarkLoadTable(b *testing.B) {
	var out strings.Builder
	row := func(what, budget, format string, args ...any) {
		fmt.Fprintf(&out, "| %s | %s | %s |\n", what, fmt.Sprintf(format, args...), budget)
	}
	d := newDesk(b)
	benchSpawn(b, d, row)
	benchMemory(b, d, row)
	benchCommands(b, d, row)
	benchFlood(b, d, row)
	one, many, memory := loadTabs(b, 200)
	row("browser_connect with 1 tab, with 200 of which 150 are discarded and some frozen", "+50 ms", "%s, %s", ms(one), ms(many))
	row("memory of the daemon with these", "–", "%.0f MB", memory)
	l := loadAgents(b, 20, 5, 40)
	row("20 agents with 5 tabs each", "nothing lost", "%s", l)
	fmt.Printf("\n| what | Tabrelay | budget |\n|---|---|---|\n%s\n", out.String())
}

type addRow = func(what, budget, format string, args ...any)

func benchSpawn(b *testing.B, d *desk, row addRow) {
	stop := func() {
		if out, err := d.command("stop").CombinedOutput(); err != nil {
			b.Fatalf("tabrelay stop: %v: %s", err, out)
		}
	}
	var cold []time.Duration
	for range 9 {
		took, end := d.spawned(b)
		end()
		cold = append(cold, took)
		stop()
	}
	_, end := d.spawned(b) // it holds the daemon
	defer end()
	up := median(func() { _, end := d.spawned(b); end() })
	bare := median(func() { _ = d.command("version").Run() })
	row("spawn to initialize reply, with the daemon up", "20 ms", "%s (`tabrelay version` takes %s)", ms(up), ms(bare))
	row("spawn to initialize reply, without", "80 ms", "%s", ms(middleOf(cold)))
}

// spawned starts a front and returns how long its first answer takes.
func (d *desk) spawned(b *testing.B) (took time.Duration, end func()) {
	cmd := d.command(d.managed()...)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		b.Fatal(err)
	}
	return time.Since(begin), func() { _ = in.Close(); _ = cmd.Wait() }
}

func benchMemory(b *testing.B, d *desk, row addRow) {
	a, cmd := d.front(d.managed()...)
	a.ok("browser_connect", nil)
	s := newSite(b, counter)
	for range 10 {
		an := a.open(s.URL)
		a.ok("browser_click", args{"ref": an.ref("button", "Click")})
		a.ok("browser_snapshot", nil)
	}
	row("memory of a front", "12 MB", "%.1f MB", status(cmd.Process.Pid, "VmRSS")/1000)
	row("memory of the daemon with 10 tabs", "40 MB", "%.1f MB", status(d.daemon(), "VmRSS")/1000)
	for _, page := range pagePattern.FindAllString(a.ok("browser_tab_list", nil).text, -1) {
		a.ok("browser_tab_close", args{"pageId": page})
	}
}

// benchCommands is what twenty CDP clients get through, each with one command on
// its way and with many.
func benchCommands(b *testing.B, d *desk, row addRow) {
	a, _ := d.front(d.managed()...)
	a.ok("browser_connect", nil)
	s := newSite(b, counter)
	data, _ := os.ReadFile(filepath.Join(d.dir, "daemon.json"))
	port := regexp.MustCompile(`"port":\s*(\d+)`).FindSubmatch(data)
	server := &server{state: d.dir, url: "http://127.0.0.1:" + string(port[1])}
	const clients, each = 20, 300
	rate := func(window int, method string, params args, all []*client, at []string) float64 {
		begin := time.Now()
		var working sync.WaitGroup
		for i, c := range all {
			working.Go(func() {
				open := 0
				for range each {
					c.send(at[i], method, params)
					if open++; open == window {
						c.until(func(m message) bool { return m.ID != 0 })
						open--
					}
				}
				for range open {
					c.until(func(m message) bool { return m.ID != 0 })
				}
			})
		}
		working.Wait()
		return clients * each / time.Since(begin).Seconds()
	}
	var all []*client
	var root, pages []string
	for i := range clients {
		a.open(fmt.Sprintf("%s/?%d", s.URL, i))
	}
	for i := range clients {
		c := server.cdp(b)
		all, root, pages = append(all, c), append(root, ""), append(pages, c.attach(fmt.Sprintf("%s/?%d", s.URL, i)))
	}
	row("commands that the relay answers itself, 20 clients", "–", "%.0f/s", rate(1, "Browser.getVersion", nil, all, root))
	row("commands through the relay to pages, 20 clients", "5,000/s", "%.0f/s, with ten of each under way %.0f/s",
		rate(1, "Runtime.evaluate", args{"expression": "1"}, all, pages), rate(10, "Runtime.evaluate", args{"expression": "1"}, all, pages))
	for _, c := range all {
		_ = c.socket.Close()
	}
}

// benchFlood is an agent's click while the page of another one says much.
func benchFlood(b *testing.B, d *desk, row addRow) {
	s := newSite(b, counter)
	one, _ := d.front(d.managed()...)
	two, _ := d.front(d.managed()...)
	one.ok("browser_connect", nil)
	two.ok("browser_connect", nil)
	ref := one.open(s.URL).ref("button", "Click")
	two.open(s.URL + "/?loud")
	two.ok("browser_console", nil)
	click := func() { one.ok("browser_click", args{"ref": ref}) }
	quiet := median(click)
	var loud []time.Duration
	for range benchRounds {
		done := two.later("browser_evaluate", args{"script": "for (let i = 0; i < 2500; i++) console.log('loud', i)"})
		begin := time.Now()
		click()
		loud = append(loud, time.Since(begin))
		<-done
	}
	row("click while another page logs 2,500 times", "+20 %", "%s, alone %s", ms(middleOf(loud)), ms(quiet))
	bare, beside := probeFlood(b)
	row("the same through `chrome.debugger` in an extension that does nothing else", "–", "%s, alone %s", ms(beside), ms(bare))
}

func middleOf(list []time.Duration) time.Duration {
	var ns []float64
	for _, d := range list {
		ns = append(ns, float64(d))
	}
	return time.Duration(middle(ns))
}
