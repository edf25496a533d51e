// Lines as they travel: one string, since a tree of values takes Chrome several
// times as long to hand out. Each part begins with a control character; adapter/lines
// reads them.

import {wellFormed} from '../dom/dom.js';

/**
 * An element or a text as its line tells it.
 * @typedef {object} Told
 * @property {string} role
 * @property {string} name
 * @property {readonly string[]} states
 * @property {string} ref
 * @property {string} [box]
 * @property {string} [text] the value, or the only text in it
 * @property {Told} [inner] the only element in it
 * @property {Cell[]} [cells] what stands in the line
 * @property {number} [cut] characters of the text that are left out
 * @property {number} [inside] lines below that are left out
 */

/** Texts and elements in their order. @typedef {(string | Told)[]} Cell */

const NAME = '\t';
const STATE = '\x1f';
const REF = '\f';
const CUT = '\x1d';
const INSIDE = '\x1c';
const CONTENT = '\r';
const CELL = '\x7f';
const ELEMENT = '\b';
const TEXT = '\x1e';

/** What the page has of our separators, and whatever else shows nothing. */
const CONTROL = /[\x00-\x1f\x7f]/;

/** @param {string} text */
function plain(text) {
  return CONTROL.test(text) ? text.replace(/[\x00-\x1f\x7f]+/g, ' ') : text;
}

/** @param {{depth: number, line: Told}[]} lines */
export function written(lines) {
  let wire = '';
  for (const {depth, line} of lines) wire += (wire && '\n') + depth + element(line);
  return wellFormed(wire);
}

/** @param {Told} line @returns {string} */
function element(line) {
  let wire = line.role;
  if (line.name) wire += NAME + plain(line.name);
  for (const state of line.states) wire += STATE + plain(state);
  if (line.ref) wire += REF + line.ref + (line.box ? ' ' + line.box : '');
  if (line.cut) wire += CUT + line.cut;
  if (line.inside) wire += INSIDE + line.inside;
  if (line.text) wire += CONTENT + plain(line.text);
  else if (line.inner) wire += CONTENT + ELEMENT + element(line.inner);
  else if (line.cells) wire += CONTENT + line.cells.map(cell).join(CELL);
  return wire;
}

/** @param {Cell} parts */
function cell(parts) {
  let wire = '';
  for (const part of parts) wire += typeof part === 'string' ? (wire && TEXT) + plain(part) : ELEMENT + element(part);
  return wire;
}

/** How many characters a line has before what stands in it. @param {Told} line */
function headSize(line) {
  let size = line.role.length + (line.name ? line.name.length + 3 : 0) + (line.ref ? line.ref.length + 3 : 0) + (line.box ? line.box.length + 7 : 0);
  for (const state of line.states) size += state.length + 3;
  return size;
}

/** @param {string | Told} part */
function partSize(part) {
  if (typeof part === 'string') return part.length;
  /** @type {number} */
  let size = headSize(part);
  if (part.text) size += part.text.length + 2;
  if (part.inner) size += partSize(part.inner) + 2;
  return size;
}

/** How many characters cells have as text, about. @param {Cell[]} cells */
export function cellsSize(cells) {
  let size = 3 * (cells.length - 1);
  for (const parts of cells) {
    for (const part of parts) size += partSize(part);
    if (parts.length > 1) size += parts.length - 1;
  }
  return size;
}

/** How many characters a line has as text, about, with its end. @param {number} depth @param {Told} line */
export function lineSize(depth, line) {
  return 2 * depth + 3 + partSize(line) + (line.cells ? 2 + cellsSize(line.cells) : 0) + (line.cut ? 28 + (line.ref ? line.ref.length + 6 : 0) : 0) + (line.inside ? 15 : 0);
}
