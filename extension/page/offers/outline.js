// The page's elements as HTML or as lines of text, bounded in depth and length,
// and what is asked of single elements without acting on them.

import {ELEMENT, TEXT, attr, bodyOf, childElementCount, collapse, eachChild, firstChild, invoke, localName, nextSibling, nodeType,
  plainContains, queryAll, read, rootElementOf, shadowOf, tagOf, textContent, wellFormed} from '../dom/dom.js';
import {isPrivate} from '../dom/private.js';
import {beginCall, rendered, styleOf} from '../dom/style.js';
import {continueRefs, elementOf, refState} from '../snapshot/refs.js';
import {MOST_DEPTH} from '../snapshot/tree.js';
import {describe} from '../snapshot/describe.js';
import {VOID, escaped, fieldShown} from '../snapshot/content.js';
import {locateAll} from '../act/locate.js';
import {change} from '../dom/wait.js';

/**
 * @typedef {object} OutlineRequest
 * @property {string} [prefix]
 * @property {number} [next]
 * @property {string} [selector]
 * @property {string} [ref]
 * @property {'html' | 'text'} format
 * @property {number} depth levels below the root that are told; -1 for all
 * @property {number} collapse the level from which an element is a summary; -1 for none
 * @property {number} ellipsis characters of a text; 0 for all
 * @property {boolean} tags lines begin with tag, id and classes
 * @property {boolean} hidden also what nobody sees
 */

/** @typedef {{text: string, cut: boolean, count: number, next: number}} Outline */

const OUTLINE_LIMIT = 8_000_000;

/** Tags whose text belongs to the sentence around them. */
export const SENTENCE_TAGS = new Set(['b', 'i', 'em', 'strong', 'code', 'small', 'sup', 'sub', 'mark', 'abbr', 'u', 's', 'q', 'cite', 'var', 'kbd', 'samp', 'time', 'wbr', 'font', 'del', 'ins', 'dfn', 'bdi', 'bdo', 'data', 'ruby', 'rt', 'rp']);
/** Tags whose text is no text of the page. */
export const MUTE = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'meta', 'link', 'base', 'iframe', 'frame', 'object', 'datalist']);

/** The elements that a request is about. @param {{selector?: string, ref?: string}} request @returns {Element[]} */
function meant(request) {
  if (!request.ref) return locateAll(request.selector ?? '');
  const element = elementOf(request.ref);
  return element ? [element] : [];
}

/** @param {OutlineRequest} request @returns {Outline} */
export function outline(request) {
  beginCall();
  continueRefs(request);
  /** @type {Outline} */
  const out = {text: '', cut: false, count: 0, next: refState.next};
  const whole = request.format === 'html' ? rootElementOf(document) : bodyOf(document) ?? rootElementOf(document);
  let roots = request.selector || request.ref ? meant(request) : whole ? [whole] : [];
  // One within another is told once.
  roots = roots.filter((element) => !roots.some((other) => other !== element && plainContains.call(other, element)));
  out.count = roots.length;
  /** @type {string[]} */
  const parts = [];
  let size = 0;
  /** @param {string} part */
  const put = (part) => {
    size += part.length;
    if (size <= OUTLINE_LIMIT) parts.push(part);
    else out.cut = true;
    return !out.cut;
  };
  for (const root of roots) {
    if (request.format === 'html') outlineHTML(root, request, put);
    else outlineText(root, request, put);
    put('\n');
  }
  out.text = wellFormed(parts.join('').trim());
  out.next = refState.next;
  beginCall();
  return out;
}

/** The text's beginning. @param {string} text @param {number} limit characters; 0 for all */
function ellipsized(text, limit) {
  if (!limit || text.length <= limit) return text;
  const characters = Array.from(text); // so that none is cut in two
  return characters.length <= limit ? text : characters.slice(0, limit).join('').trimEnd() + '…';
}

/** @param {Element} root @param {OutlineRequest} request @param {(part: string) => boolean} put */
function outlineHTML(root, request, put) {
  /** @param {Element} element @param {number} depth */
  const walk = (element, depth) => {
    const name = localName(element);
    if (!put('<' + name + attributesOf(element, request.ellipsis) + '>') || VOID.has(name)) return;
    if (tagOf(element) === 'svg:svg') { // what it is called, without what it is drawn of
      for (const named of queryAll(element, 'title, desc, text')) if (!put(`<${localName(named)}>${escaped(ellipsized(collapse(textContent(named)), request.ellipsis))}</${localName(named)}>`)) return;
      put(`</${name}>`);
      return;
    }
    const shadow = shadowOf(element);
    const deeper = childElementCount(element) + (shadow?.childElementCount ?? 0);
    if (deeper && depth > MOST_DEPTH || deeper && request.depth >= 0 && depth >= request.depth) {
      children(element, depth, false);
      put(`<!-- ${amount(element)} deeper -->`);
    } else if (deeper && request.collapse >= 0 && depth >= request.collapse) {
      put(`<!-- ${summaryOf(element, request.ellipsis)} -->`);
    } else {
      if (shadow) {
        put('<template shadowrootmode="open">');
        children(shadow, depth, true);
        put('</template>');
      }
      children(element, depth, true);
    }
    put(`</${name}>`);
  };
  /** @param {Element | ShadowRoot} parent @param {number} depth @param {boolean} elements */
  const children = (parent, depth, elements) => {
    for (let child = firstChild(parent); child; child = nextSibling(child)) {
      const type = nodeType(child);
      if (type === ELEMENT && elements) walk(/** @type {Element} */ (child), depth + 1);
      if (type !== TEXT) continue;
      const data = /** @type {Text} */ (child).data;
      const words = collapse(data);
      const text = ellipsized(words, request.ellipsis);
      // White space around a text keeps words apart; more of it says nothing.
      if (!text) put(elements ? (data.includes('\n') ? '\n' : data && ' ') : '');
      else put((/^\s/.test(data) ? ' ' : '') + escaped(text) + (/\s$/.test(data) && text === words ? ' ' : ''));
    }
  };
  walk(root, 0);
}

/** @param {Element} element @param {number} limit */
function attributesOf(element, limit) {
  let text = '';
  for (const name of invoke(element, 'getAttributeNames')) {
    let value = attr(element, name) ?? '';
    if (name === 'value' && isPrivate(element)) value = '•';
    text += value ? ` ${name}="${escaped(ellipsized(value, limit && Math.max(limit, 512)))}"` : ' ' + name;
  }
  return text;
}

/** @param {Element} element */
function amount(element) {
  const n = queryAll(element, '*').length + (shadowOf(element)?.querySelectorAll('*').length ?? 0);
  return n === 1 ? '1 element' : `${n} elements`;
}

/** What is in an element, in a few words. @param {Element} element @param {number} limit */
function summaryOf(element, limit) {
  /** @type {Map<string, number>} */
  const tags = new Map();
  for (const inner of queryAll(element, '*')) tags.set(localName(inner), (tags.get(localName(inner)) ?? 0) + 1);
  const most = Array.from(tags).sort((a, b) => b[1] - a[1]).slice(0, 5).map(([tag, n]) => `${n} ${tag}`).join(', ');
  const text = ellipsized(collapse(read(/** @type {HTMLElement} */ (element), 'innerText') ?? ''), Math.min(limit || 80, 80));
  // Two hyphens would end the comment that this stands in.
  return (amount(element) + (most ? `: ${most}` : '') + (text ? `; ${text}` : '')).replace(/--+|[<>]/g, ' ');
}

/** How a line names its element: tag, and id or classes. @param {Element} element */
function lineName(element) {
  const id = attr(element, 'id');
  if (id && id.length <= 60 && !/\s/.test(id)) return `${localName(element)}#${id}`;
  const classes = (attr(element, 'class') ?? '').split(/\s+/).filter((name) => name && name.length <= 40).slice(0, 3);
  return [localName(element), ...classes].join('.');
}

/** @param {Element} root @param {OutlineRequest} request @param {(part: string) => boolean} put */
function outlineText(root, request, put) {
  let pending = '';
  let owner = root;
  const flush = () => {
    const text = ellipsized(collapse(pending), request.ellipsis);
    pending = '';
    if (text) put((request.tags ? lineName(owner) + ': ' : '') + text + '\n');
  };
  /** @param {Element} element @param {number} depth */
  const walk = (element, depth) => {
    const before = owner;
    flush();
    owner = element;
    inside(element, depth);
    flush();
    owner = before;
  };
  /** @param {Element} element @param {number} depth */
  const inside = (element, depth) => {
    const running = runs(element);
    eachChild(element, (child) => {
      const type = nodeType(child);
      if (type === TEXT && (request.hidden || styleOf(element).visibility === 'visible')) pending += /** @type {Text} */ (child).data;
      if (type !== ELEMENT) return;
      const inner = /** @type {Element} */ (child);
      const tag = tagOf(inner);
      if (MUTE.has(tag) || depth >= MOST_DEPTH || request.depth >= 0 && depth >= request.depth) return;
      const style = styleOf(inner);
      if (!request.hidden && (style.display === 'none' || !rendered(inner) && style.display !== 'contents' && style.visibility === 'visible')) return;
      if (tag === 'br') {
        pending += ' ';
      } else if (tag === 'input' || tag === 'textarea' || tag === 'select') {
        const shown = fieldShown(inner, tag);
        if (!shown) return;
        flush();
        const around = owner;
        [owner, pending] = [inner, shown];
        flush();
        owner = around;
      } else if (tag.startsWith('svg:')) {
        pending += ' ' + textContent(inner) + ' ';
      } else if (SENTENCE_TAGS.has(tag) || style.display === 'contents' || style.display.startsWith('inline') && running) {
        inside(inner, depth + 1);
        if (!running) pending += ' ';
      } else {
        walk(inner, depth + 1);
      }
    });
  };
  walk(root, 0);
}

/** Whether what is inline in an element is one sentence: it has text of its own, or one child alone. @param {Element} element */
function runs(element) {
  if (childElementCount(element) < 2) return true;
  for (let child = firstChild(element); child; child = nextSibling(child)) {
    if (nodeType(child) === TEXT && /\S/.test(/** @type {Text} */ (child).data)) return true;
  }
  return false;
}

/**
 * What is asked of the elements of a selector or a ref: how many there are, how many can be seen, and an attribute of the first.
 * @param {{selector?: string, ref?: string, attribute?: string}} request
 * @returns {{count: number, shown: number, value: string | null, target: string}}
 */
export function examine(request) {
  beginCall();
  const out = {count: 0, shown: 0, value: /** @type {string | null} */ (null), target: ''};
  const found = meant(request);
  out.count = found.length;
  out.shown = found.filter(rendered).length;
  if (!found.length) return out;
  out.target = describe(found[0]);
  if (request.attribute) {
    out.value = attr(found[0], request.attribute);
    const tag = tagOf(found[0]);
    if (request.attribute.toLowerCase() === 'value' && (tag === 'input' || tag === 'textarea' || tag === 'select')) {
      const field = /** @type {HTMLInputElement} */ (found[0]);
      out.value = isPrivate(field) ? null : field.value;
    }
    if (out.value !== null) out.value = wellFormed(out.value);
  }
  return out;
}

/** How an element is. @param {{selector?: string, ref?: string, state: string}} request */
function stands(request) {
  const found = examine(request);
  return request.state === 'present' ? found.count > 0 : (found.shown > 0) === (request.state === 'visible');
}

/**
 * Resolves when an element is as it is waited for, or after wait milliseconds.
 * @param {{selector?: string, ref?: string, state: string, wait: number}} request state is visible, hidden or present
 * @returns {Promise<boolean>}
 */
export async function becomes(request) {
  const until = performance.now() + request.wait;
  for (;;) {
    const now = stands(request);
    const left = until - performance.now();
    if (now || left <= 0) return now;
    await change(Math.min(left, 250));
  }
}
