package adapter

import (
	"context"
	"fmt"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Storage is one of the two stores of strings that a page's origin has.
type Storage struct {
	page *Page
	name string
}

// Storage returns the store of a kind, local or session, of the origin that the
// main frame shows when it is used.
func (p *Page) Storage(kind string) (Storage, error) {
	switch kind {
	case "local", "session":
		return Storage{p, kind + "Storage"}, nil
	}
	return Storage{}, fail(ErrInvalid, "use local or session", "%q is not a kind of storage", lines.Clip(kind, 40))
}

// Entry is a key of a store and its value.
type Entry struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// List returns all entries by key, those beyond the first 500 and values beyond
// limit characters left out, and how many entries there are.
func (s Storage) List(ctx context.Context, limit int) ([]Entry, int, error) {
	res, err := inStore[struct {
		List  []Entry `json:"list"`
		Count int     `json:"count"`
	}](ctx, s, fmt.Sprintf(`({count: s.length, list: Object.keys(s).sort().slice(0, 500).map(key => {
  const value = s.getItem(key) ?? '';
  return {key, value: value.length > %d ? value.slice(0, %d) + '… (' + value.length + ' characters)' : value};
})})`, limit, limit))
	return res.List, res.Count, err
}

// Get returns the value of a key. It fails with ErrNotFound when there is none.
func (s Storage) Get(ctx context.Context, key string) (string, error) {
	v, err := inStore[*string](ctx, s, "s.getItem("+string(marshal(key))+")")
	if err == nil && v == nil {
		return "", fail(ErrNotFound, "get without a key lists them", "%s has no key %q", s.name, lines.Clip(key, 80))
	}
	if err != nil {
		return "", err
	}
	return *v, nil
}

// Set sets a key, and Remove removes one; the page's own scripts are not told.
func (s Storage) Set(ctx context.Context, key, value string) error {
	_, err := inStore[int](ctx, s, "(s.setItem("+string(marshal(key))+","+string(marshal(value))+"), 0)")
	return err
}

// Remove removes a key and reports whether it was there.
func (s Storage) Remove(ctx context.Context, key string) (bool, error) {
	k := string(marshal(key))
	return inStore[bool](ctx, s, "(had => (s.removeItem("+k+"), had))(s.getItem("+k+") !== null)")
}

// Clear removes all entries and returns how many they were.
func (s Storage) Clear(ctx context.Context) (int, error) {
	return inStore[int](ctx, s, "(n => (s.clear(), n))(s.length)")
}

// inStore evaluates an expression where s is the store.
func inStore[T any](ctx context.Context, s Storage, expression string) (T, error) {
	var zero T
	ctx, _, stop, err := s.page.work(ctx)
	if err != nil {
		return zero, err
	}
	defer stop()
	s.page.mu.Lock()
	f := s.page.mainFrame()
	s.page.mu.Unlock()
	res, err := ask[struct {
		Value   T      `json:"value"`
		Refused string `json:"refused"`
	}](ctx, s.page, f, fmt.Sprintf(`(() => {
  let s = null;
  try { s = globalThis.%s } catch {}
  if (!s) return {refused: 'none'};
  try {
    return {value: %s};
  } catch (problem) {
    if (problem.name === 'QuotaExceededError') return {refused: 'full'};
    throw problem;
  }
})()`, s.name, expression))
	switch {
	case err != nil:
		return zero, s.page.reason(err)
	case res.Refused == "none":
		return zero, fail(ErrUnsupported, "navigate to a site first", "the page has no storage: its address belongs to no site")
	case res.Refused == "full":
		return zero, fail(ErrInvalid, "set less, or remove keys first", "%s is full", s.name)
	}
	return res.Value, nil
}
