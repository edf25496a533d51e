package tools

import "testing"

// TestEverySetIsServedStructured begins a session of each set, also where the
// person asked for structured answers.
func TestEverySetIsServedStructured(t *testing.T) {
	for _, set := range Profiles() {
		client(t, Options{Settings: Settings{Tools: set, Structured: true}})
	}
}
