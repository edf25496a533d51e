package adapter

import (
	"github.com/chromedp/cdproto/browser"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp"
)

// decoded makes a handler of raw event parameters from one of a typed event. An
// event that does not decode is one that this version does not know: skipped.
func decoded[T, E any](f func(T, *E)) func(T, jsonv2.Value) {
	return func(to T, params jsonv2.Value) {
		e := new(E)
		if jsonv2.Unmarshal(params, e, chromedp.DefaultUnmarshalOptions) == nil {
			f(to, e)
		}
	}
}

// source is where a page's event came from: the session of the page, or of one
// of its frames that live in another process.
type source struct {
	page    *Page
	session *session
}

// The events that are listened to, of the root session and of pages. They are
// set by init because their handlers lead back to them.
var (
	rootEvents map[string]func(*Browser, jsonv2.Value)
	pageEvents map[string]func(source, jsonv2.Value)
)

func init() {
	rootEvents = map[string]func(*Browser, jsonv2.Value){
		target.TargetCreated.Method:      decoded(func(b *Browser, e *target.EventTargetCreated) { b.tabInfo(e.TargetInfo) }),
		withheldEvent:                    decoded(func(b *Browser, e *withheldTab) { b.withheld(e.Tab, e.Site) }),
		target.TargetInfoChanged.Method:  decoded(func(b *Browser, e *target.EventTargetInfoChanged) { b.tabInfo(e.TargetInfo) }),
		target.TargetDestroyed.Method:    decoded(func(b *Browser, e *target.EventTargetDestroyed) { b.tabGone(string(e.TargetID)) }),
		target.DetachedFromTarget.Method: decoded((*Browser).detached),
		target.TargetCrashed.Method:      decoded(func(b *Browser, e *target.EventTargetCrashed) { b.crashed(string(e.TargetID)) }),
		browser.DownloadWillBegin.Method: decoded((*Browser).downloadBegins),
		browser.DownloadProgress.Method:  decoded((*Browser).downloadMoves),
	}
	pageEvents = map[string]func(source, jsonv2.Value){
		inspector.TargetCrashed.Method:                    func(at source, _ jsonv2.Value) { at.page.crash() },
		input.DragIntercepted.Method:                      decoded(source.dragIntercepted),
		page.ScreencastFrame.Method:                       func(at source, _ jsonv2.Value) { at.drawn() },
		page.FileChooserOpened.Method:                     decoded(source.chooserOpens),
		tracing.TracingComplete.Method:                    decoded(source.traceComplete),
		tracing.BufferUsage.Method:                        decoded(source.traceFills),
		page.FrameAttached.Method:                         decoded(source.frameAttached),
		page.FrameDetached.Method:                         decoded(source.frameDetached),
		page.FrameNavigated.Method:                        decoded(source.frameNavigated),
		page.FrameRequestedNavigation.Method:              decoded(source.navigationRequested),
		page.FrameStartedNavigating.Method:                decoded(source.navigationStarted),
		"Page.downloadWillBegin":                          decoded(source.downloadBegins),
		page.FrameStoppedLoading.Method:                   decoded(source.stoppedLoading),
		page.NavigatedWithinDocument.Method:               decoded(source.navigatedWithin),
		page.DomContentEventFired.Method:                  decoded(source.contentLoaded),
		page.LoadEventFired.Method:                        decoded(source.documentLoaded),
		page.WindowOpen.Method:                            decoded(source.windowOpens),
		page.JavascriptDialogOpening.Method:               decoded(source.dialogOpens),
		page.JavascriptDialogClosed.Method:                decoded(source.dialogCloses),
		runtime.ExecutionContextCreated.Method:            decoded(source.contextCreated),
		runtime.ExecutionContextsCleared.Method:           decoded(source.contextsCleared),
		runtime.ConsoleAPICalled.Method:                   decoded(source.consoleCalled),
		runtime.ExceptionThrown.Method:                    decoded(source.exceptionThrown),
		log.EntryAdded.Method:                             decoded(source.entryAdded),
		network.RequestWillBeSent.Method:                  decoded(source.requestBegins),
		network.ResponseReceived.Method:                   decoded(source.responseBegins),
		network.LoadingFinished.Method:                    decoded(source.requestFinished),
		network.LoadingFailed.Method:                      decoded(source.requestFailed),
		fetch.RequestPaused.Method:                        decoded(source.requestPaused),
		network.RequestWillBeSentExtraInfo.Method:         decoded(source.headersSent),
		network.ResponseReceivedExtraInfo.Method:          decoded(source.headersReceived),
		network.RequestServedFromCache.Method:             decoded(source.exchangeCached),
		network.WebSocketCreated.Method:                   decoded(source.socketOpens),
		network.WebSocketWillSendHandshakeRequest.Method:  decoded(source.socketAsks),
		network.WebSocketHandshakeResponseReceived.Method: decoded(source.socketAnswered),
		network.WebSocketFrameSent.Method:                 decoded(source.socketSent),
		network.WebSocketFrameReceived.Method:             decoded(source.socketReceived),
		network.WebSocketFrameError.Method:                decoded(source.socketFailed),
		network.WebSocketClosed.Method:                    decoded(source.socketCloses),
		webmcp.ToolsAdded.Method:                          decoded(source.toolsAdded),
		webmcp.ToolsRemoved.Method:                        decoded(source.toolsRemoved),
		webmcp.ToolResponded.Method:                       decoded(source.toolResponded),
		target.AttachedToTarget.Method:                    decoded(source.childAttached),
		target.DetachedFromTarget.Method:                  decoded(source.childDetached),
	}
}
