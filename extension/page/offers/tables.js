// Tables and grids among lists: what stands in which column, also where a grid
// draws its rows in several parts, or only those in view.

import {ELEMENT, attr, childElementCount, closest, collapse, composedParent, eachChild, hasAttr, localName, matches, nodeType, parentElement, plainContains, nextElement, previousElement,
  queryAll, read, textContent, token} from '../dom/dom.js';
import {isPrivate} from '../dom/private.js';
import {rendered, styleOf} from '../dom/style.js';
import {presentationalTable} from '../aria/table.js';
import {seenText} from '../act/locate.js';
import {bodyRows, drawnTable, tablesBeside} from './drawn.js';
import {ITEM_LENGTH, openersIn, openingPath, wordsOf} from './lists.js';
import {brief} from './offers.js';
/** @import {Opener, Repeat} from './lists.js' */
/** @import {Zone} from './offers.js' */

/**
 * @typedef {object} Table
 * @property {{name: string, element: Element}[]} columns those that have a name
 * @property {Map<Element, Element[]>} cells of each row, in the order of all columns
 * @property {Map<Element, Element[]>} [whole] the same with those of rows above that reach into it, where there are such
 * @property {(Element | null)[]} places the header of each column
 * @property {number[]} numbers of the rows, from 0, also of those that are not drawn
 * @property {number} total how many rows there are, with those that are not drawn
 */

const GRID_ROLES = new Set(['grid', 'treegrid', 'table']);
const HEADER = 'th, [role="columnheader"]';
const CELL = 'td, th, [role="cell"], [role="gridcell"], [role="rowheader"]';
const SAMPLES = 4;
const MOST_COLUMNS = 200;

/** The table that an element is; null where it is none. @param {Element} box @param {Zone} area @param {number} order @returns {Repeat | null} */
export function tableIn(box, area, order) {
  const tag = localName(box);
  if (tag !== 'table' && !GRID_ROLES.has(token(box, 'role'))) return drawnIn(box, area, order);
  if (tag === 'table' && (/^(none|presentation)$/.test(token(box, 'role')) || presentationalTable(box) && !headerApart(box))) return null;
  const all = Array.from(queryAll(box, 'tr, [role="row"]')).filter((row) => ownTable(row) === box);
  const heads = all.filter(headsColumns);
  const apart = heads.length ? null : headerApart(box);
  const headers = apart ? [Array.from(queryAll(apart, 'th'))] : heads.map((row) => Array.from(queryAll(row, HEADER)).filter((cell) => ownTable(cell) === box));
  const within = all.filter((row) => !heads.includes(row) && holdsMore(row) && rendered(row));
  const rows = all.filter((row) => !heads.includes(row) && !within.includes(row) && !closest(row, 'tfoot') && rendered(row) && queryAll(row, CELL).length > 0);
  const {places, above} = placed(headers);
  const beside = tablesBeside(box);
  for (const other of beside) places.push(...placed([Array.from(queryAll(other, 'th'))]).places);
  /** @type {Table} */
  const table = {columns: [], cells: new Map(), places, numbers: [], total: 0};
  nameColumns(table, above);
  if (table.columns.length < 2) return null;
  const main = merged(rows, table);
  for (const other of beside) bodyRows(other).forEach((row, i) => table.cells.get(main[i])?.push(...queryAll(row, CELL)));
  if (isCalendar(table, main)) return null;
  reach(all.filter((row) => !heads.includes(row)), table);
  const looked = main.slice(0, SAMPLES);
  table.columns = table.columns.filter(({element}) => !looked.length || looked.some((row) => !onlyButtons(cellOf(table, row, element))));
  numberRows(box, main, heads.length, table);
  const samples = main.slice(0, SAMPLES).map((row) => ({row, openers: openersIn(row)}));
  /** @type {Set<Element>} */
  const members = new Set();
  eachChild(box, (child) => { // also what it owns elsewhere
    if (nodeType(child) === ELEMENT && [...rows, ...heads].some((row) => plainContains.call(child, row))) members.add(/** @type {Element} */ (child));
  });
  return {box, area, order, rows: main, members, path: openingOf(samples), name: '', items: null, table, within};
}

/** Whether a row is no record, but holds a table or a form of its own across all columns. @param {Element} row */
function holdsMore(row) {
  const cells = cellsIn(row);
  return cells.length === 1 && spanOf(cells[0], 'colspan') > 1 && queryAll(row, 'table, form, fieldset').length > 0;
}

/** A table of boxes that an element shows; null where it shows none. @param {Element} box @param {Zone} area @param {number} order @returns {Repeat | null} */
function drawnIn(box, area, order) {
  const drawn = drawnTable(box);
  if (!drawn) return null;
  const {rows, table} = drawn;
  nameColumns(table);
  if (table.columns.length < 2) return null;
  const samples = rows.slice(0, SAMPLES).map((row) => ({row, openers: openersIn(row)}));
  return {box, area, order, rows, members: new Set(rows), path: openingOf(samples), name: '', items: null, table};
}

/** Notes the columns that have a name. Of those that are called the same, what stands above them says which is which. @param {Table} table @param {Map<Element, Element>} [above] */
function nameColumns(table, above = new Map()) {
  const headers = Array.from(new Set(table.places)).filter((element) => element !== null).map((element) => ({element, name: headerName(element)})).filter(({name}) => name);
  for (const {element, name} of headers) {
    const over = above.get(element);
    const twice = over && headers.some((other) => other.element !== element && other.name === name);
    const full = twice ? brief(`${headerName(over)} ${name}`.trim(), 60) : name;
    if (!table.columns.some((column) => column.name === full)) table.columns.push({name: full, element});
  }
}

/** What opens a row: a link in it, or the row where it shows that it can be pressed. @param {{row: Element, openers: Opener[]}[]} samples */
function openingOf(samples) {
  const path = samples.length ? openingPath(samples, true) : null;
  return path === '' && !samples.every(({row}) => styleOf(row).cursor === 'pointer' || hasAttr(row, 'onclick')) ? null : path;
}

/** Whether a cell holds buttons and says nothing; one that holds a value says that. @param {Element | undefined} cell */
function onlyButtons(cell) {
  return !!cell && queryAll(cell, 'button:not([role]), [role="button"]').length > 0 && wordsOf(cell, null).length === 0;
}

/** Whether a table holds nothing but the headers of another. @param {Element} table */
export function headsAnother(table) {
  if (localName(table) !== 'table' || queryAll(table, 'th').length < 2 || queryAll(table, 'td').length) return false;
  for (let at = /** @type {Element} */ (table), left = 5; left > 0; left--) {
    for (let after = nextElement(at); after; after = nextElement(after)) {
      const other = localName(after) === 'table' ? after : queryAll(after, 'table')[0];
      if (other && headerApart(other) === table) return true;
    }
    const around = parentElement(at);
    if (!around) return false;
    at = around;
  }
  return false;
}

/** The table that holds nothing but the headers of another. @param {Element} table @returns {Element | null} */
function headerApart(table) {
  if (localName(table) !== 'table' || queryAll(table, 'th').length) return null;
  for (let at = /** @type {Element | null} */ (table), left = 5; at && left-- > 0; at = parentElement(at)) {
    for (let before = previousElement(at); before; before = previousElement(before)) {
      const other = localName(before) === 'table' ? before : queryAll(before, 'table')[0];
      if (other && queryAll(other, 'th').length > 1 && !queryAll(other, 'td').length) return other;
    }
  }
  return null;
}

/** The table around a row or a cell. @param {Element} element */
function ownTable(element) {
  return closest(parentElement(element) ?? element, 'table, [role="grid"], [role="treegrid"], [role="table"]');
}

/** Whether a row holds the names of columns. @param {Element} row */
function headsColumns(row) {
  if (queryAll(row, '[role="columnheader"]').length) return true;
  return localName(row) === 'tr' && queryAll(row, 'th').length > (closest(row, 'thead') ? 0 : 1) && queryAll(row, 'td').length === 0;
}

/** The headers by the place of their columns, the lowest one where several stand above each other, and what stands above it. @param {Element[][]} headers by row @returns {{places: (Element | null)[], above: Map<Element, Element>}} */
function placed(headers) {
  /** @type {(Element | null)[]} */
  const places = [];
  /** @type {Map<Element, Element>} */
  const above = new Map();
  /** @type {number[]} how many more rows a header reaches into, by column */
  const reaches = [];
  for (const row of headers) {
    const before = reaches.slice();
    let at = 0;
    for (const element of row) {
      const index = Number(attr(element, 'aria-colindex'));
      if (index > 0) at = index - 1;
      else while (before[at] > 0) at++;
      const wide = spanOf(element, 'colspan'), high = spanOf(element, 'rowspan');
      if (at + wide > MOST_COLUMNS) break;
      for (let i = at; i < at + wide; i++) {
        while (places.length <= i) places.push(null);
        const over = places[i];
        if (!over || headerName(element)) places[i] = i === at || wide > 1 && headers.length > 1 ? element : over;
        if (over && over !== element && places[i] === element) above.set(element, over);
        reaches[i] = high;
      }
      at += wide;
    }
    for (let i = 0; i < reaches.length; i++) reaches[i] = Math.max(0, (reaches[i] ?? 0) - 1);
  }
  return {places, above};
}

/** Over how many columns or rows a cell reaches. @param {Element} cell @param {'colspan' | 'rowspan'} way */
function spanOf(cell, way) {
  return Math.min(Math.max(1, Number(attr(cell, way)) || 1), MOST_COLUMNS);
}

/** Notes the cells of each row with those of rows above that reach into it. @param {Element[]} rows in order, also those that are not seen @param {Table} table */
function reach(rows, table) {
  if (!rows.some((row) => (table.cells.get(row) ?? []).some((cell) => spanOf(cell, 'rowspan') > 1))) return;
  table.whole = new Map();
  /** @type {{cell: Element, left: number}[]} by column */
  let open = [];
  for (const row of rows) {
    /** @type {Element[]} */
    const whole = [];
    /** @type {typeof open} */
    const next = [];
    const own = (table.cells.get(row) ?? cellsIn(row)).slice();
    for (let at = 0; at < MOST_COLUMNS && (own.length || at < open.length);) {
      const over = open[at]?.left > 0 ? open[at] : null;
      const cell = over ? over.cell : own.shift();
      if (!cell) {
        at++;
        continue;
      }
      const wide = spanOf(cell, 'colspan'), left = (over ? over.left : spanOf(cell, 'rowspan')) - 1;
      whole.push(cell);
      for (let i = at; i < at + wide; i++) next[i] = {cell, left};
      at += wide;
    }
    open = next;
    table.whole.set(row, whole);
  }
}

/** What a person reads above a column. @param {Element} element */
function headerName(element) {
  const text = collapse(seenText(element)) || collapse(attr(element, 'aria-label') ?? '');
  return rendered(element) && /[\p{L}\p{N}]/u.test(text) ? brief(text.replace(/\s*[▲▼↑↓⇅]+$/u, ''), 40) : '';
}

/** The cells of a row, without those of tables in it. @param {Element} row */
function cellsIn(row) {
  return Array.from(queryAll(row, CELL)).filter((cell) => closest(parentElement(cell) ?? cell, 'tr, [role="row"]') === row);
}

/** One element for each row, whose parts may stand in several places. @param {Element[]} rows @param {Table} table @returns {Element[]} */
function merged(rows, table) {
  /** @type {Map<string, Element[]>} */
  const parts = new Map();
  const single = new Set(rows.map(composedParent)).size === 1;
  rows.forEach((row, i) => {
    const id = single ? '' : attr(row, 'aria-rowindex') ?? attr(row, 'row-index') ?? '';
    const key = id ? `=${id}` : `${i}`;
    parts.set(key, [...parts.get(key) ?? [], row]);
  });
  const main = [];
  for (const list of parts.values()) {
    const cells = list.flatMap(cellsIn);
    if (cells.some((cell) => Number(attr(cell, 'aria-colindex')) > 0)) cells.sort((a, b) => Number(attr(a, 'aria-colindex')) - Number(attr(b, 'aria-colindex')));
    const [most] = list.slice().sort((a, b) => childElementCount(b) - childElementCount(a));
    table.cells.set(most, cells);
    main.push(most);
  }
  return main;
}

/** Puts the rows in order, and numbers them. @param {Element} box @param {Element[]} main @param {number} heads @param {Table} table */
function numberRows(box, main, heads, table) {
  /** @param {Element} row */
  const told = (row) => Number(attr(row, 'aria-rowindex')) || NaN;
  const known = main.length > 0 && main.every((row) => told(row) > 0);
  if (known) main.sort((a, b) => told(a) - told(b));
  const first = Math.min(heads, 1) + 1;
  table.numbers = main.map((row, i) => known ? told(row) - first : i);
  if (known && table.numbers[0] < 0) table.numbers = table.numbers.map((n) => n - table.numbers[0]);
  const count = Number(attr(box, 'aria-rowcount')) - Math.min(heads, 1);
  table.total = known && count > main.length ? count : main.length;
}

/** Whether the cells are days: it is a calendar then. @param {Table} table @param {Element[]} rows */
function isCalendar(table, rows) {
  if (table.places.length !== 7) return false;
  const cells = rows.flatMap((row) => table.cells.get(row) ?? []);
  const days = cells.filter((cell) => /^(\d{1,2})(\D|$)/.test(collapse(textContent(cell))));
  return cells.length >= 28 && days.length > cells.length / 2;
}

/** What a cell says. @param {Element} cell */
export function cellText(cell) {
  let text = collapse(seenText(cell));
  for (const button of queryAll(cell, 'button[aria-label], [role="button"][aria-label], [aria-expanded]')) { // what folds and unfolds says nothing
    const sign = collapse(textContent(button));
    if (sign && sign.length <= 2 && text.startsWith(sign + ' ')) text = text.slice(sign.length).trim();
  }
  if (text) return text;
  for (const field of queryAll(cell, 'input, select, textarea, [role="checkbox"], [role="switch"]')) {
    const type = token(field, 'type') || token(field, 'role');
    if (isPrivate(field)) return '';
    if (type === 'checkbox' || type === 'radio' || type === 'switch') return /** @type {HTMLInputElement} */ (field).checked || token(field, 'aria-checked') === 'true' ? 'yes' : 'no';
    const value = /** @type {HTMLInputElement} */ (field).value;
    if (value) return collapse(value);
  }
  for (const sign of queryAll(cell, '[aria-label], [title], img[alt]')) {
    const said = collapse(attr(sign, 'aria-label') ?? attr(sign, 'title') ?? attr(sign, 'alt') ?? '');
    if (said) return said;
  }
  return '';
}

/** The cells of a row by the header of their column. @param {Table} table @param {Element} row @returns {Map<Element, Element>} */
function cellsOf(table, row) {
  /** @type {Map<Element, Element>} */
  const found = new Map();
  let at = 0;
  for (const cell of table.whole?.get(row) ?? table.cells.get(row) ?? []) {
    const index = Number(attr(cell, 'aria-colindex'));
    at = index > 0 ? index - 1 : at;
    const header = table.places[at];
    if (header && !found.has(header)) found.set(header, cell);
    at += Math.max(1, Number(attr(cell, 'colspan')) || 1);
  }
  return found;
}

/** @param {Table} table @param {Element} row @param {Element} header */
function cellOf(table, row, header) {
  return cellsOf(table, row).get(header);
}

/** The values of a row, by column. @param {Table} table @param {Element} row @returns {Map<string, string>} */
export function valuesOf(table, row) {
  const cells = cellsOf(table, row);
  /** @type {Map<string, string>} */
  const values = new Map();
  for (const {name, element} of table.columns) {
    const cell = cells.get(element);
    if (cell) values.set(name, cellText(cell));
  }
  return values;
}

/** The column that an element of a row stands in; '' for one without a name. @param {Table} table @param {Element} row @param {Element} element */
export function columnAt(table, row, element) {
  for (const [header, cell] of cellsOf(table, row)) {
    if (plainContains.call(cell, element)) return table.columns.find((column) => column.element === header)?.name ?? '';
  }
  return '';
}

/** What a row of a table is called: what opens it, then its values. @param {Table} table @param {Element} row @param {string} title */
export function rowItem(table, row, title) {
  const values = Array.from(valuesOf(table, row).values()).filter((value) => value && value !== title);
  return brief([title, values.join(' · ')].filter(Boolean).join(' — '), ITEM_LENGTH);
}

/** Whether a header can be pressed to sort. @param {Element} header */
export function sortable(header) {
  if (hasAttr(header, 'aria-sort')) return true;
  if (queryAll(header, 'button, a, [role="button"], [aria-sort]').length || /sortable/i.test(attr(header, 'class') ?? '')) return true;
  const pointed = (/** @type {Element} */ element) => styleOf(element).cursor === 'pointer';
  return pointed(header) || Array.from(read(header, 'children')).some(pointed);
}

/** What scrolls the rows of a grid that draws only some; null where it draws all. @param {Repeat} repeat @returns {Element | null} */
export function scrollerOf(repeat) {
  const {table, rows} = repeat;
  if (!table || table.total <= rows.length || !rows.length) return null;
  for (let at = composedParent(rows[0]); at; at = composedParent(at)) {
    if (at.scrollHeight > at.clientHeight + 4 && matches(at, '*') && /auto|scroll/.test(styleOf(at).overflowY)) return at;
  }
  return null;
}
