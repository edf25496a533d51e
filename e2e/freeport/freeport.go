// Package freeport finds ports for tests that have to name one.
package freeport

import (
	"math/rand/v2"
	"net"
	"strconv"
	"sync/atomic"
	"testing"
)

// last is the last port that Next tried.
var last atomic.Int64

// Next returns a port of 127.0.0.1 that nothing listens on. No other test of the
// process gets it, and systems give none from there away, also not to connections;
// Chrome refuses some below 11000.
func Next(t testing.TB) int {
	t.Helper()
	last.CompareAndSwap(0, 11000+rand.Int64N(19000))
	for range 1000 {
		port := int(last.Add(1))
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}
