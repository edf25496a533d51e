package secret_test

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/tools/secret"
)

func TestB94SecretsAreReadFromDotenv(t *testing.T) {
	got, err := secret.Parse("\ufeff# a comment\n\nBANK=hunter2 # bank.example\r\nexport MAIL = \"a \\\"b\\\" #c\\n\" # mail.example, *.mail.example:8443\nRAW='x$y\\n#z' # http://localhost:3000\nHASH=ab#cd # a.example\n")
	want := []secret.Secret{
		{Name: "BANK", Value: "hunter2", Sites: []string{"bank.example"}},
		{Name: "MAIL", Value: "a \"b\" #c\n", Sites: []string{"mail.example", "*.mail.example:8443"}},
		{Name: "RAW", Value: `x$y\n#z`, Sites: []string{"http://localhost:3000"}},
		{Name: "HASH", Value: "ab#cd", Sites: []string{"a.example"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v %v", got, err)
	}
	for text, says := range map[string]string{
		"BANK=hunter2": "names no site", "BANK=abc # a.example": "has 3 characters", "BANK": "is not NAME=value", "1A=hunter2 # a.example": "is not NAME=value",
		"A=hunter2 # a.example\nA=hunter3 # a.example": "line 2: A is given twice", "A=\"hunter2 # a.example": "closing quote", "A='hunter2'x # a.example": "follows the closing quote",
		"A= # a.example": "has 0 characters", "A=hunter2 #": "names no site",
	} {
		if _, err := secret.Parse(text); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "hunter") {
			t.Errorf("%q: %v; want %s", text, err, says)
		}
	}
}

func TestB94MaskFindsEveryForm(t *testing.T) {
	for _, value := range []string{"hunter2", "pa$$ w\"ör<d>&'/\\+%", "4111111111111111", "ab\ncd", "😀😀😀😀", "Zm9v+/=="} {
		m := secret.NewMask([]secret.Secret{{Name: "S", Value: value, Sites: []string{"a.example"}}})
		quoted, _ := json.Marshal(value)
		twice, _ := json.Marshal(string(quoted))
		forms := []string{value, url.QueryEscape(value), url.PathEscape(value), lowerHex(url.QueryEscape(value)), url.QueryEscape(url.QueryEscape(value)),
			string(quoted[1 : len(quoted)-1]), strings.Trim(string(twice), `"\`), html.EscapeString(value), url.QueryEscape(string(quoted))}
		for _, form := range forms {
			if got := m.Text("a " + form + " z"); !strings.Contains(got, "<secret S>") || !strings.HasPrefix(got, "a ") || !strings.HasSuffix(got, " z") || strings.Contains(got, value) {
				t.Errorf("%q as %q became %q", value, form, got)
			}
		}
		for before := range 4 {
			for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
				form := encoding.EncodeToString([]byte("user:xyz"[:before+1] + value + "tail"))
				if got := m.Text(form); !strings.Contains(got, "<secret S>") {
					t.Errorf("%q stays in %q", value, form)
				}
			}
		}
		for _, data := range []any{map[string]any{"a": value, "n": 12, value: []string{"x" + value + "y\\\""}}, "\\\"" + value + "\\\""} {
			raw, _ := json.Marshal(data)
			got := m.JSON(raw)
			if !json.Valid(got) || strings.Contains(string(got), string(quoted[1:len(quoted)-1])) || !strings.Contains(string(got), "<secret") {
				t.Errorf("%s became %s", raw, got)
			}
		}
	}
}

func TestB94MaskOfWhatWasCut(t *testing.T) {
	m := secret.NewMask([]secret.Secret{{Name: "S", Value: "correct horse"}, {Name: "LONG", Value: "correct horse battery"}, {Name: "PIN", Value: "1234"}})
	for text, want := range map[string]string{
		"go: correct ho…":                     "go: <secret LONG>…",
		"…tery; corr… orse…":                  "…<secret LONG>; <secret LONG>… <secret S>…",
		"co… correct":                         "co… correct",
		"correct horse battery/correct horse": "<secret LONG>/<secret S>",
		"?q=correct+horse&p=1234":             "?q=<secret S>&p=<secret PIN>",
		"from: … battery it … correct … x":    "from: … <secret LONG> it … <secret LONG> … x",
	} {
		if got := m.Text(text); got != want {
			t.Errorf("%q became %q; want %q", text, got, want)
		}
	}
	// A PIN is masked, and not what has its digits by chance.
	for text, want := range map[string]string{
		"button [ref=e1234] in f2e1234, r1234": "", "12345, 51234, 1763812341234, f2e12345": "",
		"1234 p=1234& pin1234 a1234b %3D1234":     "<secret PIN> p=<secret PIN>& pin<secret PIN> a<secret PIN>b %3D<secret PIN>",
		`\n1234 \u003d1234 12341234 e1234x -1234`: `\n<secret PIN> \u003d<secret PIN> 12341234 e<secret PIN>x -<secret PIN>`,
	} {
		if want == "" {
			want = text
		}
		if got := m.Text(text); got != want {
			t.Errorf("%q became %q; want %q", text, got, want)
		}
	}
	card := secret.NewMask([]secret.Secret{{Name: "CARD", Value: "4111111111111111"}})
	if got := card.Text("card 4111 1111-1111.1111!"); got != "card <secret CARD>!" {
		t.Error(got)
	}
	data := []byte(`{"n":1234,"m":12345,"s":"a1234b"}`)
	if got := string(m.Data(data)); got != `{"n":"<secret PIN>","m":12345,"s":"a<secret PIN>b"}` {
		t.Error(got)
	}
	if got := string(m.JSON(data)); got != `{"n":1234,"m":12345,"s":"a<secret PIN>b"}` { // as a width of 1234 pixels
		t.Error(got)
	}
	if got := m.Data([]byte("\xff1234")); string(got) != "\xff1234" {
		t.Errorf("%q", got)
	}
	if secret.NewMask(nil).Text("x") != "x" || string(secret.NewMask(nil).JSON([]byte("x"))) != "x" {
		t.Error("no secrets change something")
	}
}

// lowerHex writes what stands behind each % in small letters.
func lowerHex(text string) string {
	parts := strings.Split(text, "%")
	for i, part := range parts[1:] {
		parts[i+1] = strings.ToLower(part[:2]) + part[2:]
	}
	return strings.Join(parts, "%")
}
