package relay

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// proof is how the two ends of an extension's socket show each other that they
// hold the key of the pairing, before anything else is said:
//
//	relay      prove {nonce, protocol: [first, last]}
//	extension  prove {nonce, protocol}
//	relay      proof {mac}
//	extension  proof {mac}
//
// A mac is over the role of who sends it, the address and both nonces. The
// address is the one that was dialled to the one and listened at to the other,
// so nobody at another address can pass a proof on.
type proof struct {
	key           []byte
	address       string // host:port
	nonce, theirs string
	proven        bool
}

// protocol is the version of the wire between relay and extension.
const protocol = 2

// A nonce and a mac are 32 bytes, as base64 for addresses without padding.
const (
	nonceBytes = 32
	nonceChars = 43
	// maxUnproven bounds a frame, in bytes, until then.
	maxUnproven = 64 << 10
)

func newProof(key []byte, address string) *proof {
	var nonce [nonceBytes]byte
	_, _ = rand.Read(nonce[:]) // never fails
	return &proof{key: key, address: address, nonce: base64.RawURLEncoding.EncodeToString(nonce[:])}
}

// ask is the first frame of all.
func (p *proof) ask() []byte {
	return fmt.Appendf(nil, `{"method":"prove","params":{"nonce":%q,"protocol":[%d,%d]}}`, p.nonce, protocol, protocol)
}

// errUpdate and errStranger are why an extension is refused. Their text is fit
// for a close frame.
var (
	errStranger = errors.New("no proof of this machine's key: run `tabrelay extension` again, then reload the extension in the browser")
	errUpdate   = errors.New("update the extension: run `tabrelay extension` again, then reload it in the browser")
)

// hear takes a frame of who has not proved anything yet, and returns what is to
// be said to it.
func (p *proof) hear(data []byte) ([]byte, error) {
	var f struct {
		Method string `json:"method"`
		Params struct {
			Nonce    string          `json:"nonce"`
			MAC      string          `json:"mac"`
			Protocol json.RawMessage `json:"protocol"`
		} `json:"params"`
	}
	if json.Unmarshal(data, &f) != nil {
		return nil, errStranger
	}
	switch {
	case f.Method == "hello": // so the extensions of protocol 1 began
		return nil, errUpdate
	case f.Method == "prove" && p.theirs == "":
		if n := string(f.Params.Protocol); n != fmt.Sprint(protocol) {
			return nil, wrongProtocol(n)
		}
		if nonce, err := base64.RawURLEncoding.DecodeString(f.Params.Nonce); err != nil || len(nonce) != nonceBytes || len(f.Params.Nonce) != nonceChars {
			return nil, errStranger
		}
		p.theirs = f.Params.Nonce
		return fmt.Appendf(nil, `{"method":"proof","params":{"mac":%q}}`, base64.RawURLEncoding.EncodeToString(p.mac("relay"))), nil
	case f.Method == "proof" && p.theirs != "":
		mac, err := base64.RawURLEncoding.DecodeString(f.Params.MAC)
		if err != nil || !hmac.Equal(mac, p.mac("extension")) {
			return nil, errStranger
		}
		p.proven = true
		return nil, nil
	}
	return nil, errStranger
}

// mac is the proof of a role. No part of what it is over can hold a line end, so
// one text cannot be read as another.
func (p *proof) mac(role string) []byte {
	m := hmac.New(sha256.New, p.key)
	m.Write([]byte(strings.Join([]string{"tabrelay", role, p.address, p.nonce, p.theirs}, "\n")))
	return m.Sum(nil)
}

// wrongProtocol says what to update for an extension of another version.
func wrongProtocol(n string) error {
	if len(n) > 8 || n == "" || n[0] < '0' || n[0] > '9' {
		n = "unknown"
	}
	if len(n) > 1 || n > fmt.Sprint(protocol) {
		return fmt.Errorf("the extension speaks protocol %s, this tabrelay %d: update tabrelay", n, protocol)
	}
	return errUpdate
}

// listeningAt is the address at which a request was taken, as host:port.
func listeningAt(r *http.Request) string {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if addr == nil {
		return ""
	}
	at, err := netip.ParseAddrPort(addr.String())
	if err != nil {
		return ""
	}
	return netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port()).String()
}
