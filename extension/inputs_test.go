package extension_test

import (
	"fmt"
	"net/http"
	"strings"
)

// field serves a page that reports each input, and what it holds.
func field(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte(`<!doctype html><textarea autofocus style="width: 100%; height: 150px"></textarea>
<script>for (const on of ['pointerdown', 'wheel', 'touchstart', 'dragenter', 'keydown', 'input']) addEventListener(on, () => new Image().src = '/told?' + on)</script>`))
}

// ofInputs attacks frames of a site that the person refused by input: with the pointer
// over them, and with the focus in them.
func (x *thief) ofInputs(attack func(string, func(mark int))) {
	points := func(of args) args {
		of["x"], of["y"] = 50, 50
		return of
	}
	pointing := map[string]args{
		"Input.dispatchMouseEvent":            points(args{"type": "mousePressed", "button": "left", "clickCount": 1}),
		"Input.dispatchMouseEvent of a wheel": points(args{"type": "mouseWheel", "deltaX": 0, "deltaY": 10}),
		"Input.dispatchTouchEvent":            {"type": "touchStart", "touchPoints": []any{points(args{})}},
		"Input.dispatchDragEvent":             points(args{"type": "dragEnter", "data": args{"items": []any{}, "dragOperationsMask": 1}}),
		"Input.emulateTouchFromMouseEvent":    points(args{"type": "mousePressed", "button": "left"}),
		"Input.synthesizeTapGesture":          points(args{}),
		"Input.synthesizeScrollGesture":       points(args{"yDistance": -10}),
	}
	typing := map[string]args{
		"Input.insertText":        {"text": "a"},
		"Input.dispatchKeyEvent":  {"type": "keyDown", "key": "a", "text": "a"},
		"Input.imeSetComposition": {"text": "a", "selectionStart": 0, "selectionEnd": 1},
	}
	for place, into := range map[string]string{
		"a frame":                  "document.body.append(f)",
		"a frame in a closed root": "document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' }).append(f)",
		"a frame, with names in the way,": "(document.body.append(f), document.body.insertAdjacentHTML('beforeend', '<img name=activeElement><form name=shadowRoot></form>'), " +
			"Object.defineProperty(Document.prototype, 'activeElement', { get: () => document.body }))",
		"a frame in another": "(g = document.createElement('iframe'), g.style = f.style.cssText, g.src = location.href.replace('one.', 'two.') + 'framing?url=' + f.src, document.body.append(g))",
	} {
		attack("input into "+place+" of who was refused", func(int) {
			x.do("activateTab", args{"id": x.tab}, nil)
			x.try("Emulation.setFocusEmulationEnabled", args{"enabled": true})
			for len(x.told) > 0 {
				<-x.told
			}
			x.script("new Promise(done => { globalThis.f = document.createElement('iframe'); f.style = 'position: fixed; left: 0; top: 0; width: 300px; height: 200px; border: 0'; f.src = '" + x.theirs + "field'; " +
				"f.onload = done; if ('" + place + "' === 'a frame in another') addEventListener('message', done); " + into + " })")
			for name, with := range pointing {
				x.isRefused(name, with)
			}
			x.script("void ((globalThis.g ?? f).focus())")
			for name, with := range typing {
				x.isRefused(name, with)
			}
			x.script("void document.activeElement.blur(), document.body.append(document.createElement('input')), document.querySelector('body > input').focus()")
			if err := x.try("Input.insertText", args{"text": "mine"}); err != nil {
				x.t.Errorf("%s: nothing is typed beside it: %v", place, err)
			}
			x.try("Input.dispatchMouseEvent", points(args{"type": "mouseMoved"}))
			select {
			case got := <-x.told:
				x.t.Errorf("%s hears %s", place, got)
			default:
			}
		})
	}
}

// isRefused sends input to its tab, which is to be refused.
func (x *thief) isRefused(name string, with args) {
	x.t.Helper()
	if err := x.try(strings.Fields(name)[0], with); err == nil || !strings.Contains(err.Error(), "a frame of "+siteOf(x.t, x.theirs)) {
		x.t.Errorf("%s is answered with %v", name, err)
	}
}

// framing serves a page with a frame of an address, and says when that is there.
func framing(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, `<!doctype html><body style="margin: 0"><iframe style="width: 300px; height: 200px; border: 0" src="%s" onload="parent.postMessage(1, '*')"></iframe>`, r.URL.Query().Get("url"))
}

// ofFrames attacks by what is put into a frame of another site before that goes to one
// that the person refused. A script that runs there reports itself.
func (x *thief) ofFrames(attack func(string, func(mark int)), script string) {
	first := strings.Replace(x.own, "one.", "two.", 1)
	for name, to := range map[string]string{"goes": x.theirs, "is led": first + "to?url=" + x.theirs, "is led twice": first + "to?url=" + first + "to?url=" + x.theirs} {
		attack("a script in a frame that "+name+" to who was refused", func(mark int) {
			x.try("Target.setAutoAttach", args{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
			x.script("void (globalThis.f = document.createElement('iframe'), globalThis.loads = 0, f.onload = () => { loads++; globalThis.look?.() }, f.src = '" + first + "', document.body.append(f))")
			var child struct{ SessionID string }
			decode(x.t, x.cdpEvent(mark, x.tab, "Target.attachedToTarget").Params, &child)
			for _, one := range []args{{"method": "Page.enable"}, {"method": "Page.addScriptToEvaluateOnNewDocument", "params": args{"source": script}}, {"method": "Fetch.enable"}, {"method": "Fetch.disable"}, {"method": "Runtime.runIfWaitingForDebugger"}} {
				one["id"], one["sessionId"] = x.tab, child.SessionID
				if _, err := x.ask("forwardCDPCommand", one); err != nil {
					x.t.Errorf("%s: %v", one["method"], err)
				}
			}
			for n, at := range []string{"", to} {
				if at != "" {
					x.script("void (f.src = '" + at + "')")
				}
				x.script(fmt.Sprintf("new Promise(done => { globalThis.look = () => loads > %d && done(); look() })", n))
			}
		})
	}
}
