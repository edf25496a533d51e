package shell

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const schema = `{"properties":{
	"text":{"type":"string"}, "count":{"type":"integer"}, "wait":{"type":"number"}, "force":{"type":"boolean"},
	"values":{"type":"array","items":{"type":"string"}}, "ids":{"type":"array","items":{"type":"integer"}},
	"where":{"type":"object"}, "either":{"anyOf":[{"type":"string"},{"type":"array"}]}, "maybe":{"type":["string","null"]}}}`

func TestArguments(t *testing.T) {
	var s any
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		"":                           `{}`,
		"text=12":                    `{"text":"12"}`, // a text, whatever it looks like
		"text=a=b":                   `{"text":"a=b"}`,
		"text=":                      `{"text":""}`,
		"count=3 wait=1.5":           `{"count":3,"wait":1.5}`,
		"count=three":                `{"count":"three"}`, // the tool says what is wrong
		"force=true":                 `{"force":true}`,
		"values=a":                   `{"values":["a"]}`,
		"values=1":                   `{"values":["1"]}`,
		"values=a values=b":          `{"values":["a","b"]}`,
		`values=["a","b"] values=c`:  `{"values":["a","b","c"]}`,
		"ids=1 ids=2":                `{"ids":[1,2]}`,
		`where={"a":1}`:              `{"where":{"a":1}}`,
		`either=[1]`:                 `{"either":[1]}`,
		"maybe=null":                 `{"maybe":"null"}`,
		"unknown=1":                  `{"unknown":1}`,
		"unknown=one":                `{"unknown":"one"}`,
		"text=a text=b":              `{"text":["a","b"]}`,
		`{"text":"x","count":2}`:     `{"text":"x","count":2}`,
		"steps=[{\"tool\":\"x\"}]":   `{"steps":[{"tool":"x"}]}`,
		"snapshot=none timeoutMs=10": `{"snapshot":"none","timeoutMs":10}`,
	} {
		got, err := Arguments(s, strings.Fields(words))
		data, _ := json.Marshal(got)
		var a, b any
		if err != nil || json.Unmarshal(data, &a) != nil || json.Unmarshal([]byte(want), &b) != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %s, %v; want %s", words, data, err, want)
		}
	}
	for words, want := range map[string]string{"text": `"text" is not an argument: write it as name=value`, "=x": "name=value", "{": "the arguments are not JSON"} {
		if _, err := Arguments(s, strings.Fields(words)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", words, err)
		}
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                          nil,
		"  # a comment":             nil,
		"a b=c":                     {"a", "b=c"},
		"a  \tb\r":                  {"a", "b"},
		`a text="two words"`:        {"a", "text=two words"},
		`a text='it"s' ''`:          {"a", `text=it"s`, ""},
		`a b\ c "d\"e" '\'`:         {"a", "b c", `d"e`, `\`},
		`a values=["x","y"]`:        {"a", "values=[x,y]"}, // as a shell does
		`a 'values=["x","y"]' # no`: {"a", `values=["x","y"]`, "#", "no"},
		"a text=ä":                  {"a", "text=ä"},
	} {
		if got, err := Words(line); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, %v; want %q", line, got, err, want)
		}
	}
	for _, line := range []string{`a "b`, `a 'b`, `a b\`} {
		if got, err := Words(line); err == nil {
			t.Errorf("%s: %q", line, got)
		}
	}
}
