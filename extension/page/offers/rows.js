// What can be done to each row of a list, by what it is called in all of them.

import {attr, collapse, hasAttr, parentElement, plainContains, textContent} from '../dom/dom.js';
import {call} from '../dom/style.js';
import {roleOf} from '../aria/role.js';
import {brief, surveyInside} from './offers.js';
import {argumentName, fieldLabel, fieldsFrom} from './fields.js';
import {formOf} from './forms.js';
import {asDays, eventsIn} from './days.js';
import {tableOffers} from './grid.js';
import {MOST_LOOKED, folds, inProse, openerOf, quickName, wordsOf} from './lists.js';
import {repeatName} from './listname.js';
import {hintedName} from '../snapshot/hint.js';
import {kindOf, saysTime, withoutCounts} from './record.js';
import {columnAt, valuesOf} from './tables.js';
/** @import {Control, Found, Survey} from './offers.js' */
/** @import {FoundField} from './fields.js' */
/** @import {Repeat} from './lists.js' */
/** @import {Table} from './tables.js' */

/** What a button of a row is called that shows more of it and hides it again. */
const FOLDS = 'Expand or collapse';
/** What signs on buttons say, where nothing else does. */
const SIGNS = new Map(Object.entries({'▲': 'Up', '△': 'Up', '⬆': 'Up', '↑': 'Up', '▼': 'Down', '▽': 'Down', '⬇': 'Down', '↓': 'Down', '×': 'Remove', '✕': 'Remove', '✖': 'Remove', '🗑': 'Delete', '✎': 'Edit', '✏': 'Edit', '⋯': 'More', '…': 'More', '⋮': 'More', '☆': 'Star', '★': 'Star', '♡': 'Like', '♥': 'Like', '👍': 'Like'}));

/** @param {Repeat} repeat @param {Survey} seen @returns {Found[]} */
export function listOffers(repeat, seen) {
  const days = asDays(repeat);
  const named = days ? repeat.name : repeatName(repeat).replace(/\s*\(\d[\d.,]*\)$/, '');
  repeat.name = brief(kindOf(named) || named, 60);
  const base = {dialog: 90, main: 52, page: 50, aside: 25, top: 22, nav: 24, foot: 2}[repeat.area];
  /** @type {Found[]} */
  const found = [];
  if (repeat.path !== null) {
    found.push({kind: 'list', name: repeat.name, about: '', key: '', rank: base + Math.min(repeat.rows.length, 5), order: repeat.order, fields: [], element: repeat.box, repeat});
  }
  const events = days ? eventsIn(repeat) : null;
  if (events) found.push({kind: 'list', name: events.name, about: '', key: '', rank: base + 5, order: events.order, fields: [], element: events.box, repeat: events});
  if (days) return found;
  found.push(...tableOffers(repeat, base));
  for (const [name, {fields, press, order, count}] of rowActions(repeat, seen)) {
    if (repeat.table && name === 'Select' && !press) continue; // rows are selected together
    found.push({
      kind: 'action', name, about: repeat.name, key: '', rank: base - 10 + Math.min(count, 4), order, fields, element: repeat.box, repeat,
      ...(press ? {press: name} : {set: name}),
    });
  }
  return found;
}

/** What can be done in one row, by what it is called. @param {Repeat} repeat @param {Element} row */
export function rowControls(repeat, row) {
  /** @type {Survey} */
  const inner = {controls: [], repeats: [], pagers: [], row: repeat, taken: new Set(), count: 0, plain: 0};
  const parts = new Set((repeat.table?.cells.get(row) ?? []).map((cell) => parentElement(cell) ?? row)).add(row);
  for (const part of parts) surveyInside(part, repeat.area, true, inner, 0);
  const opener = openerOf(repeat, row);
  const fields = inner.controls.filter((control) => control.kind === 'field').map((control) => control.element);
  /** @type {Map<string, {control: Control, fields: Element[], name: string}>} by stem, as there may be "1 comment" beside "2 comments" */
  const found = new Map();
  for (const control of inner.controls) {
    const {element, kind, off} = control;
    if (element === opener || off) continue;
    if (kind === 'field') {
      const form = formOf(element);
      if (form && plainContains.call(row, form) && inner.controls.some((other) => other.kind === 'button' && formOf(other.element) === form)) continue;
      const name = repeat.table && alone(repeat.table, row, element) ? 'Select' : rowFieldName(element, row, repeat);
      found.set(stem(name), {control, fields: [element], name});
      continue;
    }
    if (kind === 'link' && opener && attr(element, 'href') === attr(opener, 'href')) continue;
    const named = quickName(element) || hintedName(element);
    const full = SIGNS.get(named) ?? named;
    if (repeat.table && isValue(repeat, row, element)) continue;
    const own = kind === 'link' && !hasAttr(element, 'aria-label');
    const name = folds(element, full) ? FOLDS : brief(plainAction(full, own ? undefined : row), 60);
    if (!name || found.has(stem(name)) || kind === 'link' && (inProse(element) || saysTime(element))) continue;
    const form = formOf(element);
    found.set(stem(name), {control, name, fields: form && plainContains.call(row, form) ? fields.filter((field) => formOf(field) === form) : []});
  }
  return found;
}

/** Whether a field stands in a column without a name: it selects the row. @param {Table} table @param {Element} row @param {Element} field */
function alone(table, row, field) {
  return /^(checkbox|switch|radio)$/.test(roleOf(field)) && !columnAt(table, row, field);
}

/** Whether what can be pressed is the value of a cell, which other rows have not. @param {Repeat} repeat @param {Element} row @param {Element} element */
function isValue({table, rows}, row, element) {
  if (!table) return false;
  const column = columnAt(table, row, element);
  const value = column && valuesOf(table, row).get(column);
  return !!value && value === collapse(textContent(element)) && rows.slice(0, MOST_LOOKED).some((other) => valuesOf(table, other).get(column) !== value);
}

/** @param {string} name */
export function stem(name) {
  return name.toLowerCase().replace(/(\p{L}{3})s$/u, '$1');
}

/** What the field of a row is for, without what is the row's own: in a table, its column. @param {Element} field @param {Element} row @param {Repeat} repeat */
function rowFieldName(field, row, repeat) {
  const column = repeat.table ? columnAt(repeat.table, row, field) : '';
  if (column) return column;
  const plain = plainAction(fieldLabel(field), row);
  const box = /^(checkbox|switch)$/.test(roleOf(field));
  if (box && (!plain || rowsOwn(plain, row, repeat) || /^(select|choose|check)/i.test(plain) || /[[\]\d]/.test(plain))) return 'Select';
  return plain;
}

/** Whether words are what a row is called, and not said in each. @param {string} words @param {Element} row @param {Repeat} repeat */
function rowsOwn(words, row, {rows}) {
  /** @param {Element} one */
  const says = (one) => collapse(textContent(one)).includes(words);
  return says(row) && !(rows.length > 1 && rows.slice(0, MOST_LOOKED).every(says));
}

/** What can be done to each of a list's rows, by name. @param {Repeat} repeat @param {Survey} seen takes what only one row has */
function rowActions(repeat, seen) {
  /** @type {Map<string, {fields: FoundField[], press: boolean, order: number, count: number}>} */
  const actions = new Map();
  if (!repeat.table && repeat.members.size !== repeat.rows.length && repeat.path === '') return actions; // cells
  const looked = repeat.rows.slice(0, MOST_LOOKED);
  /** @type {Map<string, {control: Control, fields: Element[], name: string}[]>} */
  const all = new Map();
  for (const row of looked) {
    for (const [name, control] of rowControls(repeat, row)) all.set(name, [...all.get(name) ?? [], control]);
  }
  let order = repeat.order + 0.01;
  for (const controls of all.values()) {
    const [{control, fields, name}] = controls;
    const enough = name === FOLDS ? 1 : control.kind === 'link' ? Math.max(2, looked.length / 2) : 2;
    if (controls.length < enough && (looked.length > 1 || control.kind === 'link')) {
      if (repeat.table && all.size > 8) continue; // values of cells
      if (control.kind === 'field' || control.kind === 'button') seen.controls.push(...controls.map((one) => ({...one.control, area: repeat.area, order: order += 0.01})));
      for (const field of fields) if (field !== control.element) seen.controls.push({element: field, kind: 'field', area: repeat.area, order: order += 0.001, off: false});
      continue;
    }
    actions.set(name, {fields: rowFields(fields, looked[0], repeat), press: control.kind !== 'field', order: order += 0.01, count: controls.length});
  }
  return actions;
}

/** The fields of a row's action; what they hold differs from row to row. @param {Element[]} elements @param {Element} row @param {Repeat} repeat */
export function rowFields(elements, row, repeat) {
  const fields = fieldsFrom(elements);
  for (const field of fields) {
    const label = rowFieldName(field.element, row, repeat);
    field.name = argumentName(label) || field.name;
    field.label = label;
    field.value = '';
  }
  return fields;
}

/** What a button of a row is called without what is the row's own: "Delete" for "Delete message from Bob". @param {string} name @param {Element | undefined} row */
export function plainAction(name, row) {
  let plain = withoutCounts(name);
  const words = plain.split(' ');
  const all = row && words.length > 1 ? rowWords(row) : '';
  search: for (let most = words.length - 1; all && most > 0; most--) {
    for (let from = words.length - most; from >= 0; from--) {
      const run = words.slice(from, from + most).join(' ').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').toLowerCase();
      if (run.length < 3 || !all.includes(run)) continue;
      plain = [...words.slice(0, from), ...words.slice(from + most)].join(' ');
      break search;
    }
  }
  return plain.replace(/\s+(message|item)?\s*(from|of|for|by|on|at|in|the|called|named)$/gi, '').replace(/[\s:,–—-]+$/, '').replace(/\s*\(?\d[\d.,]*(?:\s*[kKmM](?!\p{L}))?\)?\s*/gu, ' ').trim() || name;
}

/** What a row says beside its controls. @param {Element} row */
function rowWords(row) {
  let words = call.rows.get(row);
  if (words === undefined) {
    words = wordsOf(row, null).join(' ').toLowerCase();
    call.rows.set(row, words);
  }
  return words;
}
