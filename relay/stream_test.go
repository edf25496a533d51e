package relay

import (
	"fmt"
	"strings"
	"testing"
)

// TestStreamsAreBounded holds that a session which never closes its streams gets
// no more of them at some point, and gets them again when it has closed one.
func TestStreamsAreBounded(t *testing.T) {
	tk := newTalk()
	play := func(name, rest string) string {
		t.Helper()
		tk.out = nil
		if err := tk.play(name, rest); err != nil {
			t.Fatal(err)
		}
		return strings.Join(tk.out, "\n")
	}
	play("ext", "connects")
	play("ext>", `{"method":"hello","params":{"extensionVersion":"1","installId":"i","browser":{"name":"Chromium","version":"156.0.0.0","userAgent":"UA"},"tabs":[{"id":"TAB1","title":"One","url":"http://one.test/"}]}}`)
	play("client1", "connects")
	play("client1>", `{"id":1,"method":"Target.attachToTarget","params":{"targetId":"TAB1","flatten":true}}`)
	_, session, _ := strings.Cut(play("ext>", `{"id":1,"result":{}}`), `"sessionId":"`)
	session, _, _ = strings.Cut(session, `"`)
	ask := func(method, params string) string {
		return play("client1>", fmt.Sprintf(`{"id":2,"method":%q,"params":%s,"sessionId":%q}`, method, params, session))
	}
	for n := range maxStreams {
		ask("Page.printToPDF", `{"transferMode":"ReturnAsStream"}`)
		play("ext>", fmt.Sprintf(`{"id":%d,"result":{"data":"","stream":"%d"}}`, n+2, n))
	}
	if said := ask("Page.printToPDF", `{"transferMode":"ReturnAsStream"}`); !strings.Contains(said, "IO.close") {
		t.Errorf("one more than %d: %s", maxStreams, said)
	}
	ask("IO.close", `{"handle":"7"}`)
	if said := ask("Page.printToPDF", `{"transferMode":"ReturnAsStream"}`); !strings.Contains(said, "ext< ") {
		t.Errorf("after one is closed: %s", said)
	}
}
