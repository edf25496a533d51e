package adapter

import (
	"context"
	"testing"
	"time"
)

// TestLimits holds that an error names the limit that was given, and none that
// is less than nothing.
func TestLimits(t *testing.T) {
	given, cancel := WithLimit(t.Context(), 700*time.Millisecond)
	defer cancel()
	if l, ok := limitOf(context.WithValue(given, limitKey{}, nil)); !ok || l.whole > 700*time.Millisecond || l.whole <= 0 {
		t.Errorf("what is left of it: %v %v", l.whole, ok)
	}
	if l, ok := limitOf(given); !ok || l.whole != 700*time.Millisecond {
		t.Errorf("as it was given: %v %v", l.whole, ok)
	}
	shorter, cancel := context.WithTimeout(given, 50*time.Millisecond)
	defer cancel()
	if l, _ := limitOf(shorter); l.whole > 50*time.Millisecond {
		t.Errorf("the shorter one: %v", l.whole)
	}
	past, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Hour))
	defer cancel()
	if l, _ := limitOf(past); l.whole != 0 {
		t.Errorf("one that has passed: %v", l.whole)
	}
	if _, ok := limitOf(t.Context()); ok {
		t.Error("there is a limit where none was given")
	}
}
