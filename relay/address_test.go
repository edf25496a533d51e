package relay

import (
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

func TestAddressesEnd(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	a, secret := d.server.Issue(Address{Name: "one", Browser: "i"}, 0)
	c, _, err := d.dial("/cdp/"+secret, nil)
	if err != nil {
		t.Fatal(err)
	}
	say(t, c, `{"id":1,"method":"Browser.getVersion"}`)
	hear(t, c, "1")
	if list := d.server.Addresses(); len(list) != 1 || list[0].ID != a.ID || list[0].Clients != 1 {
		t.Fatalf("%+v", list)
	}
	_, late := d.server.Issue(Address{Browser: "i"}, time.Nanosecond)
	if _, _, err := d.dial("/cdp/"+late, nil); err == nil {
		t.Error("an address outlives its time")
	}
	if ended := d.server.Revoke("one"); len(ended) != 1 {
		t.Fatalf("%+v", ended)
	}
	if code, why := closeCode(c); code != websocket.ClosePolicyViolation {
		t.Error(code, why)
	}
	if _, _, err := d.dial("/cdp/"+secret, nil); err == nil {
		t.Error("a revoked address lets clients in")
	}
	if ended := d.server.Revoke(""); ended != nil {
		t.Errorf("%+v", ended)
	}
}
