package relay

// fromClient carries out one frame of a client.
func (x *proxy) fromClient(p *party, f proxyFrame) {
	switch method := string(text(f.method)); method {
	case "list_extensions":
		x.list(p, f)
	case "connect":
		x.connect(p, f)
	case "":
		p.peer.send(proxyError(f.replyID(), "", "a frame needs a method"))
	default:
		x.pass(p, method, f)
	}
}

// extensionEntry is an extension as clients see it.
type extensionEntry struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Connected bool       `json:"connected"`
	Tabs      []tabEntry `json:"tabs,omitempty"`
}

type tabEntry struct {
	Tab    int64  `json:"tabId"`
	Target string `json:"targetId"`
	Title  string `json:"title"`
	URL    string `json:"url"`
}

// list names our own browsers first. Tabs are told to who asks for them;
// a foreign extension keeps its own to itself.
func (x *proxy) list(p *party, f proxyFrame) {
	entries := []extensionEntry{}
	tabs := string(member(f.params, "tabs")) == "true"
	for _, h := range x.hubs() {
		if e := h.entry(tabs); e.ID != "" {
			entries = append(entries, e)
		}
	}
	x.mu.Lock()
	for _, far := range x.extensions {
		entries = append(entries, extensionEntry{ID: far.id, Name: far.name, Connected: true})
	}
	x.mu.Unlock()
	b := append(proxyReply(f.replyID(), "", 0), `"extensions":`...)
	p.peer.send(append(append(b, object(entries)...), '}'))
}

// connect makes a connection to a tab, or to one that is opened for it.
func (x *proxy) connect(p *party, f proxyFrame) {
	reply := f.replyID()
	refuse := func(why string) { p.peer.send(proxyFailure(reply, why)) }
	id := string(text(member(f.params, "extensionId")))
	tab := member(f.params, "tabId")
	if string(tab) == "null" {
		tab = nil
	}
	if id == "" {
		refuse("connect needs an extensionId: see list_extensions")
		return
	}
	for _, h := range x.hubs() {
		if h.about().InstallID == id {
			x.connectOurs(p, h, reply, tab)
			return
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, far := range x.extensions {
		if far.id == id {
			x.connectForeign(p, far, reply, tab)
			return
		}
	}
	for _, old := range x.gone {
		if old == id {
			refuse(extensionGone)
			return
		}
	}
	refuse("unknown extension " + quote(id) + ": see list_extensions")
}

// reserve makes room for one more connection. mu is held.
func (x *proxy) reserve(p *party) (why string) {
	if p.open >= maxConnections {
		return "this client has too many connections; close its socket to end them"
	}
	p.open++
	return ""
}

// holder says who holds a tab, or nothing. mu is held.
func (x *proxy) holder(p *party, h *hub, far *foreign, tab int64) string {
	for _, c := range x.connections {
		if c.hub == h && c.far == far && c.tab != nil && *c.tab == tab {
			if c.client == p {
				return "the tab is already connected, as " + c.id
			}
			return "the tab is held by another client: connect to another tab, or without tabId for a new one"
		}
	}
	return ""
}

// pass sends a message to the tab of its connection. Ours take commands; a foreign
// extension hears whatever it is.
func (x *proxy) pass(p *party, method string, f proxyFrame) {
	reply, id, command := f.replyID(), string(text(f.connection)), member(f.params, "method")
	why, cdp := "", method == "forwardCDPCommand"
	x.mu.Lock()
	c := x.connections[id]
	switch {
	case id == "" && cdp:
		why = "forwardCDPCommand needs a connectionId: connect gives one"
	case id == "":
		why = "unknown method " + quote(method) + ": use list_extensions, connect or forwardCDPCommand; others need the connectionId of a connection whose extension knows them"
	case c == nil || c.client != p:
		why = "unknown connection " + quote(id) + ": connect gives one, and it ends with its tab or its browser"
	case cdp && len(text(command)) == 0:
		why = "forwardCDPCommand needs params.method"
	case c.far != nil:
		x.toForeign(c, reply, f)
	case !cdp:
		why = "unknown method " + quote(method) + ": this extension takes forwardCDPCommand"
	}
	x.mu.Unlock()
	if why != "" {
		p.peer.send(proxyError(reply, clip(id), why))
	} else if c.far == nil {
		c.toOurs(reply, member(f.params, "sessionId"), command, member(f.params, "params"))
	}
}
