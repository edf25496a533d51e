package adapter

import "fmt"

// timerHook is evaluated in the page's own world before an action. While it
// stands, it counts the short timers that a trusted event's handlers start, and
// those that such timers start in turn, so that Settle can wait for exactly
// these: CDP has no event for a timer. A page cannot tell the wrapper, a Proxy,
// from the function; it is gone again when the action has settled. Its value
// is an object with wait, a promise for the last such timer, and close.
var timerHook = fmt.Sprintf(`(() => {
  const nativeSet = window.setTimeout, nativeClear = window.clearTimeout;
  const waiting = new Set();
  let open = true, within = 0, started, done = () => {};
  const end = (id) => { if (waiting.delete(id) && !waiting.size) done(); };
  const set = new Proxy(nativeSet, {
    apply(target, self, args) {
      const [handler, delay] = args;
      if (!open || typeof handler !== "function" || delay > %[1]d || !(within || window.event?.isTrusted) ||
          performance.now() - (started ??= performance.now()) > %[2]d) {
        return Reflect.apply(target, self, args);
      }
      const id = Reflect.apply(target, self, [function (...rest) {
        within++;
        try { return handler.apply(this, rest); } finally { within--; end(id); }
      }, ...args.slice(1)]);
      waiting.add(id);
      return id;
    },
  });
  const clear = new Proxy(nativeClear, {
    apply(target, self, args) { end(args[0]); return Reflect.apply(target, self, args); },
  });
  window.setTimeout = set;
  window.clearTimeout = clear;
  return {
    wait() {
      return new Promise((resolve) => {
        done = resolve;
        if (!waiting.size) resolve();
        else Reflect.apply(nativeSet, window, [resolve, %[2]d]);
      }).then(() => {});
    },
    close() {
      open = false;
      if (window.setTimeout === set) window.setTimeout = nativeSet;
      if (window.clearTimeout === clear) window.clearTimeout = nativeClear;
    },
  };
})()`, timerDelay, timerTotal)
