package adapter

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
)

// TestCookiesHidden holds that no value of an HttpOnly cookie is left in headers,
// whatever its line is like and however long the header is.
func TestCookiesHidden(t *testing.T) {
	at := source{page: &Page{browser: &Browser{opts: Options{HideCookies: true}}}}
	sent := []*network.AssociatedCookie{{Cookie: &network.Cookie{Name: "a", HTTPOnly: true}}, {Cookie: &network.Cookie{Name: "", HTTPOnly: true}}, {Cookie: &network.Cookie{Name: "b"}}}
	for _, c := range []struct {
		name, value, want string
		sent              []*network.AssociatedCookie
	}{
		{"Cookie", "a=secret=; b=seen", "a=" + HiddenCookie + "; b=seen", sent},
		{"cookie", "secret; b=seen", "=" + HiddenCookie + "; b=seen", sent},
		{"Cookie", "a=secret; b=secret", "a=" + HiddenCookie + "; b=" + HiddenCookie, nil},
		{"Set-Cookie", "a=secret; Path=/; httponly\nb=seen; Path=/", "a=" + HiddenCookie + "; Path=/; httponly\nb=seen; Path=/", nil},
		{"set-cookie", "secret; HttpOnly", "=" + HiddenCookie + "; HttpOnly", nil},
	} {
		if got := at.cookiesHidden(network.Headers{c.name: c.value}, c.sent)[c.name]; got != c.want {
			t.Errorf("%s: %s: %s", c.name, c.value, got)
		}
	}
	at.page.exchanges.extras = map[network.RequestID]*extras{}
	at.headersReceived(&network.EventResponseReceivedExtraInfo{RequestID: "r", Headers: network.Headers{"Set-Cookie": "a=" + strings.Repeat("s", headerLimit) + "; HttpOnly"}})
	if got := at.page.exchanges.extrasOf("r").received[0]["Set-Cookie"]; got != "a="+HiddenCookie+"; HttpOnly" {
		t.Errorf("of a long header: %.60s", got)
	}
}
