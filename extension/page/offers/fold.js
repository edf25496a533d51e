// Buttons that share one offer, with the button as its argument: those of a
// toolbar, and those for which there is no room.

import {attr, closest, composedParent, hasAttr, localName, parentElement, plainContains, token} from '../dom/dom.js';
import {leads} from './actions.js';
import {authorLabel, headingBefore, headingIn} from './forms.js';
import {kindOf} from './record.js';
import {HEADINGS} from './results.js';
/** @import {Found} from './offers.js' */
/** @import {FoundField} from './fields.js' */

const BARS = '[role="toolbar"], [role="menubar"], [role="menu"], [role="radiogroup"]';
const LEAST_OF_BAR = 5;
const MOST_FOLDED = 600;
const LEAST_ALIKE = 3;
/** Bytes of a schema, of which long ones are cut. */
const MOST_TAKES = 800;
const BUTTON = 'button';
const PART = 'in';
const PARTS = 'part';

/** Makes one of buttons that are called the same in several parts of the page, with the part to say which. @param {Found[]} found @returns {Found[]} */
export function foldAlike(found) {
  /** @type {Map<string, Found[]>} */
  const same = new Map();
  for (const offer of found) {
    const name = offer.name.toLowerCase();
    if (single(offer)) same.set(name, [...same.get(name) ?? [], offer]);
  }
  /** @type {Map<Found, Found | null>} */
  const instead = new Map();
  for (const list of same.values()) {
    if (list.length < 2) continue;
    /** @type {Map<string, Element>} */
    const parts = new Map();
    for (const {element} of list) {
      const part = partOf(element, list);
      if (part && !parts.has(part)) parts.set(part, element);
    }
    const [first] = list;
    if (parts.size > 1) {
      for (const offer of list) instead.set(offer, null);
      instead.set(first, folded([first], first.name, '', PART, parts));
      continue;
    }
    // The same once more, or nothing says which one is meant.
    const links = list.filter(({element}) => localName(element) === 'a');
    for (const offer of list) if (offer !== first && links.includes(offer) || list.length - links.length > 3) instead.set(offer, null);
  }
  return found.map((offer) => instead.has(offer) ? instead.get(offer) ?? null : offer).filter((offer) => offer !== null);
}

/** What the part of the page is called that holds this one of several buttons alone. @param {Element} element @param {Found[]} list */
function partOf(element, list) {
  /** @param {Element} around */
  const alone = (around) => list.every((other) => other.element === element || !plainContains.call(around, other.element));
  const said = attr(element, 'title') || headingBefore(element);
  let part = '';
  for (let at = composedParent(element), left = 5; at && left > 0 && alone(at); at = composedParent(at), left--) part = authorLabel(at) || headingIn(at) || part;
  return part || said;
}

/** Puts the buttons of each toolbar in one. @param {Found[]} found @returns {Found[]} */
export function foldBars(found) {
  /** @type {Map<Element, Found[]>} */
  const bars = new Map();
  for (const offer of found) {
    const bar = single(offer) && !leads(offer.element, offer.name) ? closest(offer.element, BARS) : null;
    if (bar) bars.set(bar, [...bars.get(bar) ?? [], offer]);
  }
  /** @type {Map<Found, Found | null>} */
  const instead = new Map();
  for (const [bar, list] of bars) {
    if (list.length < LEAST_OF_BAR) continue;
    const label = authorLabel(bar);
    for (const offer of list) instead.set(offer, null);
    instead.set(list[0], folded(list, `Press ${label || (/^menu/.test(token(bar, 'role')) ? 'menu' : 'toolbar')}`, label));
  }
  return found.map((offer) => instead.has(offer) ? instead.get(offer) ?? null : offer).filter((offer) => offer !== null);
}

/** Makes one of buttons that differ in their number, and of parts that are opened and closed. @param {Found[]} found @returns {Found[]} */
export function foldRows(found) {
  /** @type {Map<string, Found[]>} */
  const alike = new Map();
  for (const offer of found) {
    if (!single(offer)) continue;
    const bare = kindOf(offer.name);
    const opens = opener(offer.element);
    const kind = opens ? `opens ${opens}` : bare !== offer.name && /\p{L}/u.test(bare) ? bare.toLowerCase() : '';
    if (kind) alike.set(kind, [...alike.get(kind) ?? [], offer]);
  }
  /** @type {Map<Found, Found | null>} */
  const instead = new Map();
  for (const list of alike.values()) {
    if (list.length < LEAST_ALIKE) continue;
    const [first] = list;
    for (const offer of list) instead.set(offer, null);
    const heading = headingBefore(first.element);
    instead.set(first, opener(first.element) ? folded(list, `Show ${heading || 'part'}`, '', PARTS) : folded(list, kindOf(first.name), ''));
  }
  return found.map((offer) => instead.has(offer) ? instead.get(offer) ?? null : offer).filter((offer) => offer !== null);
}

/** What sort of button opens and closes the part below it, of several alike; '' for others. @param {Element} element */
function opener(element) {
  if (hasAttr(element, 'aria-haspopup') || localName(element) !== 'summary' && (!hasAttr(element, 'aria-expanded') || !closest(element, HEADINGS))) return '';
  const around = parentElement(element);
  return `${localName(element)} ${around ? localName(around) : ''} ${attr(element, 'class') ?? ''}`;
}

/** One offer for the buttons that are left, or the only one; null where there are none. @param {Found[]} left @returns {Found | null} */
export function foldRest(left) {
  const list = left.filter((offer) => single(offer) || offer.opens);
  if (!list.length) return null;
  if (list.length === 1 && single(list[0])) return list[0]; // one of one says less
  const one = folded(list, 'Press button', '');
  one.key = 'action:press-button';
  return one;
}

/** About how many bytes the tools made of offers have, with the one for those that are left. What changes with the records counts the same. @param {Found[]} kept @param {Found[]} left */
export function sizeOf(kept, left) {
  const listed = new Set();
  let bytes = left.some(single) ? 170 : 0;
  for (const {kind, name, about, fields, repeat} of kept) {
    let takes = 0;
    for (const field of fields) {
      takes += 24 + field.name.length + (field.required ? 12 : 0) + field.description.length;
      for (const choice of field.choices) takes += choice.name.length + 3;
    }
    bytes += 130 + 2 * name.length + (about ? about.length + 8 : 0) + Math.min(takes, MOST_TAKES);
    if (!repeat || kind !== 'list' && kind !== 'action') continue;
    bytes += repeat.table || listed.has(repeat) ? 85 : 230; // its items are told once
    listed.add(repeat);
  }
  for (const offer of left) if (single(offer)) bytes += offer.name.length + 3;
  return bytes;
}

/** Whether an offer is one button that takes nothing. @param {Found} offer */
export function single(offer) {
  return offer.kind === 'action' && !offer.repeat && !offer.fields.length;
}

/** One offer for several. @param {Found[]} list @param {string} name @param {string} about @param {string} [by] what its argument is called @param {Map<string, Element>} [choices] @returns {Found} */
export function folded(list, name, about, by = BUTTON, choices = new Map()) {
  if (!choices.size) for (const offer of list) if (!choices.has(offer.name) && choices.size < MOST_FOLDED) choices.set(offer.name, offer.element);
  /** @type {FoundField} */
  const field = {
    name: by, label: by, type: 'string', format: '', value: '', description: '', required: true,
    choices: Array.from(choices, ([name, element]) => ({name, element})), how: 'submit', element: list[0].element, input: null,
  };
  return {kind: 'action', name, about, key: '', rank: Math.max(...list.map((offer) => offer.rank)), order: list[0].order, fields: [field], element: list[0].element};
}
