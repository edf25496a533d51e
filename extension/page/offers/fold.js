// Buttons that share one offer, with the button as its argument: those of a
// toolbar, and those for which there is no room.

import {closest} from '../dom/dom.js';
import {leads} from './actions.js';
import {authorLabel} from './forms.js';
/** @import {Found} from './offers.js' */
/** @import {FoundField} from './fields.js' */

const BARS = '[role="toolbar"], [role="menubar"], [role="menu"], [role="radiogroup"]';
const LEAST_OF_BAR = 5;
const MOST_FOLDED = 60;
const BUTTON = 'button';

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
    instead.set(list[0], folded(list, label ? `Press ${label}` : 'Press toolbar', label));
  }
  return found.map((offer) => instead.has(offer) ? instead.get(offer) ?? null : offer).filter((offer) => offer !== null);
}

/** One offer for the buttons that are left; null where there are none. @param {Found[]} left @returns {Found | null} */
export function foldRest(left) {
  const list = left.filter(single);
  if (!list.length) return null;
  const one = folded(list, 'Press button', '');
  one.key = 'action:press-button';
  return one;
}

/** Whether an offer is one button that takes nothing. @param {Found} offer */
function single(offer) {
  return offer.kind === 'action' && !offer.repeat && !offer.fields.length;
}

/** @param {Found[]} list @param {string} name @param {string} about @returns {Found} */
function folded(list, name, about) {
  /** @type {Map<string, Element>} */
  const choices = new Map();
  for (const offer of list) if (!choices.has(offer.name) && choices.size < MOST_FOLDED) choices.set(offer.name, offer.element);
  /** @type {FoundField} */
  const field = {
    name: BUTTON, label: BUTTON, type: 'string', format: '', value: '', description: '', required: true,
    choices: Array.from(choices, ([name, element]) => ({name, element})), how: 'submit', element: list[0].element, input: null,
  };
  return {kind: 'action', name, about, key: '', rank: Math.max(...list.map((offer) => offer.rank)), order: list[0].order, fields: [field], element: list[0].element};
}
