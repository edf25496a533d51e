package adapter

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestCookies(t *testing.T) {
	s := open(t, "<p>x")
	ctx := t.Context()
	if err := s.SetCookies(ctx, "", []Cookie{{Name: "a", Value: "1"}, {Name: "b", Value: "2", HTTPOnly: true, SameSite: "Lax"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetCookies(ctx, "http://other.test/", []Cookie{{Name: "o", Value: "3", Domain: "other.test"}}); err != nil {
		t.Fatal(err)
	}
	s.is("document.cookie", `"a=1"`)
	list, err := s.Cookies(ctx, "")
	if err != nil || len(list) != 2 || !list[1].HTTPOnly || list[1].SameSite != "Lax" {
		t.Errorf("%+v %v", list, err)
	}
	if list, _ := s.Cookies(ctx, "http://other.test/x"); len(list) != 1 {
		t.Errorf("%+v", list)
	}
	if n, err := s.DeleteCookies(ctx, "", "a"); n != 1 || err != nil {
		t.Error(n, err)
	}
	if n, err := s.DeleteCookies(ctx, "", "*"); n != 1 || err != nil {
		t.Error(n, err)
	}
	if list, _ := s.Cookies(ctx, "http://other.test/"); len(list) != 1 {
		t.Error("the cookies of another site went too")
	}
	s.DeleteCookies(ctx, "http://other.test/", "*")
	if _, err := s.DeleteCookies(ctx, "", "a"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	for _, c := range []Cookie{{Name: "a", Domain: "other.test"}, {Name: "a;b"}, {Name: "a", SameSite: "Some"}, {Name: "__Host-x", Value: "1", Domain: "127.0.0.1"}} {
		if err := s.SetCookies(ctx, "", []Cookie{c}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	s.visit("about:blank")
	for _, url := range []string{"", "*", "file:///x", "https://*.test/"} {
		if _, err := s.Cookies(ctx, url); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestStorage(t *testing.T) {
	s := open(t, "<p>x")
	ctx := t.Context()
	for _, kind := range []string{"local", "session"} {
		st, err := s.Storage(kind)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(st.Set(ctx, "k", "v\"'\n"), st.Set(ctx, "long", strings.Repeat("x", 5000))); err != nil {
			t.Fatal(err)
		}
		if v, err := st.Get(ctx, "k"); v != "v\"'\n" || err != nil {
			t.Errorf("%q %v", v, err)
		}
		list, n, err := st.List(ctx, 100)
		if err != nil || n != 2 || len(list) != 2 || list[0].Key != "k" || len(list[1].Value) > 200 {
			t.Errorf("%+v %d %v", list, n, err)
		}
		if _, err := st.Get(ctx, "none"); !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
		if had, err := st.Remove(ctx, "k"); !had || err != nil {
			t.Error(had, err)
		}
		if n, err := st.Clear(ctx); n != 1 || err != nil {
			t.Error(n, err)
		}
		if err := st.Set(ctx, "big", strings.Repeat("x", 6<<20)); !errors.Is(err, ErrInvalid) {
			t.Error(err)
		}
	}
	s.visit("data:text/html,x")
	st, _ := s.Storage("local")
	if _, _, err := st.List(ctx, 10); !errors.Is(err, ErrUnsupported) {
		t.Error(err)
	}
	if _, err := s.Storage("global"); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
}

func TestPDF(t *testing.T) {
	s := open(t, `<h1>one</h1><h1 style="break-before:page">two</h1><h1 style="break-before:page">three</h1>`)
	var b bytes.Buffer
	told := int64(0)
	pages, size, err := s.PDF(t.Context(), PDFOptions{Format: "Letter", Landscape: true}, &b, func(n int64) { told = n })
	if err != nil || pages != 3 || size != int64(b.Len()) || told != size || !bytes.HasPrefix(b.Bytes(), []byte("%PDF-")) {
		t.Errorf("%d pages, %d bytes of %d, told %d: %v", pages, size, b.Len(), told, err)
	}
	if !bytes.Contains(b.Bytes(), []byte("792 612")) {
		t.Error("the sheet is not Letter, landscape")
	}
	if _, _, err := s.PDF(t.Context(), PDFOptions{Format: "A9"}, &b, nil); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
}
