// What is offered of a table, and what becomes of it: rows are read, sorted and
// selected.

import {attr, collapse, queryAll} from '../dom/dom.js';
import {beginCall} from '../dom/style.js';
import {change} from '../dom/wait.js';
import {roleOf} from '../aria/role.js';
import {checkedState} from '../aria/state.js';
import {continueRefs, refOf, refState} from '../snapshot/refs.js';
import {Objected} from '../objection.js';
import {findOffers} from './offers.js';
import {itemOf} from './lists.js';
import {rowControls} from './rows.js';
import {scrollerOf, sortable, valuesOf} from './tables.js';
/** @import {Found} from './offers.js' */
/** @import {FoundField} from './fields.js' */
/** @import {Repeat} from './lists.js' */

const MOST_READ = 200;
const USUAL_READ = 50;
const MOST_SCROLLS = 200;
const DRAW_WAIT = 400;

/** What a table offers beside what can be done to its rows. @param {Repeat} repeat @param {number} base @returns {Found[]} */
export function tableOffers(repeat, base) {
  const {table} = repeat;
  if (!table) return [];
  const columns = table.columns.map(({name, element}) => ({name, element}));
  /** @type {Found[]} */
  const found = [];
  /** @param {'read' | 'sort' | 'select'} kind @param {string} name @param {number} rank @param {FoundField[]} fields */
  const offer = (kind, name, rank, fields) => found.push({kind, name, about: kind === 'select' ? repeat.name : '', key: '', rank: base + rank, order: repeat.order, fields, element: repeat.box, repeat});
  offer('read', `Read ${repeat.name}`, 8, [
    argument('from', 'integer', repeat.box, {}), argument('count', 'integer', repeat.box, {value: `${USUAL_READ}`}),
    argument('filter', 'string', repeat.box, {}), argument('columns', 'array', repeat.box, {choices: columns}),
  ]);
  const sorting = columns.filter(({element}) => sortable(element));
  if (sorting.length) {
    offer('sort', `Sort ${repeat.name}`, 3, [argument('by', 'string', repeat.box, {choices: sorting, required: true}), argument('descending', 'boolean', repeat.box, {})]);
  }
  if (repeat.rows.slice(0, 3).some((row) => boxOf(repeat, row))) {
    offer('select', 'Select rows', 4, [argument('rows', 'array', repeat.box, {required: true, description: 'names or indexes'}), argument('only', 'boolean', repeat.box, {})]);
  }
  return found;
}

/** @param {string} name @param {string} type @param {Element} element @param {Partial<FoundField>} more @returns {FoundField} */
export function argument(name, type, element, more) {
  return {name, label: name, type, format: '', value: '', description: '', required: false, choices: [], how: 'fill', element, input: null, ...more};
}

/** The box by which a row is selected. @param {Repeat} repeat @param {Element} row @returns {Element | null} */
function boxOf(repeat, row) {
  const control = rowControls(repeat, row).get('select');
  return control && control.control.kind === 'field' ? control.control.element : null;
}

/** The table of a key. @param {string} key @returns {Repeat} */
function tableOf(key) {
  const repeat = findOffers().find((offer) => offer.key === key)?.repeat;
  if (!repeat?.table) throw new Objected('gone', {who: key});
  return repeat;
}

/**
 * Reads rows of a table, those in view first, and scrolls a grid that draws only some as far as it must.
 * @param {{key: string, from?: number, count?: number, filter?: string, columns?: string[]}} request
 * @returns {Promise<{columns: string[], rows: {index: number, values: string[]}[], total: number, more: boolean}>}
 */
export async function readTable(request) {
  beginCall();
  let repeat = tableOf(request.key);
  const first = repeat.table;
  const from = Math.max(0, request.from ?? 0);
  const count = Math.min(Math.max(1, request.count ?? USUAL_READ), MOST_READ);
  const filter = collapse(request.filter ?? '').toLowerCase();
  const names = (first?.columns ?? []).map(({name}) => name).filter((name) => !request.columns?.length || request.columns.includes(name));
  /** @type {Map<number, string[]>} */
  const read = new Map();
  const take = () => {
    repeat.rows.forEach((row, i) => {
      const table = repeat.table;
      const number = table?.numbers[i] ?? i;
      if (!table || number < from || read.has(number)) return;
      const values = valuesOf(table, row);
      if (!filter || Array.from(values.values()).some((value) => value.toLowerCase().includes(filter))) read.set(number, names.map((name) => values.get(name) ?? ''));
    });
  };
  const scroller = scrollerOf(repeat);
  const before = scroller?.scrollTop ?? 0;
  if (scroller) await windows(scroller, () => {
    beginCall();
    repeat = tableOf(request.key);
    take();
    const last = Math.max(...repeat.table?.numbers ?? [0]);
    return filter ? read.size >= count : last >= from + count - 1;
  }, Math.max(0, from - 2) / (first?.total || 1));
  else take();
  if (scroller) scroller.scrollTop = before;
  const rows = Array.from(read, ([index, values]) => ({index, values})).sort((a, b) => a.index - b.index);
  const total = repeat.table?.total ?? rows.length;
  beginCall();
  return {columns: names, rows: rows.slice(0, count), total, more: rows.length > count || !filter && from + Math.min(count, rows.length) < total};
}

/** Shows a grid window by window until enough was seen. @param {Element} scroller @param {() => boolean} seen @param {number} [begin] how far down it begins, of 1 */
async function windows(scroller, seen, begin = 0) {
  scroller.scrollTop = scroller.scrollHeight * begin;
  await change(DRAW_WAIT);
  for (let left = MOST_SCROLLS; left > 0 && !seen(); left--) {
    const at = scroller.scrollTop;
    scroller.scrollTop = at + Math.max(40, scroller.clientHeight * 0.8);
    if (scroller.scrollTop === at) return;
    await change(DRAW_WAIT);
  }
}

/** Scrolls a grid that draws only some rows to the one that is meant. @param {string} key @param {(repeat: Repeat) => boolean} meant */
export async function showRow(key, meant) {
  const repeat = tableOf(key);
  const scroller = meant(repeat) ? null : scrollerOf(repeat);
  if (!scroller) return;
  await windows(scroller, () => {
    beginCall();
    return meant(tableOf(key));
  });
}

/**
 * How a table is sorted by a column, and what is pressed to change that.
 * @param {{key: string, by: string, prefix?: string, next?: number}} request
 * @returns {{ref: string, order: string, next: number}} order is ascending, descending, none, or empty where the page does not say
 */
export function sorting(request) {
  beginCall();
  continueRefs(request);
  const header = tableOf(request.key).table?.columns.find(({name}) => name.toLowerCase() === request.by.toLowerCase())?.element;
  if (!header) throw new Objected('gone', {who: request.by});
  const told = attr(header, 'aria-sort') ?? attr(queryAll(header, '[aria-sort]')[0] ?? header, 'aria-sort');
  const press = Array.from(queryAll(header, 'button, a, [role="button"]')).find((element) => collapse(element.textContent ?? '')) ?? header;
  return {ref: refOf(press), order: told ?? '', next: refState.next};
}

/**
 * The box of a row that is to be selected, and those of others that are no longer.
 * @param {{key: string, row: string, only?: boolean, prefix?: string, next?: number}} request
 * @returns {Promise<{set: {ref: string, on: boolean, item: string}[], next: number}>}
 */
export async function selecting(request) {
  beginCall();
  await showRow(request.key, (repeat) => hasRow(repeat, request.row));
  beginCall();
  continueRefs(request);
  const repeat = tableOf(request.key);
  const meant = repeat.rows[rowNamed(repeat, request.row)];
  /** @type {{ref: string, on: boolean, item: string}[]} */
  const set = [];
  for (const row of repeat.rows) {
    const box = row === meant || request.only ? boxOf(repeat, row) : null;
    const on = row === meant;
    if (box && (on || checkedState(box, roleOf(box)) === 'true')) set.push({ref: refOf(box), on, item: itemOf(repeat, row)});
  }
  return {set, next: refState.next};
}

/** Whether a row is drawn, by its name or number. @param {Repeat} repeat @param {string} name */
export function hasRow(repeat, name) {
  try {
    return rowNamed(repeat, name) >= 0;
  } catch (problem) {
    return !(problem instanceof Objected && problem.objection.code === 'item-unknown');
  }
}

/** The place of the row that is called so, or has that number. @param {Repeat} repeat @param {string} name */
export function rowNamed(repeat, name) {
  const sought = collapse(name).toLowerCase();
  const {table, rows} = repeat;
  const items = rows.map((row) => itemOf(repeat, row).toLowerCase());
  const title = items.map((item) => item.split(/ [—·] /)[0]);
  /** @type {((i: number) => boolean)[]} */
  const ways = [
    (i) => items[i] === sought || title[i] === sought,
    (i) => !!table && Array.from(valuesOf(table, rows[i]).values()).some((value) => value.toLowerCase() === sought),
    (i) => items[i].includes(sought),
  ];
  for (const way of ways) {
    const found = rows.map((_, i) => i).filter(way);
    if (found.length === 1) return found[0];
    if (found.length > 1) throw new Objected('item-many', {about: name, count: found.length, list: found.slice(0, 5).map((i) => `${table?.numbers[i] ?? i} “${itemOf(repeat, rows[i])}”`)});
  }
  const number = /^\d+$/.test(sought) ? (table ? table.numbers.indexOf(Number(sought)) : Number(sought)) : -1;
  if (number >= 0 && number < rows.length) return number;
  throw new Objected('item-unknown', {about: name, count: rows.length});
}
