package fleet

import "strings"

// Permissions are the subjects that a machine needs, and no more. A machine
// that has only these can neither hear what is for others nor speak in their name.
type Permissions struct {
	Publish   []string `json:"publish"`
	Subscribe []string `json:"subscribe"`
}

// Permit returns what the machine with a state folder needs to offer browsers, or to
// use those of others.
func Permit(dir string, offers bool) (Permissions, error) {
	book, err := ReadBook(dir)
	if err != nil {
		return Permissions{}, err
	}
	own, err := book.own()
	if err != nil {
		return Permissions{}, err
	}
	id := idOf(own.PublicKey().Bytes())
	if offers {
		return Permissions{
			Publish:   []string{agentSubjects + ">", entries + "*.*." + id, "$JS.API.STREAM.CREATE." + bucket},
			Subscribe: []string{hostSubjects + id + ".>"},
		}, nil
	}
	return Permissions{
		Publish:   []string{hostSubjects + ">", "$JS.API.DIRECT.GET." + bucket},
		Subscribe: []string{agentSubjects + id + ".>"},
	}, nil
}

// String is how a NATS server's configuration says it of a user.
func (p Permissions) String() string {
	list := func(all []string) string { return `["` + strings.Join(all, `", "`) + `"]` }
	return "permissions {\n  publish { allow: " + list(p.Publish) + " }\n  subscribe { allow: " + list(p.Subscribe) + " }\n}"
}
