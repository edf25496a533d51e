package adapter

import "fmt"

// timerHook is evaluated in the page's own world before an action. While it
// stands, it counts the short timers that a trusted event's handlers start, those
// that such timers start in turn, and the messages that the handlers post, with
// which frameworks put work off, so that Settle can wait for exactly these: CDP
// has no event for them. A page cannot tell the wrappers, Proxies, from the
// functions; they are gone again when the action has settled. A page that waits for
// the end of a word before it asks for suggestions takes longer, so timers of
// events of the keyboard may. Its value is an object with wait, a promise for the
// last of these, and close. The promise's value says for how many ms the longer
// timers, and the animations that began meanwhile, still run.
var timerHook = fmt.Sprintf(`(() => {
  const nativeSet = window.setTimeout, nativePost = MessagePort.prototype.postMessage;
  const waiting = new Set();
  const begun = document.timeline.currentTime;
  let open = true, within = 0, started, posted = 0, port, done = () => {}, due = 0, patience = 0;
  const end = (id) => { if (waiting.delete(id) && !waiting.size) done(); };
  const patient = () => within ? patience : /key|input|composition/.test(window.event?.type) ? %[3]d : %[1]d;
  const counts = () => open && (within || window.event?.isTrusted) && performance.now() - (started ??= performance.now()) <= %[2]d;
  const wrapped = [];
  const wrap = (object, name, apply) => {
    const native = object?.[name];
    if (typeof native !== "function") return;
    const proxy = new Proxy(native, {apply});
    object[name] = proxy;
    wrapped.push(() => { if (object[name] === proxy) object[name] = native; });
  };
  wrap(window, "setTimeout", (target, self, args) => {
    const [handler, delay] = args, most = patient();
    if (typeof handler !== "function" || !(delay <= %[4]d || delay === undefined) || !counts()) return Reflect.apply(target, self, args);
    if (delay > most) {
      due = Math.max(due, performance.now() + delay);
      return Reflect.apply(target, self, args);
    }
    const id = Reflect.apply(target, self, [function (...rest) {
      within++;
      patience = most;
      try { return handler.apply(this, rest); } finally { within--; end(id); }
    }, ...args.slice(1)]);
    waiting.add(id);
    return id;
  });
  wrap(window, "clearTimeout", (target, self, args) => { end(args[0]); return Reflect.apply(target, self, args); });
  // Messages are handled in the order in which they are posted: one of ours comes after.
  const post = (target, self, args) => {
    const result = Reflect.apply(target, self, args);
    if (counts()) {
      if (!port) {
        const channel = new MessageChannel();
        channel.port1.onmessage = (event) => end(event.data);
        port = channel.port2;
      }
      waiting.add(--posted);
      Reflect.apply(nativePost, port, [posted]);
    }
    return result;
  };
  wrap(MessagePort.prototype, "postMessage", post);
  wrap(window, "postMessage", post);
  const animates = () => {
    let left = 0;
    for (const one of document.getAnimations?.() ?? []) {
      const end = one.effect?.getComputedTiming().endTime;
      if (one.playState !== "running" || !(end < Infinity) || one.startTime < begun && one.startTime !== null) continue;
      left = Math.max(left, (end - one.currentTime) / Math.abs(one.playbackRate || 1));
    }
    return left;
  };
  return {
    wait(limit) {
      return new Promise((resolve) => {
        done = resolve;
        if (!waiting.size) resolve();
        else Reflect.apply(nativeSet, window, [resolve, limit]);
      }).then(() => ({timer: Math.max(0, due - performance.now()), animation: animates()}));
    },
    close() {
      open = false;
      port?.close();
      for (const unwrap of wrapped) unwrap();
    },
  };
})()`, timerDelay, timerTotal, keyTimerDelay, timerTold)
