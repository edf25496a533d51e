// Command packaging makes what is published of a release, from what is committed.
//
//	go run ./packaging -out dist                      archives, deb, rpm, npm, SBOMs, checksums
//	go run ./packaging -out dist -url ADDRESS         also a Homebrew formula and a Scoop manifest
//	go run ./packaging -out dist -only linux/amd64    for some platforms
//	go run ./packaging -out dist -twice               builds all again elsewhere and compares
//
// Two facts explain the rest. The version is what Go makes of the repository: of a
// commit with a tag that tag, else a pseudo-version, as in every build of a clone.
// And nothing depends on when, where and by whom it is made: times are the
// commit's, so the same commit gives the same bytes.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	var o order
	only := ""
	flag.StringVar(&o.out, "out", "dist", "folder to write to; it is emptied first")
	flag.StringVar(&o.url, "url", os.Getenv("RELEASE_URL"), "address under which the archives will be found, for Homebrew and Scoop")
	flag.StringVar(&only, "only", "", "platforms, as linux/amd64,windows/arm64; default: all")
	twice := flag.Bool("twice", false, "make everything twice, and compare")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := o.choose(only)
	if err == nil { // others may commit meanwhile
		o.commit, err = output(ctx, "", "git", "rev-parse", "HEAD")
	}
	if err == nil {
		err = o.release(ctx)
	}
	if err == nil && *twice {
		err = o.again(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

// order is what is to be made.
type order struct {
	out, url  string
	commit    string
	platforms []platform
	cache     string // of the compiler; its usual one if empty
}

func (o *order) choose(only string) error {
	if only == "" {
		o.platforms = platforms
		return nil
	}
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == name })
		if i < 0 {
			return fmt.Errorf("%s is none of %v", name, platforms)
		}
		o.platforms = append(o.platforms, platforms[i])
	}
	return nil
}

// release makes everything in o.out.
func (o order) release(ctx context.Context) error {
	src, err := checkout(ctx, o.commit)
	if err != nil {
		return err
	}
	defer src.remove()
	if err := os.RemoveAll(o.out); err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	host := filepath.Join(src.work, "host")
	if err := src.build(ctx, thisPlatform(), host, o.cache); err != nil {
		return err
	}
	version, err := versionOf(host)
	if err != nil {
		return err
	}
	r, err := newRelease(ctx, src.dir, host, version, src.time)
	if err != nil {
		return err
	}
	r.url = o.url
	fmt.Println("tabrelay", r.version)
	for _, p := range o.platforms {
		path := filepath.Join(src.work, p.os+p.arch)
		if err := src.build(ctx, p, path, o.cache); err != nil {
			return err
		}
		parts, err := dependencies(ctx, path)
		if err != nil {
			return fmt.Errorf("%v: %w", p, err)
		}
		data, err := os.ReadFile(path)
		if err == nil {
			err = r.add(p, data, parts)
		}
		if err != nil {
			return fmt.Errorf("%v: %w", p, err)
		}
	}
	if err := r.finish(); err != nil {
		return err
	}
	return r.write(o.out)
}

// again makes everything once more: in other folders, with nothing compiled before.
func (o order) again(ctx context.Context) error {
	other := o
	work, err := os.MkdirTemp("", "tabrelay-twice-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	other.out, other.cache = filepath.Join(work, "dist"), filepath.Join(work, "cache")
	if err := other.release(ctx); err != nil {
		return err
	}
	first, err := os.ReadFile(filepath.Join(o.out, sumsName))
	if err != nil {
		return err
	}
	second, err := os.ReadFile(filepath.Join(other.out, sumsName))
	if err == nil && !bytes.Equal(first, second) {
		err = fmt.Errorf("two builds differ:\n%s\n%s", first, second)
	}
	if err == nil {
		fmt.Println("made twice, byte for byte the same")
	}
	return err
}
