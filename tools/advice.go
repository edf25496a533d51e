package tools

import "github.com/tabrelay/tabrelay/adapter"

// The advice that sessions give, beyond that of pages.
const (
	adviceDisconnect adapter.Advice = "disconnect" // go on, or disconnect first
	adviceAnew       adapter.Advice = "anew"       // call again, with pages that may be others
	adviceOpen       adapter.Advice = "open"       // open a page

	// AdviceStart is to start the person's own browser, or to ask for another one.
	AdviceStart adapter.Advice = "start"
)

// told is a piece of advice in the words of each set of tools.
type told struct{ full, facade, minimal, dynamic string }

const (
	// otherSet is told where a set has no tool for what would help.
	otherSet = "these tools cannot; the full set of tools can"
	keysHow  = "Enter accepts it (text fills a prompt), Escape dismisses it"
	// dialogHow says how the facade answers a dialog.
	dialogHow = "browser_interact press with key " + keysHow
	offersNow = "the page's current tools are listed"
)

// advice is the one table of what to do: a line for each piece of advice.
var advice = map[adapter.Advice]told{
	adapter.AdviceConnect:   {"call browser_connect first", "call browser_navigate goto: it uses the available browser", "call navigate first", "call connect_browser first"},
	adapter.AdviceReconnect: {"call browser_connect to connect again", "call again to connect again", "call again to connect again", "call connect_browser again"},
	adapter.AdviceRetry:     {"call again", "call again", "call again", "call again"},
	adapter.AdviceCheck: {"take a snapshot to see what was done, then continue", "look with browser_inspect get_html to see what was done, then continue",
		"call snapshot to see what was done, then continue", "call " + contentTool + " to see what was done, then continue"},
	adapter.AdviceShare: {"the person can share it in the Tabrelay popup", "the person can share it in the Tabrelay popup",
		"the person can share it in the Tabrelay popup", "the person can share it in the Tabrelay popup"},
	adapter.AdviceListPages:   {"see browser_tab_list for the open pages", "see browser_session list for the open pages", "call navigate to open another", "see list_tabs for the open tabs"},
	adapter.AdviceOpenPage:    {"open it with browser_tab_open", otherSet, otherSet, "open it with open_tab"},
	adapter.AdviceReplacePage: {"close the tab with browser_tab_close and open another", "launch another instance with browser_session", "the person can close the tab", "close the tab with close_tab and open another"},
	adapter.AdviceRevive:      {"call browser_reload or browser_navigate to revive it", "call browser_navigate refresh or goto to revive it", "call navigate to revive it", "open it again with open_tab"},
	adapter.AdviceDialog:      {"answer it with browser_dialog first", dialogHow, "interact press with key " + keysHow, dialogTool + " answers it"},
	adapter.AdviceLook: {"take a snapshot to see the page's current state", "look with browser_inspect get_html to see the page's current state",
		"call snapshot to see the page's current state", "call " + contentTool + " to see the page's current state"},
	adapter.AdviceLookAgain: {"take a new snapshot", "look again with browser_inspect get_html, then give a selector", "call snapshot again", "call focus_tab again to see what the page offers"},
	adapter.AdviceUncover: {"open what contains it first, or take a snapshot to see what is visible", "open what contains it first, or look with browser_inspect get_html",
		"open what contains it first, or call snapshot to see what is visible", "open what contains it first; " + offersNow},
	adapter.AdviceGiveElement: {"give the ref of an element from a snapshot, such as e12 or f2e5, or a selector", "give a selector, or a ref such as e12 that an answer gave",
		"give the ref of an element from a snapshot, such as e12 or f2e5, or css, or role and name", offersNow},
	adapter.AdviceGiveRef:    {"use the ref of the one you mean", "use the ref of the one you mean", "use the ref of the one you mean", offersNow},
	adapter.AdviceMoreTime:   {"give a larger timeoutMs, or look at the page first", "give a larger timeout, or look at the page first", "call snapshot to see the page's current state", "look at the page with " + contentTool},
	adapter.AdviceScriptTime: {"give a larger timeoutMs, or make the script shorter", "make the script shorter", "make the script shorter", "make the script shorter"},
	adapter.AdviceClick:      {"use browser_click", "use browser_interact click", "use interact click", offersNow},
	adapter.AdviceType:       {"use browser_type for text", "use browser_interact type for text", "use interact type for text", offersNow},
	adapter.AdviceSelect:     {"use browser_select on the list", "use browser_interact select on the list", "use interact select on the list", offersNow},
	adapter.AdviceOpenList: {"open it with browser_click, then click the option", "open it with browser_interact click, then click the option",
		"open it with interact click, then click the option", offersNow},
	adapter.AdviceUpload:   {"use browser_upload on a file input", otherSet, otherSet, otherSet},
	adapter.AdviceScript:   {"use browser_evaluate to run a script", "use browser_execute to run a script", otherSet, otherSet},
	adapter.AdvicePicture:  {"use browser_screenshot with fullPage, or a headless browser", "use browser_capture screenshot, or a headless browser", otherSet, otherSet},
	adapter.AdviceRequests: {"see browser_network for the requests and their ids", otherSet, otherSet, otherSet},
	adapter.AdviceOffers:   {"see what the page offers now", "see what the page offers now", "see what the page offers now", offersNow},
	adviceDisconnect:       {"continue with it, or call browser_disconnect first", "continue with it, or call browser_session terminate first", "continue with it", "continue with it"},
	adviceAnew: {"call again: the next call reconnects; see browser_tab_list for the pages", "call again: the next call reconnects; the pages may differ",
		"call again: the next call reconnects; the page may differ", "call connect_browser again"},
	AdviceStart: {"start it, or call browser_connect, which also takes a managed one", "start it, or call browser_session launch for another",
		"ask the person to start it", "start it, or call connect_browser with launch=true"},
	adviceOpen: {"open one with browser_tab_open", "open one with browser_navigate goto", "open one with navigate", "open one with open_tab"},
}

// advises returns a piece of advice in the words of the set, "" for none.
func (p *profile) advises(a adapter.Advice) string { return p.words(advice[a]) }
