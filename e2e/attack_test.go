package e2e

import (
	"flag"
	"maps"
	"slices"
	"strconv"
	"testing"
)

// every makes TestAttack try all attacks; else it tries a share of the slow ones.
var every = flag.Bool("attack", false, "try every attack")

// share is which part of the slow attacks a run without -attack tries.
const share = 5

// attack is one attempt to get at what is not the attacker's.
type attack struct {
	name string
	// try returns what got in, or nothing where it was refused.
	try func(t *testing.T) string
}

// attacks are those on one side of the program.
type attacks struct {
	t     *testing.T
	tried int
	seen  int
	in    map[string]string // by the attack's name
}

// try makes an attack and keeps what got in.
func (a *attacks) try(list ...attack) {
	for _, one := range list {
		a.tried++
		if got := one.try(a.t); got != "" {
			a.in[one.name] = got
		}
	}
}

// slowly makes one of several attacks that take their time each.
func (a *attacks) slowly(one attack) {
	a.seen++
	if *every || a.seen%share == 0 {
		a.try(one)
	}
}

// TestAttack tries what the attackers of docs/security.md would: 0 get in.
// `make attack` shows how many were tried.
func TestAttack(t *testing.T) {
	for side, try := range map[string]func(*attacks){
		"doors":     attackDoors,
		"addresses": attackAddresses,
		"cdp":       attackCDP,
		"files":     attackFiles,
		"words":     attackWords,
		"agents":    attackAgents,
		"cookies":   attackCookies,
		"sets":      attackSets,
	} {
		t.Run(side, func(t *testing.T) {
			t.Parallel()
			a := &attacks{t: t, in: map[string]string{}}
			try(a)
			t.Logf("%d attacks tried, %d got in", a.tried, len(a.in))
			for _, name := range slices.Sorted(maps.Keys(a.in)) {
				t.Errorf("%s: %s", name, a.in[name])
			}
		})
	}
}

// excerpt is the beginning of a text, in one line.
func excerpt(s string) string {
	s = strconv.Quote(s)
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return s
}
