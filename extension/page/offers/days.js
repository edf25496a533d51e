// Calendars among lists: their days, and what stands in them.

import {collapse, textContent} from '../dom/dom.js';
import {rowControls} from './rows.js';
/** @import {Repeat} from './lists.js' */

const LEAST_DAYS = 28;
const MOST_DAYS = 50;
const MOST_EVENTS = 100;

/** Makes rows that are days in their order the days of a calendar; false for others. @param {Repeat} repeat */
export function asDays(repeat) {
  const {rows, table} = repeat;
  if (table || rows.length < LEAST_DAYS || rows.length > MOST_DAYS) return false;
  const days = rows.filter((row) => collapse(textContent(row)));
  const numbers = days.map((row) => Number(/^(\d{1,2})(?!\d)/.exec(collapse(textContent(row)))?.[1] ?? NaN));
  const from = numbers.indexOf(1);
  if (from < 0 || !Array.from({length: LEAST_DAYS}, (_, i) => numbers[from + i] === i + 1).every(Boolean)) return false;
  repeat.rows = days;
  repeat.name = 'Days';
  return true;
}

/** What stands in the days, as a list of its own; null where nothing does. @param {Repeat} days @returns {Repeat | null} */
export function eventsIn(days) {
  /** @type {Map<Element, string>} */
  const parts = new Map();
  for (const day of days.rows) {
    const number = /^\d+/.exec(collapse(textContent(day)))?.[0] ?? '';
    for (const {control} of rowControls(days, day).values()) {
      if (control.kind !== 'field' && /\p{L}/u.test(textContent(control.element)) && parts.size < MOST_EVENTS) parts.set(control.element, number);
    }
  }
  return parts.size ? {box: days.box, area: days.area, order: days.order + 0.005, rows: Array.from(parts.keys()), members: new Set(), path: '', name: 'Events', items: null, parts} : null;
}
