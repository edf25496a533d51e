// What is simple is told in one line: a row with its cells, an item with what is
// in it, a sentence with its links. Line ends and indents are a third of a page.

import {quote} from '../aria/state.js';
import {refOf} from './refs.js';
import {CELLS} from './roles.js';
import {lineHead} from './snapshot.js';
/** @import {Line} from './tree.js' */

/** Between the cells of a row and the parts of an item. */
export const CELL_GAP = ' | ';
/** A longer line is told in several; nothing that acts may be cut off. */
export const LONG_TEXT = 500;
/** An item with more is easier to read below each other. */
const LONG_ITEM = 240;

/** Running text: what is in it stands within its words. */
const SENTENCES = new Set(['paragraph', 'heading']);
/** What is mostly small and many. */
const ITEMS = new Set([...CELLS, 'listitem', 'term', 'definition', 'caption', 'blockquote', 'figure', 'status', 'alert', 'note']);

/**
 * What is in a line, as one text; null where it holds more than a line can say.
 * @param {Line} line
 * @returns {string | null}
 */
export function inlined(line) {
  const kids = /** @type {(Line | string)[]} */ (line.kids.filter((kid) => typeof kid !== 'symbol'));
  if (!kids.length || line.value) return null;
  const text = inlinedKids(line, kids);
  return text !== null && text.length <= LONG_TEXT ? text : null;
}

/** @param {Line} line @param {(Line | string)[]} kids @returns {string | null} */
function inlinedKids(line, kids) {
  if (line.role === 'row') return rowText(kids);
  if (kids.every((kid) => typeof kid === 'string')) return kids.length > 1 ? kids.join(CELL_GAP) : null;
  // The first ref of a line is its own.
  if (line.ref) return null;
  if (SENTENCES.has(line.role)) return sentence(kids);
  if (!ITEMS.has(line.role)) return null;
  const parts = kids.map(partText);
  if (parts.includes(null)) return null;
  const text = parts.join(CELL_GAP);
  return kids.length === 1 || text.length <= LONG_ITEM ? text : null;
}

/** @param {(Line | string)[]} kids @returns {string | null} */
function rowText(kids) {
  /** @type {string[]} */
  const cells = [];
  const header = headed(kids);
  for (const kid of kids) {
    const text = typeof kid !== 'string' && CELLS.has(kid.role) ? cellText(kid, header) : partText(kid);
    if (text === null) return null;
    cells.push(text);
  }
  return cells.join(CELL_GAP);
}

/** Whether a row has headers of columns only. @param {(Line | string | symbol)[]} kids */
export function headed(kids) {
  return kids.every((kid) => typeof kid === 'object' && kid.role === 'columnheader');
}

/**
 * Texts and what is in them, in the order in which they are read.
 * @param {(Line | string)[]} kids
 * @returns {string | null}
 */
function sentence(kids) {
  let text = '';
  for (const kid of kids) {
    // Where a value ends could not be told, and a word that acts without being a
    // link would not stand out.
    if (typeof kid !== 'string' && (kid.kids.length || kid.value || kid.role === 'iframe' || kid.role === 'clickable')) return null;
    const part = typeof kid === 'string' ? kid : leafText(kid);
    text += text && !/^[.,;:!?)\]}”’»…]/.test(part) ? ' ' + part : part;
  }
  return text;
}

/**
 * A part of an item; parts are kept apart by bars, so that it may end with a text.
 * @param {Line | string} kid
 * @returns {string | null}
 */
function partText(kid) {
  if (typeof kid === 'string') return kid;
  if (kid.role === 'iframe') return null;
  if (!kid.kids.length) return leafText(kid);
  const [only] = kid.kids;
  if (kid.kids.length > 1 || kid.value || typeof only === 'symbol') return null;
  if (typeof only === 'string') {
    const plain = kid.role === 'paragraph' && !kid.states.length && !kid.ref && (!kid.name || kid.quiet);
    return plain ? only : `${lineHead(kid, null).slice(2)}: ${only}`;
  }
  if (kid.role !== 'heading' || kid.ref || only.kids.length || only.role === 'iframe') return null;
  return `${lineHead(kid, null).slice(2)}: ${leafText(only)}`;
}

/**
 * @param {Line} cell
 * @param {boolean} header the row says already that its cells are headers
 * @returns {string | null}
 */
function cellText(cell, header) {
  /** @type {string[]} */
  const parts = [];
  const plain = header || cell.role === 'cell' || cell.role === 'gridcell';
  if (!plain) parts.push(cell.role);
  const kids = /** @type {(Line | string)[]} */ (cell.kids.filter((kid) => typeof kid !== 'symbol'));
  if (cell.name && !cell.quiet && !(kids.length === 1 && kids[0] === cell.name)) parts.push(plain ? cell.name : quote(cell.name));
  for (const kid of kids) {
    const part = partText(kid);
    if (part === null) return null;
    parts.push(part);
  }
  for (const state of cell.states) parts.push(`[${state}]`);
  if (cell.ref) parts.push(`[${refOf(cell.element, cell.role, cell.name)}]`);
  return parts.join(' ');
}

/** @param {Line} line one without children */
function leafText(line) {
  const head = lineHead(line, null).slice(2);
  return line.value ? `${head}: ${line.value}` : head;
}

/**
 * The options of a closed list, which are not elements to act on but words to select by.
 * @param {(Line | string | symbol)[]} kids
 * @returns {string | null}
 */
export function optionsText(kids) {
  /** @type {string[]} */
  const parts = [];
  for (const kid of kids) {
    if (typeof kid === 'symbol') continue;
    if (typeof kid === 'string') {
      parts.push(kid);
    } else {
      if (kid.role !== 'option' || kid.ref || kid.kids.length) return null;
      parts.push([quote(kid.name), ...kid.states.map((state) => `[${state}]`)].join(' '));
    }
  }
  return parts.length ? parts.join(CELL_GAP) : null;
}

/**
 * The line that stands for another: an item or group that says nothing of its own is what is in it.
 * @param {Line} line
 * @returns {Line}
 */
export function stripped(line) {
  if ((line.role !== 'listitem' && line.role !== 'group') || line.ref || line.states.length || (line.name && !line.quiet) || line.kids.length !== 1) return line;
  const [only] = line.kids;
  return typeof only === 'object' && only.acts && !only.kids.length && !only.value ? only : line;
}
