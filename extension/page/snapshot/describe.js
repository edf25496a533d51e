// One element in a few words, as its line in the snapshot would say it.

import {composedParent, noteShadow} from '../dom/dom.js';
import {ariaHidden, inert, rendered, styleOf} from '../dom/style.js';
import {roleOf} from '../aria/role.js';
import {NAMELESS, authorName, nameOf} from '../aria/name.js';
import {quote} from '../aria/state.js';
import {refOf} from './refs.js';
import {PASSED_OVER} from './roles.js';
import {walkElement} from './tree.js';
import {isLine} from './settle.js';
/** @import {Line, Place, Walk} from './tree.js' */

/** The line that a snapshot would have for the element; null when it would have none. @param {Element} element @returns {Line | null} */
export function lineFor(element) {
  noteShadow(element);
  /** @type {Walk} */
  const walk = {all: false, urls: false, budget: 5000, stopped: false, hosts: []};
  const around = composedParent(element);
  /** @type {Place} */
  const place = {unseen: ariaHidden(element), veil: false, muted: false, pointer: !!around && styleOf(around).cursor === 'pointer', depth: 0};
  /** @type {(Line | string | symbol)[]} */
  const out = [];
  walkElement(element, out, place, walk);
  for (const kid of out) if (isLine(kid) && kid.element === element) return kid;
  return null;
}

/** The role that a line about the element shows. @param {Element} element @returns {string} */
export function shownRole(element) {
  const role = roleOf(element);
  return PASSED_OVER.has(role) ? lineFor(element)?.role ?? 'generic' : role;
}

/** The name that a line about the element shows. @param {Element} element @param {string} role @returns {string} */
export function shownName(element, role) {
  if (role === 'generic') return nameOf(element);
  return lineFor(element)?.name ?? nameOf(element);
}

/** An element in a few words with its ref, such as `button "Save" [e5]`, for answers and errors. @param {Element} element */
export function describe(element) {
  return elementSaid(element)[0];
}

/** What describe says, and the role in it. @param {Element} element */
export function elementSaid(element) {
  const role = shownRole(element);
  const name = shownName(element, role);
  const short = name.length > 80 ? name.slice(0, 79) + '…' : name;
  return [`${role}${short ? ' ' + quote(short) : ''} [${refOf(element, role, name)}]`, role];
}

/** What the page script computes for one element; compared with Chrome's tree in tests. @param {Element} element */
export function inspect(element) {
  noteShadow(element);
  const role = roleOf(element);
  const ignored = !rendered(element) || ariaHidden(element) || inert(element);
  return {role, name: NAMELESS.has(role) ? authorName(element, true) : nameOf(element), ignored};
}
