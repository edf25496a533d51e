package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLogBeginsAnewWhenItIsFull(t *testing.T) {
	dir := t.TempDir()
	l, err := OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	l.size = 100
	for i := range 50 {
		if _, err := fmt.Fprintf(l, "line %02d of a log that is full after some\n", i); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != logKept {
		t.Fatalf("%v, %v", files, err)
	}
	var all string
	for _, name := range []string{LogName + ".2", LogName + ".1", LogName} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 100 {
			t.Errorf("%s has %d bytes", name, len(data))
		}
		all += string(data)
	}
	if !strings.HasSuffix(all, "line 48 of a log that is full after some\nline 49 of a log that is full after some\n") || strings.Contains(all, "line 01") {
		t.Errorf("kept is\n%s", all)
	}
	if l, err = OpenLog(dir); err != nil || l.written == 0 {
		t.Errorf("opened again: %d bytes, %v", l.written, err)
	}
	_ = l.Close()
}

func TestLogHoldsNoSecretsAndPaths(t *testing.T) {
	l, err := OpenLog(t.TempDir(), "0e5c2a5e-secret")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for line, want := range map[string]string{
		`level=WARN msg="it ended" pid=12 share=1/2`:                   `level=WARN msg="it ended" pid=12 share=1/2`,
		`dial ws://127.0.0.1:8765/cdp/0e5c2a5e-secret?browser=x: gone`: `dial ws://127.0.0.1:8765/… gone`,
		`secret 0e5c2a5e-secret`:                                       `secret …`,
		`url="https://bank.example/account?id=7" title`:                `url="https://bank.example/…" title`,
		`open /home/ann/state/relay.json: denied`:                      `open …: denied`,
		`dir=/home/ann/x next`:                                         `dir=… next`,
		`open C:\Users\ann\relay.json: denied`:                         `open …: denied`,
		`at 10:00:01 and/or`:                                           `at 10:00:01 and/or`,
	} {
		if got := l.scrub(line); got != want {
			t.Errorf("%s\nbecame %s\nwant   %s", line, got, want)
		}
	}
}
