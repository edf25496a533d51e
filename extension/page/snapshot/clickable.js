// What acts on a click though ARIA knows nothing of it: a real listener (asked
// from Chrome and handed in), an onclick attribute, a tab stop, or the element
// on which `cursor: pointer` begins.

import {attr, collapse, composedParent, hasAttr, localName, nextSibling, previousSibling, queryAll, textContent} from '../dom/dom.js';

/** Elements that Chrome said listen for clicks. @type {WeakSet<Element>} */
export const clickListeners = new WeakSet();

/** Remembers elements that have click listeners of their own. @param {...(Element | Document | Window | null)} elements */
export function markListening(...elements) {
  for (const element of elements) if (element instanceof Element) clickListeners.add(element);
}

/** Roles that act by themselves. */
export const ACTING = new Set((
  'button link checkbox radio textbox searchbox combobox listbox option menuitem menuitemcheckbox menuitemradio tab ' +
  'switch slider spinbutton treeitem doc-backlink doc-biblioref doc-glossref doc-noteref').split(' '));

/**
 * Whether the element acts on a click, apart from its role.
 * @param {Element} element
 * @param {string} tag
 * @param {CSSStyleDeclaration} style
 * @param {boolean} pointer whether the element around it has the pointer cursor already
 */
export function actsOnClick(element, tag, style, pointer) {
  if (tag === 'body' || tag === 'html') return false;
  if (clickListeners.has(element) || hasAttr(element, 'onclick')) return true;
  const index = attr(element, 'tabindex');
  if (index !== null && Number.parseInt(index, 10) >= 0) return true;
  return !pointer && style.cursor === 'pointer';
}

/** Parts of class names that say nothing about an icon. */
const ICON_NOISE = /^(fa|fas|far|fal|fab|fad|bi|mdi|icon|icons|glyphicon|material-icons|lucide|svg|btn|button|clickable|pointer|hand|hover|cursor-.*|link|active|disabled|small|large|sm|lg|md|xs|xl|[a-z]{1,2}|.*\d{3,}.*|css-.*|sc-.*|_.*)$/i;

/** What little tells a clickable without text: its title, an icon's class or link, a link's address, the near text. @param {Element} element */
export function hintOf(element) {
  const direct = attr(element, 'title') || attr(element, 'alt') || attr(element, 'data-tooltip') || attr(element, 'data-title');
  if (direct?.trim()) return collapse(direct);
  const href = attr(element, 'href');
  const icon = href === null ? iconHint(element) : '';
  if (icon) return icon;
  for (const child of queryAll(element, 'i, span, svg, use, img')) {
    const found = attr(child, 'title') || attr(child, 'alt') || iconHint(child);
    if (found) return collapse(found);
  }
  return (href && addressTail(href)) || iconHint(element) || nearText(element);
}

/** Where a link leads to, in a word: the end of its address. @param {string} href */
function addressTail(href) {
  const scheme = /^\s*([a-z][a-z\d+.-]*):/i.exec(href)?.[1].toLowerCase();
  if (scheme === 'javascript' || scheme === 'data' || scheme === 'blob') return '';
  const [path, fragment = ''] = href.trim().replace(/^[a-z][a-z\d+.-]*:(?:\/\/)?/i, '').split('#');
  const parts = path.split('?')[0].split('/').filter((part) => part && part !== '.' && part !== '..');
  let tail = fragment || parts.pop() || '';
  if (/^\d+$/.test(tail) && parts.length) tail = parts.pop() + '/' + tail;
  try {
    tail = decodeURIComponent(tail);
  } catch { /* it is told as it stands */ }
  return tail ? 'to ' + collapse(tail).slice(0, 40) : '';
}

/** @param {Element} element */
function iconHint(element) {
  if (localName(element) === 'use') {
    const target = attr(element, 'href') ?? attr(element, 'xlink:href') ?? '';
    return target.includes('#') ? target.slice(target.indexOf('#') + 1) : '';
  }
  if (localName(element) === 'img') {
    const file = /([^/?#]+)\.\w+(?:[?#]|$)/.exec(attr(element, 'src') ?? '');
    if (file && !file[1].startsWith('data:')) return file[1].slice(0, 40);
  }
  const words = (attr(element, 'class') ?? '').split(/\s+/).filter((word) => word && !ICON_NOISE.test(word));
  return [...new Set(words)].slice(0, 2).join(' ').slice(0, 60);
}

/** The text beside an element that has none. @param {Element} element */
export function nearText(element) {
  for (let at = /** @type {Element | null} */ (element), steps = 0; at && steps < 3; at = composedParent(at), steps++) {
    const before = said(previousSibling(at)).trim();
    if (before) return 'near ' + collapse(before).slice(-40).trim();
    const after = said(nextSibling(at)).trim();
    if (after) return 'near ' + collapse(after).slice(0, 40).trim();
  }
  return '';
}

/** A node's text, unless it is for nobody to read. @param {Node | null} node */
function said(node) {
  if (!node || node instanceof Element && /^(style|script|template|noscript)$/.test(localName(node))) return '';
  return textContent(node) ?? ''; // a doctype has none
}
