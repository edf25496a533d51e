// What the parts of a table are: that depends on whether it holds data at all.

import {attr, composedParent, firstChild, hasAttr, localName, nextElement, previousElement, queryAll, token} from '../dom/dom.js';
import {call, styleOf} from '../dom/style.js';
import {authorNamed, editingHost, roleOf} from './role.js';

/** The role of the table that a row or cell is part of; empty where it is presentational. @param {Element} element */
export function tableRole(element) {
  for (let at = composedParent(element); at; at = composedParent(at)) {
    if (localName(at) !== 'table') {
      const role = attr(at, 'role') && roleOf(at);
      if (role === 'none') return '';
      if (role === 'grid' || role === 'treegrid' || role === 'table') return role;
      continue;
    }
    const role = roleOf(at);
    return role === 'table' || role === 'grid' || role === 'treegrid' ? role : '';
  }
  return '';
}

/** @param {Element} element @param {string} tag */
export function cellRole(element, tag) {
  const row = composedParent(element);
  if (row && attr(row, 'role') && roleOf(row) === 'none') return 'none';
  const table = tableRole(element);
  if (!table) return row && localName(row) === 'tr' ? 'none' : 'generic';
  const cell = table === 'table' ? 'cell' : 'gridcell';
  if (tag === 'td') return cell;
  const scope = token(element, 'scope');
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  return headerOfRow(element) ? 'rowheader' : 'columnheader';
}

/** Whether a th without scope heads its row: a cell with data is beside it. @param {Element} element */
function headerOfRow(element) {
  return dataCell(previousElement(element)) || dataCell(nextElement(element));
}

/** @param {Element | null} cell */
function dataCell(cell) {
  return cell !== null && localName(cell) === 'td' && firstChild(cell) !== null;
}

/** Whether a table only lays things out. @param {Element} table */
export function presentationalTable(table) {
  let known = call.tables.get(table);
  if (known === undefined) {
    known = !holdsData(/** @type {HTMLTableElement} */ (table));
    call.tables.set(table, known);
  }
  return known;
}

/** @param {HTMLTableElement} table */
function holdsData(table) {
  if (authorNamed(table) || hasAttr(table, 'summary') || hasAttr(table, 'aria-describedby') || editingHost(table)) return true;
  if (table.caption || table.tHead || table.tFoot || hasAttr(table, 'rules')) return true;
  const rows = table.rows;
  if (rows.length === 1 && rows[0].cells.length <= 1) return false;
  if (rows.length >= 20) return true;
  let cells = 0;
  let bordered = 0;
  let widest = 0;
  for (let i = 0; i < rows.length; i++) {
    const inRow = rows[i].cells;
    widest = Math.max(widest, inRow.length);
    for (let j = 0; j < inRow.length; j++) {
      const cell = inRow[j];
      if (localName(cell) === 'th' || hasAttr(cell, 'headers') || hasAttr(cell, 'scope') || hasAttr(cell, 'abbr')) return true;
      cells++;
      const style = styleOf(cell);
      if (style.borderTopWidth !== '0px' || style.borderLeftWidth !== '0px') bordered++;
    }
  }
  if (cells <= 1 || rows.length === 1 || widest === 1) return false;
  if (queryAll(table, 'col, colgroup').length) return true;
  return bordered * 2 >= cells;
}
