// What is simple is told in one line: a row with its cells, an item with what is
// in it, a sentence with its links. Line ends and indents are a third of a page.

import {refOf} from './refs.js';
import {CELLS} from './roles.js';
import {cellsSize} from './wire.js';
/** @import {Line} from './tree.js' */
/** @import {Cell, Told} from './wire.js' */

/** A longer line is told in several; nothing that acts may be cut off. */
export const LONG_TEXT = 500;
/** An item with more is easier to read below each other. */
const LONG_ITEM = 240;

/** Running text: what is in it stands within its words. */
const SENTENCES = new Set(['paragraph', 'heading']);
/** What is mostly small and many. */
const ITEMS = new Set([...CELLS, 'listitem', 'term', 'definition', 'caption', 'blockquote', 'figure', 'status', 'alert', 'note']);

/** More of a name, or of a state such as a placeholder, says nothing that its beginning does not. */
const LONG_NAME = 400;

/** @param {string} text */
function brief(text) {
  return text.length > LONG_NAME ? text.slice(0, LONG_NAME - 1) + '…' : text;
}

/** A line without what is in it. @param {Line} line @param {((element: Element) => string) | null} [boxes] @returns {Told} */
export function told(line, boxes) {
  /** @type {Told} */
  const out = {role: line.role, name: line.quiet ? '' : brief(line.name), states: line.states.map(brief), ref: line.ref ? refOf(line.element, line.role, line.name) : ''};
  if (boxes && line.ref) out.box = boxes(line.element);
  return out;
}

/**
 * What stands in a line; null where it holds more than a line can say.
 * @param {Line} line
 * @returns {Cell[] | null}
 */
export function inlined(line) {
  const kids = /** @type {(Line | string)[]} */ (line.kids.filter((kid) => typeof kid !== 'symbol'));
  if (!kids.length || line.value) return null;
  const cells = inlinedKids(line, kids);
  return cells && cellsSize(cells) <= LONG_TEXT ? cells : null;
}

/** @param {Line} line @param {(Line | string)[]} kids @returns {Cell[] | null} */
function inlinedKids(line, kids) {
  if (line.role === 'row') return rowCells(kids);
  if (kids.every((kid) => typeof kid === 'string')) return kids.length > 1 ? kids.map((kid) => [kid]) : null;
  if (line.ref) return null;
  if (SENTENCES.has(line.role)) return sentence(kids);
  if (!ITEMS.has(line.role)) return null;
  /** @type {Cell[]} */
  const cells = [];
  for (const kid of kids) {
    const part = partOf(kid);
    if (part === null) return null;
    cells.push([part]);
  }
  return kids.length === 1 || cellsSize(cells) <= LONG_ITEM ? cells : null;
}

/** @param {(Line | string)[]} kids @returns {Cell[] | null} */
function rowCells(kids) {
  /** @type {Cell[]} */
  const cells = [];
  const header = headed(kids);
  for (const kid of kids) {
    if (typeof kid !== 'string' && CELLS.has(kid.role)) {
      const cell = cellOf(kid, header);
      if (!cell) return null;
      cells.push(cell);
      continue;
    }
    const part = partOf(kid);
    if (part === null) return null;
    cells.push([part]);
  }
  return cells;
}

/** Whether a row has headers of columns only. @param {(Line | string | symbol)[]} kids */
export function headed(kids) {
  return kids.every((kid) => typeof kid === 'object' && kid.role === 'columnheader');
}

/**
 * Texts and what is in them, in the order in which they are read.
 * @param {(Line | string)[]} kids
 * @returns {Cell[] | null}
 */
function sentence(kids) {
  /** @type {Cell} */
  const cell = [];
  for (const kid of kids) {
    // A word that acts without being a link would not stand out.
    if (typeof kid !== 'string' && (kid.kids.length || kid.value || kid.role === 'iframe' || kid.role === 'clickable')) return null;
    cell.push(typeof kid === 'string' ? kid : leaf(kid));
  }
  return [cell];
}

/**
 * A part of an item; parts are kept apart by bars, so that it may end with a text.
 * @param {Line | string} kid
 * @returns {string | Told | null}
 */
function partOf(kid) {
  if (typeof kid === 'string') return kid;
  if (kid.role === 'iframe') return null;
  if (!kid.kids.length) return leaf(kid);
  const [only] = kid.kids;
  if (kid.kids.length > 1 || kid.value || typeof only === 'symbol') return null;
  if (typeof only === 'string') {
    const plain = kid.role === 'paragraph' && !kid.states.length && !kid.ref && (!kid.name || kid.quiet);
    return plain ? only : {...told(kid), text: only};
  }
  if (kid.role !== 'heading' || kid.ref || only.kids.length || only.role === 'iframe') return null;
  return {...told(kid), inner: leaf(only)};
}

/**
 * @param {Line} cell
 * @param {boolean} header the row says already that its cells are headers
 * @returns {Cell | null}
 */
function cellOf(cell, header) {
  /** @type {Cell} */
  const parts = [];
  const kids = /** @type {(Line | string)[]} */ (cell.kids.filter((kid) => typeof kid !== 'symbol'));
  for (const kid of kids) {
    const part = partOf(kid);
    if (part === null) return null;
    parts.push(part);
  }
  const head = told(cell);
  if (kids.length === 1 && kids[0] === cell.name) head.name = '';
  if (header || cell.role === 'cell' || cell.role === 'gridcell') {
    if (head.name) parts.unshift(head.name);
    if (head.ref || head.states.length) parts.push({...head, role: '', name: ''});
    return parts;
  }
  // Its role has to be told, and what is in it stands behind that.
  const [first] = parts;
  if (!head.name && first !== undefined) {
    if (typeof first === 'string') head.text = first;
    else head.inner = first;
    parts.shift();
  }
  return [head, ...parts];
}

/** @param {Line} line one without children */
function leaf(line) {
  const out = told(line);
  if (line.value) out.text = line.value;
  return out;
}

/**
 * The options of a closed list, which are not elements to act on but words to select by.
 * @param {(Line | string | symbol)[]} kids
 * @returns {Cell[] | null}
 */
export function optionCells(kids) {
  /** @type {Cell[]} */
  const cells = [];
  for (const kid of kids) {
    if (typeof kid === 'symbol') continue;
    if (typeof kid === 'string') {
      cells.push([kid]);
    } else {
      if (kid.role !== 'option' || kid.ref || kid.kids.length) return null;
      cells.push([{...told(kid), name: brief(kid.name)}]);
    }
  }
  return cells.length ? cells : null;
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
