package adapter

import (
	"bytes"
	"image/png"
	"testing"
)

func TestZoomed(t *testing.T) {
	s := open(t, "")
	s.site.page("/leaf", `<body style="margin:0"><button id=in style="margin:100px" onclick="this.textContent='Hit'">Leaf</button>`)
	s.visit(s.site.page("/z", `<body style="margin:0"><button id=b style="position:absolute;left:400px;top:200px">Save</button><div id=r style="position:absolute;top:900px;left:100px;width:200px;height:100px;background:#f00"></div><iframe src="`+s.site.other("/leaf")+`" style="position:absolute;left:200px;top:250px;width:400px;height:200px"></iframe>`+heard))
	if _, err := s.Press(t.Context(), "Control++ Control++", Element{}); err != nil {
		t.Fatal(err)
	}
	defer s.Press(t.Context(), "Control+0", Element{})
	if err := s.Wait(t.Context(), WaitOptions{Predicate: "devicePixelRatio > 1.2"}); err != nil {
		t.Skip("the browser does not zoom")
	}
	s.visit(s.site.URL + "/z")
	s.click("#b", ClickOptions{})
	s.is("seen", `["click b 0 1"]`)
	if _, err := s.Click(t.Context(), Element{Ref: s.ref(`"Leaf"`)}, ClickOptions{}); err != nil {
		t.Error(err)
	}
	s.ref(`"Hit"`)
	for _, o := range []ScreenshotOptions{{Element: Element{Selector: "#r"}}, {Element: Element{Selector: "#r"}, MaxSize: 100}} {
		img, err := s.Screenshot(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(bytes.NewReader(img.Data))
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range [][2]int{{2, 2}, {img.Width - 3, img.Height - 3}} {
			if r, g, _, _ := m.At(at[0], at[1]).RGBA(); r < 0xe000 || g > 0x2000 {
				t.Errorf("%+v: not red at %v of %dx%d", o, at, img.Width, img.Height)
			}
		}
	}
}
