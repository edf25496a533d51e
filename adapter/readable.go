package adapter

import (
	"context"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// reader is the readable function as an object of a document's own world, where
// nothing of the page can reach it.
type reader struct {
	world  realm
	object runtime.RemoteObjectID
}

// reader returns the function for a frame, made once a document.
func (p *Page) reader(ctx context.Context, s *session, f *frame) (runtime.RemoteObjectID, error) {
	p.mu.Lock()
	world, r := f.main, f.reader
	p.mu.Unlock()
	if r.world == world && r.object != "" {
		return r.object, nil
	}
	res, err := call(ctx, s, runtime.Evaluate, world.run(runtime.EvaluateParams{Expression: "(" + readable + ")", Silent: new(true)}))
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f.reader = reader{world, res.Result.ObjectID}
	return res.Result.ObjectID, nil
}

// read renders a value as text.
func (a *actor) read(ctx context.Context, o *runtime.RemoteObject) (string, error) {
	if o == nil || o.Type == runtime.RemoteObjectTypeUndefined {
		return "undefined", nil
	}
	if o.UnserializableValue != "" {
		return string(o.UnserializableValue), nil
	}
	if o.ObjectID == "" {
		return bounded(string(o.Value)), nil
	}
	text, err := a.rendered(ctx, o, evaluateLimit)
	return bounded(text), err
}

// rendered renders an object, which it releases, in the page, to about limit
// characters; its description stands for one that cannot be.
func (a *actor) rendered(ctx context.Context, o *runtime.RemoteObject, limit int) (string, error) {
	s := a.target
	defer post(s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: o.ObjectID})
	reader, err := a.page.reader(ctx, s, a.frame)
	if err != nil {
		return "", err
	}
	res, err := call(ctx, s, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		ObjectID: o.ObjectID, FunctionDeclaration: "function(read, limit) { return read(this, limit) }", ReturnByValue: new(true), Silent: new(true),
		Arguments: []*runtime.CallArgument{{ObjectID: reader}, {Value: marshal(limit)}},
	})
	if err != nil {
		return "", err
	}
	var text string
	if res.ExceptionDetails != nil || jsonv2.Unmarshal(res.Result.Value, &text, chromedp.DefaultUnmarshalOptions) != nil {
		return o.Description, nil
	}
	return text, nil
}

// readable is a function that renders an object as JSON, and in its place what
// JSON cannot say. It stops at limit characters.
const readable = `function(value, limit) {
  let room = limit * 2;
  const path = [];
  const text = (v) => JSON.stringify(v.toWellFormed ? v.toWellFormed() : v);
  const node = (n) => {
    if (n.nodeType === 9) return "#document " + n.URL;
    if (n.nodeType !== 1) return n.nodeName + (n.nodeValue ? " " + text(n.nodeValue.slice(0, 80)) : "");
    const tag = n.cloneNode(false).outerHTML.replace(/<\/[^>]*>$/, "");
    const inner = (n.textContent || "").trim().replace(/\s+/g, " ");
    return tag + (inner.length > 80 ? inner.slice(0, 79) + "…" : inner);
  };
  const say = (v, depth) => {
    if (room < 0) return '"…"';
    let out;
    switch (typeof v) {
      case "undefined": return "undefined";
      case "bigint": return v + "n";
      case "symbol": return text(String(v));
      case "string": out = text(v); break;
      case "number": return Number.isFinite(v) ? (Object.is(v, -0) ? "-0" : String(v)) : String(v);
      case "boolean": return String(v);
      case "function": {
        const source = Function.prototype.toString.call(v);
        return text("[function " + (v.name || "") + "] " + (source.length > 200 ? source.slice(0, 199) + "…" : source));
      }
      default: out = v === null ? "null" : object(v, depth);
    }
    room -= out.length;
    return out;
  };
  const list = (items, depth) => {
    const parts = [];
    for (const item of items) {
      if (room < 0) { parts.push('"…"'); break; }
      parts.push(say(item, depth));
      room -= 2;
    }
    return "[" + parts.join(",") + "]";
  };
  const object = (v, depth) => {
    const at = path.indexOf(v);
    if (at >= 0) return text("[circular: " + (at === 0 ? "the whole" : at + " levels down") + "]");
    if (depth > 20) return text("[deeper]");
    path.push(v);
    try {
      if (typeof Node === "function" && v instanceof Node) return text(node(v));
      if (typeof Window === "function" && v instanceof Window || v === globalThis) return text("[window]");
      if (v instanceof Error) return text((v.stack || String(v)).split("\n").slice(0, 3).join("\n"));
      if (v instanceof RegExp) return text(String(v));
      if (v instanceof Map) return '{"[Map]":{' + [...v].slice(0, 1000).map(([k, w]) => (typeof k === "string" ? text(k) : text(say(k, depth + 1))) + ":" + say(w, depth + 1)).join(",") + "}}";
      if (v instanceof Set) return '{"[Set]":' + list(v, depth + 1) + "}";
      if (v instanceof WeakMap || v instanceof WeakSet || v instanceof WeakRef || v instanceof Promise) return text("[" + v.constructor.name + "]");
      if (v instanceof ArrayBuffer) return text("[ArrayBuffer of " + v.byteLength + " bytes]");
      if (typeof v.toJSON === "function") return say(v.toJSON(), depth + 1);
      if (v instanceof String || v instanceof Number || v instanceof Boolean) return say(v.valueOf(), depth + 1);
      if (Array.isArray(v) || ArrayBuffer.isView(v) && !(v instanceof DataView)) return list(v, depth + 1);
      if (typeof NodeList === "function" && (v instanceof NodeList || v instanceof HTMLCollection)) return list(v, depth + 1);
      const parts = [];
      let keys = Object.keys(v);
      if (!keys.length && Object.getPrototypeOf(v) && Object.getPrototypeOf(v) !== Object.prototype) {
        // A platform object keeps its properties on its prototypes.
        const found = new Set();
        for (let p = v; p && p !== Object.prototype; p = Object.getPrototypeOf(p)) for (const [k, d] of Object.entries(Object.getOwnPropertyDescriptors(p))) if (d.get) found.add(k);
        keys = [...found].slice(0, 100);
      }
      for (const k of keys) {
        if (room < 0) { parts.push('"…":"…"'); break; }
        let w;
        try { w = v[k]; } catch (e) { w = "[threw: " + e + "]"; }
        room -= k.length + 4;
        parts.push(text(k) + ":" + say(w, depth + 1));
      }
      return "{" + parts.join(",") + "}";
    } finally {
      path.pop();
    }
  };
  return say(value, 0);
}`
