package release

import (
	"cmp"
	"strconv"
	"strings"
)

// Newer reports whether version a is a later release than b. What is no release,
// such as a build at a desk, is neither newer nor older than anything.
func Newer(a, b string) bool {
	x, ok := releaseOf(a)
	y, fine := releaseOf(b)
	if !ok || !fine {
		return false
	}
	for i := range x.numbers {
		if x.numbers[i] != y.numbers[i] {
			return x.numbers[i] > y.numbers[i]
		}
	}
	switch {
	case x.early == y.early || x.early != "" && y.early == "":
		return false
	case x.early == "":
		return true
	}
	return laterOf(x.early, y.early)
}

// release is a version in its parts.
type release struct {
	numbers [3]int
	early   string // what comes before the release itself, such as rc.1
}

func releaseOf(version string) (release, bool) {
	var r release
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "+")
	version, r.early, _ = strings.Cut(version, "-")
	parts := strings.Split(version, ".")
	if len(parts) != len(r.numbers) {
		return r, false
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return r, false
		}
		r.numbers[i] = n
	}
	return r, true
}

// laterOf compares what comes before a release, part by part: numbers by their
// value and before words, and the longer one last.
func laterOf(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		n, errX := strconv.Atoi(x[i])
		m, errY := strconv.Atoi(y[i])
		order := strings.Compare(x[i], y[i])
		switch {
		case errX == nil && errY == nil:
			order = cmp.Compare(n, m)
		case errX == nil:
			order = -1
		case errY == nil:
			order = 1
		}
		if order != 0 {
			return order > 0
		}
	}
	return len(x) > len(y)
}
