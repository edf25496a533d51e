package fleet

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// The two ends of a session agree on keys with one message each way.
//
//	agent → host  greeting {invite, key: ea, box: seal(k1, hello)}
//	host → agent  reply {key: eh, box: seal(k2, welcome)}
//
//	k1 = HKDF(DH(ea, H), secret)
//	k2 = HKDF(DH(ea, H), DH(ea, eh), DH(A, eh), secret)
//
// H is the host's own key, which the agent has from an invite, A the agent's,
// which goes in the hello, ea and eh are made for this session, and secret is the
// invite's. So nobody can read, answer or go on without the invite. All that was sent
// is bound into the keys. The records' keys, one for each direction, are derived from
// the same as k2.

// greeting opens a session.
type greeting struct {
	Agent   string `json:"agent"`   // whose subject the answer goes to
	Session string `json:"session"` // by the agent
	Epoch   string `json:"epoch"`   // of the host; a greeting is good for one
	Invite  string `json:"invite,omitempty"`
	Key     []byte `json:"key"`
	Box     []byte `json:"box"`
}

// hello is what a greeting says to the host alone.
type hello struct {
	Key     []byte `json:"key"`     // the agent's own
	Name    string `json:"name"`    // of the agent, as the person sees it
	Machine string `json:"machine"` // the agent's, as it calls itself
	Browser string `json:"browser"` // the one that is wanted
}

// reply is the answer to a greeting. Without a key it is a refusal in the open.
type reply struct {
	Refused string `json:"refused,omitempty"`
	Key     []byte `json:"key,omitempty"`
	Box     []byte `json:"box,omitempty"`
}

// welcome is what a reply says to the agent alone.
type welcome struct {
	Error string `json:"error,omitempty"`
	Hint  string `json:"hint,omitempty"`
}

// errSeal says that something was not sealed with the right key.
var errSeal = errors.New("not sealed with this session's key")

// idOf names a key on subjects.
func idOf(public []byte) string {
	sum := sha256.Sum256(public)
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:15]))
}

// isToken reports whether a text that came from elsewhere may be part of a subject.
func isToken(s string) bool {
	if len(s) < 16 || len(s) > 64 {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// newToken makes up a part of a subject.
func newToken() string { return strings.ToLower(rand.Text()) }

// agreement is what two ends come to share while they greet.
type agreement struct {
	secrets []byte // what was agreed on so far
	said    []byte // all that was sent so far
}

func (a *agreement) mix(own *ecdh.PrivateKey, theirs []byte) error {
	public, err := ecdh.X25519().NewPublicKey(theirs)
	if err != nil {
		return errSeal
	}
	shared, err := own.ECDH(public)
	if err != nil {
		return errSeal
	}
	a.secrets = append(a.secrets, shared...)
	return nil
}

// key derives a key for one use.
func (a *agreement) key(secret []byte, use string) cipher.AEAD {
	said := sha256.Sum256(a.said)
	key, err := hkdf.Key(sha256.New, append(a.secrets[:len(a.secrets):len(a.secrets)], secret...), said[:], "tabrelay fleet "+use, 32)
	if err != nil {
		panic(err) // the length is right
	}
	block, _ := aes.NewCipher(key) // the length is right
	sealer, _ := cipher.NewGCM(block)
	return sealer
}

var once [12]byte // the nonce of keys that seal one thing

// open is what both ends bind the first key to.
func (g greeting) open(host []byte) []byte {
	return fmt.Appendf(nil, "1 %x %s %s %s %s %x", host, g.Agent, g.Session, g.Epoch, g.Invite, g.Key)
}

// greeter is the agent's end of an agreement.
type greeter struct {
	agreement
	own, once *ecdh.PrivateKey
	secret    []byte
	session   string
}

// greet makes a greeting to a host.
func greet(own *ecdh.PrivateKey, host Browser, invite string, secret []byte, h hello) (*greeter, greeting, error) {
	var g greeting
	fresh, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, g, err
	}
	h.Key = own.PublicKey().Bytes()
	g = greeting{Agent: idOf(h.Key), Session: newToken(), Epoch: host.Epoch, Invite: invite, Key: fresh.PublicKey().Bytes()}
	e := &greeter{own: own, once: fresh, secret: secret, session: g.Session}
	if err := e.mix(fresh, host.Key); err != nil {
		return nil, g, fmt.Errorf("the directory has no usable key of %s", host.Called())
	}
	e.said = g.open(host.Key)
	text, err := json.Marshal(h)
	if err != nil {
		return nil, g, err
	}
	g.Box = e.key(secret, "hello").Seal(nil, once[:], text, nil)
	e.said = append(e.said, g.Box...)
	return e, g, nil
}

// hear reads the host's reply and returns the keys of the session.
func (e *greeter) hear(r reply) (*seals, welcome, error) {
	var w welcome
	a := agreement{bytes.Clone(e.secrets), bytes.Clone(e.said)} // another reply may be the host's
	if a.mix(e.once, r.Key) != nil || a.mix(e.own, r.Key) != nil {
		return nil, w, errSeal
	}
	a.said = append(a.said, r.Key...)
	text, err := a.key(e.secret, "welcome").Open(nil, once[:], r.Box, nil)
	if err != nil || json.Unmarshal(text, &w) != nil {
		return nil, w, errSeal
	}
	return a.seals(e.secret, e.session, "up", "down"), w, nil
}

// hear is the host's end of an agreement: it opens a greeting with the host's key and
// the secret of the invite that the greeting names.
func (g greeting) hear(own *ecdh.PrivateKey, secret []byte) (*agreement, hello, error) {
	var h hello
	a := &agreement{}
	if a.mix(own, g.Key) != nil {
		return nil, h, errSeal
	}
	a.said = g.open(own.PublicKey().Bytes())
	text, err := a.key(secret, "hello").Open(nil, once[:], g.Box, nil)
	if err != nil || json.Unmarshal(text, &h) != nil || idOf(h.Key) != g.Agent {
		return nil, h, errSeal
	}
	a.said = append(a.said, g.Box...)
	return a, h, nil
}

// reply answers a greeting, and returns the keys of the session.
func (a *agreement) reply(g greeting, h hello, secret []byte, w welcome) (*seals, reply, error) {
	var r reply
	fresh, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, r, err
	}
	if a.mix(fresh, g.Key) != nil || a.mix(fresh, h.Key) != nil {
		return nil, r, errSeal
	}
	r.Key = fresh.PublicKey().Bytes()
	a.said = append(a.said, r.Key...)
	text, err := json.Marshal(w)
	if err != nil {
		return nil, r, err
	}
	r.Box = a.key(secret, "welcome").Seal(nil, once[:], text, nil)
	return a.seals(secret, g.Session, "down", "up"), r, nil
}

// seals seal and open the records of a session. A record is its kind, its number
// and what is sealed; no two of a kind have a number in common.
type seals struct {
	out, in cipher.AEAD
	session []byte
}

func (a *agreement) seals(secret []byte, session, out, in string) *seals {
	return &seals{a.key(secret, out), a.key(secret, in), []byte(session)}
}

const (
	recordHead = 9               // bytes of kind and number
	sealed     = recordHead + 16 // bytes of a record beyond its body
	overhead   = sealed + 64     // the same, and some to spare
)

// seal makes a record.
func (s *seals) seal(kind byte, number uint64, body []byte) []byte {
	record := make([]byte, recordHead, sealed+len(body))
	record[0] = kind
	binary.BigEndian.PutUint64(record[1:], number)
	return s.out.Seal(record, nonce(record), body, s.session)
}

// open returns the body of a record.
func (s *seals) open(record []byte) ([]byte, error) {
	body, err := s.in.Open(nil, nonce(record), record[recordHead:], s.session)
	if err != nil {
		return nil, errSeal
	}
	return body, nil
}

func nonce(record []byte) []byte {
	n := make([]byte, 12)
	copy(n[3:], record[:recordHead])
	return n
}

// numbered returns the kind and the number that a record claims.
func numbered(record []byte) (kind byte, number uint64, ok bool) {
	if len(record) < sealed {
		return 0, 0, false
	}
	return record[0], binary.BigEndian.Uint64(record[1:]), true
}
