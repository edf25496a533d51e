// What leads through the pages of a list: numbers, arrows, or a field for the number.

import {attr, closest, collapse, hasAttr, invoke, localName, queryAll, textContent, token} from '../dom/dom.js';
import {rendered} from '../dom/style.js';
import {disabledState} from '../aria/state.js';
import {disabled} from '../aria/role.js';
import {nameOf} from '../aria/name.js';
import {continueRefs, refOf, refState} from '../snapshot/refs.js';
import {Objected} from '../objection.js';
import {argument} from './grid.js';
import {findOffers} from './offers.js';
import {ARROWS} from './words.js';
/** @import {Control, Found, Zone} from './offers.js' */

/**
 * @typedef {object} Pager
 * @property {Element} box
 * @property {Zone} area
 * @property {number} order
 * @property {Map<number, Element>} numbers
 * @property {{next?: Element, previous?: Element, first?: Element, last?: Element}} arrows
 * @property {HTMLInputElement | HTMLSelectElement | null} field
 * @property {number} current 0 where the page does not say
 */

const PAGER_WORDS = /pagin|pager|paging|\bpages?\b/i;
const STEPS = 'a, button, [role="button"], [role="link"], li[tabindex], li[aria-label]';
export const MOST_STEPS = 40;

/** The pager that an element is; null where it is none. @param {Element} box @param {Zone} area @param {number} order @returns {Pager | null} */
export function pagerIn(box, area, order) {
  return PAGER_WORDS.test(`${attr(box, 'class') ?? ''} ${attr(box, 'aria-label') ?? ''} ${attr(box, 'id') ?? ''}`) ? readPager(box, area, order) : null;
}

/** The pager that an element is of which only its steps say so: numbers and arrows, and nothing else. @param {Element} box @param {Zone} area @param {number} order @param {Control[]} controls what is in it @param {boolean} listed a list stands before it @returns {Pager | null} */
export function plainPager(box, area, order, controls, listed) {
  const numbers = new Set();
  const arrows = new Set();
  for (const {element, kind} of controls) {
    if (kind === 'field') {
      if (!pageField(element)) return null;
      continue;
    }
    const text = collapse(textContent(element)) || nameOf(element);
    const word = text.replace(/[^\p{L}\s]/gu, '').trim();
    const arrow = ARROWS.find(([, words]) => words.test(word || text))?.[0];
    if (/^\d+$/.test(text)) numbers.add(Number(text));
    else if (arrow && word.split(/\s+/).length <= 2) arrows.add(arrow);
    else return null;
  }
  const inRow = Array.from(numbers).some((number) => numbers.has(number + 1));
  return arrows.size && inRow || listed && arrows.has('next') && arrows.has('previous') ? readPager(box, area, order) : null;
}

/** A field for the number of a page; null where an element is none. @param {Element} element @returns {Pager['field']} */
function pageField(element) {
  if (!rendered(element)) return null;
  if (localName(element) === 'select') {
    const select = /** @type {HTMLSelectElement} */ (element);
    return select.options.length > 1 && Array.from(select.options).every((option, i) => Number(collapse(option.text)) === i + 1) ? select : null;
  }
  const plain = localName(element) === 'input' && attr(element, 'aria-hidden') !== 'true' && attr(element, 'tabindex') !== '-1' && !hasAttr(element, 'readonly');
  return plain && /^(text|number|tel|)$/.test(token(element, 'type')) ? /** @type {HTMLInputElement} */ (element) : null;
}

/** @param {Element} box @param {Zone} area @param {number} order @returns {Pager | null} */
function readPager(box, area, order) {
  const steps = queryAll(box, STEPS);
  if (!steps.length || steps.length > MOST_STEPS || textContent(box).length > 600 || queryAll(box, 'form, main, article, table').length) return null;
  /** @type {Pager} */
  const pager = {box, area, order, numbers: new Map(), arrows: {}, field: null, current: 0};
  /** @type {Element[]} */
  const unknown = [];
  for (const step of steps) {
    if (!rendered(step)) continue;
    const text = collapse(textContent(step));
    const name = collapse(attr(step, 'aria-label') ?? '') || text || nameOf(step) || collapse(attr(step, 'title') ?? '');
    const number = /^\d+$/.test(text) ? Number(text) : Number(/^\D{0,20}?(\d+)\D{0,20}$/.exec(name)?.[1] ?? NaN);
    if (number > 0) {
      if (!pager.numbers.has(number)) pager.numbers.set(number, step);
      if (isCurrent(step)) pager.current = number;
      continue;
    }
    const arrow = ARROWS.find(([, words]) => words.test(name))?.[0];
    if (arrow) pager.arrows[arrow] ??= step;
    else if (/\p{L}/u.test(name)) unknown.push(step);
  }
  if (!Object.keys(pager.arrows).length) namelessArrows(pager, unknown);
  for (const input of queryAll(box, 'input, select')) pager.field = pageField(input) ?? pager.field;
  const ways = pager.numbers.size + Object.keys(pager.arrows).length;
  if (ways < 2 && !(pager.field && ways)) return null;
  const off = Array.from(pager.numbers).filter(([, step]) => disabled(step) || hasAttr(step, 'disabled'));
  if (off.length === 1) pager.current ||= off[0][0];
  pager.current ||= Number(pager.field?.value) || Number(/(?<!per )\bpage\s+(\d+)/i.exec(textContent(box))?.[1]) || ofRows(box) || currentAlone(box, pager);
  return pager;
}

/** Takes what stands beside the numbers for the arrows, whose words nobody here knows. @param {Pager} pager @param {Element[]} unknown in order */
function namelessArrows({numbers, arrows}, unknown) {
  const steps = Array.from(numbers.values());
  if (!steps.length) return;
  /** @param {Element} element @param {number} where */
  const lies = (element, where) => steps.every((step) => (invoke(step, 'compareDocumentPosition', element) & where) !== 0);
  const before = unknown.filter((element) => lies(element, Node.DOCUMENT_POSITION_PRECEDING));
  const after = unknown.filter((element) => lies(element, Node.DOCUMENT_POSITION_FOLLOWING));
  if (before.length && before.length < 3) arrows.previous = before[before.length - 1];
  if (after.length && after.length < 3) arrows.next = after[0];
}

/** @param {Element} step */
function isCurrent(step) {
  for (const element of [step, closest(step, 'li')]) {
    if (!element) continue;
    const told = token(element, 'aria-current');
    if (told && told !== 'false' || token(element, 'aria-pressed') === 'true' || /(^|[\s_-])(active|current|selected)(\s|$)/i.test(attr(element, 'class') ?? '')) return true;
  }
  return false;
}

/** The current page by the rows that it says to show, such as "21–30 of 43". @param {Element} box */
function ofRows(box) {
  for (const element of queryAll(box, 'p, span, div')) {
    const told = /^(\d+)\s*(?:[–—-]|[a-z]{2,3})\s*(\d+)\D{1,12}(\d+)\D*$/i.exec(collapse(textContent(element)));
    if (!told) continue;
    const [from, to, all] = told.slice(1).map(Number);
    if (from === 1) return 1;
    const size = to < all ? to - from + 1 : rowsOf(box);
    return size && (from - 1) % size === 0 ? (from - 1) / size + 1 : Infinity; // the last one, whichever it is
  }
  return 0;
}

/** How many rows a page has, as a field of the pager says; 0 where none does. @param {Element} box */
function rowsOf(box) {
  for (const element of queryAll(box, 'select, [role="combobox"]')) {
    const size = Number(localName(element) === 'select' ? /** @type {HTMLSelectElement} */ (element).value : collapse(textContent(element)));
    if (size > 0) return size;
  }
  return 0;
}

/** The current page where it stands between the others and is none to press. @param {Element} box @param {Pager} pager */
function currentAlone(box, pager) {
  for (const element of queryAll(box, 'span, strong, em, b, li, div, [aria-current]')) {
    const text = collapse(textContent(element));
    if (/^\d+$/.test(text) && !pager.numbers.has(Number(text)) && rendered(element) && !closest(element, '[role="combobox"], select, label')) return Number(text);
  }
  return 0;
}

/** @param {Pager} pager @returns {Found} */
export function pagerOffer(pager) {
  const base = {dialog: 92, main: 56, page: 54, aside: 27, top: 24, nav: 50, foot: 30}[pager.area];
  return {
    kind: 'page', name: 'Go to page', about: '', key: '', rank: base, order: pager.order, element: pager.box, pager,
    fields: [argument('page', 'string', pager.box, {required: true, description: 'number, next, previous, first or last'})],
  };
}

/**
 * What to press to come nearer to a page.
 * @param {{key: string, page: string, prefix?: string, next?: number}} request
 * @returns {{ref: string, fill: string, enter: boolean, there: boolean, whole: boolean, current: number, next: number}} whole where that leads to it at once, enter where a field has to be sent
 */
export function paging(request) {
  continueRefs(request);
  const pager = findOffers().find((offer) => offer.key === request.key)?.pager;
  if (!pager) throw new Objected('gone', {who: request.key});
  const {numbers, arrows, field, current} = pager;
  const page = request.page.trim().toLowerCase();
  /** @param {Element | undefined} element @param {boolean} whole */
  const step = (element, whole) => {
    if (!element) throw new Objected('page-none', {about: request.page});
    if (disabled(element) || disabledState(element) || hasAttr(element, 'disabled') || closest(element, 'li.disabled, [aria-disabled="true"]')) throw new Objected('page-none', {about: request.page});
    const press = localName(element) === 'li' ? queryAll(element, 'a, button')[0] ?? element : element;
    return {ref: refOf(press), fill: '', enter: false, there: false, whole, current: Number.isFinite(current) ? current : -1, next: refState.next};
  };
  if (page === 'first' || page === 'last') {
    const known = Array.from(numbers.keys()).sort((a, b) => a - b);
    return step(arrows[page] ?? numbers.get(page === 'first' ? 1 : known[known.length - 1]), true);
  }
  if (page === 'next' || page === 'previous') return step(arrows[page] ?? numbers.get(current + (page === 'next' ? 1 : -1)), true);
  const number = Number(page);
  if (!(number > 0)) throw new Objected('page-none', {about: request.page});
  if (number === current) return {ref: '', fill: '', enter: false, there: true, whole: true, current, next: refState.next};
  if (numbers.has(number)) return step(numbers.get(number), true);
  if (field) return {ref: refOf(field), fill: page, enter: localName(field) === 'input', there: false, whole: true, current, next: refState.next};
  if (!current) throw new Objected('page-none', {about: request.page});
  const inSight = Array.from(numbers.keys()).filter((n) => number > current ? n > current && n < number : n < current && n > number);
  const near = inSight.sort((a, b) => Math.abs(a - number) - Math.abs(b - number))[0];
  return step(near ? numbers.get(near) : number > current ? arrows.next : arrows.previous, false);
}
