// Command peers lets other MCP servers for browsers do the same work as Tabrelay,
// one after the other on this machine, and writes what it measured.
//
//	go run ./e2e/peers -tabrelay bin/tabrelay -document docs/benchmarks.md
//
// The peers are installed with npm into a temporary folder, as they are published,
// and drive the Chromium that is here. Medians are told with the fastest and the
// slowest tenth; what fails is told, too.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

// order is what is to be measured.
type order struct {
	tabrelay, chromium string
	document           string // to write to; empty for stdout alone
	only               string // the names of peers, with commas; empty for all
	rounds             int
}

func main() {
	var o order
	flag.StringVar(&o.tabrelay, "tabrelay", "bin/tabrelay", "the program that is compared")
	flag.StringVar(&o.chromium, "chromium", "chromium", "the browser that all of them drive")
	flag.StringVar(&o.document, "document", "", "document with the lines <!-- peers --> and <!-- /peers -->, between which the table is written; charts go beside it")
	flag.StringVar(&o.only, "only", "", "some of the peers, by name, with commas")
	flag.IntVar(&o.rounds, "rounds", 15, "how often each step is done; three more are not counted")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.measure(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func (o order) measure(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "peers-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if o.tabrelay, err = filepath.Abs(o.tabrelay); err != nil {
		return err
	}
	if o.chromium, err = exec.LookPath(o.chromium); err != nil {
		return err
	}
	all, err := install(ctx, o, dir)
	if err != nil {
		return err
	}
	site, err := serve()
	if err != nil {
		return err
	}
	defer site.Close()
	var results []result
	for _, p := range all {
		if o.only != "" && !strings.Contains(","+o.only+",", ","+p.name+",") {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", p.name, p.version)
		r, err := measurePeer(ctx, p, "http://"+site.Addr, o.rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		results = append(results, r)
	}
	text := table(results)
	fmt.Print(text)
	if o.document == "" {
		return nil
	}
	return write(o.document, text, results)
}
