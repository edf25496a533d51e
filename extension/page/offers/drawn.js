// Tables that only look like ones: boxes in rows under a row of headers, and tables
// that stand side by side and are one to a person.

import {ELEMENT, attr, childElementCount, closest, collapse, composedParent, eachChild, invoke, localName, nodeType, parentElement, plainContains, previousElement, queryAll, rectOf, textContent, token} from '../dom/dom.js';
import {rendered, styleOf} from '../dom/style.js';
/** @import {Table} from './tables.js' */

const LEAST_ROWS = 3;
const ALIGNED = 8;
const MOST_CELLS = 30;

/** The children that are elements. @param {Element} element */
function childrenOf(element) {
  /** @type {Element[]} */
  const list = [];
  eachChild(element, (node) => {
    if (nodeType(node) === ELEMENT) list.push(/** @type {Element} */ (node));
  });
  return list;
}

/** What stands in the columns of a row. @param {Element} row */
function cellsIn(row) {
  let cells = childrenOf(row);
  for (let left = 2; cells.length === 1 && left > 0; left--) cells = childrenOf(cells[0]);
  return cells;
}

/** The rows of boxes and the headers above them; null where an element shows no such table. @param {Element} box @returns {{rows: Element[], header: Element[], table: Table} | null} */
export function drawnTable(box) {
  const tag = localName(box);
  if (tag !== 'div' && tag !== 'section' && tag !== 'main' || childElementCount(box) < LEAST_ROWS || token(box, 'role')) return null;
  const all = childrenOf(box);
  const last = all[all.length - 1];
  const kind = attr(last, 'class') ?? '';
  const [word] = kind.trim().split(/\s+/);
  const rows = all.filter((row) => localName(row) === localName(last) && ((attr(row, 'class') ?? '').trim().split(/\s+/)[0] ?? '') === (word ?? ''));
  if (rows.length < LEAST_ROWS || !/^(div|section|article|a)$/.test(localName(last))) return null;
  const cells = cellsIn(last);
  if (cells.length < 2 || cells.length > MOST_CELLS || queryAll(box, 'table, form').length) return null;
  const header = headerOf(box, rows, cells);
  if (!header) return null;
  const body = rows.filter((row) => row !== header && rendered(row) && cellsIn(row).length === cells.length);
  if (body.length < LEAST_ROWS - 1) return null;
  /** @type {Table} */
  const table = {columns: [], cells: new Map(), places: cellsIn(header), numbers: [], total: body.length};
  for (const row of body) table.cells.set(row, cellsIn(row));
  number(box, body, table);
  return {rows: body, header: cellsIn(header), table};
}

/** The row above others whose parts stand where theirs do, and are short words. @param {Element} box @param {Element[]} rows @param {Element[]} cells */
function headerOf(box, rows, cells) {
  const [first] = childrenOf(box);
  /** @type {Element[]} */
  const nominees = rows.includes(first) ? [] : [first];
  for (let at = /** @type {Element | null} */ (box), left = 3; at && left > 0 && localName(at) !== 'body'; at = composedParent(at), left--) {
    const before = previousElement(at);
    if (before) nominees.push(before, ...childrenOf(before).slice(0, 2));
  }
  return nominees.find((row) => {
    const parts = row ? cellsIn(row) : [];
    if (parts.length !== cells.length || !rendered(row) || queryAll(row, 'input:not([type="checkbox"]), select, textarea').length) return false;
    const named = parts.filter((part) => /\p{L}/u.test(textContent(part)));
    return named.length > 1 && parts.every((part, i) => collapse(textContent(part)).length <= 40 && Math.abs(rectOf(part).left - rectOf(cells[i]).left) <= ALIGNED);
  }) ?? null;
}

/** Numbers rows that are placed by hand within a box that has room for all of them. @param {Element} box @param {Element[]} rows @param {Table} table */
function number(box, rows, table) {
  rows.sort((a, b) => rectOf(a).top - rectOf(b).top);
  const top = rectOf(box).top;
  const height = rows.length > 1 ? rectOf(rows[1]).top - rectOf(rows[0]).top : 0;
  const placed = height > 4 && rows.every((row) => styleOf(row).position === 'absolute' || styleOf(row).transform !== 'none');
  table.numbers = rows.map((row, i) => placed ? Math.round((rectOf(row).top - top) / height) : i);
  if (placed) table.total = Math.max(rows.length, Math.round(rectOf(box).height / height));
}

/** The tables beside one that go on with its rows, from left to right. @param {Element} table */
export function tablesBeside(table) {
  const rows = bodyRows(table);
  const around = localName(table) === 'table' && rows.length > 1 ? upwards(table, 3) : null;
  if (!around) return [];
  return Array.from(queryAll(around, 'table')).filter((other) => {
    if (other === table || plainContains.call(other, table) || plainContains.call(table, other)) return false;
    const others = bodyRows(other);
    return others.length === rows.length && [0, others.length - 1].every((i) => Math.abs(rectOf(others[i]).top - rectOf(rows[i]).top) <= 3);
  });
}

/** Whether a table goes on with the rows of one before it. @param {Element} table */
export function continuesAnother(table) {
  return localName(table) === 'table' && tablesBeside(table).some((other) => (invoke(table, 'compareDocumentPosition', other) & Node.DOCUMENT_POSITION_PRECEDING) !== 0);
}

/** @param {Element} table */
export function bodyRows(table) {
  return Array.from(queryAll(table, 'tr')).filter((row) => closest(row, 'table') === table && queryAll(row, 'td').length > 0 && rendered(row));
}

/** @param {Element} element @param {number} left */
function upwards(element, left) {
  let at = /** @type {Element | null} */ (element);
  for (; at && left > 0; left--) {
    const above = parentElement(at);
    if (!above || /^(body|main)$/.test(localName(above))) break;
    at = above;
  }
  return at;
}
