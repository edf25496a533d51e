// Waiting in the page for what may change, without asking again and again from
// outside; and never for an animation frame, which a hidden tab has none of.

import {allRoots, comparable, invoke} from './dom.js';
import {isPrivate} from './private.js';
import {beginCall, rendered} from './style.js';
import {locateAll, locateText} from '../act/locate.js';

/** What a change of may make worth looking again. */
const STIRRING = ['transitionend', 'animationend', 'scroll', 'load', 'input', 'change', 'toggle', 'visibilitychange', 'DOMContentLoaded', 'resize'];

/** The shortest time between two looks. */
const LOOK_PAUSE = 16;

/**
 * Resolves when something in the page has changed, or after limit milliseconds.
 * @param {number} limit
 * @returns {Promise<boolean>} whether something has
 */
export function change(limit) {
  return new Promise((resolve) => {
    const begun = performance.now();
    let stirred = false;
    const stop = () => {
      observer.disconnect();
      for (const type of STIRRING) window.removeEventListener(type, stir, true);
      clearTimeout(timer);
      resolve(stirred);
    };
    const stir = () => {
      if (stirred) return;
      stirred = true;
      clearTimeout(timer);
      timer = setTimeout(stop, Math.max(0, LOOK_PAUSE - (performance.now() - begun)));
    };
    const observer = new MutationObserver(stir);
    for (const root of allRoots()) observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
    for (const type of STIRRING) window.addEventListener(type, stir, true);
    let timer = setTimeout(stop, limit);
  });
}

/** Resolves when the page has run the tasks that are queued now; a timer would do, but is held back in a hidden page. @returns {Promise<void>} */
export function turn() {
  return new Promise((resolve) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

/**
 * Resolves when a text or an element is there or a text is gone, or false after wait milliseconds.
 * @param {{text?: string, textGone?: string, selector?: string, wait: number}} request
 * @returns {Promise<boolean>}
 */
export async function awaits(request) {
  const until = performance.now() + request.wait;
  for (;;) {
    beginCall();
    if (holds(request)) return true;
    const left = until - performance.now();
    if (left <= 0) return false;
    await change(Math.min(left, 250));
  }
}

/** @param {{text?: string, textGone?: string, selector?: string}} request */
function holds(request) {
  if (request.text && !showsText(request.text)) return false;
  if (request.textGone && showsText(request.textGone)) return false;
  return !request.selector || locateAll(request.selector).some((element) => rendered(element));
}

/** Whether a text can be seen, in the values of fields too. @param {string} text */
function showsText(text) {
  const part = comparable(text).toLowerCase();
  const accepts = /** @param {string} found */ (found) => comparable(found).toLowerCase().includes(part);
  if (locateText({kind: 'text', source: text, accepts, part: true}).length) return true;
  for (const root of allRoots()) {
    for (const field of invoke(root, 'querySelectorAll', 'input, textarea')) {
      if (accepts(/** @type {HTMLInputElement} */ (field).value) && !isPrivate(field) && rendered(field)) return true;
    }
  }
  return false;
}
