package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestDraw(t *testing.T) {
	lines := []line{{0, "$ tabrelay demo"}, {time.Second, "It opens <the> site."}, {time.Second, "  browser_navigate   12ms"}, {2 * time.Second, "      - link \"A\" [e1]"}}
	svg := draw(lines)
	var err error
	for d := xml.NewDecoder(bytes.NewReader(svg)); err == nil; {
		_, err = d.Token()
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("%v in %s", err, svg)
	}
	for _, part := range []string{`class="p" y="571">It opens &lt;the&gt; site.`, `class="c"`, `class="a"`} {
		if !strings.Contains(string(svg), part) {
			t.Errorf("%q is not in %s", part, svg)
		}
	}
	if got := string(cast(lines)); !strings.HasSuffix(got, `[2.000, "o", "      - link \"A\" [e1]\r\n"]`+"\n") {
		t.Errorf("%s", got)
	}
}
