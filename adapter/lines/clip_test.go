package lines_test

import (
	"testing"

	. "github.com/tabrelay/tabrelay/adapter/lines"
)

func TestClip(t *testing.T) {
	for _, c := range []struct {
		s                string
		most             int
		clip, head, seen string
	}{
		{"", 3, "", "", ""},
		{"abc", 3, "abc", "abc", "abc"},
		{"abcd", 3, "ab…", "abc", "ab…"},
		{"äöü", 3, "äöü", "ä", "äöü"},
		{"äöüß", 3, "äö…", "ä", "äö…"},
		{"€", 2, "€", "", "€"},
		{" a\n\u202eb\t\tc ", 6, " a\n\u202eb…", " a\n\u202e", "a b c"},
	} {
		if clip, head, seen := Clip(c.s, c.most), Head(c.s, c.most), Short(c.s, c.most); clip != c.clip || head != c.head || seen != c.seen {
			t.Errorf("%q, %d: %q %q %q, want %q %q %q", c.s, c.most, clip, head, seen, c.clip, c.head, c.seen)
		}
	}
}
