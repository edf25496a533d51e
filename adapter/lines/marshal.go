package lines

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Marshal returns v as JSON: with <, > and & as they are, and characters that show
// nothing as escapes.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return []byte(JSON(strings.TrimRight(b.String(), "\n"))), nil
}
