package tools

import (
	"context"
	"testing"
	"time"
)

// A call that waited tells nothing more once its wait is over.
func TestWaitingEndsWithItsLastWord(t *testing.T) {
	telling, tell := make(chan struct{}), make(chan struct{})
	told := false
	stop := Waiting(context.WithValue(t.Context(), progressKey{}, func(string, float64) {
		close(telling)
		<-tell
		told = true
	}), "waiting")
	<-telling
	time.AfterFunc(time.Millisecond, func() { close(tell) })
	if stop(); !told {
		t.Error("it ended before what it was telling")
	}
}
