package e2e

import (
	"flag"
	"math/rand/v2"
)

var workSeed = flag.Uint64("seed", 1, "what agents do in TestSoak and TestLoad, and what goes wrong there; 0 for something new, which is printed")

// chosenSeed returns the seed of a run. It is the same by default: what chance
// finds is no reason why others' work waits.
func chosenSeed() uint64 {
	if *workSeed == 0 {
		return rand.Uint64N(1 << 32)
	}
	return *workSeed
}
