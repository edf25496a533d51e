// What tells an element that has no name: each hint says what it is, the best comes first.

import {TEXT, attr, composedParent, hasAttr, localName, nextSibling, nodeType, previousSibling, queryAll, read, readable, textContent} from '../dom/dom.js';
import {rendered, styleOf} from '../dom/style.js';
import {seenText} from '../act/locate.js';

/** Parts of class names that say nothing about an icon. */
const ICON_NOISE = /^(fa|fas|far|fal|fab|fad|bi|mdi|icon|icons|glyphicon|material-icons|lucide|svg|btn|button|clickable|pointer|hand|hover|cursor-.*|link|active|disabled|small|large|sm|lg|md|xs|xl|[a-z]{1,2}|.*\d{3,}.*|css-.*|sc-.*|_.*)$/i;

/** Classes of icon fonts, which name what they show. */
const ICON_CLASS = /^(?:fa|icon|bi|mdi|glyphicon|ti|ri|la|lucide|octicon|codicon|anticon|pi|dashicons|el-icon|ui-icon|ion)-(?!(?:solid|regular|light|brands|fw|lg|sm|xs|xl|\dx|spin|button|icon|only)$)([a-z][a-z\d-]*)$/;

/** What an author named for machines; numbers and signs are made by one. */
const WRITTEN = /^[a-z][a-z_-]*(?:\d{0,2}|[a-z])$/i;

/** Elements around that far may name what is in them. */
const WRAPPERS = 3;

/**
 * What tells an element without a name: its title, that of what wraps it, a test id, an id, a link's address, the
 * file of an icon, the text beside it, and its class at the end. Empty where nothing does.
 * @param {Element} element
 * @returns {string}
 */
export function hintOf(element) {
  return firstHint(element, [titleOf, wrapperTitle, writtenId, linkHint, iconHint, wordHint, deedHint, (at) => nearText(at), classHint]);
}

/** @param {Element} element @param {((element: Element) => string)[]} hints */
function firstHint(element, hints) {
  for (const hint of hints) {
    const found = readable(hint(element));
    if (found) return found;
  }
  return '';
}

/** What tells an element itself, without what kind of hint it is; of its classes only one that is a plain word. @param {Element} element */
export function hintedName(element) {
  return firstHint(element, [titleOf, wrapperTitle, writtenId, linkHint, iconHint, wordHint]).replace(/^(?:test id|id|icon|class) /, '');
}

/** @param {Element} element @returns {string} */
function titleOf(element) {
  for (const at of [element, ...queryAll(element, 'i, span, svg, img')]) {
    for (const attribute of ['title', 'alt', 'data-tooltip', 'data-title']) {
      const found = attr(at, attribute)?.trim();
      if (found) return found;
    }
  }
  return '';
}

/** The label or title of an element around that holds this one alone. @param {Element} element @returns {string} */
function wrapperTitle(element) {
  let at = composedParent(element);
  for (let steps = 0; at && steps < WRAPPERS && localName(at) !== 'body' && !hasAttr(at, 'role'); at = composedParent(at), steps++) {
    if (textContent(at).length > LONG_BESIDE || readable(seenText(at)) || queryAll(at, 'button, a, input, select, textarea, [onclick], [tabindex]').length > 1) break;
    const found = attr(at, 'aria-label')?.trim() || attr(at, 'title')?.trim();
    if (found) return found;
  }
  return '';
}

/** @param {Element} element @returns {string} */
function writtenId(element) {
  const test = attr(element, 'data-testid') || attr(element, 'data-test') || attr(element, 'data-cy');
  if (test?.trim()) return 'test id ' + test.slice(0, 60);
  const id = attr(element, 'id') ?? '';
  return WRITTEN.test(id) && id.length > 2 ? 'id ' + id.slice(0, 60) : '';
}

/** Where a link leads to, in a word: the end of its address. @param {Element} element @returns {string} */
function linkHint(element) {
  const href = attr(element, 'href') ?? '';
  const scheme = /^\s*([a-z][a-z\d+.-]*):/i.exec(href)?.[1].toLowerCase();
  if (scheme === 'javascript' || scheme === 'data' || scheme === 'blob') return '';
  const [path, fragment = ''] = href.trim().replace(/^[a-z][a-z\d+.-]*:(?:\/\/)?/i, '').split('#');
  const parts = path.split('?')[0].split('/').filter((part) => part && part !== '.' && part !== '..');
  let tail = fragment || parts.pop() || '';
  if (/^\d+$/.test(tail) && parts.length) tail = parts.pop() + '/' + tail;
  try {
    tail = decodeURIComponent(tail);
  } catch { /* it is told as it stands */ }
  return tail ? 'to ' + tail.slice(0, 40) : '';
}

/** The name of a picture that the element shows. @param {Element} element @returns {string} */
function iconHint(element) {
  for (const at of [element, ...Array.from(queryAll(element, 'i, span, svg, use, img')).slice(0, 5)]) {
    const tag = localName(at);
    const address = tag === 'use' ? attr(at, 'href') ?? attr(at, 'xlink:href') : tag === 'img' ? attr(at, 'src') : '';
    const found = tag === 'use' ? /#(.+)/.exec(address ?? '')?.[1] : fileName(address ?? '') || shownFile(at);
    if (found) return 'icon ' + found.slice(0, 40);
    for (const word of (attr(at, 'class') ?? '').split(/\s+/)) {
      const icon = ICON_CLASS.exec(word);
      if (icon) return 'icon ' + icon[1].slice(0, 40);
    }
  }
  return '';
}

/** The file that style shows in an element. @param {Element} element @returns {string} */
function shownFile(element) {
  const {backgroundImage, content, maskImage} = styleOf(element);
  for (const value of [backgroundImage, content, maskImage, getComputedStyle(element, '::before').content]) {
    const name = value.includes('url(') ? fileName(/url\(["']?([^"')]*)/.exec(value)?.[1] ?? '') : '';
    if (name) return name;
  }
  return '';
}

/** A file's name without its folders and its kind. @param {string} address @returns {string} */
function fileName(address) {
  return address.startsWith('data:') || address.startsWith('blob:') ? '' : /([^/?#]+)\.\w+(?:[?#]|$)/.exec(address)?.[1] ?? '';
}

/** A class that is one plain word says what the element is for. @param {Element} element @returns {string} */
function wordHint(element) {
  const word = (attr(element, 'class') ?? '').split(/\s+/).find((word) => /^[a-z]{4,}$/.test(word) && !ICON_NOISE.test(word));
  return word ? 'class ' + word : '';
}

/** Words that say what something does. */
const DOES = /(?:^|[-_])(?:next|prev|previous|close|dismiss|toggle|expand|collapse|add|remove|delete|edit|search|play|pause|mute|zoom-in|zoom-out|clear|bullet)$/i;

/** A class that ends in what the element does tells more than the text beside it. @param {Element} element @returns {string} */
function deedHint(element) {
  const word = (attr(element, 'class') ?? '').split(/\s+/).find((word) => DOES.test(word) && !ICON_NOISE.test(word));
  return word ? 'class ' + word.slice(0, 60) : '';
}

/** @param {Element} element @returns {string} */
function classHint(element) {
  for (const at of [element, ...Array.from(queryAll(element, 'i, span, svg')).slice(0, 5)]) {
    const words = new Set((attr(at, 'class') ?? '').split(/\s+/).filter((word) => word && !ICON_NOISE.test(word)));
    if (words.size) return 'class ' + [...words].slice(0, 2).join(' ').slice(0, 60);
  }
  return '';
}

/**
 * The text beside an element that has none.
 * @param {Element} element
 * @param {(node: Node) => boolean} [stops] text from there on is something else's
 * @returns {string}
 */
export function nearText(element, stops = () => false) {
  let at = /** @type {Element | null} */ (element);
  for (let steps = 0; at && steps < 3; at = composedParent(at), steps++) {
    const before = beside(at, previousSibling, stops);
    if (before) return 'near ' + (/(?<!\S).{1,40}$/u.exec(before)?.[0] ?? before.slice(-40)).trim();
    const after = beside(at, nextSibling, stops);
    if (after) return 'near ' + (/^.{1,40}(?!\S)/u.exec(after)?.[0] ?? after.slice(0, 40)).trim();
  }
  return '';
}

/** More than that is no label of what is beside it. */
const LONG_BESIDE = 300;

/**
 * The nearest text on one side.
 * @param {Node} from @param {(node: Node) => Node | null} next @param {(node: Node) => boolean} stops
 * @returns {string}
 */
function beside(from, next, stops) {
  for (let at = next(from), steps = 0; at && steps < 4 && !stops(at); at = next(at), steps++) {
    const text = said(at);
    if (text) return text;
  }
  return '';
}

/** What a person reads of a node, unless it is long. @param {Node} node @returns {string} */
function said(node) {
  const {length} = textContent(node) ?? '';
  if (!length || length > LONG_BESIDE) return '';
  if (nodeType(node) === TEXT) return readable(/** @type {Text} */ (node).data);
  return node instanceof Element && rendered(node) ? readable(read(/** @type {HTMLElement} */ (node), 'innerText') ?? seenText(node)) : '';
}
