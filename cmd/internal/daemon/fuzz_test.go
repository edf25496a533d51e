package daemon

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/tabrelay/tabrelay/e2e/fuzz"
)

// FuzzLines holds that lines put together are what came, that none is longer than
// allowed, and that what a line says is read as it was written.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"ask\":\"agent\",\"protocol\":1}\n{\"tabrelay\":\"end\"}\n{\"jsonrpc\":\"2.0\"}"), 40)
	f.Add([]byte("\n\n\r\nx"), 1)
	fuzz.Run(f, func(t *testing.T, data []byte, limit int) {
		if limit < 0 || limit > 1<<20 {
			return
		}
		r := bufio.NewReaderSize(bytes.NewReader(data), 16)
		var all, buf []byte
		for {
			line, err := ReadLine(r, buf, limit)
			if errors.Is(err, ErrLongLine) {
				if longest(data) <= limit {
					t.Fatalf("%q: no line has more than %d bytes", data, limit)
				}
				return
			}
			if len(line) > limit {
				t.Fatalf("%q has %d bytes, more than %d", line, len(line), limit)
			}
			all = append(all, line...)
			repeat(t, line)
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			buf = line
		}
		if !bytes.Equal(all, data) {
			t.Fatalf("read %q of %q", all, data)
		}
	})
}

func longest(data []byte) int {
	most := 0
	for line := range bytes.Lines(data) {
		most = max(most, len(line))
	}
	return most
}

// repeat reads what a line says, and once more as it is then written.
func repeat(t *testing.T, line []byte) {
	var ask, again Ask
	if json.Unmarshal(line, &ask) == nil {
		var b bytes.Buffer
		if err := WriteLine(&b, ask); err != nil {
			return // a record that is none
		}
		if err := json.Unmarshal(b.Bytes(), &again); err != nil {
			t.Fatalf("%q was written %q: %v", line, b.Bytes(), err)
		}
		if ask.Ask != again.Ask || ask.Protocol != again.Protocol {
			t.Fatalf("%q came back as %+v", line, again)
		}
	}
	if IsControl(line) {
		var c Control
		_ = json.Unmarshal(line, &c)
	}
}
