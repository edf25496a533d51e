// Command recording plays the demo and draws it as a terminal would show it.
//
//	go run ./e2e/recording -tabrelay bin/tabrelay -out docs/demo
//
// writes docs/demo.cast, in asciicast's form, with the times as they were, and
// docs/demo.svg, which moves more slowly, so that it can be read.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

const width, height = 112, 30 // of the terminal, in characters

// line is one that was printed.
type line struct {
	at   time.Duration // since the beginning
	text string
}

func main() {
	program := flag.String("tabrelay", "bin/tabrelay", "the program whose demo is played")
	out := flag.String("out", "docs/demo", "what to write, without .cast and .svg")
	flag.Parse()
	lines, err := play(*program)
	if err == nil {
		err = os.WriteFile(*out+".cast", cast(lines), 0o644)
	}
	if err == nil {
		err = os.WriteFile(*out+".svg", draw(lines), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "recording:", err)
		os.Exit(1)
	}
}

// play runs the demo and returns what it prints.
func play(program string) (lines []line, err error) {
	lines = []line{{0, "$ tabrelay demo"}}
	cmd := exec.Command(program, "demo")
	cmd.Stderr = os.Stderr
	if os.Getuid() == 0 {
		cmd.Env = append(os.Environ(), "TABRELAY_NO_SANDBOX=true")
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	for said := bufio.NewScanner(stdout); said.Scan(); {
		lines = append(lines, line{time.Since(begun), said.Text()})
	}
	return lines, cmd.Wait()
}

// cast is a recording in asciicast's form, version 2.
func cast(lines []line) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "{\"version\": 2, \"width\": %d, \"height\": %d, \"title\": \"tabrelay demo\"}\n", width, height)
	for _, l := range lines {
		text, _ := json.Marshal(l.text + "\r\n") // a string always can be
		fmt.Fprintf(&b, "[%.3f, \"o\", %s]\n", l.at.Seconds(), text)
	}
	return []byte(b.String())
}
