package tools

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/tools/secret"
)

// TestB94OwnToolsAreDescribedAsTheyAre gives secrets that are words of schemas.
func TestB94OwnToolsAreDescribedAsTheyAre(t *testing.T) {
	plain := Options{Settings: Settings{Vault: Vault{"A": {Name: "A", Value: "nowhere-to-be-found", Sites: []string{"a.example"}}}}}
	words := Options{Settings: Settings{Vault: Vault{"A": {Name: "A", Value: "string", Sites: []string{"a.example"}}, "B": {Name: "B", Value: "properties", Sites: []string{"a.example"}}}}}
	for _, set := range Profiles() {
		plain.Tools, words.Tools = set, set
		if !bytes.Equal(listing(t, plain), listing(t, words)) {
			t.Errorf("%s: its tools are masked", set)
		}
	}
}

func TestB94NoNameOfAToolHoldsASecret(t *testing.T) {
	s := newSession(Options{Settings: Settings{Tools: "dynamic", Vault: Vault{"MAIL": secret.Secret{Name: "MAIL", Value: "ada@mail.example"}}}})
	d := &dynamic{session: s}
	list := d.compose(&tab{id: "t1"}, []adapter.Declared{{Name: "Write to ada@mail.example"}}, []adapter.Offer{{Kind: adapter.OfferAction, Name: "ada@mail.example", Key: "k"}})
	var names []string
	for _, one := range list {
		names = append(names, one.name)
	}
	if all := strings.Join(names, " "); strings.Contains(all, "ada") || !strings.Contains(all, "secret_mail") {
		t.Errorf("the tools are called %s", all)
	}
}
