package adapter

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestTakeOffers goes through the sites with what they offer alone.
func TestTakeOffers(t *testing.T) {
	s, web := onSite(t, "/")
	got := func(kind string, want map[string]any) {
		t.Helper()
		data := web.got(t, kind)
		for k, v := range want {
			if fmt.Sprint(data[k]) != fmt.Sprint(v) {
				t.Errorf("%s: %s is %v, want %v", kind, k, data[k], v)
			}
		}
	}
	item := func(key, name string) map[string]any {
		t.Helper()
		for _, o := range s.offers() {
			if o.Key == key {
				for i, item := range o.Items {
					if strings.Contains(item, name) {
						return map[string]any{"index": float64(i)}
					}
				}
			}
		}
		t.Fatalf("no %q in %s", name, key)
		return nil
	}
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"mail", func() {
			s.visit(web.URL + "/mail/index.html")
			s.take("action:compose", nil)
			taken := s.take("form:send-new-message", map[string]any{"to": "ada@example.test", "subject": "Herons", "message_body": "They fly at night."})
			if len(taken.Fields) != 3 || taken.Fields[1].Value != "Herons" || !strings.Contains(taken.Target, "Send") {
				t.Errorf("%+v", taken)
			}
			got("send", map[string]any{"to": "ada@example.test", "subject": "Herons", "body": "They fly at night."})
			s.take("action:archive@inbox", item("action:archive@inbox", "Grace"))
			got("archive", map[string]any{"subject": "Found a bug"})
			s.take("list:inbox", item("list:inbox", "night heron"))
			got("read", map[string]any{"subject": "10 night birds you should know"})
		}},
		{"flights", func() {
			s.visit(web.URL + "/flights/index.html")
			taken := s.take("form:search-flights", map[string]any{"from": "Zurich", "to": "Bern", "depart": "2026-05-14", "send": false})
			if s.is("location.pathname", `"/flights/"`); len(taken.Fields) != 3 || taken.Target != "" {
				t.Errorf("not to be sent: %+v", taken)
			}
			s.take("form:search-flights", map[string]any{"trip": "one way", "from": "Zurich", "to": "Lisbon", "depart": "2026-05-14", "passengers": 2.0, "cabin": "Business"})
			s.take("action:select@departing-flights", item("action:select@departing-flights", "Heron Airways"))
			got("book", map[string]any{"from": "ZRH", "to": "LIS", "on": "2026-05-14", "n": "2", "cabin": "b", "line": "Heron Airways"})
		}},
		{"code", func() {
			s.visit(web.URL + "/code/index.html")
			s.take("action:star", nil)
			got("star", map[string]any{"on": "true"})
			if _, err := s.TakeOffer(t.Context(), "action:star", nil); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "no longer offers") {
				t.Error(err)
			}
			s.take("list:repository", item("list:repository", "Issues"))
			s.take("action:new-issue", nil)
			s.take("form:submit-new-issue", map[string]any{"title": "Sleeps by day", "labels": []any{"bug", "enhancement"}, "notify_me_of_answers": false})
			got("issue", map[string]any{"issue[title]": "Sleeps by day", "issue[labels]": "bug,idea", "notify": nil, "token": "secret-token"})
		}},
		{"shop", func() {
			s.visit(web.URL + "/shop/index.html")
			s.take("form:search-products", map[string]any{"query": "heron"})
			s.take("list:prints", item("list:prints", "Night Heron"))
			s.take("form:add-to-cart", map[string]any{"size": "A3", "quantity": 2.0})
			got("cart", map[string]any{"id": "night-heron", "size": "A3", "quantity": "2", "frame": "false"})
			args := item("action:quantity@your-cart", "night-heron")
			args["quantity"] = 5.0
			s.take("action:quantity@your-cart", args)
			s.take("action:remove@your-cart", map[string]any{"index": 0.0})
		}},
		{"search", func() {
			s.visit(web.URL + "/search/index.html")
			s.take("form:seek-search", map[string]any{"query": "night heron"})
			s.take("list:search-results", item("list:search-results", "Encyclopedia"))
			got("visit", map[string]any{"n": "1"})
		}},
		{"docs", func() {
			s.visit(web.URL + "/docs/index.html")
			s.take("list:documentation", item("list:documentation", "Rate limits"))
			s.take("action:no-it-did-not", nil)
			s.take("form:send-feedback", map[string]any{"what_could_be_better": "Say when it resets."})
			got("feedback", map[string]any{"topic": "limits", "good": "false", "text": "Say when it resets."})
		}},
		{"forum", func() {
			s.visit(web.URL + "/forum/index.html")
			s.take("list:latest-discussions", item("list:latest-discussions", "Night heron"))
			s.take("action:like-reply@replies", item("action:like-reply@replies", "ada"))
			got("like", map[string]any{"who": "ada"})
			s.take("form:post-reply", map[string]any{"reply": "Seen it too."})
			got("reply", map[string]any{"text": "Seen it too."})
		}},
		{"settings", func() {
			s.visit(web.URL + "/settings/index.html")
			s.take("form:notifications", map[string]any{"weekly_digest": true, "email_me_about_replies": true})
			got("notify", map[string]any{"digest": "true", "replies": nil})
			if _, err := s.TakeOffer(t.Context(), "form:change-password", map[string]any{"new_password": "short"}); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "new_password: ") {
				t.Error(err)
			}
			if taken, err := s.TakeOffer(t.Context(), "form:save-profile", map[string]any{"display_name": "Grace", "time_zone": "Mars"}); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "time_zone: ") || !strings.Contains(err.Error(), "filled in and still there: display_name") || len(taken.Fields) != 2 || taken.Fields[0].Err != nil {
				t.Error(err, taken)
			}
			s.take("form:save-profile", map[string]any{"display_name": "Grace", "public_email": "g@example.test", "bio": "Two\nlines", "time_zone": "Europe/Lisbon", "pronouns": "they/them"})
			got("profile", map[string]any{"display_name": "Grace", "mail": "g@example.test", "bio": "Two\r\nlines", "zone": "Europe/Lisbon", "pronouns": "they/them"})
		}},
		{"calendar", func() {
			s.visit(web.URL + "/calendar/index.html")
			s.take("list:days", item("list:days", "14 May"))
			if list := s.offers(); len(list) < 3 || !list[2].Behind || list[0].Name != "Save new event" || list[1].Name != "Cancel" {
				t.Errorf("with a dialog open the page offers\n%s", said(list))
			}
			s.take("form:save-new-event", map[string]any{"title": "Night walk", "start": "21:30", "end": "23:00", "guests": "ada@example.test"})
			got("event", map[string]any{"title": "Night walk", "date": "2026-05-14", "start": "21:30", "end": "23:00", "guests": "ada@example.test"})
		}},
		{"checkout", func() {
			s.visit(web.URL + "/checkout/index.html")
			if _, err := s.TakeOffer(t.Context(), "form:continue-to-shipping", map[string]any{"full_name": "Ada", "street": "Seeweg 1", "postal_code": "x", "city": "Zug", "country": "Switzerland"}); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "postal_code: ") {
				t.Error(err)
			}
			s.take("form:continue-to-shipping", map[string]any{"full_name": "Ada", "street": "Seeweg 1", "postal_code": "6300", "city": "Zug", "country": "Switzerland"})
			s.take("form:continue-to-payment", map[string]any{"method": "Express, 1 day", "wrap_it_as_a_gift": true})
			var pay string
			for _, o := range s.offers() {
				if o.Frame != "" {
					pay = o.Key
				}
			}
			taken := s.take(pay, map[string]any{"card_number": "4242424242424242", "expiry_date": "12/29", "security_code": "123"})
			if v := taken.Fields[2]; v.Name != "security_code" || v.Value != "" {
				t.Errorf("a password is told: %+v", v)
			}
			got("order", map[string]any{"name": "Ada", "zip": "6300", "country": "CH", "m": "exp", "gift": "on", "card": "4242", "website": ""})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.TB = t
			c.run()
		})
	}
}

// TestOfferItemsMove holds that an index means the item that was told there,
// though others have come before it; and that nothing else is taken for one that
// is gone.
func TestOfferItemsMove(t *testing.T) {
	s := open(t, `<main><h1>Mail</h1><ul id=l></ul></main><script>
let names = ['One', 'Two', 'Three'], deleted = [], opened = [];
const draw = () => { l.innerHTML = names.map((n) => '<li><a href="#' + n + '">' + n + '</a> <button aria-label="Delete ' + n + '">x</button></li>').join('');
  l.querySelectorAll('button').forEach((b, i) => b.onclick = () => { deleted.push(names[i]); names.splice(i, 1); draw() });
  l.querySelectorAll('a').forEach((a, i) => a.onclick = () => opened.push(names[i])) };
draw()</script>`)
	s.offers()
	s.is("names.unshift('Zero'), draw()", "undefined")
	if taken := s.take("list:mail", map[string]any{"index": 1.0}); taken.Item != "Two" {
		t.Errorf("%+v", taken)
	}
	s.is("opened", `["Two"]`)
	s.take("action:delete@mail", map[string]any{"index": 1.0})
	s.is("deleted", `["Two"]`)
	_, err := s.TakeOffer(t.Context(), "action:delete@mail", map[string]any{"index": 1.0})
	if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), `"Two"`) {
		t.Error(err)
	}
	s.is("deleted", `["Two"]`)
	for _, args := range []map[string]any{nil, {"index": 9.0}, {"index": 0.5}, {"index": -1.0}, {"index": 0.0, "other": 1}} {
		if _, err := s.TakeOffer(t.Context(), "list:mail", args); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v: %v", args, err)
		}
	}
	if _, err := s.TakeOffer(t.Context(), "form:sign-in", nil); !errors.Is(err, ErrNotFound) || err.Error() != `the page no longer offers "sign in"` {
		t.Error(err)
	}
}
