package relay

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// maxDepth bounds how deep arrays and objects may nest in a frame.
const maxDepth = 2000

var (
	errSyntax = errors.New("the frame is not a JSON object")
	errDepth  = errors.New("the frame nests too deep")
	errUTF8   = errors.New("the frame is not valid UTF-8")
)

// cursor walks over JSON text once and hands out raw slices of it. It is
// strict: what it accepts may be spliced into another frame without
// making that frame malformed.
type cursor struct {
	data  []byte
	pos   int
	depth int
}

// members visits each member of the object at the cursor. visit must
// consume the value, with value or with members.
func (c *cursor) members(visit func(key []byte) error) error {
	if c.next() != '{' {
		return errSyntax
	}
	if c.depth++; c.depth > maxDepth {
		return errDepth
	}
	c.pos++
	if c.next() == '}' {
		c.pos++
		c.depth--
		return nil
	}
	for {
		if c.next() != '"' {
			return errSyntax
		}
		start := c.pos
		if err := c.text(); err != nil {
			return err
		}
		key := text(c.data[start:c.pos])
		if c.next() != ':' {
			return errSyntax
		}
		c.pos++
		if err := visit(key); err != nil {
			return err
		}
		switch c.next() {
		case ',':
			c.pos++
		case '}':
			c.pos++
			c.depth--
			return nil
		default:
			return errSyntax
		}
	}
}

// value consumes one value of any kind and returns its bytes.
func (c *cursor) value() ([]byte, error) {
	c.next()
	start := c.pos
	if err := c.skip(); err != nil {
		return nil, err
	}
	return c.data[start:c.pos], nil
}

// end reports whether nothing but white space is left.
func (c *cursor) end() error {
	if c.next(); c.pos != len(c.data) {
		return errSyntax
	}
	return nil
}

// next moves over white space and returns the byte there, 0 at the end.
func (c *cursor) next() byte {
	for c.pos < len(c.data) {
		switch b := c.data[c.pos]; b {
		case ' ', '\t', '\n', '\r':
			c.pos++
		default:
			return b
		}
	}
	return 0
}

func (c *cursor) skip() error {
	switch b := c.next(); {
	case b == '{' || b == '[':
		if c.depth++; c.depth > maxDepth {
			return errDepth
		}
		err := c.skipNested(b)
		c.depth--
		return err
	case b == '"':
		return c.text()
	case b == 't':
		return c.word("true")
	case b == 'f':
		return c.word("false")
	case b == 'n':
		return c.word("null")
	case b == '-' || b >= '0' && b <= '9':
		return c.number()
	}
	return errSyntax
}

func (c *cursor) skipNested(open byte) error {
	shut := open + 2 // ']' follows '[' by two, '}' follows '{' by two
	c.pos++
	if c.next() == shut {
		c.pos++
		return nil
	}
	for {
		if open == '{' {
			if c.next() != '"' {
				return errSyntax
			}
			if err := c.text(); err != nil {
				return err
			}
			if c.next() != ':' {
				return errSyntax
			}
			c.pos++
		}
		if err := c.skip(); err != nil {
			return err
		}
		switch c.next() {
		case ',':
			c.pos++
		case shut:
			c.pos++
			return nil
		default:
			return errSyntax
		}
	}
}

// plain tells the bytes that stand for themselves inside a string.
var plain = func() (t [256]bool) {
	for i := range t {
		t[i] = i >= 0x20 && i != '"' && i != '\\'
	}
	return t
}()

// allPlain tells that none of eight bytes is a quote, a backslash or a
// control character. It may say no to eight that are plain.
func allPlain(w uint64) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	control := w - ones*0x20
	quote := (w ^ ones*'"') - ones
	backslash := (w ^ ones*'\\') - ones
	return (control|quote|backslash)&^w&high == 0
}

func (c *cursor) text() error {
	data, i := c.data, c.pos+1
	for {
		for i+8 <= len(data) && allPlain(binary.LittleEndian.Uint64(data[i:])) {
			i += 8
		}
		for i < len(data) && plain[data[i]] {
			i++
		}
		if i >= len(data) {
			return errSyntax
		}
		switch data[i] {
		case '"':
			c.pos = i + 1
			return nil
		case '\\':
			n := escape(data[i:])
			if n == 0 {
				return errSyntax
			}
			i += n
		default: // a control character
			return errSyntax
		}
	}
}

// escape returns the length of the escape sequence that s begins with, 0
// if it is none.
func escape(s []byte) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(s) < 6 {
			return 0
		}
		for _, b := range s[2:6] {
			if !(b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F') {
				return 0
			}
		}
		return 6
	}
	return 0
}

func (c *cursor) word(w string) error {
	if len(c.data)-c.pos < len(w) || string(c.data[c.pos:c.pos+len(w)]) != w {
		return errSyntax
	}
	c.pos += len(w)
	return nil
}

func (c *cursor) number() error {
	data, i := c.data, c.pos
	digits := func() bool {
		from := i
		for i < len(data) && data[i] >= '0' && data[i] <= '9' {
			i++
		}
		return i > from
	}
	if data[i] == '-' {
		i++
	}
	if i < len(data) && data[i] == '0' {
		i++
	} else if !digits() {
		return errSyntax
	}
	if i < len(data) && data[i] == '.' {
		i++
		if !digits() {
			return errSyntax
		}
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		if !digits() {
			return errSyntax
		}
	}
	c.pos = i
	return nil
}

// text returns what a quoted JSON string says. Without escapes it is a
// slice of raw; anything but a string gives nil.
func text(raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	for _, b := range raw {
		if b == '\\' {
			var s string
			if json.Unmarshal(raw, &s) != nil {
				return nil
			}
			return []byte(s)
		}
	}
	return raw[1 : len(raw)-1]
}

// frame is the outside of one CDP message or one frame of the
// extension's wire. Each field is a slice of the text it was read from,
// nil when the member is missing.
type frame struct {
	id, method, params, sessionID []byte
	result, err                   []byte
}

func (f *frame) field(key []byte) *[]byte {
	switch string(key) {
	case "id":
		return &f.id
	case "method":
		return &f.method
	case "params":
		return &f.params
	case "sessionId":
		return &f.sessionID
	case "result":
		return &f.result
	case "error":
		return &f.err
	}
	return nil
}

// read takes one value into the member's field, if the frame has one.
func (f *frame) read(c *cursor, key []byte) error {
	v, err := c.value()
	if err == nil {
		if to := f.field(key); to != nil {
			*to = v
		}
	}
	return err
}

// scanMessage reads a client's message. Clients are strangers: also the
// encoding is checked, since a browser drops a whole socket for one bad
// byte.
func scanMessage(data []byte) (frame, error) {
	var f frame
	if !utf8.Valid(data) {
		return f, errUTF8
	}
	c := cursor{data: data}
	if err := c.members(func(key []byte) error { return f.read(&c, key) }); err != nil {
		return f, err
	}
	return f, c.end()
}

// scanWire reads a frame of the extension. When it carries a CDP event,
// event is the inside of params, read in the same pass.
func scanWire(data []byte) (outer, event frame, err error) {
	c := cursor{data: data}
	err = c.members(func(key []byte) error {
		if string(key) == "params" && string(outer.method) == `"forwardCDPEvent"` {
			c.next()
			start := c.pos
			err := c.members(func(key []byte) error { return event.read(&c, key) })
			outer.params = c.data[start:c.pos]
			return err
		}
		return outer.read(&c, key)
	})
	if err == nil {
		err = c.end()
	}
	if err == nil && event.method == nil && string(outer.method) == `"forwardCDPEvent"` && outer.params != nil {
		event, err = scanMessage(outer.params)
	}
	return outer, event, err
}

// member returns the raw value of one member of a JSON object, nil when
// there is none.
func member(object []byte, name string) []byte {
	var found []byte
	c := cursor{data: object}
	_ = c.members(func(key []byte) error {
		v, err := c.value()
		if err == nil && string(key) == name {
			found = v
		}
		return err
	})
	return found
}
