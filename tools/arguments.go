package tools

import (
	"encoding/json"

	"github.com/tabrelay/tabrelay/tools/schema"
)

// takes returns the schema of a tool's arguments.
func (t *tool) takes() *schema.Schema {
	if t.page != nil {
		return t.page.schema
	}
	return t.body.takes()
}

// decode reads a call's arguments.
func (t *tool) decode(raw json.RawMessage) (any, error) {
	if t.page != nil {
		values, err := t.page.schema.Read(raw)
		if err != nil {
			return nil, invalid("%s", err)
		}
		return &pageValues{values: values, tool: t.page}, nil
	}
	args := t.body.args()
	if err := t.takes().Decode(raw, args); err != nil {
		return nil, invalid("%s", err)
	}
	if c, ok := args.(checked); ok {
		return args, c.check()
	}
	return args, nil
}
