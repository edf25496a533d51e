package main

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
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
			e.Setenv("TAKEN", strconv.Itoa(taken.Addr().(*net.TCPAddr).Port))
			return os.MkdirAll(filepath.Join(e.WorkDir, "tmp"), 0o700)
		},
		RequireExplicitExec: false,
	})
}
