package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"testing"
	"time"
)

// lineAgent speaks the protocol with sessions in lines, as a client over stdio
// does.
type lineAgent struct {
	t     testing.TB
	in    io.Writer
	out   chan lineMessage
	next  int
	told  int // list_changed that came
	tools map[string]any
}

type lineMessage struct {
	ID     int
	Method string
	Result json.RawMessage
	Error  any
}

func (d *desk) lines(args ...string) *lineAgent {
	d.t.Helper()
	cmd := d.command(args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	a := &lineAgent{t: d.t, in: in, out: make(chan lineMessage, 256)}
	go func() { // ends with the process
		defer close(a.out)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			var m lineMessage
			if json.Unmarshal(line, &m) == nil {
				a.out <- m
			}
		}
	}()
	d.t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	var hello struct {
		Capabilities struct{ Tools map[string]any }
	}
	a.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "lines", "version": "1"}}, &hello)
	a.tools = hello.Capabilities.Tools
	a.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return a
}

func (a *lineAgent) write(m map[string]any) {
	a.t.Helper()
	line, _ := json.Marshal(m)
	if _, err := a.in.Write(append(line, '\n')); err != nil {
		a.t.Fatal(err)
	}
}

// ask sends a request and waits for its answer.
func (a *lineAgent) ask(method string, params, result any) {
	a.t.Helper()
	a.next++
	a.write(map[string]any{"jsonrpc": "2.0", "id": a.next, "method": method, "params": params})
	limit := time.After(callLimit)
	for {
		select {
		case m, ok := <-a.out:
			switch {
			case !ok:
				a.t.Fatalf("%s: no answer", method)
			case m.Method == "notifications/tools/list_changed":
				a.told++
			case m.ID == a.next && m.Method == "":
				if m.Error != nil {
					a.t.Fatalf("%s: %v", method, m.Error)
				}
				if err := json.Unmarshal(m.Result, result); err != nil {
					a.t.Fatal(err)
				}
				return
			}
		case <-limit:
			a.t.Fatalf("%s: no answer in time", method)
		}
	}
}

// changed waits until there was a list_changed, and forgets it.
func (a *lineAgent) changed() {
	a.t.Helper()
	limit := time.After(callLimit)
	for a.told == 0 {
		select {
		case m := <-a.out:
			if m.Method == "notifications/tools/list_changed" {
				a.told++
			}
		case <-limit:
			a.t.Fatal("no list_changed")
		}
	}
	a.told = 0
}

func (a *lineAgent) call(tool string, with args) string {
	a.t.Helper()
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	a.ask("tools/call", map[string]any{"name": tool, "arguments": with}, &result)
	text := ""
	for _, c := range result.Content {
		text += c.Text + "\n"
	}
	return text
}

func (a *lineAgent) list() (names []string) {
	a.t.Helper()
	var result struct{ Tools []struct{ Name string } }
	a.ask("tools/list", map[string]any{}, &result)
	for _, tool := range result.Tools {
		names = append(names, tool.Name)
	}
	return names
}
