package adapter

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// FindOptions say what to look for; Text or Regex.
type FindOptions struct {
	Text    string // without regard to letter case
	Regex   string // JavaScript's, with flags where it stands as /…/flags
	Context int    // lines before and after a match
}

// Found is what a search found: lines of the snapshot, with the lines above
// each in the tree.
type Found struct {
	Lines []lines.Line
	Count int    // of the lines that match
	More  string // what was left out for space
}

const (
	findLimit  = 30     // matches that are shown, of each frame
	findText   = 30_000 // characters of them all
	findFrames = 50     // frames that are searched
)

// Find searches the whole snapshot of the page, with its frames, also what one
// snapshot has no space for. Nothing found is no failure.
func (p *Page) Find(ctx context.Context, o FindOptions) (Found, error) {
	q, err := o.request()
	if err != nil {
		return Found{}, err
	}
	if _, err := p.attached(ctx); err != nil {
		return Found{}, err
	}
	ctx, stop, err := p.running(ctx)
	if err != nil {
		return Found{}, err
	}
	defer stop()
	p.mu.Lock()
	main := p.mainFrame()
	p.mu.Unlock()
	out := Found{}
	left := findFrames
	list, err := p.find(ctx, main, q, &out, &left)
	if err != nil {
		return Found{}, p.reason(err)
	}
	for i, size := 0, 0; i < len(list); i++ {
		if size += 2*list[i].Depth + len(lines.Writer{}.Line(list[i])) + 3; size > findText {
			out.More = fmt.Sprintf("… %d more lines not shown: narrow the search", len(list)-i)
			list = list[:i]
			break
		}
	}
	out.Lines = list
	return out, nil
}

// findRequest is what the page script searches for.
type findRequest struct {
	Text    string  `json:"text,omitzero"`
	Regex   *string `json:"regex,omitzero"`
	Flags   *string `json:"flags,omitzero"`
	Context int     `json:"context"`
	Limit   int     `json:"limit"`
	Prefix  string  `json:"prefix"`
	Next    int     `json:"next"`
}

// searched is what the page script found in a frame.
type searched struct {
	walked
	Lines  string `json:"lines"`
	Count  int    `json:"count"`
	More   string `json:"more"`
	Frames string `json:"frames"` // the lines of frames, where there is something in them or not
}

func (o FindOptions) request() (findRequest, error) {
	q := findRequest{Text: strings.TrimSpace(o.Text), Context: o.Context, Limit: findLimit}
	switch {
	case q.Text == "" && o.Regex == "":
		return q, fail(ErrInvalid, "give text or regex", "there is nothing to search for")
	case q.Text != "" && o.Regex != "":
		return q, fail(ErrInvalid, "give one of them", "both text and regex are given")
	case o.Regex != "":
		source, flags := o.Regex, ""
		if end := strings.LastIndexByte(source, '/'); end > 0 && source[0] == '/' && strings.Trim(source[end+1:], "dgimsuvy") == "" {
			source, flags = source[1:end], source[end+1:]
		}
		q.Regex, q.Flags = &source, &flags
	}
	return q, nil
}

// find searches a frame and those in it.
func (p *Page) find(ctx context.Context, f *frame, q findRequest, out *Found, left *int) ([]lines.Line, error) {
	p.mu.Lock()
	q.Prefix, q.Next = p.prefix(f), f.next
	p.mu.Unlock()
	res, err := walk[searched](ctx, p, f, func(next int) string {
		q.Next = max(q.Next, next)
		return expression("search", q)
	})
	if err != nil {
		return nil, err
	}
	list, err := lines.Decode(res.Lines)
	if err != nil {
		return nil, err
	}
	frames, err := lines.Decode(res.Frames)
	if err != nil {
		return nil, err
	}
	out.Count += res.Count
	out.More = cmp.Or(out.More, res.More)
	for _, c := range frames {
		if *left--; *left < 0 {
			out.More = cmp.Or(out.More, "… more frames were not searched")
			break
		}
		child, err := p.childFrame(ctx, f, c.Ref)
		if err != nil || child == nil {
			continue
		}
		within, done := p.reading(ctx, child)
		inner, err := p.find(within, child, q, out, left)
		if done(err) {
			out.More = cmp.Or(out.More, "… a frame that does not answer was not searched")
		}
		if err != nil {
			if cause := context.Cause(ctx); cause != nil {
				return nil, cause
			}
			continue // it went away
		}
		if len(inner) > 0 {
			list = append(list, c)
			for _, l := range inner {
				l.Depth++
				list = append(list, l)
			}
		}
	}
	return list, nil
}
