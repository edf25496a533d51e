package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tabrelay/tabrelay/e2e/freeport"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tabrelay": main})
}

// TestScripts run the command line as a person does.
func TestScripts(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() }) // after the scripts, which run side by side
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("TABRELAY_STATE", filepath.Join(e.WorkDir, "state"))
			e.Setenv("TABRELAY_IDLE", "200ms") // for daemons that the scripts start
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("TMPDIR", filepath.Join(e.WorkDir, "tmp"))
			e.Setenv("FREE", strconv.Itoa(freeport.Next(t)))
			e.Setenv("TAKEN", strconv.Itoa(taken.Addr().(*net.TCPAddr).Port))
			return os.MkdirAll(filepath.Join(e.WorkDir, "tmp"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs a command that ends with a status: exits 2 tabrelay fly.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	code := 0
	var failed *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
		code = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("status %d, want %s", code, args[0])
	}
}

// said runs a command line that reads nothing, and returns its status and what it
// said.
func said(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(context.Background(), args, console{stdin: http.NoBody, stdout: &out, stderr: &err})
	return code, out.String(), err.String()
}

// Each command explains itself, in both ways to ask, and so does each flag; what
// it does not know is a wrong use.
func TestEachCommandExplainsItself(t *testing.T) {
	parser, err := newParser(console{stdout: io.Discard, stderr: io.Discard}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := said("--help")
	for _, command := range parser.Model.Children {
		if !strings.Contains(list, "\n  "+command.Name+" ") {
			t.Errorf("--help does not list %s", command.Name)
		}
		code, text, wrong := said(command.Name, "--help")
		if code != 0 || wrong != "" || !strings.HasPrefix(text, "Usage: tabrelay "+command.Name) {
			t.Errorf("%s --help: status %d, %s%s", command.Name, code, text, wrong)
		}
		for _, args := range [][]string{{"help", command.Name}, {command.Name, "-h"}} {
			if code, other, wrong := said(args...); code != 0 || other != text || wrong != "" {
				t.Errorf("%s: status %d, %s%s", args, code, other, wrong)
			}
		}
		if command.Group == nil {
			t.Errorf("%s is in no group", command.Name)
		}
		each := slices.Clone(command.Flags)
		for _, value := range command.Positional {
			each = append(each, &kong.Flag{Value: value})
		}
		for _, flag := range each {
			if !strings.HasSuffix(flag.Help, ".") {
				t.Errorf("%s %s: %q", command.Name, flag.Name, flag.Help)
			}
		}
		code, text, wrong = said(command.Name, "--nonsense")
		if code != exitUsage || text != "" || !strings.Contains(wrong, "no flag --nonsense") || !strings.Contains(wrong, "See `tabrelay "+command.Name+" --help`.") {
			t.Errorf("%s --nonsense: status %d, %s%s", command.Name, code, text, wrong)
		}
	}
}

// What comes closest to a mistake is named; the words are ours.
func TestMistakes(t *testing.T) {
	for line, want := range map[string]string{
		"statsu":                     `there is no command "statsu"; did you mean status?`,
		"fly":                        `there is no command "fly"` + "\nSee `tabrelay --help`",
		"help statu":                 `there is no command "statu"; did you mean status?`,
		"serve extra":                `serve does not take "extra"`,
		"cdp extra":                  `cdp does not take "extra"`,
		"--headles":                  "there is no flag --headles; did you mean --headless?\nSee `tabrelay serve --help`",
		"cdp --lsten 3":              "cdp has no flag --lsten; did you mean --listen?\nSee `tabrelay cdp --help`",
		"status --headless":          "status has no flag --headless, which belongs to ",
		"--ttl 1h":                   "serve has no flag --ttl, which belongs to cdp",
		"--headless cdp":             "--headless stands before the command: write it after",
		"--browser":                  "--browser: a value is missing",
		"--browser --headless":       "--browser: a value is missing",
		"--port x":                   `--port: "x" is not a whole number`,
		"cdp --ttl x":                `--ttl: "x" is not a time: write it as 90s, 10m or 1h30m`,
		"--headless=perhaps":         `--headless: "perhaps" is not true or false`,
		"--transport pigeon":         `--transport: "pigeon" is not one of stdio, http`,
		"--log-level loud":           `--log-level: "loud" is not a level: choose debug, info, warn or error`,
		"cdp --tabs all":             `--tabs: "all" is not one of shared, new`,
		"extension --port 70000":     "--port 70000: a port is 1 to 65535\nSee `tabrelay extension --help`",
		"--tools=all --port 0":       "--tools all: there is no such set; choose one of",
		"status --json --follow -x":  "status has no flag -x",
		"--allow-origin app.example": "--allow-origin app.example: an origin is http or https and a host",
		"--allow-origin https://a/":  "--allow-origin https://a/: an origin is",
		"--allow-origin https://A":   "--allow-origin https://A: an origin is",
		"--allow-origin *":           "--allow-origin *: an origin is",
		"fleet":                      "fleet what? Choose one of offer, invite",
		"fleet offer":                "--nats is missing (NATS servers, separated by commas)\nSee",
		"fleet permissions":          "<for> is missing (What the machine does: offer,agent)\nSee `tabrelay fleet permissions --help`",
		"fleet permissions all":      `<for>: "all" is not one of offer, agent`,
		"fleet permissions offer x":  `permissions does not take "x"`,
	} {
		code, out, wrong := said(strings.Fields(line)...)
		if code != exitUsage || out != "" || !strings.HasPrefix(wrong, "tabrelay: "+want) {
			t.Errorf("%s: status %d, %s%s", line, code, out, wrong)
		}
	}
}
