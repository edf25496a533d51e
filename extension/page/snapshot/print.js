// What a print of the page does not show.

import {hasAttr, invoke} from '../dom/dom.js';
import {showing} from '../dom/private.js';
import {elementOf} from './refs.js';

/** Elements whose style was changed for a print, with what it said before. @type {Map<HTMLElement, {property: string, value: string, priority: string, styled: boolean}>} */
const concealed = new Map();

/**
 * Turns letters that are not to be told into dots, and hides frames, until reveal.
 * @param {string[]} frames their refs
 * @returns {boolean} whether there are any
 */
export function conceal(frames) {
  for (const element of showing()) restyle(element, '-webkit-text-security', 'disc');
  for (const frame of frames.map(elementOf)) if (frame) restyle(frame, 'visibility', 'hidden');
  return concealed.size > 0;
}

/** @param {Element} element @param {string} property @param {string} value */
function restyle(element, property, value) {
  const {style} = /** @type {HTMLElement} */ (element);
  if (!concealed.has(/** @type {HTMLElement} */ (element))) {
    concealed.set(/** @type {HTMLElement} */ (element), {property, value: style.getPropertyValue(property), priority: style.getPropertyPriority(property), styled: hasAttr(element, 'style')});
  }
  style.setProperty(property, value, 'important');
}

/** Shows them again. */
export function reveal() {
  for (const [element, {property, value, priority, styled}] of concealed) {
    element.style.removeProperty(property);
    if (value) element.style.setProperty(property, value, priority);
    if (!styled && hasAttr(element, 'style')) invoke(element, 'removeAttribute', 'style'); // asked first: Chrome keeps an empty one otherwise
  }
  concealed.clear();
}
