// What a person can do in the page, as the page itself says it: forms, searches,
// buttons, and lists of things with what can be done to each.

import {ELEMENT, attr, bodyOf, childElementCount, eachChild, find, findAll, hasAttr, localName, nodeType, plainVisible, queryAll,
  rectOf, rootElementOf, shadowOf, textContent, token, wellFormed} from '../dom/dom.js';
import {ariaHidden, beginCall, openModal, rendered, styleOf} from '../dom/style.js';
import {editingHost, isDetailsSummary, sectioned} from '../aria/role.js';
import {disabledState, readonlyState} from '../aria/state.js';
import {continueRefs, refOf, refState} from '../snapshot/refs.js';
import {clickListeners} from '../snapshot/clickable.js';
import {standIn} from '../act/act.js';
import {clickBoxes} from '../act/point.js';
import {actionOffers} from './actions.js';
import {offeredField} from './fields.js';
import {formOf, formOffers} from './forms.js';
import {NAMELESS_LIST, itemsOf, repeatIn} from './lists.js';
import {listOffers} from './rows.js';
/** @import {FoundField} from './fields.js' */
/** @import {Repeat} from './lists.js' */

/** @typedef {'dialog' | 'main' | 'page' | 'aside' | 'top' | 'nav' | 'foot'} Zone */

/**
 * A field, button or link that the survey met.
 * @typedef {object} Control
 * @property {Element} element
 * @property {'field' | 'button' | 'link'} kind
 * @property {Zone} area
 * @property {number} order
 * @property {boolean} off it is disabled
 */

/**
 * @typedef {object} Survey
 * @property {Control[]} controls those outside of lists
 * @property {Repeat[]} repeats
 * @property {Repeat | null} row the list in whose item the survey is
 * @property {number} count
 * @property {number} plain how many more plain boxes are looked at for what a pointer says of them
 */

/**
 * An offer as it is found; what is sent is made of it.
 * @typedef {object} Found
 * @property {'form' | 'search' | 'action' | 'list'} kind
 * @property {string} name
 * @property {string} about
 * @property {string} key
 * @property {number} rank the higher, the more useful
 * @property {number} order
 * @property {FoundField[]} fields
 * @property {Element} element
 * @property {Element[]} [submits] buttons that send it, the usual one first
 * @property {Repeat} [repeat] the list that it is of
 * @property {string} [press] what is pressed in an item, by its name
 * @property {string} [set] the field of an item that is set, by its name
 */

/**
 * @typedef {object} OfferedField
 * @property {string} name
 * @property {string} label
 * @property {string} type
 * @property {string} [format]
 * @property {string} [default]
 * @property {string} [description]
 * @property {boolean} [required]
 * @property {boolean} [multiple]
 * @property {string[]} [options]
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [step]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {string} [pattern]
 * @property {string} [ref]
 */

/** @typedef {{kind: string, name: string, about: string, key: string, fields: OfferedField[], items: string[], ref: string}} Offered */

const MOST_OFFERS = 40;
/** Of each kind, so that one kind leaves room for the others. @type {Record<string, number>} */
const MOST_OF_KIND = {form: 10, search: 4, list: 8, action: 26};
const MOST_CONTROLS = 800;
const MOST_PLAIN_BOXES = 800;
export const INDEX = 'index';

const FIELD_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'checkbox', 'switch', 'radio', 'slider', 'spinbutton', 'listbox']);
const BUTTON_ROLES = new Set(['button', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab']);
export const NEVER_SURVEYED = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg', 'math', 'iframe', 'frame', 'object', 'embed', 'canvas', 'video', 'audio', 'map']);

/** @param {{prefix?: string, next?: number}} request @returns {{offers: Offered[], alone: boolean, next: number}} alone where a dialog keeps the page's frames from being used */
export function offers(request) {
  beginCall();
  continueRefs(request);
  const offers = window.innerWidth * window.innerHeight < 1000 ? [] : findOffers().map(offered);
  const dialog = frontDialog();
  const alone = dialog !== null && queryAll(dialog, 'iframe').length === 0;
  const next = refState.next;
  beginCall();
  return {offers, alone, next};
}

/** The page's offers, most useful first, each with its key. @returns {Found[]} */
export function findOffers() {
  const seen = survey();
  /** @type {Found[]} */
  const found = [];
  for (const repeat of seen.repeats) found.push(...listOffers(repeat, seen));
  const used = new Set();
  found.push(...formOffers(seen.controls, used));
  found.push(...actionOffers(seen.controls.filter((control) => !used.has(control.element))));
  if (found.some((offer) => offer.kind === 'search' && offer.fields.some((field) => field.value))) {
    for (const offer of found) if (offer.kind === 'list' && offer.name === NAMELESS_LIST) offer.name = 'Search results';
  }
  nameApart(found);
  found.sort((a, b) => b.rank - a.rank || a.order - b.order);
  /** @type {Record<string, number>} */
  const told = {};
  return found.filter((offer) => (told[offer.kind] = (told[offer.kind] ?? 0) + 1) <= MOST_OF_KIND[offer.kind]).slice(0, MOST_OFFERS);
}

/** Gives each offer its key; where several are called the same, what is around them tells them apart. @param {Found[]} found */
function nameApart(found) {
  /** @type {Map<string, Found[]>} */
  const same = new Map();
  found.sort((a, b) => a.order - b.order);
  for (const offer of found) {
    const kind = offer.kind === 'search' ? 'form' : offer.kind;
    offer.key = `${kind}:${keyWords(offer.name)}` + (offer.repeat && kind === 'action' ? '@' + keyWords(offer.about) : '');
    same.set(offer.key, [...same.get(offer.key) ?? [], offer]);
  }
  for (const [key, list] of same) {
    if (list.length < 2) continue;
    const apart = new Set(list.map((offer) => offer.about)).size === list.length;
    list.forEach((offer, i) => {
      if (apart && offer.about) offer.key = `${key}:${keyWords(offer.about)}`;
      else if (i) offer.key = `${key}~${i + 1}`;
      if (apart && offer.about && !offer.name.includes(offer.about)) offer.name = brief(`${offer.name}: ${offer.about}`, 80);
    });
  }
}

/** The words of a name, for a key: without amounts, which change. @param {string} name */
function keyWords(name) {
  return name.toLowerCase().replace(/[$€£¥]\s*[\d.,]+|[\d.,]+\s*[$€£¥]|\(\d[\d.,]*\)/g, ' ').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 60);
}

/** @param {string} text @param {number} most */
export function brief(text, most) {
  return wellFormed(text.length <= most ? text : text.slice(0, most - 1).trimEnd() + '…');
}

/** @param {Found} found @returns {Offered} */
export function offered(found) {
  const items = found.repeat ? itemsOf(found.repeat) : [];
  const fields = found.fields.map(offeredField);
  if (found.repeat) {
    const {rows} = found.repeat;
    fields.unshift({name: INDEX, label: 'Index', type: 'integer', required: true, min: 0, max: Math.max(rows.length, 1) - 1});
  }
  return {kind: found.kind, name: brief(found.name, 80), about: brief(found.about, 120), key: found.key, fields, items, ref: refOf(found.element)};
}

/** The dialog that a person has to deal with first. @returns {Element | null} */
function frontDialog() {
  const modal = openModal();
  if (modal) return modal;
  /** @type {Element | null} */
  let front = null;
  for (const dialog of findAll('[aria-modal="true"]')) if (rendered(dialog) && !ariaHidden(dialog)) front = dialog;
  return front;
}

/** @returns {Survey} */
function survey() {
  /** @type {Survey} */
  const seen = {controls: [], repeats: [], row: null, count: 0, plain: MOST_PLAIN_BOXES};
  const dialog = frontDialog();
  const top = dialog ?? bodyOf(document) ?? rootElementOf(document);
  if (top) surveyInside(top, dialog ? 'dialog' : 'page', styleOf(top).cursor === 'pointer', seen, 0);
  return seen;
}

/** @param {Element} element @param {Zone} area @param {boolean} pointer @param {Survey} seen @param {number} depth */
export function surveyInside(element, area, pointer, seen, depth) {
  if (depth > 300) return;
  const repeat = seen.row ? null : repeatIn(element, area, seen.count);
  if (repeat) {
    seen.repeats.push(repeat);
    seen.count++;
  }
  eachChild(element, (child) => {
    if (nodeType(child) === ELEMENT && !repeat?.members.has(/** @type {Element} */ (child))) surveyElement(/** @type {Element} */ (child), area, pointer, seen, depth + 1);
  });
}

/** @param {Element} element @param {Zone} area @param {boolean} pointer @param {Survey} seen @param {number} depth */
function surveyElement(element, area, pointer, seen, depth) {
  const tag = localName(element);
  if (NEVER_SURVEYED.has(tag) || seen.controls.length >= MOST_CONTROLS) return;
  if (hasAttr(element, 'inert') || token(element, 'aria-hidden') === 'true') return;
  const kind = controlKind(element, tag);
  if (declared(tag === 'form' ? element : kind ? formOf(element) : null)) return;
  if (kind) {
    const off = disabledState(element);
    if (!(off && kind === 'field') && operable(element, kind)) seen.controls.push({element, kind, area, order: seen.count++, off});
    return;
  }
  if (!childElementCount(element) && !shadowOf(element) && !textContent(element)) return;
  if (!plainVisible.call(element) && styleOf(element).display !== 'contents') return;
  if (tag !== 'label' && actsPlainly(element, tag, pointer, seen)) {
    if (operable(element, 'button')) seen.controls.push({element, kind: 'button', area, order: seen.count++, off: disabledState(element)});
    return;
  }
  surveyInside(element, areaOf(element, tag, area), pointer, seen, depth);
}

/** Whether a form is a tool that the page declares. One without toolautosubmit is the person's to submit, also where the browser knows no such tools. @param {Element | null} form */
function declared(form) {
  return form !== null && hasAttr(form, 'toolname') && (!hasAttr(form, 'toolautosubmit') || 'modelContext' in document);
}

/** What sort of control an element is; empty where it is none, or where one in it is. @param {Element} element @param {string} tag @returns {Control['kind'] | ''} */
function controlKind(element, tag) {
  const role = token(element, 'role');
  switch (tag) {
    case 'input': {
      const type = /** @type {HTMLInputElement} */ (element).type;
      if (type === 'hidden' || type === 'reset' || type === 'file') return '';
      return type === 'submit' || type === 'button' || type === 'image' ? 'button' : 'field';
    }
    case 'select': case 'textarea': return 'field';
    case 'button': return role === 'switch' || role === 'checkbox' || role === 'combobox' ? 'field' : role === 'option' || role === 'radio' ? '' : 'button';
    case 'a': case 'area': return BUTTON_ROLES.has(role) ? 'button' : hasAttr(element, 'href') ? 'link' : role === 'link' ? 'link' : '';
    case 'summary': return isDetailsSummary(element) ? 'button' : '';
  }
  // The list that a field shows its suggestions in is a part of that field.
  if (role === 'listbox' && (!queryAll(element, '[role="option"]').length || shownBy(element))) return '';
  if (FIELD_ROLES.has(role)) return role === 'radio' || queryAll(element, 'input, textarea, select').length ? '' : 'field';
  if (BUTTON_ROLES.has(role)) return 'button';
  if (role === 'link') return 'link';
  return hasAttr(element, 'contenteditable') && editingHost(element) ? 'field' : '';
}

/** Whether a field shows an element as its own. @param {Element} element */
function shownBy(element) {
  const id = attr(element, 'id');
  return !!id && find(`[aria-controls~="${CSS.escape(id)}"], [aria-owns~="${CSS.escape(id)}"]`) !== null;
}

/** Whether a box without a role acts on a click, and as a whole. @param {Element} element @param {string} tag @param {boolean} pointer @param {Survey} seen */
function actsPlainly(element, tag, pointer, seen) {
  if (tag.includes('-') || childElementCount(element) > 3) return false;
  const index = attr(element, 'tabindex');
  let acts = clickListeners.has(element) || hasAttr(element, 'onclick') || index !== null && Number.parseInt(index, 10) >= 0;
  if (!acts && !pointer && !seen.row && seen.plain > 0 && (tag === 'div' || tag === 'span' || tag === 'li' || tag === 'td')) {
    seen.plain--;
    acts = styleOf(element).cursor === 'pointer';
  }
  return acts && textContent(element).length <= 200 && queryAll(element, ANY_CONTROL).length === 0;
}

const ANY_CONTROL = 'a[href], button, input, select, textarea, label, [role="button"], [role="link"], [role="checkbox"], [role="textbox"], [contenteditable]';

/** @param {Element} element @param {string} tag @param {Zone} area @returns {Zone} */
function areaOf(element, tag, area) {
  const role = token(element, 'role');
  switch (role || tag) {
    case 'dialog': case 'alertdialog': return 'dialog';
    case 'main': return area === 'dialog' ? area : 'main';
    case 'nav': case 'navigation': return area === 'foot' ? area : 'nav';
    case 'aside': case 'complementary': return area === 'page' ? 'aside' : area;
    case 'header': case 'banner': return area === 'page' && !sectioned(element) ? 'top' : area;
    case 'footer': case 'contentinfo': return area === 'page' && !sectioned(element) ? 'foot' : area;
    case 'menu': return token(element, 'role') === 'menu' ? 'dialog' : area; // it was opened just now
  }
  return area;
}

/** Whether a person can see a control and get at it. @param {Element} element @param {Control['kind']} kind */
function operable(element, kind) {
  let shown = element;
  if (kind === 'field') {
    const type = token(element, 'type');
    if (readonlyState(element)) return false;
    if (type === 'checkbox' || type === 'radio' || token(element, 'role') === 'switch') shown = rendered(element) && big(element) ? element : standIn(element);
  }
  return rendered(shown) && big(shown);
}

/** Whether an element has a size, and is not kept out of the page. @param {Element} element */
function big(element) {
  const box = rectOf(element);
  if (styleOf(element).display === 'contents') return true;
  if (box.width <= 1 || box.height <= 1) return clickBoxes(element).length > 0 && box.width === 0;
  return box.right + window.scrollX > 0 && box.bottom + window.scrollY > 0;
}
