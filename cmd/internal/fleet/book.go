package fleet

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

const (
	bookFile   = "fleet.json"
	maxBook    = 1 << 20 // bytes
	inviteWord = "tabrelay-fleet-"
)

// Book is what this machine knows of others: its own key, who was invited here and
// by whom it was invited. It is kept in the state folder.
type Book struct {
	Key     []byte   `json:"key"` // private
	Invited []Invite `json:"invited,omitempty"`
	Hosts   []Known  `json:"hosts,omitempty"`

	dir string
}

// Invite lets agents of one machine use the browsers that this one offers.
type Invite struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"` // whom it is for
	Secret []byte    `json:"secret"`
	Made   time.Time `json:"made"`
	Agent  string    `json:"agent,omitempty"` // the machine that used it first, and has it alone from then on
}

// Known is a machine whose browsers this one was invited to.
type Known struct {
	Machine string `json:"machine"`
	Key     []byte `json:"key"`
	Invite  string `json:"invite"`
	Secret  []byte `json:"secret"`
}

// change reads the book, lets do change it, and keeps what it did.
func change(dir string, do func(*Book) error) (*Book, error) {
	if _, err := state.Open(dir); err != nil { // it makes the folder
		return nil, err
	}
	lock, err := state.Lock(dir, bookFile+".lock")
	if err != nil {
		return nil, err
	}
	if err := lock.Lock(); err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	b := &Book{dir: dir}
	path := filepath.Join(dir, bookFile)
	data, err := state.ReadRegular(path, maxBook)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, state.FolderError(err)
	case json.Unmarshal(data, b) != nil:
		return nil, fmt.Errorf("%s cannot be read: delete it to begin anew; invites are then lost", path)
	}
	if len(b.Key) == 0 {
		key, err := ecdh.X25519().GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		b.Key = key.Bytes()
	} else if do == nil {
		return b, nil
	}
	if do != nil {
		if err := do(b); err != nil {
			return nil, err
		}
	}
	data, err = json.MarshalIndent(b, "", "  ")
	if err != nil {
		return nil, err
	}
	return b, state.ReplaceFile(path, append(data, '\n'))
}

// ReadBook reads the book of a state folder; one that is not there is begun.
func ReadBook(dir string) (*Book, error) { return change(dir, nil) }

// own is this machine's key.
func (b *Book) own() (*ecdh.PrivateKey, error) {
	key, err := ecdh.X25519().NewPrivateKey(b.Key)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: delete it to begin anew; invites are then lost", filepath.Join(b.dir, bookFile))
	}
	return key, nil
}

// offered is what an invite says.
type offered struct {
	Machine string `json:"m"`
	Key     []byte `json:"k"`
	Invite  string `json:"i"`
	Secret  []byte `json:"s"`
}

// NewInvite makes an invite to this machine's browsers, and returns the text for
// the machine that is invited. It is a secret.
func NewInvite(dir, machine, name string) (string, error) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	i := Invite{ID: newToken(), Name: name, Secret: secret, Made: time.Now()}
	b, err := change(dir, func(b *Book) error {
		if slices.ContainsFunc(b.Invited, func(i Invite) bool { return i.Name == name }) {
			return fmt.Errorf("there is an invite for %s already: end it with `tabrelay fleet invite --revoke %s`, or choose another name", name, name)
		}
		b.Invited = append(b.Invited, i)
		return nil
	})
	if err != nil {
		return "", err
	}
	own, err := b.own()
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(offered{machine, own.PublicKey().Bytes(), i.ID, secret})
	return inviteWord + base64.RawURLEncoding.EncodeToString(text), err
}

// Revoke ends an invite by its name; agents that came with it are let in no more, and
// their sessions end.
func Revoke(dir, name string) error {
	_, err := change(dir, func(b *Book) error {
		n := len(b.Invited)
		b.Invited = slices.DeleteFunc(b.Invited, func(i Invite) bool { return i.Name == name })
		if len(b.Invited) == n {
			return fmt.Errorf("there is no invite for %s", name)
		}
		return nil
	})
	return err
}

// Accept keeps an invite, and returns the name of the machine that it is to.
func Accept(dir, text string) (string, error) {
	data, ok := strings.CutPrefix(strings.TrimSpace(text), inviteWord)
	var o offered
	raw, err := base64.RawURLEncoding.DecodeString(data)
	if !ok || err != nil || json.Unmarshal(raw, &o) != nil || len(o.Key) != 32 || len(o.Secret) != 32 || !isToken(o.Invite) {
		return "", fmt.Errorf("this is not an invite: invites begin with %s and are printed by `tabrelay fleet invite`", inviteWord)
	}
	_, err = change(dir, func(b *Book) error {
		b.Hosts = slices.DeleteFunc(b.Hosts, func(h Known) bool { return string(h.Key) == string(o.Key) })
		b.Hosts = append(b.Hosts, Known(o))
		return nil
	})
	return o.Machine, err
}

// host returns what was agreed on with a machine, by its key.
func (b *Book) host(key []byte) (Known, bool) {
	for _, h := range b.Hosts {
		if string(h.Key) == string(key) {
			return h, true
		}
	}
	return Known{}, false
}

// take binds an invite to the machine that uses it first, and reports whether it
// is there and that machine's.
func take(dir, id, agent string) error {
	_, err := change(dir, func(b *Book) error {
		for n := range b.Invited {
			i := &b.Invited[n]
			if i.ID != id {
				continue
			}
			if i.Agent == "" {
				i.Agent = agent
			}
			if i.Agent != agent {
				return errTaken
			}
			return nil
		}
		return errNoInvite
	})
	return err
}

// Why an agent is refused.
var (
	errNoInvite = errors.New("no invite")
	errTaken    = errors.New("the invite is another machine's")
)
