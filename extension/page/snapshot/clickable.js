// What acts on a click though ARIA knows nothing of it: a real listener (asked
// from Chrome and handed in), an onclick attribute, a tab stop, or the element
// on which `cursor: pointer` begins.

import {attr, closest, hasAttr, localName, nextElement, parentElement, previousElement, rectOf, token} from '../dom/dom.js';
import {styleOf} from '../dom/style.js';
import {roleOf} from '../aria/role.js';

/** Elements that Chrome said listen for clicks. @type {WeakSet<Element>} */
export const clickListeners = new WeakSet();

/** Remembers elements that have click listeners of their own. @param {...(Element | Document | Window | null)} elements */
export function markListening(...elements) {
  for (const element of elements) if (element instanceof Element) clickListeners.add(element);
}

/** Whether its author made the element one to drag, or its pointer says that it can be taken hold of. @param {Element} element @param {string} cursor */
export function draggable(element, cursor) {
  if (token(element, 'draggable') === 'true') return true;
  if (cursor !== 'grab' && cursor !== '-webkit-grab') return false;
  const around = parentElement(element);
  return !around || styleOf(around).cursor !== cursor;
}

/** What is alike in a list that listens for its items, such as one that they are dragged in. @param {Element} element */
export function isItem(element) {
  const around = parentElement(element);
  if (!around || !clickListeners.has(around) || localName(around) === 'body') return false;
  const beside = nextElement(element) ?? previousElement(element);
  if (beside === null) return localName(element) === 'li'; // the only one for now
  return localName(beside) === localName(element) && firstClass(beside) === firstClass(element);
}

/** @param {Element} element */
function firstClass(element) {
  return (attr(element, 'class') ?? '').trim().split(/\s+/, 1)[0];
}

/** Whether the element is a cell of a grid, which are chosen and edited; what only takes the focus in a row is taken for one. @param {Element} element @param {string} role */
export function isGridCell(element, role) {
  if (role === 'gridcell') return true;
  if (role !== 'generic' || attr(element, 'tabindex') !== '-1') return false;
  const row = parentElement(element);
  return row !== null && roleOf(row) === 'row' && /^(grid|treegrid)$/.test(token(closest(row, '[role]:not([role="row" i], [role="rowgroup" i])') ?? row, 'role'));
}

/** Whether an element that would be clicked has nothing to click on, or only changes a size: guards of the focus, handles. @param {Element} element @param {CSSStyleDeclaration} style */
export function idle(element, style) {
  if (/resize$/.test(style.cursor) || style.pointerEvents === 'none') return true;
  if (/(^|[\s_-])resizer?([\s_-]|$)/i.test(attr(element, 'class') ?? '')) return true; // the cursor may say so only under the pointer
  const box = rectOf(element);
  return box.width < 2 || box.height < 2;
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
  const {cursor} = style;
  if (clickListeners.has(element) || hasAttr(element, 'onclick') || draggable(element, cursor)) return true;
  const index = attr(element, 'tabindex');
  if (index !== null && Number.parseInt(index, 10) >= 0) return true;
  return !pointer && cursor === 'pointer';
}
