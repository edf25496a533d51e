package extension_test

import "slices"

// consent is the model of what agents may do in a person's browser: what the person
// said, and what came of it. Walks hold the extension against it.
type consent struct {
	rules    map[string]string // once, always or no, by site
	asked    map[string]bool   // sites of open questions
	allSites bool
	away     bool            // the person disconnected the browser
	paused   bool            // all agents
	halted   map[string]bool // those that are paused by name
	tabs     []*ground
}

// ground is a tab in the model.
type ground struct {
	id       string // of its target
	number   int    // Chrome's
	session  string // a second way in
	agent    string // that has it
	site     string // that it shows; "" for an empty page
	born     string // the site of its opener
	granted  bool   // the person shared it when it showed grant
	grant    string
	shared   bool
	taken    bool // the person took it back
	over     bool // or over
	held     bool // whose agent is paused
	attached bool
}

const (
	codeTaken    = -32053
	codeUnshared = -32059
	codeAsked    = -32062
	codeRefused  = -32063
	codePaused   = -32065
	codeOver     = -32066
	codeDetached = -32000
)

func (g *ground) shows() string {
	if g.site == "" {
		return g.born
	}
	return g.site
}

// judge returns 0 where agents may use a site, or else the code that says why not.
func (m *consent) judge(site string) int {
	switch rule := m.rules[site]; {
	case rule == "no":
		return codeRefused
	case site == "" || rule != "" || m.allSites:
		return 0
	}
	return codeAsked
}

// permitted reports whether a tab may be used while it shows a site.
func (m *consent) permitted(g *ground, site string) bool {
	return m.judge(site) == 0 || g.granted && g.grant == site
}

// visit is what comes of sending a tab to a site, or an attempt to use it there: the
// person may be asked.
func (m *consent) visit(g *ground, site string) int {
	if m.permitted(g, site) {
		return 0
	}
	return m.wants(site)
}

func (m *consent) wants(site string) int {
	code := m.judge(site)
	if code == codeAsked {
		m.asked[site] = true
	}
	return code
}

// mine says whose a tab is: 0 where agents have it.
func (g *ground) mine() int {
	switch {
	case g.over:
		return codeOver
	case g.taken:
		return codeTaken
	case !g.shared:
		return codeUnshared
	}
	return 0
}

// use is what comes of a command that does something to a tab.
func (m *consent) use(g *ground) int {
	switch {
	case m.paused:
		return codePaused
	case g.mine() != 0:
		return g.mine()
	case g.held:
		return codePaused
	}
	return 0
}

func (m *consent) reach(g *ground) int {
	code := m.use(g)
	if code == 0 {
		code = m.visit(g, g.shows())
	}
	g.attached = g.attached || code == 0
	return code
}

// command is what comes of one that is forwarded to a tab's page.
func (m *consent) command(g *ground) int {
	switch {
	case g.mine() != 0:
		return g.mine()
	case !g.attached:
		return codeDetached
	}
	return m.use(g)
}

// share is the person's: a tab, with what it shows.
func (g *ground) share() {
	g.shared, g.taken, g.over, g.granted, g.grant = true, false, false, true, g.site
}

func (g *ground) takeBack() {
	g.shared, g.taken, g.granted, g.attached = false, true, false, false
}

// settle lets go of tabs that may not be used with what they show.
func (m *consent) settle() {
	for _, g := range m.tabs {
		if !m.permitted(g, g.shows()) || m.away {
			g.attached = false
		}
	}
}

// opens is a tab that another one's page opens.
func (m *consent) opens(by, g *ground) {
	if by.mine() == 0 {
		g.shared, g.born, g.granted, g.grant, g.held, g.agent = true, by.shows(), by.granted, by.grant, by.held, by.agent
	}
	m.tabs = append(m.tabs, g)
}

func (m *consent) closes(g *ground) {
	m.tabs = slices.DeleteFunc(m.tabs, func(one *ground) bool { return one == g })
}

// pause halts an agent, with the tabs that it has, or lets it go on.
func (m *consent) pause(agent string, on bool) {
	m.halted[agent] = on
	for _, g := range m.tabs {
		if g.agent == agent && g.shared {
			g.held = on
		}
	}
}
