// Package fuzz runs fuzz targets a little with each go test. It changes every input
// of a target's corpus some hundred times, within a time limit, and tries the same
// changes in each run, so that nobody's run fails for what somebody else wrote. What
// takes chance, coverage and patience to find is left to make fuzz.
package fuzz

import (
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

const (
	// changes is how often an input is changed, and inputTime how long that may take.
	changes   = 500
	inputTime = 100 * time.Millisecond
	// targetTime is how long all inputs of a target may take.
	targetTime = time.Second
	// most bounds how long an input grows, in bytes.
	most = 64 << 10
)

// Run is f.Fuzz(target), which also tries inputs that are like those of the
// corpus. With -fuzz it is that alone.
func Run(f *testing.F, target any) {
	if v := flag.Lookup("test.fuzz"); v != nil && v.Value.String() != "" {
		f.Fuzz(target)
		return
	}
	m := &mutator{target: reflect.ValueOf(target), until: time.Now().Add(targetTime)}
	f.Fuzz(reflect.MakeFunc(m.target.Type(), func(args []reflect.Value) []reflect.Value {
		m.target.Call(args)
		m.around(args)
		return nil
	}).Interface())
}

// mutator changes the inputs of one target.
type mutator struct {
	rand   *rand.Rand // begins anew with each input, however many changes of others there was time for
	target reflect.Value
	until  time.Time
	seen   []string // what stood in the corpus so far
}

// around calls the target with inputs that are like one.
func (m *mutator) around(args []reflect.Value) {
	t := args[0].Interface().(*testing.T)
	seed := fnv.New64a()
	for _, a := range args[1:] {
		if s, ok := text(a); ok {
			m.seen = append(m.seen, s)
			_, _ = io.WriteString(seed, s) // never fails
		}
	}
	m.rand = rand.New(rand.NewPCG(seed.Sum64(), 0))
	until := time.Now().Add(inputTime)
	if m.until.Before(until) {
		until = m.until
	}
	for range changes {
		if t.Failed() || t.Skipped() || time.Now().After(until) {
			return
		}
		m.try(t, args)
	}
}

// try calls the target with one changed input, and says which it was where that fails.
func (m *mutator) try(t *testing.T, args []reflect.Value) {
	changed := make([]reflect.Value, len(args))
	copy(changed, args)
	for n := 1 + m.rand.IntN(4); n > 0; n-- {
		i := 1 + m.rand.IntN(len(args)-1)
		changed[i] = m.change(changed[i])
	}
	said := written(changed[1:]) // a target may write into what it is given
	defer func() {
		thrown := recover()
		if thrown != nil {
			t.Errorf("panic: %v\n%s", thrown, debug.Stack())
		}
		if t.Failed() {
			t.Logf("with this input, which testdata/fuzz can keep:\n%s", said)
		}
	}()
	m.target.Call(changed)
}

// text returns the bytes of a string or of a []byte.
func text(v reflect.Value) (string, bool) {
	switch {
	case v.Kind() == reflect.String:
		return v.String(), true
	case v.Type() == reflect.TypeFor[[]byte]():
		return string(v.Bytes()), true
	}
	return "", false
}

// change returns a value like one.
func (m *mutator) change(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	s, ok := text(v)
	switch {
	case ok && v.Kind() == reflect.String:
		to.SetString(m.changeText(s))
	case ok:
		to.SetBytes([]byte(m.changeText(s)))
	case v.CanInt():
		to.SetInt(m.rand.Int64N(1<<uint(1+m.rand.IntN(16))) - 2)
	case v.CanUint():
		to.SetUint(m.rand.Uint64N(1 << uint(1+m.rand.IntN(16))))
	default:
		panic(fmt.Sprintf("fuzz: no changes of a %s are known", v.Type()))
	}
	return to
}

// pieces are what parsers stumble over.
var pieces = []string{`"`, `\`, `{`, `}`, `[`, `]`, `:`, `,`, "\n", "\r", "\t", "\x00", "\x7f", "\u2028", "\u202e", "\u200b", "\U000e0041", "\xff", "\xed\xa0\x80", `\u0000`, `\ud800`, "null", "-1", "1e999",
	"9223372036854775808", `""`, `{}`, `[]`, " ", "-", ".", "*", "|", "://", "%", "@", "#", "é", "🙂"}

func (m *mutator) changeText(s string) string {
	at := m.rand.IntN(len(s) + 1)
	end := min(len(s), at+1+m.rand.IntN(1+min(len(s), 32)))
	switch m.rand.IntN(7) {
	case 0: // another piece
		s = s[:at] + pieces[m.rand.IntN(len(pieces))] + s[at:]
	case 1: // in the place of what is there
		s = s[:at] + pieces[m.rand.IntN(len(pieces))] + s[end:]
	case 2:
		s = s[:at] + s[end:]
	case 3: // twice
		s = s[:end] + s[at:]
	case 4: // any byte
		s = s[:at] + string([]byte{byte(m.rand.UintN(256))}) + s[min(len(s), at+1):]
	case 5: // something of another input
		if other := m.seen; len(other) > 0 {
			o := other[m.rand.IntN(len(other))]
			from := m.rand.IntN(len(o) + 1)
			s = s[:at] + o[from:from+m.rand.IntN(len(o)-from+1)] + s[end:]
		}
	case 6: // many times
		s = s[:at] + strings.Repeat(s[at:end], 1+m.rand.IntN(40)) + s[end:]
	}
	return s[:min(len(s), most)]
}

// written is an input as a file of a corpus holds it.
func written(args []reflect.Value) string {
	var b strings.Builder
	b.WriteString("go test fuzz v1\n")
	for _, a := range args {
		if s, ok := text(a); ok {
			fmt.Fprintf(&b, "%s(%q)\n", strings.Replace(a.Type().String(), "[]uint8", "[]byte", 1), s)
		} else {
			fmt.Fprintf(&b, "%s(%v)\n", a.Type(), a)
		}
	}
	return b.String()
}
