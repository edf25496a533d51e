package adapter

// Advice is what an agent can do about a failure, as a stable word. Whoever tells
// the failure has the sentence for it: only there the tools have names.
type Advice string

// What there is to do.
const (
	AdviceConnect     Advice = "connect"      // connect to a browser
	AdviceReconnect   Advice = "reconnect"    // connect to the browser again
	AdviceRetry       Advice = "retry"        // make the same call again
	AdviceCheck       Advice = "check"        // see what was done, then go on
	AdviceShare       Advice = "share"        // ask the person to share the tab
	AdviceListPages   Advice = "list_pages"   // see which pages are open
	AdviceOpenPage    Advice = "open_page"    // open the address in a tab of its own
	AdviceReplacePage Advice = "replace_page" // close the page and open another
	AdviceRevive      Advice = "revive"       // load the crashed page again
	AdviceDialog      Advice = "dialog"       // answer the open dialog
	AdviceLook        Advice = "look"         // see what the page shows
	AdviceLookAgain   Advice = "look_again"   // refs are out of date: see the page anew
	AdviceUncover     Advice = "uncover"      // open what hides the element
	AdviceGiveElement Advice = "give_element" // name an element
	AdviceGiveRef     Advice = "give_ref"     // name the one element by its ref
	AdviceMoreTime    Advice = "more_time"    // allow more time, or look at the page
	AdviceScriptTime  Advice = "script_time"  // allow more time, or make the script shorter
	AdviceClick       Advice = "click"        // click the element instead
	AdviceType        Advice = "type"         // type the text instead
	AdviceSelect      Advice = "select"       // select an option instead
	AdviceOpenList    Advice = "open_list"    // click the list, then its option
	AdviceUpload      Advice = "upload"       // give the file input its files instead
	AdviceScript      Advice = "script"       // run a script instead
	AdvicePicture     Advice = "picture"      // take a screenshot instead
	AdviceRequests    Advice = "requests"     // see the requests and their ids
	AdviceOffers      Advice = "offers"       // see what the page offers now
)
