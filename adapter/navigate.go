package adapter

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// Navigation tells where a navigation came to.
type Navigation struct {
	URL      string
	Status   int    // of the answer, when it is not a success; else 0
	Text     string // the status' text
	Loading  bool   // the state that was asked for was not reached in time
	Download bool   // the address is a file that is now being downloaded
	Revived  bool   // the page hung, so that its process was ended first
}

// Navigate goes to an address and returns when the document has reached state;
// a page that goes on loading is no failure once it is there. An address
// without a scheme gets one. It fails with ErrBlocked for addresses that are
// not allowed, ErrNavigation when nothing came, ErrTimeout when it took too
// long, and ErrDialogOpen when the page asks something before it goes or while
// it loads.
func (p *Page) Navigate(ctx context.Context, address string, state LoadState) (Navigation, error) {
	address, err := p.browser.address(address)
	if err != nil {
		return Navigation{}, err
	}
	return p.travel(ctx, address, state, func(ctx context.Context, s *session) (cdp.LoaderID, bool, error) {
		if loader, there := p.beganAt(address); there {
			return loader, false, nil
		}
		res, err := call(ctx, s, page.Navigate, page.NavigateParams{URL: address})
		switch {
		case err != nil:
			return "", false, err
		case res.IsDownload:
			return "", true, nil
		case res.ErrorText != "" && strings.HasPrefix(strings.ToLower(address), "data:"):
			return "", false, advise(ErrBlocked, AdviceOpenPage, "browsers do not let extensions navigate a tab to a data: address")
		case res.ErrorText != "":
			return "", false, fail(ErrNavigation, networkHint(res.ErrorText), "%s could not be opened: %s", address, res.ErrorText)
		}
		return res.LoaderID, false, nil
	})
}

// beganAt reports whether the tab was opened with an address and is still there,
// and with which loader.
func (p *Page) beganAt(address string) (cdp.LoaderID, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	there := p.begun == address && address != "about:blank"
	p.begun = ""
	return p.loading.loader, there
}

// Reload loads the page again; it also revives one that crashed.
func (p *Page) Reload(ctx context.Context, state LoadState) (Navigation, error) {
	return p.travel(ctx, "the page", state, func(ctx context.Context, s *session) (cdp.LoaderID, bool, error) {
		_, err := call(ctx, s, page.Reload, page.ReloadParams{})
		return "", false, err
	})
}

// Back goes one step back in the page's history; it fails with ErrNavigation
// where there is none.
func (p *Page) Back(ctx context.Context, state LoadState) (Navigation, error) {
	return p.step(ctx, -1, state)
}

// Forward goes one step forward in the page's history; it fails with
// ErrNavigation where there is none.
func (p *Page) Forward(ctx context.Context, state LoadState) (Navigation, error) {
	return p.step(ctx, +1, state)
}

func (p *Page) step(ctx context.Context, by int64, state LoadState) (Navigation, error) {
	return p.travel(ctx, "the page", state, func(ctx context.Context, s *session) (cdp.LoaderID, bool, error) {
		history, err := call(ctx, s, page.GetNavigationHistory, cdp.Empty{})
		if err != nil {
			return "", false, err
		}
		i := history.CurrentIndex + by
		if i < 0 || i >= int64(len(history.Entries)) {
			return "", false, fail(ErrNavigation, "", "there is no page in that direction")
		}
		_, err = call(ctx, s, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: history.Entries[i].ID})
		return "", false, err
	})
}

// travel runs a navigation and waits for its document to reach state.
func (p *Page) travel(ctx context.Context, to string, state LoadState, begin func(context.Context, *session) (cdp.LoaderID, bool, error)) (Navigation, error) {
	ctx, l, cancel := limited(ctx, p.browser.opts.NavigationTimeout)
	defer cancel()
	s, err := p.attached(ctx)
	if err != nil {
		return Navigation{}, err
	}
	revived, err := p.unblock(ctx, s)
	if err != nil {
		return Navigation{}, err
	}
	p.mu.Lock()
	p.fate.dead = false // a navigation revives the renderer
	p.mu.Unlock()
	ctx, stop, err := p.running(ctx)
	if err != nil {
		return Navigation{}, err
	}
	defer stop()
	p.mu.Lock()
	before := p.loading.moves
	p.mu.Unlock()
	saved := p.browser.downloadsBegun()
	loader, download, err := begin(ctx, s)
	if ctx.Err() != nil && !errors.Is(err, ErrDialogOpen) { // given up, or cancelled
		post(s, page.StopLoading, cdp.Empty{})
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return Navigation{}, timeoutError(ctx, "waiting for "+to+" to answer", l.whole)
	}
	if err != nil {
		return Navigation{}, err
	}
	if download {
		p.browser.heardOfDownload(ctx, saved)
		return Navigation{URL: p.URL(), Download: true}, nil
	}
	there := func() bool {
		// Within a document, and where the browser itself opens the address, the
		// loader is not known.
		return p.loading.loader == loader || loader == "" && p.loading.moves > before
	}
	err = p.await(ctx, func() bool { return there() && p.loading.reached(state) })
	if err == nil && state == NetworkIdle {
		err = p.idle(ctx)
	}
	n := p.arrival()
	n.Revived = revived
	if errors.Is(err, context.DeadlineExceeded) {
		p.mu.Lock()
		came := there()
		p.mu.Unlock()
		if !came {
			post(s, page.StopLoading, cdp.Empty{})
			return n, timeoutError(ctx, "waiting for "+to+" to answer", l.whole)
		}
		n.Loading, err = true, nil
	}
	return n, err
}

const (
	// hangTime is how long a page that is being left may not answer.
	hangTime = 3 * time.Second
	// freshTime is how long a page that said that its content has come is not asked
	// whether it answers: it just did, and would again only after it has drawn itself.
	// What hangs from then on is found by the next navigation.
	freshTime = 100 * time.Millisecond
)

// unblock sees that a script of the page does not hold up its process, where
// nothing else could then be loaded. Chrome lets no extension end the script
// alone, so the process is ended, as a person would in Chrome's task manager;
// it reports whether it was. It is asked before the navigation and not beside it:
// a page that a navigation waits for gets no command any more, not even that.
func (p *Page) unblock(ctx context.Context, s *session) (ended bool, _ error) {
	p.mu.Lock()
	fresh := time.Since(p.loading.came) < freshTime
	p.mu.Unlock()
	if fresh {
		return false, nil
	}
	if p.Withheld(nil) != "" {
		return false, nil // to ask it is to ask the person
	}
	ctx, stop, err := p.running(ctx)
	if err != nil {
		return false, nil // a dialog, or a crash: nothing runs
	}
	defer stop()
	sign, cancel := context.WithTimeout(ctx, hangTime)
	defer cancel()
	if _, err := call(sign, s, runtime.Evaluate, runtime.EvaluateParams{Expression: "0", Silent: new(true)}); sign.Err() == nil || ctx.Err() != nil || err == nil {
		return false, nil
	}
	post(s, page.Crash, cdp.Empty{})
	dying, cancel := context.WithTimeout(context.WithoutCancel(ctx), hangTime)
	defer cancel()
	if err := p.await(dying, func() bool { return p.fate.dead || p.fate.ended != nil }); err != nil {
		return false, advise(ErrTimeout, AdviceReplacePage, "the page does not answer, and its process could not be ended")
	}
	return true, nil
}

// arrival tells where the page is.
func (p *Page) arrival() Navigation {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := Navigation{URL: p.loading.url}
	if r := p.loading.response; r.loader == p.loading.loader && r.status >= 400 {
		n.Status, n.Text = r.status, r.text
	}
	return n
}

// URL returns the address of the page's document, as far as it is known.
func (p *Page) URL() string {
	p.mu.Lock()
	address := p.loading.url
	if f := p.tree.frames[p.tree.root]; address == "" && f != nil {
		address = f.url
	}
	p.mu.Unlock()
	if address != "" {
		return address
	}
	for _, t := range p.browser.Tabs() {
		if t.ID == p.id {
			return t.URL
		}
	}
	return ""
}

// Check tells what is wrong with an address that is to be opened: ErrInvalid
// where it is none, ErrBlocked where it may not be opened.
func (b *Browser) Check(address string) error {
	_, err := b.address(address)
	return err
}

// address completes an address as a person would type it, and refuses what may
// not be opened.
func (b *Browser) address(s string) (string, error) {
	address, err := b.completed(s)
	if err == nil {
		err = b.opts.Sites.outside(address)
	}
	if err != nil {
		return "", err
	}
	return address, nil
}

// completed returns an address in full, if it is of a kind that may be opened.
func (b *Browser) completed(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", fail(ErrInvalid, "give an address such as https://example.org", "url is empty")
	}
	scheme, rest, ok := strings.Cut(s, ":")
	// In localhost:8080/x and example.org:443 what stands before the colon is a
	// host: a port follows it.
	if !ok || strings.ContainsAny(scheme, "./ ?#") || (rest != "" && rest[0] >= '0' && rest[0] <= '9') {
		u, err := hostOf("https://" + s)
		if err != nil || u.Hostname() == "" {
			return "", fail(ErrInvalid, "give an address such as https://example.org", "%q is not an address", s)
		}
		if host := u.Hostname(); host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host) != nil {
			return "http://" + s, nil
		}
		return "https://" + s, nil
	}
	switch strings.ToLower(scheme) {
	case "http", "https":
		if u, err := hostOf(s); err != nil || u.Host == "" {
			return "", fail(ErrInvalid, "give an address such as https://example.org", "%q is not an address", s)
		}
		return s, nil
	case "data", "blob":
		return s, nil
	case "about":
		if strings.HasPrefix(strings.ToLower(rest), "blank") {
			return s, nil
		}
	case "file":
		if b.opts.AllowFile && isElsewhere(rest) {
			return "", fail(ErrBlocked, "copy it to this machine", "files of other machines are not opened")
		}
		if b.opts.AllowFile {
			return s, nil
		}
		return "", &Error{Kind: ErrBlocked, Text: "file: addresses are not allowed", Flag: "start tabrelay with --allow-file to permit them"}
	case "javascript":
		return "", advise(ErrBlocked, AdviceScript, "javascript: addresses are not allowed")
	}
	return "", fail(ErrBlocked, "only http, https, data, blob and about:blank can be opened", "%s: addresses are internal to the browser and cannot be opened", scheme)
}

// isElsewhere reports whether what stands behind "file:" is on another machine, to
// which some systems log in for that.
func isElsewhere(rest string) bool {
	rest = strings.NewReplacer("\t", "", "\r", "", "\n", "", `\`, "/").Replace(rest)
	authority, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return false
	}
	host, path, _ := strings.Cut(authority, "/")
	drive := len(host) == 2 && (host[1] == ':' || host[1] == '|')
	return host != "" && !drive && !strings.EqualFold(host, "localhost") || strings.HasPrefix(path, "/")
}

// networkHint says what to do about a network error of Chrome.
func networkHint(text string) string {
	switch {
	case strings.Contains(text, "CONNECTION_REFUSED"):
		return "nothing listens there: is the server running, and is the port correct?"
	case strings.Contains(text, "NAME_NOT_RESOLVED"):
		return "there is no such host: check the name"
	case strings.Contains(text, "INTERNET_DISCONNECTED"):
		return "the browser is offline"
	case strings.Contains(text, "CERT"):
		return "the site's certificate is not valid; a person has to accept it in the browser"
	case strings.Contains(text, "ABORTED"):
		return "the server sent no page (204, or the load was aborted)"
	}
	return "check the address, or try again"
}
