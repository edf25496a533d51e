package relay

// message is one command of a client.
type message struct {
	hub     *hub
	session *session
	id      string // as the client wrote it
	method  string
	quoted  []byte // the method as JSON
	params  []byte
}

func (m *message) ok(result []byte)             { m.done(result, nil) }
func (m *message) fail(f *fault)                { m.done(nil, f) }
func (m *message) done(result []byte, f *fault) { m.hub.answer(m.session, m.id, result, f) }

// message reads the outside of a client's command.
func (c *client) message(f frame) (*message, *fault) {
	m := &message{session: c.root, quoted: f.method, params: f.params}
	if len(f.id) == 0 || f.id[0] != '-' && (f.id[0] < '0' || f.id[0] > '9') {
		return m, failure(codeRequest, "Message must have integer 'id' property")
	}
	m.id = string(f.id)
	m.method = string(text(f.method))
	if m.method == "" {
		return m, failure(codeRequest, "Message must have string 'method' property")
	}
	if string(m.params) == "null" {
		m.params = nil
	}
	if len(m.params) > 0 && m.params[0] != '{' {
		return m, failure(codeParams, "Message may have object 'params' property")
	}
	if id := text(f.sessionID); len(id) > 0 {
		if m.session = c.sessions[string(id)]; m.session == nil {
			m.session = c.root
			return m, faultNoSession
		}
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
	"Browser.getVersion":          everywhere(browserVersion),
	"Browser.setDownloadBehavior": {browser: downloadBehavior, page: accept},
	"Browser.close":               everywhere(browserClose),

	"Target.setDiscoverTargets":     {browser: setDiscover, tab: accept, page: accept},
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
	"Target.createBrowserContext":   everywhere(refuse("the relay works in the person's own profile and cannot make another browser context; use the default context")),
	"Target.disposeBrowserContext":  everywhere(accept),
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

	"Runtime.runIfWaitingForDebugger":          {browser: accept, tab: accept, page: run},
	"Page.addScriptToEvaluateOnNewDocument":    {page: addScript},
	"Page.removeScriptToEvaluateOnNewDocument": {page: removeScript},
}

// revives are the methods that a crashed page still takes.
var revives = map[string]bool{
	"Page.reload": true, "Page.navigate": true, "Page.navigateToHistoryEntry": true, "Page.close": true,
}

func (h *hub) dispatch(m *message) {
	m.hub = h
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
		m.fail(failure(codeMethod, "'%s' wasn't found", m.method))
		return
	}
	f(h, m)
}

// forward sends a command on to the session's target.
func (h *hub) forward(m *message) {
	s, t := m.session, m.session.target
	switch {
	case t.gone:
		m.fail(faultClosed)
		return
	case t.crashed && !revives[m.method]:
		m.fail(faultCrashed)
		return
	case s.cancel:
		s.cancel = false
		m.fail(faultCancelled)
		return
	}
	if toggle, ok := toggleOf(m.method, m.params); ok {
		if toggle.on {
			h.switchOn(m, toggle.name)
		} else {
			h.switchOff(m, toggle.name)
		}
		return
	}
	h.note(s, m.method, m.params)
	h.plain(m)
}

// plain sends a command on that the relay need not know more of.
func (h *hub) plain(m *message) {
	h.do(&call{target: m.session.target, method: m.quoted, params: m.params, name: m.method,
		session: m.session, reply: m.id})
}

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
