package daemon

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

// A line is as long as it may be, whatever the reader holds at once, and no longer.
func TestLinesAreBounded(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
		err  error
	}{
		{"a\nb\n", "a\n", nil},
		{strings.Repeat("x", 99) + "\n", strings.Repeat("x", 99) + "\n", nil},
		{strings.Repeat("x", 100) + "\n", "", ErrLongLine},
		{strings.Repeat("x", 1000), "", ErrLongLine},
		{"half", "half", io.EOF},
		{"", "", io.EOF},
	} {
		line, err := ReadLine(bufio.NewReaderSize(strings.NewReader(c.text), 16), nil, 100)
		if string(line) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%.20q…: %d bytes, %v", c.text, len(line), err)
		}
	}
	r := bufio.NewReaderSize(strings.NewReader("first\nsecond\n"), 16)
	first, _ := ReadLine(r, nil, 100)
	if second, err := ReadLine(r, first, 100); string(second) != "second\n" || err != nil {
		t.Errorf("%q, %v", second, err)
	}
}
