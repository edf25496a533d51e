package extension_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestClientsInterceptAsTheyAsked holds that clients hold back what they asked for and
// nothing else, where the extension holds documents itself.
func TestClientsInterceptAsTheyAsked(t *testing.T) {
	r := newFakeRelay(t)
	one, _, _ := threeSites(t)
	c := launch(t, r, "asks")
	r.await(0, "hello", nil)
	person := c.panel()
	_, err := r.ask("createTab", args{"url": one + "/"})
	refused(t, err, -32062, "")
	person.answer(siteOf(t, one), "always")
	id := string(r.create(one + "/").ID)
	r.cdp(id, "Page.enable", nil)
	mark := r.mark()
	r.cdp(id, "Page.navigate", args{"url": one + "/first"})
	after := func(e event) int {
		return slices.IndexFunc(r.since(0), func(one event) bool { return one.at.Equal(e.at) }) + 1
	}
	r.cdpEvent(after(r.await(mark, "forwardCDPEvent", func(p params) bool {
		return p.Method == "Page.frameNavigated" && strings.Contains(string(p.Params), "/first")
	})), id, "Page.loadEventFired")

	request, answer := "Document request", "Document 200"
	for name, test := range map[string]struct {
		enable args // nil: nothing
		goOn   args // with which requests go on
		path   string
		want   []string
	}{
		"nothing":                     {nil, nil, "/", nil},
		"no patterns":                 {args{"patterns": []any{}}, nil, "/", nil},
		"everything":                  {args{}, nil, "/", []string{request}},
		"documents":                   {args{"patterns": []any{args{"resourceType": "Document"}}}, nil, "/", []string{request}},
		"images":                      {args{"patterns": []any{args{"resourceType": "Image", "requestStage": "Response"}}}, nil, "/", nil},
		"answers":                     {args{"patterns": []any{args{"requestStage": "Response"}}}, nil, "/", []string{answer}},
		"answers of a path":           {args{"patterns": []any{args{"urlPattern": "*/pa?h", "requestStage": "Response"}}}, nil, "/path", []string{answer}},
		"answers of another path":     {args{"patterns": []any{args{"urlPattern": "*/path", "requestStage": "Response"}}}, nil, "/other", nil},
		"both":                        {args{"patterns": []any{args{}, args{"requestStage": "Response"}}}, nil, "/", []string{request, answer}},
		"answers of what it held":     {args{}, args{"interceptResponse": true}, "/", []string{request, answer}},
		"no answers of what it held":  {args{"patterns": []any{args{}, args{"requestStage": "Response"}}}, args{"interceptResponse": false}, "/", []string{request}},
		"a redirect":                  {args{}, nil, "/to?url=/x", []string{request, request}},
		"a redirect, and its answers": {args{"patterns": []any{args{"requestStage": "Response"}}}, nil, "/to?url=/x", []string{"Document 302", answer}},
	} {
		if test.enable != nil {
			r.cdp(id, "Fetch.enable", test.enable)
		}
		mark := r.mark()
		r.eval(id, fmt.Sprintf("void (location = %q)", one+test.path))
		var got []string
		for at := mark; ; {
			e := r.await(at, "forwardCDPEvent", func(p params) bool {
				return string(p.ID) == id && (p.Method == "Fetch.requestPaused" || p.Method == "Page.loadEventFired")
			})
			at = after(e)
			if e.Params.Method == "Page.loadEventFired" {
				break
			}
			var paused struct {
				RequestID, ResourceType string
				ResponseStatusCode      int
			}
			decode(t, e.Params.Params, &paused)
			stage := "request"
			if paused.ResponseStatusCode != 0 {
				stage = fmt.Sprint(paused.ResponseStatusCode)
			}
			if paused.ResourceType != "Other" { // an icon
				got = append(got, paused.ResourceType+" "+stage)
			}
			with := args{"requestId": paused.RequestID}
			if stage == "request" {
				for name, value := range test.goOn {
					with[name] = value
				}
			}
			if _, err := r.ask("forwardCDPCommand", args{"id": id, "method": "Fetch.continueRequest", "params": with}); err != nil && paused.ResourceType == "Document" {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: it holds back %q; want %q", name, got, test.want)
		}
		r.cdp(id, "Fetch.disable", nil)
	}

	t.Run("what is held goes on when that is turned off", func(t *testing.T) {
		for _, stage := range []string{"Request", "Response"} {
			r.cdp(id, "Fetch.enable", args{"patterns": []any{args{"requestStage": stage}}})
			mark := r.mark()
			r.eval(id, fmt.Sprintf("void (location = %q)", one+"/held"))
			r.cdpEvent(mark, id, "Fetch.requestPaused")
			r.cdp(id, "Fetch.disable", nil)
			r.cdpEvent(mark, id, "Page.loadEventFired")
		}
	})

	t.Run("passwords", func(t *testing.T) {
		r.cdp(id, "Fetch.enable", args{"patterns": []any{args{"urlPattern": "*/private/image"}}, "handleAuthRequests": true})
		mark := r.mark()
		r.eval(id, fmt.Sprintf("void fetch(%q)", one+"/private/image"))
		var asked struct{ RequestID string }
		decode(t, r.cdpEvent(mark, id, "Fetch.requestPaused").Params, &asked)
		r.cdp(id, "Fetch.continueRequest", args{"requestId": asked.RequestID, "interceptResponse": true})
		decode(t, r.cdpEvent(mark, id, "Fetch.authRequired").Params, &asked)
		mark = r.mark()
		r.cdp(id, "Fetch.continueWithAuth", args{"requestId": asked.RequestID, "authChallengeResponse": args{"response": "CancelAuth"}})
		decode(t, r.cdpEvent(mark, id, "Fetch.requestPaused").Params, &asked) // the answer
		r.cdp(id, "Fetch.continueRequest", args{"requestId": asked.RequestID})
		mark = r.mark()
		r.eval(id, fmt.Sprintf("void fetch(%q)", one+"/private/image"))
		decode(t, r.cdpEvent(mark, id, "Fetch.requestPaused").Params, &asked)
		r.cdp(id, "Fetch.continueRequest", args{"requestId": asked.RequestID})
		decode(t, r.cdpEvent(mark, id, "Fetch.authRequired").Params, &asked)
		person.wish(`{ ask: "pause" }`, "v.paused")
		r.cdp(id, "Fetch.continueWithAuth", args{"requestId": asked.RequestID, "authChallengeResponse": args{"response": "CancelAuth"}}) // it is asked for as without a client
		person.wish(`{ ask: "resume" }`, "!v.paused")
		mark = r.mark()
		r.eval(id, fmt.Sprintf("void (location = %q)", one+"/private/"))
		r.cdpEvent(mark, id, "Page.frameNavigated")
		for _, e := range r.since(mark) {
			if e.Params.Method == "Fetch.authRequired" {
				t.Error("it is asked for the password of a page that it does not hold back")
			}
		}
	})

	t.Run("what comes while no worker runs goes on", func(t *testing.T) {
		r.cdp(id, "Fetch.disable", nil)
		session, mark := c.attach(id), r.mark()
		c.killWorker()
		c.eval(session, fmt.Sprintf("void (location = %q)", one+"/unseen"), nil)
		r.await(mark, "hello", nil)
		r.await(mark, "forwardCDPEvent", func(p params) bool {
			return p.Method == "Page.frameNavigated" && strings.Contains(string(p.Params), "/unseen")
		})
	})

	t.Run("clients hear of the network as they asked", func(t *testing.T) {
		fetch := func(want string, heard bool) {
			t.Helper()
			mark := r.mark()
			var value evaluation
			decode(t, r.cdp(id, "Runtime.evaluate", args{"expression": "fetch('/body').then(r => r.text(), () => 'failed')", "awaitPromise": true, "returnByValue": true}), &value)
			if got := string(value.Result.Value); !strings.Contains(got, want) {
				t.Errorf("it fetches %s; want %s", got, want)
			}
			if heard {
				var sent struct{ RequestID string }
				decode(t, r.cdpEvent(mark, id, "Network.requestWillBeSent").Params, &sent)
				if want != "failed" {
					r.cdpEvent(mark, id, "Network.loadingFinished")
					if body := string(r.cdp(id, "Network.getResponseBody", args{"requestId": sent.RequestID})); !strings.Contains(body, want) {
						t.Errorf("the body is %s", body)
					}
				}
				return
			}
			for _, e := range r.since(mark) {
				if strings.HasPrefix(e.Params.Method, "Network.") {
					t.Errorf("it hears %s", e.Params.Method)
				}
			}
		}
		fetch("Secret of", false)
		r.cdp(id, "Network.enable", nil)
		fetch("Secret of", true)
		r.cdp(id, "Network.setBypassServiceWorker", args{"bypass": false})
		r.cdp(id, "Network.emulateNetworkConditions", args{"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
		fetch("failed", true)
		r.cdp(id, "Network.disable", nil)
		fetch("Secret of", false)
		r.cdp(id, "Network.enable", nil)
		mark := r.mark()
		c.killWorker()
		r.await(mark, "hello", nil)
		fetch("Secret of", true)
		r.cdp(id, "Network.disable", nil)
	})

	t.Run("what pages gave up is forgotten", func(t *testing.T) {
		var let string
		c.eval(person.session, `Promise.all([import("/interception.js"), import("/memory.js")]).then(async ([m, { memory }]) => {
			const tabId = -5, went = [];
			chrome.debugger.sendCommand = async (_, method, { requestId }) => { if (method === "Fetch.continueRequest") went.push(requestId) };
			await m.guard({ tabId });
			memory.fetch[tabId] = { patterns: [{}] };
			const hold = (requestId) => m.isTheirs({ tabId }, "Fetch.requestPaused", { requestId, request: { url: "http://one.test/" } });
			const fails = (requestId, message) => m.intercepting({ tabId }, { method: "Fetch.continueRequest", params: { requestId } }, async () => { throw new Error(message) }).catch(() => {});
			for (let i = 0; i < 10_000; i++) hold(String(i));
			await fails("1", '{"code":-32602,"message":"Invalid InterceptionId."}');
			await fails("2", "Invalid header");
			for (const one of ["a", "b", "c"]) hold(one);
			return went.join();
		})`, &let)
		if let != "0,3" { // 1 has gone, and 2 is held anew
			t.Errorf("those that go on are %s", let)
		}
	})

	t.Run("patterns", func(t *testing.T) {
		for pattern, texts := range map[string][2][]string{ // those that match, and those that do not
			"*": {{"", "a"}, {}}, "": {{""}, {"a"}}, "*a": {{"bca"}, {"bab"}}, "a?c": {{"abc", "ac"}, {"abbc"}}, `a\?c`: {{"a?c"}, {"abc"}},
			`a\*`: {{"a*"}, {"ab"}}, "*/x*": {{"http://h/xyz"}, {"x"}}, "A": {{"A"}, {"a"}}, ".": {{"."}, {"a"}}, "**a**": {{"a", "bab"}, {"b"}}, `a\`: {{`a\`}, {"a"}},
		} {
			for no, list := range texts {
				for _, text := range list {
					var got bool
					c.eval(person.session, fmt.Sprintf(`import("/interception.js").then(m => m.matches(%q, %q))`, pattern, text), &got)
					if got != (no == 0) {
						t.Errorf("%q matches %q is %t", pattern, text, got)
					}
				}
			}
		}
	})
}
