package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/nats-io/nats.go"
)

const (
	// announce is how often a host says what it offers, and maxAge after how long
	// without that it is forgotten, by NATS itself.
	announce = 5 * time.Second
	maxAge   = 15 * time.Second
	// askLimit bounds a question to the directory.
	askLimit = 5 * time.Second

	maxText = 256 // bytes of a name or a label

	bucket  = "KV_tabrelay" // the stream of the bucket `tabrelay`
	entries = "$KV.tabrelay."
)

// Browser is one that a host offers, as it stands in the directory.
type Browser struct {
	Name     string   `json:"name"`    // on its machine
	Machine  string   `json:"machine"` // as its owner calls it
	Kind     string   `json:"kind,omitempty"`
	Version  string   `json:"version,omitempty"`
	Labels   []string `json:"labels,omitempty"`
	Managed  bool     `json:"managed,omitempty"` // each session gets one of its own
	Free     int      `json:"free"`              // places for sessions
	Capacity int      `json:"capacity"`
	Open     bool     `json:"open,omitempty"` // no invite is needed
	Host     string   `json:"host"`
	Key      []byte   `json:"key"`
	Epoch    string   `json:"epoch"` // changes when the host starts
}

// Called is the name by which an agent chooses the browser.
func (b Browser) Called() string { return b.Name + "@" + b.Machine }

// has reports whether the browser has a label; its kind is one.
func (b Browser) has(label string) bool {
	return strings.EqualFold(b.Kind, label) || slices.ContainsFunc(b.Labels, func(l string) bool { return strings.EqualFold(l, label) })
}

// sound reports whether an entry speaks of the host whose key it has, in words that
// can be shown on a line.
func (b Browser) sound() bool {
	for _, text := range append([]string{b.Name, b.Machine, b.Kind, b.Version}, b.Labels...) {
		if len(text) > maxText || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return false
		}
	}
	return len(b.Key) == 32 && idOf(b.Key) == b.Host
}

// key is the browser's place in the directory.
func (b Browser) key() string { return token(b.Machine) + "." + token(b.Name) + "." + b.Host }

// token makes a text fit for a subject.
func token(s string) string {
	return cmp.Or(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '_'
	}, s), "_")
}

// apiError is an error of JetStream's.
type apiError struct {
	Code        int    `json:"err_code"`
	Description string `json:"description"`
}

func (e *apiError) Error() string { return "JetStream: " + e.Description }

// Codes of JetStream's errors.
const (
	errOtherConfig = 10058
	errNoCluster   = 10074
	errNoPeers     = 10005
	errNotEnabled  = 10039
	errNotAccount  = 10076
)

// errNoDirectory says that the server keeps nothing.
var errNoDirectory = &Error{Text: "the NATS server has no JetStream, which the directory of browsers needs", Hint: another,
	Flag: "add jetstream { } to its configuration, and to the account of these credentials if it has several"}

// errAway says that nobody keeps the directory now: a cluster has not chosen who does,
// or a server that was the only one has forgotten it.
var errAway = errors.New("no node of NATS keeps the directory of browsers yet")

// unanswered says why the directory does not answer.
func (w *wire) unanswered(err error) error {
	if denied := w.denied(); denied != nil {
		return denied
	}
	return &Error{Text: fmt.Sprintf("the directory of browsers does not answer: %v", err), Hint: "try again, or " + another,
		Flag: "see whether the NATS server runs, and in a cluster most of its nodes"}
}

// bring makes the directory, unless it is there. In a cluster three nodes have it.
func (w *wire) bring(ctx context.Context) error {
	for _, replicas := range []int{3, 1} {
		config, err := json.Marshal(map[string]any{
			"name": bucket, "subjects": []string{entries + ">"}, "max_msgs_per_subject": 1, "max_age": maxAge, "storage": "memory",
			"num_replicas": replicas, "discard": "new", "allow_direct": true, "allow_rollup_hdrs": true, "deny_delete": true, "duplicate_window": maxAge,
		})
		if err != nil {
			return err
		}
		err = w.ask(ctx, "$JS.API.STREAM.CREATE."+bucket, config)
		var failed *apiError
		switch {
		case errors.As(err, &failed) && failed.Code == errOtherConfig:
			return nil // it is there, as its operator wants it
		case errors.As(err, &failed) && (failed.Code == errNoCluster || failed.Code == errNoPeers) && replicas > 1:
			continue
		case errors.As(err, &failed) && (failed.Code == errNotEnabled || failed.Code == errNotAccount):
			return errNoDirectory
		}
		return err
	}
	return nil
}

// ask asks JetStream for something and returns its refusal.
func (w *wire) ask(ctx context.Context, subject string, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	m, err := w.nc.RequestWithContext(ctx, subject, data)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		if has, _ := w.nc.ConnectedServerJetStream(); has {
			return errAway
		}
		return errNoDirectory
	case err != nil:
		return w.unanswered(err)
	}
	var said struct {
		Error *apiError `json:"error"`
	}
	if err := json.Unmarshal(m.Data, &said); err != nil {
		return err
	}
	if said.Error != nil {
		return said.Error
	}
	return nil
}

// put says that a browser is there, for the next 15 s.
func (w *wire) put(ctx context.Context, b Browser) error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return w.ask(ctx, entries+b.key(), text)
}

// drop takes a browser out, at once.
func (w *wire) drop(b Browser) {
	_ = w.nc.PublishMsg(&nats.Msg{Subject: entries + b.key(), Header: nats.Header{"KV-Operation": {"DEL"}}})
}

// pageSize is how many entries are asked for at once.
const pageSize = 1000

// list returns what is in the directory under a part of a key, in no order; ">" is
// all of it.
func (w *wire) list(ctx context.Context, part string) ([]Browser, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	found := map[string]Browser{} // by subject: what is told anew meanwhile comes twice
	for next := uint64(1); next != 0; {
		var err error
		if next, err = w.page(ctx, part, next, found); err != nil {
			return nil, err
		}
	}
	return slices.Collect(maps.Values(found)), nil
}

// page adds the entries from a number on, and returns that of the next page; 0 after
// the last.
func (w *wire) page(ctx context.Context, part string, from uint64, found map[string]Browser) (next uint64, err error) {
	inbox := w.nc.NewInbox()
	sub, err := w.nc.SubscribeSync(inbox)
	if err != nil {
		return 0, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	ask := map[string]any{"seq": from, "batch": pageSize}
	if part != ">" { // which the server would hold each entry against
		ask["next_by_subj"] = entries + part
	}
	question, err := json.Marshal(ask)
	if err != nil {
		return 0, err
	}
	if err := w.nc.PublishRequest("$JS.API.DIRECT.GET."+bucket, inbox, question); err != nil {
		return 0, fmt.Errorf("the connection to NATS is lost: %w", err)
	}
	for {
		m, err := sub.NextMsgWithContext(ctx)
		switch {
		case errors.Is(err, nats.ErrNoResponders), err == nil && m.Header.Get("Status") == "503":
			if has, _ := w.nc.ConnectedServerJetStream(); !has {
				return 0, errNoDirectory
			}
			return 0, nil // nobody has offered a browser yet
		case err != nil:
			return 0, w.unanswered(err)
		}
		switch status := m.Header.Get("Status"); status {
		case "":
		case "404": // there is none
			return 0, nil
		case "204": // the end of the page
			if m.Header.Get("Nats-Num-Pending") == "0" {
				return 0, nil
			}
			last, err := strconv.ParseUint(m.Header.Get("Nats-Last-Sequence"), 10, 64)
			if err != nil || last < from {
				return 0, errors.New("the directory of browsers says nothing that is known: its NATS server may be too old")
			}
			return last + 1, nil
		default:
			return 0, fmt.Errorf("the directory of browsers says %s %s", status, m.Header.Get("Description"))
		}
		var b Browser
		at := m.Header.Get("Nats-Subject")
		if m.Header.Get("KV-Operation") == "" && json.Unmarshal(m.Data, &b) == nil && at == entries+b.key() && b.sound() {
			found[at] = b
		} else {
			delete(found, at)
		}
	}
}
