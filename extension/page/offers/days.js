// Calendars among lists: their days, and what stands in them.

import {childElementCount, collapse, localName, queryAll, read, textContent} from '../dom/dom.js';
import {rendered} from '../dom/style.js';
import {wordsOf} from './lists.js';
import {rowControls} from './rows.js';
/** @import {Repeat} from './lists.js' */
/** @import {Zone} from './offers.js' */

const LEAST_DAYS = 28;
const MOST_DAYS = 50;
const MOST_EVENTS = 100;
const WEEK = 7;

/** The days of a calendar whose cells are pressed themselves; null where something in them is. @param {Element} box @param {Zone} area @param {number} order @returns {Repeat | null} */
export function daysIn(box, area, order) {
  if (localName(box) !== 'tbody') return null;
  const weeks = Array.from(read(box, 'children'));
  if (weeks.length < LEAST_DAYS / WEEK || weeks.length * WEEK > MOST_DAYS || weeks.some((week) => childElementCount(week) !== WEEK)) return null;
  const cells = weeks.flatMap((week) => Array.from(read(week, 'children')));
  if (!inOrder(cells) || cells.filter((cell) => queryAll(cell, 'a[href], button').length).length > LEAST_DAYS / 2) return null;
  return {box, area, order, rows: cells, members: new Set(weeks), path: '', name: '', items: null};
}

/** Whether elements begin with the days of a month, one after the other. @param {Element[]} days */
function inOrder(days) {
  const numbers = days.map((day) => Number(/^(\d{1,2})(?!\d)/.exec(wordsOf(day, null)[0] ?? '')?.[1] ?? NaN));
  const from = numbers.indexOf(1);
  return from >= 0 && Array.from({length: LEAST_DAYS}, (_, i) => numbers[from + i] === i + 1).every(Boolean);
}

/** Makes rows that are days in their order the days of a calendar; false for others. @param {Repeat} repeat */
export function asDays(repeat) {
  const {rows, table} = repeat;
  if (table || rows.length < LEAST_DAYS || rows.length > MOST_DAYS) return false;
  const days = rows.filter((row) => collapse(textContent(row)));
  if (!inOrder(days)) return false;
  repeat.rows = days;
  repeat.name = 'Days';
  return true;
}

/** What stands in the days, as a list of its own; null where nothing does. @param {Repeat} days @returns {Repeat | null} */
export function eventsIn(days) {
  /** @type {Map<Element, string>} */
  const parts = new Map();
  for (const day of days.rows) {
    const number = /^\d+/.exec(wordsOf(day, null)[0] ?? '')?.[0] ?? '';
    const acting = Array.from(rowControls(days, day).values()).filter(({control}) => control.kind !== 'field').map(({control}) => control.element);
    for (const element of [...acting, ...queryAll(day, 'a')]) { // a link that leads nowhere is one that a script hears of
      if (/\p{L}/u.test(textContent(element)) && rendered(element) && parts.size < MOST_EVENTS) parts.set(element, number);
    }
  }
  return parts.size ? {box: days.box, area: days.area, order: days.order + 0.005, rows: Array.from(parts.keys()), members: new Set(), path: '', name: 'Events', items: null, parts} : null;
}
