package history

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestB95HistoryIsCleared(t *testing.T) {
	dir := t.TempDir()
	b, other := open(t, dir), open(t, dir)
	b.file.size = 500 // several files
	lines, stop := b.Follow()
	defer stop()
	note := func(b *Book, from, to int) {
		for n := from; n < to; n++ {
			b.Note(Entry{Kind: Agent, Who: "a", Did: fmt.Sprint(n)})
		}
	}
	note(b, 0, 40)
	for range 40 {
		<-lines
	}
	if list, err := Last(dir, 3); err != nil || len(list) != 3 || !holds(list[2], "39") || !holds(list[0], "37") {
		t.Errorf("the last are %s, %v", list, err)
	}
	if err := b.Clear(); err != nil {
		t.Fatal(err)
	}
	if list := did(t, dir); len(list) != 0 {
		t.Errorf("after it was cleared: %v", list)
	}
	// It goes on, for another process, too.
	note(other, 100, 101)
	other.Close()
	note(b, 200, 201)
	b.Close()
	if list := did(t, dir); fmt.Sprint(list) != "[100 200]" {
		t.Errorf("then: %v", list)
	}
	if err := b.Clear(); err != nil {
		t.Errorf("a closed one: %v", err)
	}
}

func holds(line []byte, did string) bool {
	var e Entry
	return json.Unmarshal(line, &e) == nil && e.Did == did
}
