package adapter

import (
	"context"
	"fmt"
	"strconv"

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

// Value is what a script returned.
type Value struct {
	// Text is JSON, or the word undefined. What JSON cannot say is in a readable
	// form within it.
	Text string
	// Notes say where the text differs from the value, a line each.
	Notes []string
	// Type is what the value is where JSON has no such thing, such as function,
	// symbol, node or map; "" for all else.
	Type string
}

// What JSON cannot say of numbers.
const (
	noteNumber = "null stands for %s, which JSON cannot represent"
	noteBigInt = "bigints are returned as strings"
)

// read renders a value, an object to about limit characters.
func (a *actor) read(ctx context.Context, o *runtime.RemoteObject, limit int) (Value, error) {
	switch {
	case o == nil || o.Type == runtime.RemoteObjectTypeUndefined:
		return Value{Text: "undefined"}, nil
	case o.Type == runtime.RemoteObjectTypeBigint:
		return Value{Text: strconv.Quote(string(o.UnserializableValue)), Notes: []string{noteBigInt}, Type: "bigint"}, nil
	case o.UnserializableValue == "-0":
		return Value{Text: "-0"}, nil
	case o.UnserializableValue != "":
		return Value{Text: "null", Notes: []string{fmt.Sprintf(noteNumber, o.UnserializableValue)}}, nil
	case o.ObjectID == "":
		return Value{Text: string(o.Value)}, nil
	}
	v, err := a.rendered(ctx, o, limit)
	v.Type = foreign(o)
	return v, err
}

// foreign names the type of an object, or of a symbol, that JSON does not have.
func foreign(o *runtime.RemoteObject) string {
	switch {
	case o.ClassName == "Window":
		return "window"
	case o.Subtype == runtime.RemoteObjectSubtypeArray:
		return ""
	case o.Subtype != "":
		return string(o.Subtype)
	case o.Type != runtime.RemoteObjectTypeObject:
		return string(o.Type)
	}
	return ""
}

// rendered renders an object, which it releases, in the page, to about limit
// characters; its description stands for one that cannot be.
func (a *actor) rendered(ctx context.Context, o *runtime.RemoteObject, limit int) (Value, error) {
	s := a.target
	defer post(s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: o.ObjectID})
	reader, err := a.page.reader(ctx, s, a.frame)
	if err != nil {
		return Value{}, err
	}
	res, err := call(ctx, s, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		ObjectID: o.ObjectID, FunctionDeclaration: `function(read, limit) { "use strict"; return read(this, limit) }`, ReturnByValue: new(true), Silent: new(true),
		Arguments: []*runtime.CallArgument{{ObjectID: reader}, {Value: marshal(limit)}},
	})
	if err != nil {
		return Value{}, err
	}
	var v struct {
		Text   string `json:"text"`
		Number string `json:"number"`
		BigInt bool   `json:"bigint"`
	}
	if res.ExceptionDetails != nil || jsonv2.Unmarshal(res.Result.Value, &v, chromedp.DefaultUnmarshalOptions) != nil {
		return Value{Text: string(marshal(o.Description))}, nil
	}
	value := Value{Text: v.Text}
	if v.Number != "" {
		value.Notes = append(value.Notes, fmt.Sprintf(noteNumber, v.Number))
	}
	if v.BigInt {
		value.Notes = append(value.Notes, noteBigInt)
	}
	return value, nil
}

// readable is a function that renders an object as JSON, as JSON.stringify does,
// but with what that leaves out or fails at in a readable form. It stops at limit
// characters.
const readable = `function(value, limit) {
  let room = limit * 2;
  let number = "", bigint = false;
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
      case "undefined": return undefined;
      case "bigint": bigint = true; return text(v + "n");
      case "symbol": return text(String(v));
      case "string": out = text(v); break;
      case "number":
        if (Number.isFinite(v)) return Object.is(v, -0) ? "-0" : String(v);
        number ||= String(v);
        return "null";
      case "boolean": return String(v);
      case "function": {
        const source = Function.prototype.toString.call(v);
        return text("[function " + (v.name || "") + "] " + (source.length > 200 ? source.slice(0, 199) + "…" : source));
      }
      default: out = v === null ? "null" : object(v, depth);
    }
    if (out) room -= out.length;
    return out;
  };
  const list = (items, depth) => {
    const parts = [];
    for (const item of items) {
      if (room < 0) { parts.push('"…"'); break; }
      parts.push(say(item, depth) ?? "null");
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
      if (v instanceof Map) return '{"[Map]":{' + [...v].slice(0, 1000).map(([k, w]) => (typeof k === "string" ? text(k) : text(say(k, depth + 1) ?? "undefined")) + ":" + (say(w, depth + 1) ?? "null")).join(",") + "}}";
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
        const said = say(w, depth + 1);
        if (said === undefined) continue;
        room -= k.length + 4;
        parts.push(text(k) + ":" + said);
      }
      return "{" + parts.join(",") + "}";
    } finally {
      path.pop();
    }
  };
  return { text: say(value, 0) ?? "undefined", number, bigint };
}`
