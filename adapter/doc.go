// Package adapter does to a page what a person could: it opens, reads, clicks
// and types, and says what happened. It speaks CDP to one WebSocket address and
// cannot tell a relay from Chrome.
//
//	b, err := adapter.Dial(ctx, "ws://127.0.0.1:8765/cdp/…", adapter.Options{})
//	p, err := b.Open(ctx, false, "")
//	_, err = p.Navigate(ctx, "https://example.test/", adapter.DOMContentLoaded)
//	w := p.Watch(ctx)
//	done, err := p.Click(ctx, adapter.Element{Ref: "e7"}, adapter.ClickOptions{})
//	out := w.Settle(ctx)
//
// Three facts explain the rest. Every event is handled on the connection's
// read loop and only changes state under the page's mutex; it never waits, so
// no tab holds up another. A page is attached when it is first used, and for
// the life of its tab, never of a request. What is read from a page is computed
// in the page, in an isolated world of its own (extension/page), so that only
// text travels.
package adapter
