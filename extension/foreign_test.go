package extension_test

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// ofOthers attacks what a page fetches from a site that agents may not use, and
// requests of which nobody was told. A script that runs on that site reports itself.
func (x *thief) ofOthers(attack func(string, func(mark int)), script string) {
	t := x.t
	paused := func(mark int, url string) (id string) {
		t.Helper()
		var p struct{ RequestID string }
		decode(t, x.fakeRelay.await(mark, "forwardCDPEvent", func(p params) bool {
			return p.Method == "Fetch.requestPaused" && strings.Contains(string(p.Params), url)
		}).Params.Params, &p)
		return p.RequestID
	}
	one := attack
	n := 0
	attack = func(name string, try func(mark int)) {
		if n++; *every || n%17 == 0 {
			one(name, try)
		}
	}
	is := func(err error, what string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("it is answered with %v; want %q", err, what)
		}
	}
	document := base64.StdEncoding.EncodeToString([]byte("<script>" + script + "</script>"))
	cors := []any{args{"name": "Access-Control-Allow-Origin", "value": strings.TrimSuffix(x.own, "/")}, args{"name": "Access-Control-Allow-Credentials", "value": "true"}}
	fetches := "void fetch('" + x.theirs + "', { credentials: 'include' }).then(r => r.text()).catch(String).then(said => document.title = said)"
	ways := map[string]string{
		"fetch": fetches, "fetch without CORS": strings.Replace(fetches, "include'", "include', mode: 'no-cors'", 1),
		"an image": "void (new Image().src = '" + x.theirs + "')", "a script": "void document.body.append(Object.assign(document.createElement('script'), { src: '" + x.theirs + "' }))",
		"a frame":          "void document.body.append(Object.assign(document.createElement('iframe'), { src: '" + x.theirs + "' }))",
		"a worker's fetch": "void new Worker(URL.createObjectURL(new Blob([" + fmt.Sprintf("%q", strings.Replace(fetches, "document.title = said", "postMessage(said)", 1)) + "]))).addEventListener('message', e => document.title = e.data)",
	}
	for way, script := range ways {
		for method, with := range map[string]args{
			"Fetch.getResponseBody": {}, "Fetch.takeResponseBodyAsStream": {}, "Fetch.fulfillRequest": {"responseCode": 200, "responseHeaders": cors, "body": document},
			"Fetch.continueResponse": {"responseCode": 200, "responseHeaders": cors}, "Fetch.continueRequest": {"headers": cors},
		} {
			attack(method+" of the answer to "+way, func(mark int) {
				x.try("Fetch.enable", args{"patterns": []any{args{"urlPattern": x.theirs + "*", "requestStage": "Response"}}})
				x.script(script)
				with["requestId"] = paused(mark, x.theirs)
				is(x.try(method, with), "which agents may not use")
			})
		}
		for method, with := range map[string]args{
			"Fetch.continueRequest with headers": {"headers": []any{args{"name": "Origin", "value": "http://bank.localhost"}, args{"name": "Cookie", "value": "a=b"}}}, "Fetch.continueRequest with a method": {"method": "DELETE"},
			"Fetch.continueRequest with data": {"postData": "YQ=="}, "Fetch.fulfillRequest": {"responseCode": 200, "body": document}, "Fetch.continueResponse": {"responseCode": 200, "responseHeaders": cors},
		} {
			if way != "a frame" && method == "Fetch.fulfillRequest" {
				continue // it may be answered without that site
			}
			attack(method+" of "+way, func(mark int) {
				x.try("Fetch.enable", args{"patterns": []any{args{"urlPattern": x.theirs + "*"}}})
				x.script(script)
				with["requestId"] = paused(mark, x.theirs)
				is(x.try(strings.Fields(method)[0], with), "which agents may not use")
			})
		}
	}
	for _, method := range []string{"Fetch.getResponseBody", "Fetch.takeResponseBodyAsStream", "Fetch.fulfillRequest", "Fetch.continueResponse"} {
		for way, to := range map[string]string{"a link": x.theirs, "a redirect": "/to?url=" + x.theirs} {
			attack(method+" of requests that nobody told of, by "+way, func(mark int) {
				x.try("Fetch.enable", args{"patterns": []any{args{"urlPattern": "*/known"}}})
				x.script("void fetch('/known')")
				var last int
				fmt.Sscanf(paused(mark, "/known"), "interception-job-%d.0", &last)
				x.try("Fetch.disable", nil)
				for len(x.shown) > 0 {
					<-x.shown
				}
				commands := []args{{"method": "Runtime.evaluate", "params": args{"expression": "void (location = '" + to + "')", "userGesture": true}}}
				for range 300 {
					for n := range 2 { // what it asks for, and what it is redirected to
						with := args{"requestId": fmt.Sprintf("interception-job-%d.%d", last+1, n), "responseCode": 200, "body": document}
						commands = append(commands, args{"method": "Fetch.continueRequest", "params": args{"requestId": with["requestId"]}}, args{"method": method, "params": with})
					}
				}
				x.floods(commands)
				x.fakeRelay.await(mark, "tabDetached", nil)
				x.sites.await(t, x.shown)
			})
		}
	}
}
