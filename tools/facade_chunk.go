package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// chunkArgs choose a part of a long text.
type chunkArgs struct {
	UseChunking bool   `json:"use_chunking,omitempty" default:"false"`
	Offset      int    `json:"offset,omitempty" doc:"bytes" min:"0" default:"0"`
	Length      int    `json:"length,omitempty" doc:"bytes of a chunk" min:"1"`
	Checksum    string `json:"snapshot_checksum,omitempty"`
}

// wanted reports whether a part is asked for, in so many words or not.
func (a *chunkArgs) wanted() bool {
	return a.UseChunking || a.Offset > 0 || a.Length > 0 || a.Checksum != ""
}

// checksum tells texts apart.
func checksum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// part cuts what an answer may have out of a text: its beginning, or the chunk
// that is asked for. No character is cut in two.
func (a *chunkArgs) part(text string, l textLimits, most int) (string, sized, chunked, error) {
	total := len(text)
	if !a.wanted() {
		piece := lines.Head(text, l.Response)
		return piece, sizes(len(piece), total, len(piece) < total), chunked{}, nil
	}
	sum := checksum(text)
	if a.Checksum != "" && a.Checksum != sum {
		return "", sized{}, chunked{}, invalid("the page changed since the previous chunk was read (snapshot_checksum is now %s, not %s): start again with offset 0 and without snapshot_checksum", sum, a.Checksum)
	}
	if a.Offset > total {
		return "", sized{}, chunked{}, invalid("offset %d is beyond the end: there are %d bytes", a.Offset, total)
	}
	length := l.Chunk
	if a.Length > 0 {
		length = min(a.Length, most)
	}
	start := len(lines.Head(text, a.Offset))
	end := len(lines.Head(text, start+length))
	if end == start && end < total { // a chunk has one character at least
		_, n := utf8.DecodeRuneInString(text[start:])
		end = start + n
	}
	left := total - end
	c := chunked{ChunkStart: &start, ChunkEnd: &end, Remaining: &left, Checksum: sum}
	if left > 0 {
		c.NextOffset = &end
	}
	return text[start:end], sizes(end-start, total, left > 0), c, nil
}

func sizes(returned, total int, truncated bool) sized {
	return sized{Truncated: &truncated, ReturnedBytes: &returned, TotalBytes: &total}
}
