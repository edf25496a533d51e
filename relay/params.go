package relay

import (
	"encoding/json"
	"errors"
	"reflect"
)

// decode reads a command's params. Its fault names the first that is of another kind.
func decode(params []byte, into any) *fault {
	if len(params) == 0 {
		return nil
	}
	err := json.Unmarshal(params, into)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field != "":
		return failure(codeParams, "Invalid parameters: %s must be %s, not %.40s", wrong.Field, kindOf(wrong.Type), wrong.Value)
	}
	return failure(codeParams, "Invalid parameters: %.200v", err)
}

// kindOf is JSON's word for what a Go type is read from.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "a boolean"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "an array"
	case reflect.Struct:
		return "an object"
	case reflect.Pointer:
		return kindOf(t.Elem())
	}
	return "an integer"
}
