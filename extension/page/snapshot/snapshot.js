// The snapshot: lines of text for what a person sees, bounded.

import {bodyOf, focusedElement, localName, nextElement, pageScrollerOf, rectOf, rootElementOf, scrollOf, titleOf, wellFormed} from '../dom/dom.js';
import {ariaHidden, beginCall, call, openModal} from '../dom/style.js';
import {quote} from '../aria/state.js';
import {continueRefs, elementOf, refOf, refState} from './refs.js';
import {pendingHosts, pendingRoots} from '../dom/hosts.js';
import {takeNews} from '../dom/news.js';
import {counted, walkElement} from './tree.js';
import {interactiveOnly, settle} from './settle.js';
import {CELL_GAP, LONG_TEXT, headed, inlined, optionsText, stripped} from './inline.js';
/** @import {Line, Place, Walk} from './tree.js' */

/**
 * @typedef {object} SnapshotOptions
 * @property {string} [prefix] the frame's part of its refs; empty in the top frame
 * @property {number} [next] the next free ref number of the tab
 * @property {string} [scope] a ref; only what is below it is told
 * @property {number} [depth] how many levels are told
 * @property {boolean} [interactive] only what can be acted on
 * @property {boolean} [all] every element that has a role or a name
 * @property {boolean | {x?: number, y?: number, scale?: number, page?: boolean}} [boxes] tells each ref's box, moved by the frame's place
 * @property {boolean} [urls]
 * @property {number} [offset] characters to pass over
 * @property {number} [limit] characters at most
 */

/**
 * @typedef {object} Snapshot
 * @property {string} text
 * @property {number} next
 * @property {{ref: string, line: number, indent: number}[]} frames where the frames' own lines go: after that line of text
 * @property {string} title
 * @property {string} url
 * @property {number} total characters of the whole text; -1 when the walk stopped before its end
 * @property {number} shown
 * @property {string} [more] what was left out, and how to get it
 * @property {number} hosts how many elements may hide a closed shadow tree
 * @property {number} roots of how many shadow trees the listeners are not known
 * @property {boolean} news elements have come since the last snapshot
 * @property {{above: number, below: number}} scroll pages of the frame outside of the view
 * @property {string} [error]
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
    if (!scope) return nothing(`no element has the ref ${options.scope} now: take a snapshot without it`);
  }
  let tree = buildTree(scope, options, offset + limit);
  let text = renderLines(tree.kids, options, offset, limit, tree.walk);
  // What is told in few words may have cost many: then the walk stopped before
  // there was enough to tell.
  for (let more = 3; tree.walk.stopped && text.text.length < limit / 3 && more < 100; more *= 3) {
    beginCall();
    tree = buildTree(scope, options, (offset + limit) * more);
    text = renderLines(tree.kids, options, offset, limit, tree.walk);
  }
  // What was read must not keep a page's removed elements alive until the next call.
  beginCall();
  return {
    text: text.text, next: refState.next, frames: text.frames,
    title: wellFormed(titleOf(document)), url: location.href,
    total: text.total, shown: text.text.length,
    ...(text.more ? {more: text.more} : {}),
    hosts: pendingHosts.size, roots: pendingRoots.size, news: takeNews(), scroll: pageScroll(),
  };
}

/** @param {string} error @returns {Snapshot} */
function nothing(error) {
  return {
    text: '', next: refState.next, frames: [], title: wellFormed(titleOf(document)), url: location.href, total: 0, shown: 0,
    hosts: pendingHosts.size, roots: 0, news: false, scroll: pageScroll(), error,
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
  const place = {unseen: scope ? ariaHidden(scope) : false, muted: false, pointer: false, depth: 0};
  if (top) walkElement(top, raw, place, walk);
  for (const host of walk.hosts) pendingHosts.add(host);
  let kids = settle(raw, walk);
  if (options.interactive) kids = interactiveOnly(kids);
  return {kids, walk};
}

/**
 * @param {(Line | string | symbol)[]} kids
 * @param {SnapshotOptions} options
 * @param {number} offset
 * @param {number} limit
 * @param {Walk} walk
 * @returns {{text: string, frames: {ref: string, line: number, indent: number}[], total: number, more: string}}
 */
function renderLines(kids, options, offset, limit, walk) {
  /** @type {string[]} */
  const lines = [];
  /** @type {{ref: string, line: number, indent: number}[]} */
  const frames = [];
  const deepest = options.depth && options.depth > 0 ? options.depth : Infinity;
  const whole = !!options.all || !!options.scope;
  // Boxes and everything are asked for to be read by element.
  const simple = !options.all && !options.boxes;
  const boxes = boxOffer(options.boxes);
  let at = 0;
  let shown = 0;
  let cut = false;
  /** @type {Line[]} */
  const path = [];
  /** @type {Line[]} */
  let last = [];

  /** @param {string} text @returns {boolean} whether there is room for more */
  const put = (text) => {
    if (cut) return false;
    if (at < offset) {
      at += text.length + 1;
      return true;
    }
    if (shown + text.length + 1 > limit && shown > 0) {
      cut = true;
      return false;
    }
    lines.push(text);
    at += text.length + 1;
    shown += text.length + 1;
    return true;
  };

  /** @param {(Line | string | symbol)[]} below @param {number} level */
  const render = (below, level) => {
    const indent = '  '.repeat(level);
    for (let i = 0; i < below.length; i++) {
      const element = below[i];
      if (cut) return;
      if (typeof element === 'symbol') continue;
      if (typeof element === 'string') {
        let text = shorten(element, whole);
        for (; simple && typeof below[i + 1] === 'string'; i++) {
          const next = shorten(/** @type {string} */ (below[i + 1]), whole);
          if (text.length + next.length > LONG_TEXT) break;
          text += CELL_GAP + next;
        }
        put(`${indent}- text: ${text}`);
        continue;
      }
      const kid = simple ? stripped(element) : element;
      path.push(kid);
      last = path.slice();
      const head = indent + lineHead(kid, boxes);
      const inner = kid.kids;
      const deeper = level + 1 < deepest;
      const flat = simple && deeper ? inlined(kid) : null;
      const options = simple && deeper && (kid.role === 'combobox' || kid.role === 'group') ? optionsText(inner) : null;
      if (flat !== null) {
        put(`${head}${kid.role === 'row' && headed(inner) ? ' [header]' : ''}: ${flat}`);
      } else if (options !== null && kid.role === 'group') {
        put(`${head}: ${options}`);
      } else if (kid.value) {
        put(`${head}: ${shorten(kid.value, whole)}`);
        if (options === null) render(inner, level + 1);
        else put(`${indent}  - options: ${options}`);
      } else if (options !== null) {
        put(head + ':');
        put(`${indent}  - options: ${options}`);
      } else if (inner.length === 1 && typeof inner[0] === 'string') {
        put(`${head}: ${shorten(inner[0], whole)}`);
      } else if (inner.length && level + 1 >= deepest) {
        put(`${head}: … (${counted(countLines(inner))} inside)`);
      } else if (inner.length) {
        put(head + ':');
        render(inner, level + 1);
      } else {
        put(head);
        if (kid.role === 'iframe' && !cut && at > offset) frames.push({ref: refOf(kid.element), line: lines.length - 1, indent: level + 1});
      }
      path.pop();
    }
  };
  render(kids, 0);
  const incomplete = cut || walk.stopped;
  return {
    text: lines.join('\n'), frames, total: incomplete ? -1 : at,
    more: incomplete ? moreNote(last, at) : '',
  };
}

/**
 * @param {SnapshotOptions['boxes']} boxes
 * @returns {((element: Element) => string) | null}
 */
function boxOffer(boxes) {
  if (!boxes) return null;
  const {x: left = 0, y: top = 0, scale = 1, page = false} = boxes === true ? {} : boxes;
  const x = page ? window.scrollX : left;
  const y = page ? window.scrollY : top;
  /** @param {number} value */
  const short = (value) => String(Math.round(value * 100) / 100);
  return (element) => {
    const box = rectOf(element);
    return ` [box=${short(x + box.x * scale)},${short(y + box.y * scale)},${short(box.width * scale)},${short(box.height * scale)}]`;
  };
}

/** A line up to its colon. @param {Line} line @param {((element: Element) => string) | null} boxes */
export function lineHead(line, boxes) {
  let head = '- ' + line.role;
  if (line.name && !line.quiet) head += ' ' + quote(line.name);
  for (const state of line.states) head += ` [${state}]`;
  if (line.ref) {
    head += ` [${refOf(line.element, line.role, line.name)}]`;
    if (boxes) head += boxes(line.element);
  }
  return head;
}

/** @param {string} text @param {boolean} whole */
export function shorten(text, whole) {
  if (whole || text.length <= LONG_TEXT) return text;
  return `${wellFormed(text.slice(0, LONG_TEXT - 40))}… (${counted(text.length - LONG_TEXT + 40)} more characters)`;
}

/** @param {(Line | string | symbol)[]} kids @returns {number} */
function countLines(kids) {
  let count = 0;
  for (const kid of kids) {
    if (typeof kid === 'string') count++;
    else if (typeof kid === 'object') count += 1 + (kid.kids.length === 1 && typeof kid.kids[0] === 'string' ? 0 : countLines(kid.kids));
  }
  return count;
}

/** @type {Record<string, string>} */
const PLURALS = {row: 'rows', listitem: 'items', option: 'options', treeitem: 'tree items', article: 'articles', link: 'links'};

/**
 * Says what a cut left out: of the element at the cut and those around it, the one with most of its kind to come.
 * @param {Line[]} path
 * @param {number} at where the next part begins
 */
function moreNote(path, at) {
  let most = 0;
  let what = 'elements';
  let scope = '';
  for (let i = 0; i < path.length; i++) {
    const count = followers(path[i].element);
    if (count <= most) continue;
    most = count;
    what = PLURALS[path[i].role] ?? 'elements';
    for (let above = i - 1; above >= 0; above--) {
      if (!path[above].ref) continue;
      scope = refOf(path[above].element);
      break;
    }
  }
  const how = scope ? `scope with ref=${scope}, search, or offset=${at}` : `search, or offset=${at}`;
  return most ? `… ${counted(most)} more ${what} not shown: ${how}` : `… more not shown: ${how}`;
}

/** How many elements of its kind come after it. @param {Element} element */
function followers(element) {
  let count = 0;
  const tag = localName(element);
  for (let at = nextElement(element); at; at = nextElement(at)) if (localName(at) === tag) count++;
  return count;
}
