// Between the focus and the text: a page may give the focus to another field, which
// would then get what is typed.

import {composedParent, shadowOf} from '../dom/dom.js';

/** How long a text may be on its way, in ms. */
const TEXT_TIME = 1000;

/** The field that a text is on its way to, and the element that would have got it. @type {{field: Element, until: number, went: Element | null} | null} */
let awaited = null;
let watched = false;

/** Keeps the text that follows from every element but the field; null for none. @param {Element | null} field */
export function expectText(field) {
  awaited = field && {field, until: performance.now() + TEXT_TIME, went: null};
  if (watched) return;
  watched = true;
  for (const type of ['keydown', 'keypress', 'beforeinput', 'keyup']) window.addEventListener(type, guard, true);
}

/** The element that a text was kept from; null where it came to its field. @returns {Element | null} */
export function strayed() {
  return awaited?.went ?? null;
}

/** @param {Event} event */
function guard(event) {
  if (!awaited || !event.isTrusted || performance.now() > awaited.until) return;
  const at = event.composedPath()[0];
  if (!(at instanceof Element)) return;
  if (!awaited.went && holds(at, awaited.field)) {
    awaited = null; // what follows may go on elsewhere, as in codes with a field for each digit
    return;
  }
  awaited.went ??= at;
  event.stopImmediatePropagation();
  event.preventDefault();
}

/** Whether an event at an element is one of the field: a closed shadow tree is told as its host. @param {Element} at @param {Element} field */
function holds(at, field) {
  if (at === field) return true;
  if (!shadowOf(at)) return false;
  for (let up = composedParent(field); up; up = composedParent(up)) if (up === at) return true;
  return false;
}
