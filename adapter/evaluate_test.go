package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestEvaluate(t *testing.T) {
	s := open(t, `<button id=b class=x>Save</button>`)
	for script, want := range map[string]string{
		"1+1": "2", "'a'": `"a"`, "({a:[1,'x',null]})": `{"a":[1,"x",null]}`, "undefined": "undefined", "null": "null", "true": "true",
		"Promise.resolve(5)": "5", "() => 7": "7", "async () => { await null; return 8 }": "8", "function f() { return 9 }": "9", "(a, b) => typeof a": `"undefined"`,
		"const q=1; q+1": "2", "await Promise.resolve(3)": "3", "10n": `"10n"`, "NaN": "null", "-0": "-0", "new Map([['k',1]])": `{"[Map]":{"k":1}}`, "new Set([1])": `{"[Set]":[1]}`,
		"const o={}; o.self=o; o": `{"self":"[circular: the whole]"}`, "({u:undefined, b:1n})": `{"b":"1n"}`, "({a:1,b:undefined,c:()=>1})": `{"a":1,"c":"[function c] ()=>1"}`, "[undefined,NaN,1/0]": "[null,null,null]", "({toJSON() {}})": "undefined",
		"new Date(0)": `"1970-01-01T00:00:00.000Z"`, "/x/g": `"/x/g"`, "document.querySelector('#b')": `"<button id=\"b\" class=\"x\">Save"`,
		"[function f() {}]": `["[function f] function f() {}"]`, "new Uint8Array([1,2])": "[1,2]", "x => 5": "5", "{a: 1}": `{"a":1}`, "{ let z = 3; z }": "3", "function twice(n) { return 2*n }; twice(4)": "8", "(() => 11)()": "11", "(async () => 12)()": "12", "(({a}) => 6)({})": "6",
	} {
		got, err := s.Evaluate(t.Context(), script, Element{})
		if err != nil || got.Text != want || got.Text != "undefined" && !json.Valid([]byte(got.Text)) {
			t.Errorf("%s: %s %v; want %s", script, got.Text, err, want)
		}
	}
	for script, want := range map[string]string{"(el) => el.id": `"b"`, "el => el.textContent": `"Save"`, "element.id": `"b"`, "const n = element.id; return n + 1": `"b1"`} {
		got, err := s.Evaluate(t.Context(), script, Element{Selector: "#b"})
		if err != nil || got.Text != want || got.Text != "undefined" && !json.Valid([]byte(got.Text)) {
			t.Errorf("%s: %s %v; want %s", script, got.Text, err, want)
		}
	}
	for script, note := range map[string]string{"1": "[]", "NaN": "[null stands for NaN, which JSON cannot represent]", "({a:[-1/0]})": "[null stands for -Infinity, which JSON cannot represent]", "[1n]": "[bigints are returned as strings]"} {
		got, err := s.Evaluate(t.Context(), script, Element{})
		if err != nil || fmt.Sprint(got.Notes) != note {
			t.Errorf("%s: noted %v %v; want %s", script, got.Notes, err, note)
		}
	}
	for script, say := range map[string]string{"throw new Error('no')": "no", "nope.x": "nope is not defined", "Promise.reject('why')": "why", "1 +": "SyntaxError", "() => { throw new TypeError('t') }": "TypeError: t (at"} {
		if got, err := s.Evaluate(t.Context(), script, Element{}); !errors.Is(err, ErrScript) || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %s %v", script, got, err)
		}
	}
	if got, err := s.Evaluate(t.Context(), "'x'.repeat(1e6)", Element{}); err != nil || len(got.Text) > 110_000 || !strings.Contains(got.Text, "truncated after") {
		t.Errorf("%d %v", len(got.Text), err)
	}
	if got, err := s.Evaluate(t.Context(), "Array(1e6).fill({a:1})", Element{}); err != nil || len(got.Text) > 250_000 {
		t.Errorf("%d %v", len(got.Text), err)
	}
}

func TestEvaluateEndless(t *testing.T) {
	s := open(t, `<button id=b>Save</button>`)
	other := openIn(t, s.browser, `<p>other`, false)
	for _, c := range []struct {
		script string
		e      Element
	}{{"for(;;);", Element{}}, {"() => { for(;;); }", Element{Selector: "#b"}}, {"new Promise(() => {})", Element{}}, {"await null; for(;;);", Element{}}} {
		done := make(chan error, 1)
		quick(t, 900*time.Millisecond, func() {
			go func() {
				_, err := other.Evaluate(t.Context(), "1", Element{})
				done <- err
			}()
			_, err := s.Evaluate(s.within(400*time.Millisecond), c.script, c.e)
			if !errors.Is(err, ErrTimeout) {
				t.Errorf("%s: %v", c.script, err)
			}
			if err := <-done; err != nil {
				t.Errorf("the other tab: %v", err)
			}
		})
		s.is("1+1", "2")
		s.click("#b", ClickOptions{})
	}
}

func TestEvaluateDialog(t *testing.T) {
	s := open(t, `<p>x`)
	if _, err := s.Evaluate(t.Context(), "confirm('sure?')", Element{}); err != nil {
		t.Error(err)
	}
	if d := s.Dialog(); d == nil || d.Type != "confirm" {
		t.Fatalf("dialog is %v", d)
	}
	if _, err := s.AnswerDialog(t.Context(), DialogAnswer{Accept: true}); err != nil {
		t.Fatal(err)
	}
	s.is("1", "1")
}
