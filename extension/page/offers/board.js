// Cards in columns: one list, though each column holds its own, with the column
// told of each card.

import {ELEMENT, attr, eachChild, hasAttr, localName, nodeType, plainContains, queryAll, token} from '../dom/dom.js';
import {rendered} from '../dom/style.js';
import {clickListeners} from '../snapshot/clickable.js';
import {HEADINGS} from './results.js';
import {authorLabel, headingIn} from './forms.js';
import {actsItself, openersIn} from './lists.js';
/** @import {Repeat} from './lists.js' */
/** @import {Zone} from './offers.js' */

/** What cards may be, as their authors call them for machines. */
const CARD_WORDS = /^(task|issue|ticket|story|deal|lead|candidate|note|job|order|opportunity)$/;
const MOST_COLUMNS = 20;
const MOST_CARDS = 300;

/** The cards in the columns that an element holds; null where it holds none. @param {Element} parent @param {Zone} area @param {number} order @returns {Repeat | null} */
export function boardIn(parent, area, order) {
  if (/^(ul|ol|table|tbody|tr|nav|form)$/.test(localName(parent)) && area !== 'main' && area !== 'page') return null;
  /** @type {Element[]} */
  const columns = [];
  eachChild(parent, (node) => {
    if (nodeType(node) === ELEMENT && queryAll(/** @type {Element} */ (node), HEADINGS).length) columns.push(/** @type {Element} */ (node));
  });
  const [first] = columns;
  if (columns.length < 2 || columns.length > MOST_COLUMNS || columns.some((column) => sort(column) !== sort(first) || queryAll(column, 'form').length)) return null;
  for (const column of columns) {
    const kind = cardsIn(column);
    if (!kind) continue;
    /** @type {Map<Element, string>} */
    const parts = new Map();
    for (const one of columns) {
      const title = authorLabel(one) || headingIn(one);
      for (const card of queryAll(one, kind)) if (rendered(card) && parts.size < MOST_CARDS) parts.set(card, title);
    }
    const rows = Array.from(parts.keys());
    if (columns.filter((one) => rows.some((row) => plainContains.call(one, row))).length < 2 || new Set(parts.values()).size < 2) return null;
    const path = rows.every(actsItself) || rows.every((row) => hasAttr(row, 'draggable') || clickListeners.has(row)) ? '' : null;
    const word = /\.([a-z]+)$/.exec(kind)?.[1] ?? '';
    const name = authorLabel(parent) || (CARD_WORDS.test(word) ? word[0].toUpperCase() + word.slice(1) + 's' : 'Cards');
    return {box: parent, area, order, rows, members: new Set(rows), path, name, items: null, parts};
  }
  return null;
}

/** What sort of box an element is. @param {Element} element */
function sort(element) {
  return `${localName(element)}.${(attr(element, 'class') ?? '').trim().split(/\s+/)[0]}.${token(element, 'role')}`;
}

/** A selector for the cards of a column; '' where nothing in it is alike. @param {Element} column */
function cardsIn(column) {
  /** @type {Map<string, Element[]>} */
  const kinds = new Map();
  for (const element of queryAll(column, 'li, article, div, a')) {
    const [word] = (attr(element, 'class') ?? '').trim().split(/\s+/);
    const kind = word && /^[A-Za-z][\w-]*$/.test(word) ? `${localName(element)}.${CSS.escape(word)}` : localName(element) === 'li' || localName(element) === 'article' ? localName(element) : '';
    if (kind) kinds.set(kind, [...kinds.get(kind) ?? [], element]);
  }
  for (const [kind, list] of kinds) {
    if (list.length < 2 || list.some((element) => list.some((other) => other !== element && plainContains.call(element, other)))) continue;
    if (list.slice(0, 3).every((card) => actsItself(card) || hasAttr(card, 'draggable') || openersIn(card).length > 0)) return kind;
  }
  return '';
}
