package tools

import (
	"reflect"

	"github.com/tabrelay/tabrelay/tools/schema"
)

// envelope is a structured answer: the tool's own value as result, and what
// there is to tell around it.
type envelope struct {
	Result         any           `json:"result,omitempty"`
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
		Result: a.Result, Snapshot: a.Snapshot, Changes: a.Changes, ConsoleSummary: a.Console, Remark: a.Remark,
		URL: a.URL, Title: a.Title, TabsOpened: a.TabsOpened, TabsClosed: a.TabsClosed, Downloads: a.Downloads,
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

// output is the schema of a tool's structured answer. Of what is around its own
// value only the sorts are declared, since each tool carries it.
func (t *tool) output() *schema.Schema {
	value := schema.Of(reflect.TypeOf(t.body.value))
	if _, whole := t.body.value.(browserResponse); whole {
		return value
	}
	value.Required = nil // what cuts an action short stands in its place
	s := schema.Object(schema.Property{Name: "result", Schema: value})
	for _, p := range schema.Of(reflect.TypeFor[envelope]()).Properties {
		if p.Name != "result" {
			s.Properties = append(s.Properties, schema.Property{Name: p.Name, Schema: &schema.Schema{Type: p.Type}})
		}
	}
	return s
}
