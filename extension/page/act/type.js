// Typing: where the caret stands before, and what the field holds afterwards.

import {attr, bodyOf, composedParent, focusedElement, invoke, isConnected, localName, plainContains, read, rectOf, rootElementOf,
  textContent, wellFormed} from '../dom/dom.js';
import {isPrivate, seal} from '../dom/private.js';
import {beginCall, rendered, styleOf} from '../dom/style.js';
import {focusable, roleOf} from '../aria/role.js';
import {disabledState, readonlyState} from '../aria/state.js';
import {continueRefs, eachElement, elementOf, refOf, refState} from '../snapshot/refs.js';
import {Objected, hindered} from '../objection.js';
import {inertHere, kindOf, mustSee, prepared} from './act.js';
import {describeCover, fillsView, placePointer, pointOn, visiblePart} from './point.js';
import {aim} from './aim.js';
import {caret} from './caret.js';
import {expectText, strayed} from './stray.js';
import {endTaking, taken, watchTaking} from './taking.js';
import {forgetUnsent} from './unsent.js';
import {describe} from '../snapshot/describe.js';
import {hasFocus} from '../dom/view.js';
import {change} from '../dom/wait.js';
/** @import {Code} from '../objection.js' */
/** @import {ActRequest, Ready} from './act.js' */

/** What was typed into last; caret is where it was put. @type {{element: Element, before: string, kind: string, around: string, caret: unknown[]} | null} */
let typing = null;

/**
 * Focuses an element without moving the page. The document of a frame that has not the focus has a focused element all
 * the same: its body.
 * @param {Element} element
 */
export function focusOn(element) {
  if (focusedElement() !== element || !hasFocus()) invoke(/** @type {HTMLElement} */ (element), 'focus', {preventScroll: true});
}

/**
 * The element that has the focus, if it is not the page as a whole.
 * @param {{prefix?: string, next?: number}} request
 * @returns {{ref: string, frame: boolean, next: number}} frame: what is within it has the focus
 */
export function focusedRef(request) {
  beginCall();
  forgetUnsent();
  continueRefs(request);
  const focused = focusedElement();
  const none = !focused || focused === rootElementOf(document) || focused === bodyOf(document) && kindOf(focused) !== 'editor';
  return {ref: none ? '' : refOf(focused), frame: !none && kindOf(focused) === 'frame', next: refState.next};
}

/** What stands in a field or an editor. @param {Element} element @returns {string} */
export function fieldText(element) {
  const tag = localName(element);
  if (tag === 'input' || tag === 'textarea') return /** @type {HTMLInputElement} */ (element).value;
  return read(/** @type {HTMLElement} */ (element), 'innerText') ?? textContent(element) ?? '';
}

/** The element that takes text: itself, or the one in it. @param {Element} element @returns {Element} */
function textTaker(element) {
  const kind = kindOf(element);
  if (kind !== 'other') return element;
  const inner = /** @type {Element[]} */ ([]);
  eachElement(element, (child) => {
    if (child !== element && inner.length < 2 && /^(field|editor|shaped)$/.test(kindOf(child)) && rendered(child) && !(inner[0] && plainContains.call(inner[0], child))) inner.push(child);
  });
  return inner.length === 1 ? inner[0] : element;
}

/** @param {Element} element @param {ActRequest} request @param {Ready} ready */
export function readyToType(element, request, ready) {
  const taker = textTaker(element);
  if (taker !== element) {
    element = taker;
    prepared(element, ready);
  }
  const kind = kindOf(element);
  ready.kind = kind === 'other' ? 'keys' : kind;
  if (kind === 'select' || kind === 'listbox' || kind === 'check' || kind === 'button' || kind === 'file' || kind === 'option') return;
  mustSee(element);
  if (disabledState(element)) throw hindered('disabled');
  ready.suggests = suggests(element);
  if (readonlyState(element)) {
    if (!ready.suggests) throw hindered('readonly');
    ready.kind = 'opens'; // it may take text when its list is open
    placePointer(element, ready, true);
    aim(element);
    return;
  }
  if (inertHere(element)) throw hindered('inert');
  if (kind === 'shaped') return;
  if (!visiblePart(element)) invoke(element, 'scrollIntoView', {block: 'center', inline: 'nearest', behavior: 'instant'});
  if (kind === 'other' && !focusable(element)) {
    ready.kind = 'click'; // a click may open what takes the text
    placePointer(element, ready, true);
    aim(element);
    return;
  }
  ready.fresh = focusedElement() !== element;
  focusOn(element);
  const focused = focusedElement();
  let into = kind;
  if (focused && focused !== element && kindOf(focused) !== 'other') { // it hands the focus on
    element = focused;
    into = kindOf(focused);
  }
  if (proxy(element)) into = 'proxy';
  ready.kind = into === 'other' ? 'keys' : into;
  typing = {element, before: fieldText(element), kind: into, around: aroundText(element), caret: []};
  if (into === 'field') watchTaking(element);
  if (into === 'field' || into === 'editor') placeCaret(element, into, request.clear ?? false);
  else if (into === 'other') getSelection()?.collapse(element, 0); // the old one would take the text
  typing.caret = caret();
  expectText(into === 'field' && ready.fresh ? element : null);
  const cover = pointOn(element);
  if (!cover.point && cover.cover && fillsView(cover.cover) && !plainContains.call(cover.cover, element)) {
    ready.notes?.push('it is covered by ' + describeCover(cover.cover, element));
  }
}

/** Whether a field has a list of what it may hold, which the page shows. @param {Element} element */
function suggests(element) {
  if (roleOf(element) === 'combobox') return localName(element) === 'input' || localName(element) === 'textarea';
  return attr(element, 'aria-haspopup') === 'listbox' || /^(list|both)$/.test(attr(element, 'aria-autocomplete') ?? '');
}

/** Whether a field only catches what an editor of the page's own shows elsewhere. @param {Element} element */
export function proxy(element) {
  if (localName(element) !== 'textarea' && localName(element) !== 'input') return false;
  const box = rectOf(element);
  return box.width < 6 || box.height < 6 || styleOf(element).opacity === '0';
}

/** The text near a field, where an editor shows what it took. @param {Element} element */
function aroundText(element) {
  let around = element;
  for (let at = composedParent(element), steps = 0; at && at !== bodyOf(document) && steps < 4; at = composedParent(at), steps++) around = at;
  return textContent(around) ?? '';
}

/** @param {Element} element @param {string} kind @param {boolean} all */
function placeCaret(element, kind, all) {
  if (kind === 'field') {
    const field = /** @type {HTMLInputElement} */ (element);
    if (all) {
      field.select();
      return;
    }
    try {
      field.setSelectionRange(field.value.length, field.value.length);
    } catch {
      getSelection()?.modify('move', 'forward', 'documentboundary'); // email and number have no range
    }
    return;
  }
  const selection = getSelection();
  if (!selection) return;
  selection.selectAllChildren(element);
  if (!all) selection.collapseToEnd();
}

/**
 * How long an editor that gets the focus may take to put its own selection in place of ours, in ms. There is no event to
 * wait for: one that leaves the selection alone says nothing, and selectionchange comes for ours, too.
 */
const RESTORE_TIME = 25;

/**
 * Waits until an editor that has just got the focus has put its own selection in place of ours, and then puts the caret back
 * to where the text goes; null leaves it.
 * @param {boolean | null} all
 */
export async function keepCaret(all) {
  await new Promise((resolve) => setTimeout(resolve, RESTORE_TIME));
  if (all === null || !typing || caret().every((part, i) => part === typing?.caret[i])) return;
  beginCall();
  if (focusedElement() === typing.element) placeCaret(typing.element, typing.kind, all);
}

/** How long an editor may take to show what it took. */
const SHOW_TIME = 150;

/**
 * What became of what was typed.
 * @typedef {{value: string, told: boolean, changed: boolean, took: boolean, rewritten: boolean, kept: boolean, alone: boolean, consumed: boolean, invalid: string, gone: boolean, stray: string}} Typed
 * kept: what was to be replaced is still there; consumed: the page made something else of the text; alone: the text was to be all that the field holds; stray: the element that it was kept from
 * @param {{text: string, clear?: boolean, keyed?: boolean}} request keyed: the text came key by key
 * @returns {Promise<Typed>}
 */
export async function typed(request) {
  const until = performance.now() + SHOW_TIME;
  for (;;) {
    beginCall();
    const out = typedNow(request);
    const left = until - performance.now();
    const known = out.took || out.gone || out.stray;
    if (known || left <= 0) {
      endTaking();
      forgetUnsent();
      if (!known && typing?.kind === 'proxy') unread(request, typing, out);
      return out;
    }
    await change(left);
  }
}

/**
 * What became of a text in a field out of sight that nothing took out of it: where it came by keys, it is a field like any
 * other; else it is taken back, for an editor that listens to keys.
 * @param {{text: string, clear?: boolean, keyed?: boolean}} request @param {{element: Element, before: string}} was @param {Typed} out
 */
function unread(request, was, out) {
  const field = /** @type {HTMLInputElement} */ (was.element);
  if (!request.keyed || plain(field, field.value) !== plain(field, (request.clear ? '' : was.before) + request.text)) {
    field.value = was.before;
    return;
  }
  out.took = out.changed = true;
  out.told = !isPrivate(field);
  if (out.told) out.value = wellFormed(field.value);
}

/** A text as a field holds it. @param {Element} field @param {string} text */
function plain(field, text) {
  return localName(field) === 'textarea' ? text.replace(/\r\n?/g, '\n') : text.replace(/[\r\n]+/g, ' ');
}

/** What the field that was typed into holds now; null where it is gone, or its value is not to be told. */
export function typedStill() {
  if (!typing || !isConnected(typing.element) || isPrivate(typing.element) || !/^(field|editor)$/.test(typing.kind)) return null;
  const text = fieldText(typing.element);
  return wellFormed(typing.kind === 'field' ? text : text.trim());
}

/** @param {{text: string, clear?: boolean}} request @returns {Typed} */
function typedNow(request) {
  const was = typing;
  const out = {value: '', told: false, changed: false, took: false, rewritten: false, kept: false, alone: false, consumed: false, invalid: '', gone: !was || !isConnected(was.element), stray: ''};
  const other = strayed();
  if (other) out.stray = describe(other);
  if (!was || out.gone || out.stray) return out;
  const {element, before, kind} = was;
  const now = fieldText(element);
  out.changed = now !== before;
  out.alone = (request.clear === true || before === '') && focusedElement() === element; // else it went on to others
  if (kind === 'proxy') {
    // An editor that takes the text takes it out of the field; what it shows
    // may come with a frame, which a hidden tab may not have.
    const consumed = request.text !== '' && !now.includes(request.text);
    out.changed = consumed || aroundText(element) !== was.around;
    out.took = out.changed || !request.text;
    return out;
  }
  if (kind === 'field') {
    const field = /** @type {HTMLInputElement} */ (element);
    const want = (request.clear ? '' : before) + request.text;
    const elsewhere = !out.changed && aroundText(element) !== was.around;
    out.consumed = now === '' && taken(request.text);
    out.took = out.consumed || out.changed || plain(field, want) === plain(field, now) || !request.text || elsewhere;
    out.rewritten = !elsewhere && !out.consumed && plain(field, want).trim() !== plain(field, now).trim();
    out.told = !isPrivate(field) && !elsewhere;
    if (out.told) out.value = wellFormed(now);
    else if (out.rewritten) out.rewritten = now.length !== want.length;
    if (field.validity?.badInput) out.invalid = field.validationMessage;
    return out;
  }
  /** @param {string} text */
  const squeezed = (text) => text.replace(/\s+/g, '');
  const elsewhere = !out.changed && aroundText(element) !== was.around;
  out.told = kind === 'editor' || out.changed;
  out.value = wellFormed(now.trim());
  out.changed ||= elsewhere;
  out.took = out.changed || squeezed(now) === squeezed((request.clear ? '' : before) + request.text);
  out.kept = kind === 'editor' && request.clear === true && before.trim() !== '' && squeezed(now) !== squeezed(request.text) && squeezed(now).includes(squeezed(before));
  out.rewritten = kind === 'editor' && (out.kept || !squeezed(now).includes(squeezed(request.text)));
  return out;
}

/**
 * Sets a field whose text has a form of its own, as if it had been picked.
 * @param {{ref: string, text: string}} request
 * @returns {{value: string, invalid: string}} invalid is what the field says is wrong with it
 */
export function setShaped(request) {
  beginCall();
  const field = /** @type {HTMLInputElement | null} */ (elementOf(request.ref));
  if (!field) throw new Objected('gone');
  const before = field.value;
  const text = request.text.trim();
  focusOn(field);
  field.value = text;
  const lenient = field.type === 'range' || field.type === 'color';
  if (text && (field.value === '' || (lenient && field.value !== text && Number(field.value) !== Number(text) && field.value !== text.toLowerCase() && !nearRange(field, text)))) {
    field.value = before;
    throw new Objected(SHAPES[field.type], {about: text});
  }
  field.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  field.dispatchEvent(new Event('change', {bubbles: true}));
  return {value: field.value, invalid: field.validity.valid ? '' : field.validationMessage};
}

/** A range takes the nearest value that it has. @param {HTMLInputElement} field @param {string} text */
function nearRange(field, text) {
  return field.type === 'range' && Number.isFinite(Number(text));
}

/** What a field without its shape is told. @type {Record<string, Code>} */
const SHAPES = {
  date: 'not-date', 'datetime-local': 'not-datetime', month: 'not-month', week: 'not-week', time: 'not-time', color: 'not-color', range: 'not-number',
};

/** The origins of this document and of those around it, which no page can alter. @returns {string[]} */
export function origins() {
  return [self.origin, ...location.ancestorOrigins];
}

/**
 * Puts a secret into the field that was made ready, and nowhere else: what a page does when it is focused may have
 * moved the focus. The field is private from then on.
 * @param {{text: string, clear?: boolean}} request
 * @returns {boolean}
 */
export function putSecret(request) {
  if (!typing || !isConnected(typing.element) || focusedElement() !== typing.element) return false;
  seal(typing.element);
  if (request.clear && typing.kind === 'proxy') invoke(/** @type {HTMLInputElement} */ (typing.element), 'select');
  return invoke(document, 'execCommand', 'insertText', false, request.text);
}

/**
 * After a click that may have opened what takes the text: takes the focused field, and says what it is; '' for none.
 * @param {boolean} clear
 * @returns {string}
 */
export function focusedTaker(clear) {
  beginCall();
  const focused = focusedElement();
  if (!focused || !/^(field|editor)$/.test(kindOf(focused))) return '';
  const kind = proxy(focused) ? 'proxy' : kindOf(focused);
  typing = {element: focused, before: fieldText(focused), kind, around: aroundText(focused), caret: []};
  if (kind !== 'proxy') placeCaret(focused, kind, clear);
  return kind;
}
