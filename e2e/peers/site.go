package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"
)

// The pages that all peers work on. clicks counts what a person could have done:
// events that scripts make do not count.
const (
	counterPage = `<!doctype html><title>Counter</title><h1>Counter</h1><p>Press it.</p><button>Press</button> <p id=n>0</p>
<script>let clicks = 0; document.querySelector('button').onclick = (e) => { if (e.isTrusted) document.getElementById('n').textContent = ++clicks; }</script>`
	orderPage = `<!doctype html><title>Tea house</title><h1>Your order</h1>
<form action=/tea><label>Name <input name=name></label><label>Street <input name=street></label><label>City <input name=city></label>
<label><input type=checkbox name=news>Send me news</label><button>Next</button></form>`
	teaPage  = `<!doctype html><title>Choose a tea</title><h1>Choose a tea</h1><ul><li><a href=/item>Darjeeling</a><li><a href=/item>Assam</a><li><a href=/item>Ceylon</a></ul>`
	itemPage = `<!doctype html><title>Assam</title><h1>Assam</h1><p>Strong and dark.</p><label><input type=checkbox id=gift>Wrap as a gift</label>
<button id=add>Add</button><p role=status id=state>Nothing is in the basket.</p><button id=order disabled>Order</button>
<script>
const by = (id) => document.getElementById(id);
by('add').onclick = () => { by('state').textContent = 'One in the basket.'; by('order').disabled = false; };
by('order').onclick = () => { by('state').textContent = 'Ordered' + (by('gift').checked ? ' as a gift' : '') + '.'; };
</script>`
	ordered = "Ordered as a gift."
)

// rows is a page with a table.
func rows(n int) string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Table</title><h1>Members</h1><table><tr><th>Number<th>Name<th>City<th>Page")
	for i := range n {
		fmt.Fprintf(&b, "<tr><td>%d<td>Member %d<td>City %d<td><a href=/member/%d>open %d</a>", i, i, i%50, i, i)
	}
	return b.String() + "</table>"
}

func serve() (*http.Server, error) {
	pages := map[string]string{"/": counterPage, "/order": orderPage, "/tea": teaPage, "/item": itemPage, "/other": "<!doctype html><title>Other</title><h1>Another page</h1>",
		"/rows1000": rows(1000), "/rows5000": rows(5000)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &http.Server{Addr: l.Addr().String(), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, pages[r.URL.Path])
	})}
	go func() { _ = s.Serve(l) }() // ends with Close
	return s, nil
}
