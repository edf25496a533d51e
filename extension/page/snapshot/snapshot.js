// The snapshot: lines of text for what a person sees, bounded.

import {bodyOf, focusedElement, pageScrollerOf, rootElementOf, scrollOf, titleOf, wellFormed} from '../dom/dom.js';
import {ariaHidden, beginCall, call, openModal} from '../dom/style.js';
import {continueRefs, elementOf, refState} from './refs.js';
import {pendingHosts, pendingRoots} from '../dom/hosts.js';
import {takeNews} from '../dom/news.js';
import {Objected} from '../objection.js';
import {walkElement} from './tree.js';
import {interactiveOnly, settle} from './settle.js';
import {renderLines} from './render.js';
import {busyWith} from './busy.js';
/** @import {Line, Place, Walk} from './tree.js' */

/**
 * @typedef {object} SnapshotOptions
 * @property {string} [prefix] the frame's part of its refs; empty in the top frame
 * @property {number} [next] the next free ref number of the tab
 * @property {string} [scope] a ref; only what is below it is told
 * @property {number} [depth] how many levels are told
 * @property {boolean} [interactive] only interactive elements
 * @property {boolean} [all] every element that has a role or a name
 * @property {boolean | {x?: number, y?: number, scale?: number}} [boxes] tells each ref's box, moved by the frame's place
 * @property {boolean} [urls]
 * @property {number} [offset] characters to pass over
 * @property {number} [limit] characters at most
 * @property {boolean} [busy] says what the page is still busy with
 */

/**
 * @typedef {object} Snapshot
 * @property {string} lines as wire.js writes them
 * @property {number} next
 * @property {string} title
 * @property {string} url
 * @property {number} total characters of the whole, as text; -1 when the walk stopped before its end
 * @property {number} shown
 * @property {string} [more] what was left out, and how to get it
 * @property {number} hosts how many elements may hide a closed shadow tree
 * @property {number} roots of how many shadow trees the listeners are not known
 * @property {boolean} news elements have come since the last snapshot
 * @property {string} [busy] what the page is still busy with
 * @property {{above: number, below: number}} scroll pages of the frame outside of the view
 */

const DEFAULT_LIMIT = 60_000;

/** @param {SnapshotOptions} [options] @returns {Snapshot} */
export function snapshot(options = {}) {
  beginCall();
  continueRefs(options);
  const limit = options.limit && options.limit > 0 ? options.limit : DEFAULT_LIMIT;
  const offset = Math.max(0, options.offset ?? 0);
  /** @type {Element | null} */
  let scope = null;
  if (options.scope) {
    scope = elementOf(options.scope);
    if (!scope) throw new Objected('gone', {who: options.scope});
  }
  let tree = buildTree(scope, options, offset + limit);
  let told = renderLines(tree.kids, options, offset, limit, tree.walk);
  // What is told in few words may have cost many: then the walk stopped before
  // there was enough to tell.
  for (let more = 3; tree.walk.stopped && told.shown < limit / 3 && more < 100; more *= 3) {
    beginCall();
    tree = buildTree(scope, options, (offset + limit) * more);
    told = renderLines(tree.kids, options, offset, limit, tree.walk);
  }
  const busy = options.busy ? busyWith(told) : '';
  // What was read must not keep a page's removed elements alive until the next call.
  beginCall();
  return {
    lines: told.lines, next: refState.next,
    title: wellFormed(titleOf(document)), url: location.href,
    total: told.total, shown: told.shown,
    ...(told.more ? {more: told.more} : {}), ...(busy ? {busy} : {}),
    hosts: pendingHosts.size, roots: pendingRoots.size, news: takeNews(), scroll: pageScroll(),
  };
}

/** @returns {{above: number, below: number}} */
function pageScroll() {
  const page = pageScrollerOf(document) ?? rootElementOf(document);
  if (!page) return {above: 0, below: 0}; // a document that has just been opened
  const height = window.innerHeight || 1;
  const {top, height: whole} = scrollOf(page);
  const above = Math.round(top / height * 10) / 10;
  const below = Math.max(0, Math.round((whole - top - height) / height * 10) / 10);
  return {above, below};
}

/**
 * @param {Element | null} scope
 * @param {SnapshotOptions} options
 * @param {number} budget
 * @returns {{kids: (Line | string)[], walk: Walk}}
 */
export function buildTree(scope, options, budget) {
  const focused = focusedElement();
  call.focused = focused && focused !== bodyOf(document) && focused !== rootElementOf(document) ? focused : null;
  /** @type {Walk} */
  const walk = {
    all: options.all ?? false, urls: options.urls ?? false,
    // What is not told in the end costs as well; the short tree leaves out most.
    budget: budget * (options.interactive ? 5 : 1.3) + 4000, stopped: false, hosts: [],
  };
  /** @type {(Line | string | symbol)[]} */
  const raw = [];
  const top = scope ?? openModal() ?? bodyOf(document) ?? rootElementOf(document);
  /** @type {Place} */
  const place = {unseen: scope ? ariaHidden(scope) : false, veil: false, muted: false, pointer: false, depth: 0};
  if (top) walkElement(top, raw, place, walk);
  for (const host of walk.hosts) pendingHosts.add(host);
  let kids = settle(raw, walk);
  if (options.interactive) kids = interactiveOnly(kids);
  return {kids, walk};
}
