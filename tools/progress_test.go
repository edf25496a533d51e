package tools

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A call's client hears of it each second, in numbers that grow, and nothing once the
// call or its wait is over.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		var mu sync.Mutex
		ctx := context.WithValue(t.Context(), progressKey{}, &teller{told: time.Now(), notify: func(message string, done, _ float64) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, fmt.Sprint(message, " ", done))
		}})
		over := running(ctx, "browser_navigate")
		time.Sleep(2500 * time.Millisecond)
		ready := Waiting(ctx, "waiting for the person")
		time.Sleep(1200 * time.Millisecond)
		ready()
		progress(ctx, "printing", 5000)
		time.Sleep(1500 * time.Millisecond)
		over()
		time.Sleep(5 * time.Second)
		if want := []string{"browser_navigate is running 0", "browser_navigate is running 1", "waiting for the person 2", "waiting for the person 3", "printing 5000", "browser_navigate is running 5001"}; !slices.Equal(told, want) {
			t.Errorf("%q", told)
		}
	})
}

// A call that waited tells nothing more once its wait is over.
func TestWaitingEndsWithItsLastWord(t *testing.T) {
	telling, tell, told := make(chan struct{}, 9), make(chan struct{}), false
	first := true
	stop := Waiting(context.WithValue(t.Context(), progressKey{}, &teller{notify: func(string, float64, float64) {
		if first { // by the caller
			first = false
			return
		}
		telling <- struct{}{}
		<-tell
		told = true
	}}), "waiting")
	<-telling
	time.AfterFunc(time.Millisecond, func() { close(tell) })
	if stop(); !told {
		t.Error("it ended before what it was telling")
	}
}
