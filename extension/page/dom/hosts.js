// Closed shadow roots cannot be seen from a script. The walk notes who may have
// one; Chrome is asked, and hands the roots in.

import {adoptedRoots, firstChild, isConnected, openRoot, rectOf, shadowOf} from './dom.js';
/** @import {Walk} from '../snapshot/tree.js' */

/** Elements that may be given a shadow root, apart from custom ones, and are commonly empty before. */
const PLAIN_HOSTS = new Set(['div', 'span', 'section', 'article', 'p']);

/** Each costs a question to Chrome; pages full of empty boxes are asked about over several calls. */
const MOST_PLAIN = 50;

/** Hosts that were examined already. @type {WeakSet<Element>} */
const examinedHosts = new WeakSet();

/** Elements found by walks that may hide a closed shadow tree. @type {Set<Element>} */
export const pendingHosts = new Set();

/** Notes an element that may hide a closed shadow tree. @param {Element} element @param {string} tag @param {Walk} walk */
export function noteHost(element, tag, walk) {
  if (examinedHosts.has(element)) return;
  if (tag.includes('-')) {
    if (!shadowOf(element)) walk.hosts.push(element);
  } else if (PLAIN_HOSTS.has(tag) && walk.hosts.length < MOST_PLAIN && !firstChild(element) && !openRoot(element)) {
    const box = rectOf(element);
    if (box.width > 0 && box.height > 0) walk.hosts.push(element);
  }
}

/** Elements that may hide a closed shadow tree, each returned once. @returns {Element[]} */
export function takeHosts() {
  const found = [];
  for (const host of pendingHosts) {
    examinedHosts.add(host);
    if (isConnected(host)) found.push(host);
  }
  pendingHosts.clear();
  return found;
}

/** Hands in a closed shadow root. @param {Element} host @param {ShadowRoot} root */
export function adoptRoot(host, root) {
  adoptedRoots.set(host, root);
  examinedHosts.add(host);
}

/** Chrome is asked for the listeners in each shadow tree once, over several calls where there are many. */
const MOST_ROOTS = 50;
/** @type {WeakSet<ShadowRoot>} */
const askedRoots = new WeakSet();
/** @type {Set<ShadowRoot>} */
export const pendingRoots = new Set();

/** @param {ShadowRoot} root */
export function noteRoot(root) {
  if (pendingRoots.size < MOST_ROOTS && !askedRoots.has(root)) pendingRoots.add(root);
}

/** Shadow roots whose listeners are not known, each returned once. @returns {ShadowRoot[]} */
export function takeRoots() {
  const found = [...pendingRoots];
  for (const root of found) askedRoots.add(root);
  pendingRoots.clear();
  return found;
}
