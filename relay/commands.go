package relay

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// message is one command of a client.
type message struct {
	hub     *hub
	session *session
	id      string // as the client wrote it
	method  string
	quoted  []byte // the method as JSON
	params  []byte
	private bool // it gives a page a file that the client may not give
}

func (m *message) ok(result []byte)             { m.done(result, nil) }
func (m *message) fail(f *fault)                { m.done(nil, f) }
func (m *message) done(result []byte, f *fault) { m.hub.answer(m.session, m.id, result, f) }

// longestMethod bounds a method's name, which errors repeat.
const longestMethod = 128

// message reads the outside of a client's command. What is wrong with it is said on
// the session that it names, if there is one.
func (c *client) message(f frame) (*message, *fault) {
	m := &message{session: c.root, quoted: f.method, params: f.params}
	id := string(f.id)
	if _, err := strconv.ParseInt(id, 10, 54); err != nil { // what every client reads as it was written
		return m, failure(codeRequest, "Message must have integer 'id' property")
	}
	m.id = id
	if id := text(f.sessionID); len(id) > 0 {
		s := c.sessions[string(id)]
		if s == nil {
			return m, faultNoSession
		}
		m.session = s
	} else if f.sessionID != nil && id == nil && string(f.sessionID) != "null" {
		return m, failure(codeRequest, "Message may have string 'sessionId' property")
	}
	m.method = string(text(f.method))
	if m.method == "" {
		return m, failure(codeRequest, "Message must have string 'method' property")
	}
	if len(m.method) > longestMethod {
		return m, failure(codeMethod, "'%.40s…' wasn't found: no method has so long a name", m.method)
	}
	if string(m.params) == "null" {
		m.params = nil
	}
	if len(m.params) > 0 && m.params[0] != '{' {
		return m, failure(codeParams, "Message may have object 'params' property")
	}
	return m, nil
}

// command answers one method here instead of in the browser. A nil field
// stands for what the kind of session does by default: a page forwards,
// the others know no such method.
type command struct {
	browser, tab, page func(*hub, *message)
}

// everywhere is a command that does the same on each session.
func everywhere(f func(*hub, *message)) command { return command{f, f, f} }

// commands is the one table of what the relay answers itself.
var commands = map[string]command{
	"Browser.getVersion":            everywhere(browserVersion),
	"Browser.setDownloadBehavior":   everywhere(downloadBehavior),
	"Page.setDownloadBehavior":      {page: downloadBehavior},
	"Browser.close":                 everywhere(browserClose),
	"Browser.cancelDownload":        {browser: cancelDownload, page: cancelDownload},
	"Browser.getWindowForTarget":    {browser: windowForTarget, page: refuse(ownWindow)},
	"Browser.getWindowBounds":       everywhere(windowBounds),
	"Browser.setWindowBounds":       everywhere(refuse("the window is the person's and stays as it is: set a page's size with Emulation.setDeviceMetricsOverride")),
	"Browser.grantPermissions":      everywhere(refuse(permissions)),
	"Browser.setPermission":         everywhere(refuse(permissions)),
	"Browser.resetPermissions":      everywhere(accept), // none was ever set
	"Browser.getBrowserCommandLine": everywhere(refuse("the browser was not started for automation, and extensions cannot read its command line")),

	"Target.setDiscoverTargets":     everywhere(setDiscover),
	"Target.setAutoAttach":          {browser: browserAutoAttach, tab: tabAutoAttach, page: pageAutoAttach},
	"Target.getTargets":             everywhere(targets),
	"Target.getTargetInfo":          everywhere(targetInfoOf),
	"Target.attachToTarget":         everywhere(attachToTarget),
	"Target.attachToBrowserTarget":  everywhere(attachToBrowser),
	"Target.detachFromTarget":       everywhere(detachFromTarget),
	"Target.createTarget":           everywhere(createTarget),
	"Target.closeTarget":            everywhere(closeTarget),
	"Target.activateTarget":         everywhere(activateTarget),
	"Target.getBrowserContexts":     everywhere(browserContexts),
	"Target.createBrowserContext":   everywhere(createContext),
	"Target.disposeBrowserContext":  everywhere(disposeContext),
	"Target.exposeDevToolsProtocol": everywhere(refuse("Target.exposeDevToolsProtocol is not available through the relay")),

	"Storage.clearCookies":           everywhere(refuse(wipes)),
	"Network.clearBrowserCookies":    everywhere(refuse(wipes)),
	"Network.clearBrowserCache":      everywhere(refuse(wipes)),
	"Storage.clearDataForOrigin":     {browser: clearData, page: clearData},
	"Storage.getCookies":             {browser: anyTab},
	"Storage.setCookies":             {browser: anyTab},
	"Network.getAllCookies":          {browser: anyTab},
	"Network.getCookies":             {browser: anyTab},
	"Network.setCookie":              {browser: anyTab},
	"Network.setCookies":             {browser: anyTab},
	"Network.deleteCookies":          {browser: anyTab},
	"Storage.getUsageAndQuota":       {browser: anyTab},
	"Storage.clearDataForStorageKey": {browser: anyTab},

	"Tabrelay.awaitSite":         {browser: awaitSite},
	"Tabrelay.awaitConfirmation": {browser: awaitConfirmation},

	"Runtime.runIfWaitingForDebugger":          {browser: accept, tab: accept, page: run},
	"Page.addScriptToEvaluateOnNewDocument":    {page: addScript},
	"Page.removeScriptToEvaluateOnNewDocument": {page: removeScript},
	"Page.captureScreenshot":                   {page: capture},
	"Page.setFontFamilies":                     {page: setFonts},
}

// revives are the methods that a crashed page still takes.
var revives = map[string]bool{
	"Page.reload": true, "Page.navigate": true, "Page.navigateToHistoryEntry": true, "Page.close": true,
}

func (h *hub) dispatch(m *message) {
	m.hub = h
	if m.session.client.paused && !goesOn[m.method] {
		m.fail(faultPaused)
		return
	}
	c := commands[m.method]
	var f func(*hub, *message)
	switch m.session.kind {
	case browserSession:
		f = c.browser
	case tabSession:
		f = c.tab
	case pageSession:
		if f = c.page; f == nil {
			f = (*hub).forward
		}
	}
	if f == nil {
		m.fail(failure(codeMethod, "'%s' wasn't found: an extension reaches tabs, not the browser itself; send page commands to the page's session", m.method))
		return
	}
	f(h, m)
}

// forward sends a command on to the session's target.
func (h *hub) forward(m *message) {
	s, t := m.session, m.session.target
	if f := h.policy.refuse(t.typ, m.method, m.params); f != nil {
		m.fail(f)
		return
	}
	if !s.client.files && h.policy.opensFile(m.method, m.params) {
		m.fail(faultFile)
		return
	}
	if m.private {
		m.fail(faultPrivate)
		return
	}
	fault := h.unfit(s, m.method)
	if fault == nil {
		fault = s.foreign(m.method, m.params)
	}
	if fault != nil {
		m.fail(fault)
		return
	}
	if m.method == "Page.navigate" && t == t.tab.page && t.tab.barred() && h.extension != nil {
		h.lead(m)
		return
	}
	h.focus(s, m.method)
	if toggle, ok := toggleOf(m.method, m.params); ok {
		if toggle.on {
			h.switchOn(m, toggle.name)
		} else {
			h.switchOff(m, toggle.name)
		}
		return
	}
	h.note(s, m.method, m.params)
	if m.method == "Page.navigate" && t == t.tab.page && t.tab.fresh {
		if t.tab.fresh = false; h.busy(t) {
			m.keep()
			h.empty(m, m.whole(func() { h.plain(m) }))
			return
		}
	}
	h.plain(m)
}

// unfit says why a session's target takes no such command now.
func (h *hub) unfit(s *session, method string) *fault {
	switch t := s.target; {
	case t.gone:
		return faultClosed
	case t.crashed && !revives[method]:
		return faultCrashed
	case t.tab.taken != nil:
		return t.tab.taken
	}
	return nil
}

// keep copies what a command brought, to be sent later.
func (m *message) keep() { m.params, m.quoted = slices.Clone(m.params), slices.Clone(m.quoted) }

// whole goes on with a command that was kept, unless it failed by then or nobody is
// left to hear of it.
func (m *message) whole(then func()) func([]byte, *fault) {
	return func(_ []byte, f *fault) {
		switch {
		case f != nil:
			m.fail(f)
		case m.session.closed || m.session.client.gone || m.session.target.gone:
			m.fail(faultClosed)
		default:
			then()
		}
	}
}

// lead takes a tab from a page where no debugger may be, so that it can be sent
// elsewhere. The empty page has then heard what is restored: on a new page it
// would come too late for the events of the navigation.
func (h *hub) lead(m *message) {
	m.keep()
	h.wire("leaveTab", wrap("id", m.session.target.tab.quoted), nil, m.whole(func() {
		h.empty(m, m.whole(func() {
			h.note(m.session, m.method, m.params)
			h.plain(m)
		}))
	}))
}

// empty calls back once the empty page that a navigation leaves has heard what it
// was sent before. A new tab that is navigated while its page has commands to answer
// may lose its renderer: Chromium 156 tells of a crash then.
func (h *hub) empty(m *message, then func([]byte, *fault)) {
	h.do(&call{target: m.session.target, method: []byte(`"Runtime.evaluate"`), params: []byte(`{"expression":"0"}`), after: then})
}

// busy reports whether a target has commands to answer.
func (h *hub) busy(t *target) bool {
	for _, c := range h.calls {
		if c.target == t {
			return true
		}
	}
	return false
}

// plain sends a command on that the relay need not know more of.
func (h *hub) plain(m *message) {
	h.do(&call{target: m.session.target, method: m.quoted, params: m.params, name: m.method,
		session: m.session, reply: m.id})
}

const permissions = "extensions cannot grant permissions: the person answers Chrome's prompt, or changes the browser's site settings"

func accept(_ *hub, m *message) { m.ok(nil) }

func refuse(why string) func(*hub, *message) {
	return func(_ *hub, m *message) { m.fail(failure(codeServer, "%s", why)) }
}

func browserVersion(h *hub, m *message) {
	m.ok(object(struct {
		Protocol  string `json:"protocolVersion"`
		Product   string `json:"product"`
		Revision  string `json:"revision"`
		UserAgent string `json:"userAgent"`
		JS        string `json:"jsVersion"`
	}{"1.3", "Chrome/" + h.info.Version, "", h.info.UserAgent, ""}))
}

// awaitSite asks the person whether agents may use a site, and answers when they
// have, or soon in any case.
func awaitSite(h *hub, m *message) {
	params := object(struct {
		Site string `json:"site"`
	}{string(text(member(m.params, "site")))})
	h.wire("awaitSite", appendAgent(params, h.sender), nil, m.done)
}

// awaitConfirmation asks the person whether an agent may do something this once, and
// answers as awaitSite does. Only this program's agents ask so.
func awaitConfirmation(h *hub, m *message) {
	if !m.session.client.agent {
		m.fail(failure(codeMethod, "'%s' is for agents", m.method))
		return
	}
	var said struct {
		Question string `json:"question"`
		Deed     string `json:"deed"`
		Wait     int64  `json:"wait"`
	}
	if err := json.Unmarshal(m.params, &said); err != nil {
		m.fail(failure(codeParams, "'%s' takes question and deed, which are strings, and wait, which is a whole number of milliseconds", m.method))
		return
	}
	c := m.session.client
	if c.deeds == nil {
		c.deeds = map[string]bool{}
	}
	c.deeds[said.Question] = true
	h.wire("awaitConfirmation", appendAgent(object(said), h.sender), nil, func(result []byte, f *fault) {
		delete(c.deeds, said.Question)
		m.done(result, f)
	})
}

// forgetDeeds withdraws what the person is asked for an agent that has gone.
func (h *hub) forgetDeeds(c *client) {
	if h.extension == nil {
		return
	}
	for _, question := range slices.Sorted(maps.Keys(c.deeds)) {
		h.post("awaitConfirmation", struct {
			Question string `json:"question"`
			Wait     int64  `json:"wait"` // none
		}{Question: question})
	}
}

// browserClose ends this client only: the browser is the person's.
func browserClose(h *hub, m *message) {
	m.ok(nil)
	c := m.session.client
	h.drop(c)
	c.peer.close(1000, "closed by Browser.close")
}

// run resumes a target. One that was never paused needs no attachment.
func run(h *hub, m *message) {
	t := m.session.target
	t.waiting = false
	if t.tab.state != attached || t.gone || t.crashed {
		m.ok(nil)
		return
	}
	h.plain(m)
}
