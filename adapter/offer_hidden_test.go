package adapter

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestOffersOfHiddenForms holds that a button which shows a form takes the form's
// fields, whichever way the page joins them, and that no other button does.
func TestOffersOfHiddenForms(t *testing.T) {
	s := open(t, "")
	const fields = `<label>To <input name=to></label><label>Subject <input name=subject></label><label>Body <textarea name=body></textarea></label><button>Send</button>`
	const form = `<form onsubmit="event.preventDefault(); document.title='sent'">` + fields + `</form>`
	for i, c := range []struct {
		name, html string
		opens      string // the key of what takes the fields
	}{
		{"a handler's words", `<button onclick="box.style.display='block'">Begin</button><button>Other</button><div id=box style="display:none">` + form + `</div>`, "action:begin"},
		{"aria-controls", `<button aria-controls=box onclick="document.getElementById('b'+'ox').hidden=false">Begin</button><button>New</button><div id=box hidden>` + form + `</div>`, "action:begin"},
		{"a popover", `<button popovertarget=box>Begin</button><div id=box popover>` + form + `</div>`, "action:begin"},
		{"a dialog without a form", `<button commandfor=box command=show-modal>Begin</button><dialog id=box>` + fields + `</dialog>`, "action:begin"},
		{"what it is called", `<button id=one>New message</button><button>New folder</button><div id=box class="new-message" hidden>` + form + `</div><script>one.onclick = () => { setTimeout(() => { box.hidden = false }, 200) }</script>`, "action:new-message"},
		{"the only ones", `<button id=one>Compose</button><button>Refresh</button><div id=box hidden>` + form + `</div><script>one.onclick = () => { box.hidden = false }</script>`, "action:compose"},
		{"two that begin something", `<button>New folder</button><button>New list</button><div id=box hidden>` + form + `</div>`, ""},
		{"a login", `<button onclick="box.hidden=false">Sign in</button><div id=box hidden><form><label>Name <input></label><label>Password <input type=password></label></form></div>`, ""},
	} {
		s.visit(s.site.page(fmt.Sprintf("/%d", i), c.html))
		for _, o := range s.offers() {
			if (o.How != "") != (o.Key == c.opens) {
				t.Errorf("%s: %s opens: %q\n%s", c.name, o.Key, o.How, said(s.offers()))
			}
		}
		if c.opens == "" {
			continue
		}
		taken := s.take(c.opens, map[string]any{"to": "Ada", "body": "Lunch?"})
		if len(taken.Fields) != 2 || taken.Fields[0].Value != "Ada" || taken.Fields[1].Value != "Lunch?" || !strings.Contains(taken.Target, "button") {
			t.Errorf("%s: %+v", c.name, taken)
		}
		s.is(`document.title + document.querySelector("[name=to]").value`, `"tAda"`)
	}
	s.visit(s.site.page("/create", `<button onclick="box.hidden=false">Create event</button><div id=box hidden>`+form+`</div>`))
	s.take("action:create-event", nil)
	s.is(`document.title`, `"t"`)
	s.visit(s.site.page("/created", `<button onclick="box.hidden=false">Create event</button><div id=box hidden>`+form+`</div>`))
	s.take("action:create-event", map[string]any{"to": "Ada"})
	s.is(`document.title`, `"sent"`)
	s.visit(s.site.page("/paid", `<button onclick="box.hidden=false">Book table</button><form id=box hidden onsubmit="event.preventDefault(); document.title='sent'"><label>Name <input name=name></label><label>Card <input autocomplete=cc-number></label><button>Book</button></form>`))
	if _, err := s.TakeOffer(AskFirst(t.Context()), "action:book-table", map[string]any{"name": "Ada"}); !errors.Is(err, ErrUnconfirmed) {
		t.Errorf("a payment is not asked for: %v", err)
	}
	s.is("box.hidden + document.title", `"truet"`)
	if _, err := s.TakeOffer(AskFirst(t.Context()), "action:book-table", nil); err != nil {
		t.Errorf("what is only shown: %v", err)
	}
	s.is("box.hidden + document.title", `"falset"`)
	s.visit(s.site.page("/none", `<button>Compose</button><form hidden>`+fields+`</form>`))
	if _, err := s.TakeOffer(t.Context(), "action:compose", map[string]any{"to": "Ada"}); err == nil || !strings.Contains(err.Error(), "to is not shown: nothing was filled in") {
		t.Errorf("a form that is not shown: %v", err)
	}
	s.take("action:compose", nil)
}
