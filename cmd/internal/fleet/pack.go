package fleet

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"sync"
)

const (
	// minPacked is the smallest part of a message that is worth compressing, and
	// sample how much of it is tried first, in bytes.
	minPacked = 16 << 10
	sample    = 2 << 10
)

var packers = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(io.Discard, flate.BestSpeed) // the level is one
	return w
}}

// packed makes a data record's body of a part of a message, compressed where that
// helps: pictures, which are most of what is large, do not get smaller.
func packed(chunk []byte) []byte {
	if len(chunk) >= minPacked {
		from := (len(chunk) - sample) / 2
		if try := compress(chunk[from : from+sample]); len(try)*10 < sample*6 {
			if all := compress(chunk); len(all) < len(chunk) {
				all[0] = partPacked
				return all
			}
		}
	}
	body := make([]byte, 1+len(chunk))
	copy(body[1:], chunk)
	return body
}

func compress(data []byte) []byte {
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	out := bytes.NewBuffer(make([]byte, 1, len(data)/4+64))
	w.Reset(out)
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

// unpacked adds the part of a message that a body holds to those before it, and
// reports whether it is the last.
func unpacked(message, body []byte) ([]byte, bool, error) {
	if len(body) == 0 {
		return nil, false, errors.New("a record without a body")
	}
	last, rest := body[0]&partLast != 0, body[1:]
	if body[0]&partPacked == 0 {
		if message == nil && last {
			return rest, true, nil
		}
		message = append(message, rest...)
	} else {
		r := flate.NewReader(bytes.NewReader(rest))
		buf := bytes.NewBuffer(message)
		if n, err := io.Copy(buf, io.LimitReader(r, maxChunk+1)); err != nil || n > maxChunk {
			return nil, false, errors.New("a record that cannot be unpacked")
		}
		message = buf.Bytes()
	}
	if len(message) > maxMessage {
		return nil, false, errors.New("a message that is too long")
	}
	return message, last, nil
}
