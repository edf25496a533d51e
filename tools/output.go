package tools

import (
	"encoding/json"
	"maps"
	"reflect"

	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/schema"
)

// envelope is a structured answer: the members of the tool's own value, and beside
// them what there is to tell around it.
type envelope struct {
	own any // nil where there is none

	Stopped        string        `json:"stopped,omitempty"` // what cut the action short, in place of its own members
	Error          string        `json:"error,omitempty"`
	Hint           string        `json:"hint,omitempty"`
	Kind           string        `json:"kind,omitempty"` // of the error, such as StaleRef
	Phase          string        `json:"phase,omitempty"`
	Snapshot       string        `json:"snapshot,omitempty"`
	Changes        string        `json:"changes,omitempty"` // in place of a snapshot
	ModalStates    []modalState  `json:"modalStates,omitempty"`
	ConsoleSummary *consoleCount `json:"consoleSummary,omitempty"`
	Remark         string        `json:"remark,omitempty"`
	URL            string        `json:"url,omitempty"`
	Title          string        `json:"title,omitempty"`
	TabsOpened     []pageEntry   `json:"tabsOpened,omitempty"`
	TabsClosed     []tabClosed   `json:"tabsClosed,omitempty"`
	Downloads      []download    `json:"downloads,omitempty"`
}

// modalState is what stops the page until it is answered.
type modalState struct {
	Type     string `json:"type"` // dialog or fileChooser
	Dialog   string `json:"dialog,omitempty"`
	Message  string `json:"message,omitempty"`
	Default  string `json:"default,omitempty"`
	Multiple bool   `json:"multiple,omitempty"`
}

func (a *Answer) envelope() envelope {
	e := envelope{
		own: a.Result, Snapshot: a.Snapshot, Changes: a.Changes, ConsoleSummary: a.Console, Remark: a.Remark,
		URL: a.URL, Title: a.Title, TabsOpened: a.TabsOpened, TabsClosed: a.TabsClosed, Downloads: a.Downloads,
	}
	if v, ok := a.Result.(stopped); ok {
		e.own, e.Stopped = nil, v.Stopped
	}
	if f := a.Error; f != nil {
		e.Error, e.Hint, e.Kind, e.Phase = f.Text, f.Hint, f.Kind, f.Phase
	}
	if d := a.Dialog; d != nil {
		e.ModalStates = append(e.ModalStates, modalState{Type: "dialog", Dialog: d.Type, Message: d.Message, Default: d.Default})
	}
	if c := a.Chooser; c != nil {
		e.ModalStates = append(e.ModalStates, modalState{Type: "fileChooser", Multiple: c.Multiple})
	}
	return e
}

// MarshalJSON writes one object. Where the tool has a member of that name itself,
// that is the one.
func (e envelope) MarshalJSON() ([]byte, error) {
	type around envelope
	members := map[string]json.RawMessage{}
	for _, v := range []any{around(e), e.own} {
		if v == nil {
			continue
		}
		text, err := lines.Marshal(v)
		if err != nil {
			return nil, err
		}
		own := map[string]json.RawMessage{}
		if err := json.Unmarshal(text, &own); err != nil {
			return nil, err
		}
		maps.Copy(members, own)
	}
	return lines.Marshal(members)
}

// output is the schema of a tool's structured answer. Of what is around its own
// members only the sorts are declared, since each tool carries it.
func (t *tool) output() *schema.Schema {
	s := schema.Of(reflect.TypeOf(t.body.value))
	around := reflect.TypeFor[envelope]()
	switch t.body.value.(type) {
	case browserResponse:
		return s
	case pageElements, arrivedAt, interacted, pageLogs:
		around = reflect.TypeFor[failed]()
	}
	s.Required = nil // after an error there are none
	for _, p := range schema.Of(around).Properties {
		if s.Property(p.Name) == nil {
			s.Properties = append(s.Properties, schema.Property{Name: p.Name, Schema: &schema.Schema{Type: p.Type}})
		}
	}
	return s
}
