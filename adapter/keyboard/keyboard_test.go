package keyboard

import (
	"fmt"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "",
		" ":                 "Space  ",
		"Escape esc":        "Escape, Escape",
		"a A Shift+a":       "KeyA a, KeyA A, 8 KeyA A",
		"Control+A ctrl+a":  "2 KeyA a, 2 KeyA a",
		"Control+Shift+a":   "10 KeyA A",
		"Alt++ plus +":      "1 Equal +, Equal +, Equal +",
		"Shift+1 !":         "8 Digit1 !, Digit1 !",
		"Meta+Down":         "4 ArrowDown",
		"F24":               "F24",
		"ö":                 " ö",
		"Hyper":             `unknown key "Hyper"`,
		"Hyper+a":           `unknown key "Hyper" (in "Hyper+a")`,
		"a+b":               `unknown key "a" (in "a+b")`,
		"Control+Shift":     "2 ShiftLeft",
		"Control Shift+Tab": "ControlLeft, 8 Tab",
	} {
		list, err := Parse(text)
		got := ""
		for i, c := range list {
			if i > 0 {
				got += ", "
			}
			if bits := c.Modifiers(); bits != 0 {
				got += fmt.Sprint(bits, " ")
			}
			got += c.Key.Code
			if c.Types() || len(c.Key.Key.Key) < 3 && c.Key.Text != "" {
				got += " " + c.Key.Key.Key
			}
		}
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTyping(t *testing.T) {
	for r, want := range map[rune]Key{'\n': named["enter"], '\t': named["tab"], '?': typing['?']} {
		if got := Typing(r).Key; got != want || got.Code == "" {
			t.Errorf("%q: %+v", r, got)
		}
	}
	if k := Typing('字').Key; k.Text != "字" || k.Code != "" {
		t.Errorf("%+v", k)
	}
}

func TestModifier(t *testing.T) {
	for name, want := range map[string]int64{"Control": 2, "cmd": 4, "shift": 8, "option": 1, "Enter": 0, "x": 0, "": 0} {
		if bit, ok := Modifier(name); bit != want || ok != (want != 0) {
			t.Errorf("%q: %d, %v", name, bit, ok)
		}
	}
}
