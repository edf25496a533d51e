// What a person can do in the page, as the page itself says it: forms, searches,
// buttons, and lists of things with what can be done to each.

import {ELEMENT, attr, bodyOf, childElementCount, closest, collapse, eachChild, find, findAll, hasAttr, invoke, localName, nodeType, parentElement, plainContains, plainVisible, queryAll, read,
  rectOf, rootElementOf, shadowOf, textContent, token, wellFormed} from '../dom/dom.js';
import {ariaHidden, beginCall, leaving, openModal, rendered, styleOf} from '../dom/style.js';
import {editingHost, isDetailsSummary, sectioned} from '../aria/role.js';
import {disabledState, readonlyState} from '../aria/state.js';
import {continueRefs, refOf, refState} from '../snapshot/refs.js';
import {clickListeners} from '../snapshot/clickable.js';
import {standIn} from '../act/act.js';
import {clickBoxes} from '../act/point.js';
import {actionOffers} from './actions.js';
import {foldAlike, foldBars, foldRest, foldRows, single, sizeOf} from './fold.js';
import {offeredField} from './fields.js';
import {formOf, formOffers} from './forms.js';
import {fieldsBehind} from './hidden.js';
import {itemsOf, repeatIn} from './lists.js';
import {NAMELESS_LIST} from './listname.js';
import {boardIn} from './board.js';
import {listOffers} from './rows.js';
import {daysIn} from './days.js';
import {MOST_STEPS, pagerIn, pagerOffer, plainPager} from './pager.js';
import {continuesAnother} from './drawn.js';
import {noteRecord, withoutRecord} from './record.js';
import {headsAnother, tableIn} from './tables.js';
/** @import {FoundField} from './fields.js' */
/** @import {Repeat} from './lists.js' */
/** @import {Pager} from './pager.js' */

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
 * @property {Pager[]} pagers
 * @property {Repeat | null} row the list in whose item the survey is
 * @property {Set<Element>} taken what is a row of a list already
 * @property {number} count
 * @property {number} plain how many more plain boxes are looked at for what a pointer says of them
 */

/**
 * An offer as it is found; what is sent is made of it.
 * @typedef {object} Found
 * @property {'form' | 'search' | 'action' | 'list' | 'read' | 'sort' | 'select' | 'page'} kind
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
 * @property {Pager} [pager]
 * @property {'fill' | 'send'} [opens] it shows the form that has its fields, and what is done with that
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

/** @typedef {{kind: string, name: string, about: string, key: string, fields: OfferedField[], items: string[], rank: number, table: boolean, undrawn: boolean, how: string, ref: string}} Offered */

const MOST_OFFERS = 14;
/** More of those that were told before, so that what was there stays. */
const MOST_KEPT = 6;
/** Of the tools that are made of them, which leaves buttons to the one tool that presses any. */
const MOST_BYTES = 2800;
/** The keys of what this document was told to offer. @type {Set<string>} */
const told = new Set();
/** Of each kind, so that one kind leaves room for the others. @type {Record<string, number>} */
const MOST_OF_KIND = {form: 8, search: 3, list: 6, row: 6, action: 8, read: 3, sort: 3, select: 2, page: 2};
const MOST_CONTROLS = 800;
const MOST_PLAIN_BOXES = 800;
export const INDEX = 'index';
export const ITEM = 'item';

const FIELD_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'checkbox', 'switch', 'radio', 'slider', 'spinbutton', 'listbox']);
const BUTTON_ROLES = new Set(['button', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab']);
export const NEVER_SURVEYED = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg', 'math', 'iframe', 'frame', 'object', 'embed', 'canvas', 'video', 'audio', 'map']);

/** @param {{prefix?: string, next?: number}} request @returns {{offers: Offered[], modal: boolean, closing: boolean, alone: boolean, next: number}} closing while a dialog is about to go, and alone where a dialog keeps the page's frames from being used */
export function offers(request) {
  beginCall();
  continueRefs(request);
  const found = window.innerWidth * window.innerHeight < 1000 ? [] : findOffers();
  for (const {key} of found) told.add(key);
  const offers = found.map(offered);
  const dialog = frontDialog();
  const alone = dialog !== null && queryAll(dialog, 'iframe').length === 0;
  const closing = Array.from(findAll('[role="dialog"], [aria-modal="true"], dialog[open]')).some(goesAway);
  const next = refState.next;
  beginCall();
  return {offers, modal: dialog !== null, closing, alone, next};
}

/** Whether a dialog is fading away, by itself or with what holds it. @param {Element} dialog */
function goesAway(dialog) {
  for (let at = /** @type {Element | null} */ (dialog), left = 4; at && left-- > 0; at = parentElement(at)) if (leaving(at)) return true;
  return false;
}

/** The page's offers, most useful first, each with its key. @returns {Found[]} */
export function findOffers() {
  const seen = survey();
  noteRecord(seen.repeats);
  /** @type {Found[]} */
  const found = [];
  for (const repeat of seen.repeats) found.push(...listOffers(repeat, seen));
  const used = new Set();
  found.push(...seen.pagers.map(pagerOffer));
  found.push(...formOffers(seen.controls, used));
  found.push(...actionOffers(seen.controls.filter((control) => !used.has(control.element))));
  fieldsBehind(found);
  if (found.some((offer) => offer.kind === 'search' && offer.fields.some((field) => field.value))) {
    for (const offer of found) if (offer.kind === 'list' && offer.name === NAMELESS_LIST) offer.name = 'Search results';
  }
  for (const offer of found) offer.name = withoutRecord(offer.name) || offer.name;
  const whole = foldBars(foldRows(foldAlike(found)));
  nameApart(whole);
  whole.sort((a, b) => b.rank - a.rank || a.order - b.order);
  /** @type {Record<string, number>} */
  const count = {};
  let room = MOST_OFFERS;
  const kept = whole.filter((offer) => {
    const kind = offer.kind === 'action' && offer.repeat ? 'row' : offer.kind;
    count[kind] = (count[kind] ?? 0) + 1;
    const fits = told.has(offer.key) ? room > -MOST_KEPT : room > 0 && count[kind] <= MOST_OF_KIND[kind];
    if (fits) room--;
    return fits;
  });
  const left = whole.filter((offer) => !kept.includes(offer));
  const folds = () => kept.findLastIndex((offer) => single(offer) && !told.has(offer.key));
  for (let last = folds(); last >= 0 && (room <= 0 && left.some(single) || sizeOf(kept, left) > MOST_BYTES); last = folds(), room++) {
    left.unshift(...kept.splice(last, 1)); // what presses them takes a place, too
  }
  return kept.concat(foldRest(left) ?? []);
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
  const itemwise = found.kind === 'list' || found.kind === 'action';
  const items = found.repeat && itemwise ? itemsOf(found.repeat) : [];
  const fields = found.fields.map(offeredField);
  if (found.repeat && itemwise) {
    fields.unshift({name: ITEM, label: 'Item', type: 'string'}, {name: INDEX, label: 'Index', type: 'integer'});
  }
  return {kind: found.kind, name: brief(found.name, 80), about: brief(found.about, 120), key: found.key, fields, items, rank: found.rank, table: !!found.repeat?.table, undrawn: !!found.repeat?.table && found.repeat.table.total > found.repeat.rows.length, how: found.opens ?? (found.set || found.kind === 'form' && !found.submits?.length ? 'set' : ''), ref: refOf(found.element)};
}

/** The dialog that a person has to deal with first. @returns {Element | null} */
function frontDialog() {
  const modal = openModal();
  if (modal) return modal;
  /** @type {Element | null} */
  let front = null;
  for (const dialog of findAll('[aria-modal="true"]')) if (rendered(dialog) && !ariaHidden(dialog) && !goesAway(dialog)) front = dialog;
  if (front) return front;
  // One before which the rest is hidden from ARIA is in front, too.
  for (const dialog of findAll('[role="dialog"], [role="alertdialog"]')) {
    if (!rendered(dialog) || ariaHidden(dialog) || goesAway(dialog)) continue;
    for (let at = parentElement(dialog), inner = /** @type {Element} */ (dialog); at; [inner, at] = [at, parentElement(at)]) {
      if (localName(at) === 'body' && queryAll(at, ':scope > [aria-hidden="true"]').length && childrenHidden(at, inner)) front = dialog;
    }
    if (!front && covered(dialog)) front = dialog;
  }
  return front;
}

/** Whether something empty keeps a person from all of the page but a dialog. @param {Element} dialog */
function covered(dialog) {
  const top = invoke(document, 'elementFromPoint', 1, 1);
  if (!top || styleOf(top).position !== 'fixed' || queryAll(top, ANY_CONTROL).length && !plainContains.call(top, dialog)) return false;
  const box = rectOf(top);
  return box.width >= window.innerWidth * 0.95 && box.height >= window.innerHeight * 0.95 && top !== dialog;
}

/** Whether all that holds something beside an element is hidden from ARIA. @param {Element} around @param {Element} element */
function childrenHidden(around, element) {
  for (const child of Array.from(read(around, 'children'))) {
    if (child !== element && !NEVER_SURVEYED.has(localName(child)) && queryAll(child, ANY_CONTROL).length && token(child, 'aria-hidden') !== 'true') return false;
  }
  return true;
}

/** @returns {Survey} */
function survey() {
  /** @type {Survey} */
  const seen = {controls: [], repeats: [], pagers: [], row: null, taken: new Set(), count: 0, plain: MOST_PLAIN_BOXES};
  const dialog = frontDialog();
  const top = dialog ?? bodyOf(document) ?? rootElementOf(document);
  if (top) surveyInside(top, dialog ? 'dialog' : 'page', styleOf(top).cursor === 'pointer', seen, 0);
  return seen;
}

/** @param {Element} element @param {Zone} area @param {boolean} pointer @param {Survey} seen @param {number} depth */
export function surveyInside(element, area, pointer, seen, depth) {
  if (depth > 300 || headsAnother(element) || continuesAnother(element)) return;
  const board = seen.row || seen.taken.size ? null : boardIn(element, area, seen.count);
  if (board) {
    seen.repeats.push(board);
    seen.count++;
    board.rows.forEach((row) => seen.taken.add(row));
  }
  const repeat = seen.row || board || seen.taken.size && Array.from(read(element, 'children')).some((child) => seen.taken.has(child)) ? null : tableIn(element, area, seen.count) ?? daysIn(element, area, seen.count) ?? repeatIn(element, area, seen.count);
  if (repeat) {
    seen.repeats.push(repeat);
    seen.count++;
    for (const row of repeat.within ?? []) surveyInside(row, area, pointer, seen, depth + 1);
  }
  eachChild(element, (child) => {
    if (nodeType(child) === ELEMENT && !repeat?.members.has(/** @type {Element} */ (child))) surveyElement(/** @type {Element} */ (child), area, pointer, seen, depth + 1);
  });
}

/** @param {Element} element @param {Zone} area @param {boolean} pointer @param {Survey} seen @param {number} depth */
function surveyElement(element, area, pointer, seen, depth) {
  const tag = localName(element);
  if (NEVER_SURVEYED.has(tag) || seen.taken.has(element) || seen.controls.length >= MOST_CONTROLS) return;
  if (hasAttr(element, 'inert') || token(element, 'aria-hidden') === 'true' || leaving(element)) return;
  const kind = controlKind(element, tag);
  if (declared(tag === 'form' ? element : kind ? formOf(element) : null)) return;
  if (kind) {
    const off = disabledState(element);
    if (!(off && kind === 'field') && operable(element, kind)) seen.controls.push({element, kind, area, order: seen.count++, off});
    return;
  }
  if (tag !== 'slot' && !childElementCount(element) && !shadowOf(element) && !textContent(element)) return;
  if (!plainVisible.call(element) && styleOf(element).display !== 'contents') return;
  if (tag !== 'label' && actsPlainly(element, tag, pointer, seen)) {
    if (operable(element, 'button')) seen.controls.push({element, kind: 'button', area, order: seen.count++, off: disabledState(element)});
    return;
  }
  const inner = areaOf(element, tag, area);
  let pager = seen.row ? null : pagerIn(element, inner, seen.count);
  const from = seen.controls.length, lists = seen.repeats.length, pagers = seen.pagers.length;
  surveyInside(element, inner, pointer, seen, depth);
  const steps = seen.controls.length - from;
  if (!pager && !seen.row && steps > 1 && steps <= MOST_STEPS && lists === seen.repeats.length && pagers === seen.pagers.length) {
    pager = plainPager(element, inner, seen.controls[from].order, seen.controls.slice(from), lists > 0);
  }
  if (!pager) return;
  // What leads through the pages is told once; how many rows a page has is a field of its own.
  seen.pagers.splice(pagers, Infinity, pager);
  seen.controls = seen.controls.filter(({element: control, kind: is}, i) => i < from || is === 'field' && control !== pager.field);
  seen.repeats.length = lists;
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
  if (tag.includes('-') || childElementCount(element) > 3 || /^(tree|grid|treegrid|table|list|listbox)$/.test(token(element, 'role')) || closest(element, 'label')) return false;
  const index = attr(element, 'tabindex');
  let acts = clickListeners.has(element) || hasAttr(element, 'onclick') || index !== null && Number.parseInt(index, 10) >= 0;
  if (!acts && !pointer && !seen.row && seen.plain > 0 && (tag === 'div' || tag === 'span' || tag === 'li' || tag === 'td')) {
    seen.plain--;
    acts = styleOf(element).cursor === 'pointer';
  }
  return acts && textContent(element).length <= 200 && queryAll(element, `${ANY_CONTROL}, ${ANY_PART}`).length === 0;
}

const ANY_PART = 'table, [role="slider"], [role="spinbutton"], [role="switch"], [role="combobox"], [role="radio"], [role="option"], [role="treeitem"], [role="tab"], [role="menuitem"]';
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
    if (readonlyState(element) && token(element, 'role') !== 'combobox') return false;
    if (type === 'checkbox' || type === 'radio' || token(element, 'role') === 'switch') shown = rendered(element) && big(element) ? element : drawnFor(element);
  }
  return rendered(shown) && big(shown);
}

/** What is drawn in place of a box that cannot be seen: its label, or what holds it alone. @param {Element} box */
function drawnFor(box) {
  const shown = standIn(box);
  const around = shown === box ? parentElement(box) : null;
  return around && childElementCount(around) > 1 && !collapse(textContent(around)) && queryAll(around, ANY_CONTROL).length === 1 ? around : shown;
}

/** Whether an element has a size, and is not kept out of the page. @param {Element} element */
function big(element) {
  const box = rectOf(element);
  if (styleOf(element).display === 'contents') return true;
  if (box.width <= 1 || box.height <= 1) return clickBoxes(element).length > 0 && box.width === 0;
  return box.right + window.scrollX > 0 && box.bottom + window.scrollY > 0;
}
