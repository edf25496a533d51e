package adapter

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// openDeclaring shows a body in a browser whose declared tools are listened to.
func openDeclaring(t *testing.T, body string) *stage {
	t.Helper()
	return openIn(t, newBrowser(t, Options{WebMCP: true}), body, true)
}

// declares waits until the page declares what is wanted.
func (s *stage) declares(names ...string) []Declared {
	s.TB.Helper()
	limit := time.After(40 * time.Second)
	for {
		stirring := s.Stirring()
		list := s.Declared()
		var have []string
		for _, d := range list {
			have = append(have, d.Name)
		}
		slices.Sort(have)
		if slices.Equal(have, names) {
			return list
		}
		select {
		case <-stirring:
		case <-limit:
			s.Fatalf("the page declares %q, want %q", have, names)
		}
	}
}

func (s *stage) invoke(tool Declared, input string) (string, error) {
	s.TB.Helper()
	v, err := s.Invoke(s.within(20*time.Second), tool, []byte(input))
	if err != nil {
		return "", err
	}
	out, err := v.Wait(s.within(20 * time.Second))
	return string(out), err
}

const declaring = `<script>
const signal = (window.stop1 = new AbortController()).signal;
const m = document.modelContext;
m.registerTool({name: 'add', description: 'Add two numbers', inputSchema: {type: 'object', properties: {a: {type: 'number'}, b: {type: 'number'}}, required: ['a', 'b']},
  execute: ({a, b}) => ({sum: a + b}), annotations: {readOnlyHint: true, consequentialHint: true}}, {signal});
m.registerTool({name: 'throw', description: 'Throws', inputSchema: {type: 'object'}, execute() { throw new Error('no luck') }});
m.registerTool({name: 'slow', description: 'Never ends', inputSchema: {type: 'object'}, execute: (_, {signal}) => new Promise((_, no) => signal.addEventListener('abort', () => { document.title = 'aborted'; no(new Error('x')) }))});
</script>`

func TestDeclaredTools(t *testing.T) {
	t.Parallel()
	s := openDeclaring(t, declaring)
	list := s.declares("add", "slow", "throw")
	by := map[string]Declared{}
	for _, d := range list {
		by[d.Name] = d
	}
	if d := by["add"]; !d.Consequential || d.Manual || d.Frame != "" || !strings.Contains(string(d.Schema), `"required"`) {
		t.Errorf("add: %+v %s", d, d.Schema)
	}
	if out, err := s.invoke(by["add"], `{"a":1,"b":2}`); err != nil || out != `{"sum":3}` {
		t.Errorf("add: %s, %v", out, err)
	}
	if _, err := s.invoke(by["throw"], `{}`); !errors.Is(err, ErrScript) || !strings.Contains(err.Error(), "no luck") {
		t.Errorf("throw: %v", err)
	}
	v, err := s.Invoke(s.within(10*time.Second), by["slow"], []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	v.Cancel()
	if _, err := v.Wait(s.within(10 * time.Second)); !errors.Is(err, ErrCancelled) {
		t.Errorf("slow: %v", err)
	}
	// A tool that was taken back is gone, and so are those of another document.
	if _, err := s.Evaluate(t.Context(), "stop1.abort()", Element{}); err != nil {
		t.Fatal(err)
	}
	s.declares("slow", "throw")
	if _, err := s.Invoke(t.Context(), by["add"], []byte(`{}`)); !errors.Is(err, ErrNotFound) {
		t.Errorf("add after its end: %v", err)
	}
	s.visit(s.site.page("/none", "nothing"))
	s.declares()
	if _, err := s.Back(t.Context(), Loaded); err != nil {
		t.Fatal(err)
	}
	s.declares("slow", "throw") // from the browser's cache, or anew
}

// TestInvokeIsGivenUp holds that a tool is cancelled also where its caller goes
// before the browser has told what it calls the run.
func TestInvokeIsGivenUp(t *testing.T) {
	t.Parallel()
	busy, release, began, over := make(chan struct{}, 1), make(chan struct{}), make(chan struct{}, 1), make(chan struct{}, 1)
	s := openDeclaring(t, `<script>
		document.modelContext.registerTool({name: 'late', description: 'd', inputSchema: {type: 'object'},
			execute: (_, {signal}) => new Promise(() => { signal.addEventListener('abort', () => { fetch('/over') }); fetch('/began') })});
		function hang() { const x = new XMLHttpRequest(); x.open('GET', '/busy', false); x.send() }</script>`)
	s.site.mux.HandleFunc("/busy", func(http.ResponseWriter, *http.Request) { busy <- struct{}{}; <-release })
	s.site.mux.HandleFunc("/began", func(http.ResponseWriter, *http.Request) { began <- struct{}{} })
	s.site.mux.HandleFunc("/over", func(http.ResponseWriter, *http.Request) { over <- struct{}{} })
	heard := func(what string, c <-chan struct{}) {
		select {
		case <-c:
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: nothing", what)
		}
	}
	late := s.declares("late")[0]
	s.value("void setTimeout(hang)")
	heard("busy", busy)
	_, err := s.Invoke(s.within(2*time.Second), late, []byte(`{}`)) // the page answers nothing meanwhile
	close(release)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it was begun: %v", err)
	}
	heard("began", began)
	heard("over", over)
}

// TestDeclaredOrder has the browser tell of tools in every order: what is listed
// hangs on none of them.
func TestDeclaredOrder(t *testing.T) {
	p := &Page{browser: &Browser{}}
	all := []Declared{{Name: "add"}, {Name: "book", form: true}, {Name: "find", form: true}, {Name: "slow"}, {Name: "ask", Frame: "https://b.test/"}}
	for turn := range all {
		p.declared.tools = slices.Concat(all[turn:], all[:turn])
		var got []string
		for _, d := range p.Declared() {
			got = append(got, d.Name)
		}
		if want := []string{"add", "slow", "book", "find", "ask"}; !slices.Equal(got, want) {
			t.Errorf("turned by %d: %q, want %q", turn, got, want)
		}
	}
}

func TestDeclaredForms(t *testing.T) {
	t.Parallel()
	s := openDeclaring(t, `<form toolname=find tooldescription="Find a thing" toolautosubmit onsubmit="event.preventDefault(); event.respondWith(Promise.resolve('found ' + q.value))"><label>What <input id=q name=q required></label></form>
		<form toolname=book tooldescription="Book it" id=book onsubmit="event.preventDefault(); if (event.agentInvoked) event.respondWith(Promise.resolve('booked'))"><input name=who aria-label=Who toolparamdescription="Who comes"><button>Book</button></form>`)
	list := s.declares("book", "find")
	for _, d := range list {
		if d.Manual != (d.Name == "book") {
			t.Errorf("%s: manual %v", d.Name, d.Manual)
		}
	}
	find := list[slices.IndexFunc(list, func(d Declared) bool { return d.Name == "find" })]
	book := list[slices.IndexFunc(list, func(d Declared) bool { return d.Name == "book" })]
	if out, err := s.invoke(find, `{"q":"a"}`); err != nil || out != `"found a"` {
		t.Errorf("find: %s, %v", out, err)
	}
	v, err := s.Invoke(s.within(10*time.Second), book, []byte(`{"who":"Ada"}`))
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := v.Wait(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("book does not wait for the person: %v", err)
	}
	if out, err := s.Evaluate(t.Context(), "book.who.value", Element{}); err != nil || out.Text != `"Ada"` {
		t.Errorf("the form holds %s, %v", out, err)
	}
	if _, err := s.Evaluate(t.Context(), "book.requestSubmit()", Element{}); err != nil {
		t.Fatal(err)
	}
	if out, err := v.Wait(s.within(10 * time.Second)); err != nil || out == nil || string(out) != `"booked"` {
		t.Errorf("book: %s, %v", out, err)
	}
}

func TestDeclaredFormsAreAskedForFirst(t *testing.T) {
	t.Parallel()
	s := openDeclaring(t, `<form toolname=book tooldescription="Book it"><input name=who aria-label=Who></form>
		<form toolname=log_in tooldescription="Log in" toolautosubmit onsubmit="event.preventDefault(); event.respondWith(Promise.resolve('in'))"><input type=password name=word aria-label=Password></form>`)
	list := s.declares("book", "log_in")
	if _, err := s.Invoke(AskFirst(s.within(20*time.Second)), list[1], []byte(`{"word":"x"}`)); !errors.Is(err, ErrUnconfirmed) || !strings.Contains(err.Error(), "password field: “log_in”") {
		t.Errorf("log_in: %v", err)
	}
	v, err := s.Invoke(AskFirst(s.within(20*time.Second)), list[0], []byte(`{"who":"Ada"}`)) // the person submits it
	if err != nil {
		t.Fatal(err)
	}
	v.Cancel()
	if out, err := s.invoke(list[1], `{"word":"x"}`); err != nil || out != `"in"` {
		t.Errorf("log_in: %s, %v", out, err)
	}
}

func TestDeclaredToolsOfFrames(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	tool := func(name string) string {
		return `<script>document.modelContext.registerTool({name: '` + name + `', description: 'd', inputSchema: {type: 'object'}, execute: () => '` + name + `'})</script>`
	}
	s.page("/same", tool("same"))
	s.page("/other", tool("other"))
	s.page("/", tool("main")+`<iframe src="/same"></iframe><iframe id=x allow="*; tools" src="`+s.other("/other")+`"></iframe>`)
	st := &stage{TB: t, Page: newTab(t, newBrowser(t, Options{WebMCP: true}), true), site: s}
	st.visit(s.URL + "/")
	list := st.declares("main", "other", "same")
	for _, d := range list {
		if (d.Frame == "") != (d.Name == "main") {
			t.Errorf("%s is of frame %q", d.Name, d.Frame)
		}
		if out, err := st.invoke(d, `{}`); err != nil || out != `"`+d.Name+`"` {
			t.Errorf("%s: %s, %v", d.Name, out, err)
		}
	}
	if _, err := st.Evaluate(t.Context(), "x.remove()", Element{}); err != nil {
		t.Fatal(err)
	}
	st.declares("main", "same")
}
