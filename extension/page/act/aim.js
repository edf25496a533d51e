// Between aiming and hitting: the page may move meanwhile, and a frame stands
// within another.

import {bodyOf, closest, composedParent, invoke, isConnected, pageScrollerOf, plainContains, read, rectOf, rootElementOf, shadowOf} from '../dom/dom.js';
import {beginCall, styleOf} from '../dom/style.js';
import {continueRefs, elementOf, refOf, refState} from '../snapshot/refs.js';
import {describe} from '../snapshot/describe.js';
import {Objected, hindered} from '../objection.js';
import {attempt, standIn} from './act.js';
import {acts, describeCover, hitAt, reaches, viewport} from './point.js';
import {hasFocus, tabHidden} from '../dom/view.js';
import {unsentFields} from './unsent.js';
/** @import {ActRequest, Ready} from './act.js' */

/** How long a press may be on its way. */
const PRESS_TIME = 1000;

/**
 * The click that is on its way: the element that the next press must meet, the one that its click event must reach, and
 * where else that came.
 * @type {{element: Element | null, target: Element | null, went: Element | null, until: number, missed: boolean, seen: boolean,
 *   arrived: boolean, prevented: boolean, watched: boolean, over: boolean, before: number}}
 */
const aimed = {
  element: null, target: null, went: null, until: 0, missed: false, seen: false, arrived: false, prevented: false, watched: false, over: false,
  before: 0,
};

/** How many presses there were in this document, whoever kept them from whom. */
const presses = () => performance.eventCounts?.get('pointerdown') ?? 0;

/** The events that end a press of some button. */
const CLICKS = new Set(['click', 'auxclick', 'contextmenu']);

/**
 * Watches over the next press: where something else than the element has come
 * under the pointer, it is kept from the page, which then never saw it.
 * @param {Element | null} element null where no press follows
 */
export function aim(element) {
  aimed.element = aimed.target = element;
  aimed.went = null;
  aimed.until = performance.now() + PRESS_TIME;
  aimed.missed = aimed.arrived = false;
  aimed.seen = false;
  aimed.prevented = false;
  aimed.over = false;
  aimed.before = presses();
  if (aimed.watched) return;
  aimed.watched = true;
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu']) {
    window.addEventListener(type, guard, true);
  }
  window.addEventListener('pointermove', (event) => {
    if (event.isTrusted) aimed.over = true;
  }, true);
  for (const type of ['click', 'auxclick']) {
    window.addEventListener(type, (event) => {
      if (event.isTrusted) aimed.prevented = event.defaultPrevented;
    });
  }
}

/** @param {Event} event */
function guard(event) {
  if (!event.isTrusted) return;
  if (event.type === 'pointerdown') aimed.seen = true;
  if (event.type === 'pointerdown' && aimed.element && performance.now() < aimed.until) {
    const {clientX, clientY} = /** @type {PointerEvent} */ (event);
    beginCall();
    const under = event.composedPath()[0];
    aimed.missed = !takes(aimed.element, hitAt(clientX, clientY)) ||
      under instanceof Element && !hides(under, aimed.element) && !takes(aimed.element, under);
    aimed.element = null; // it is for the first press
  }
  if (!aimed.missed || performance.now() > aimed.until) {
    if (aimed.target && CLICKS.has(event.type)) sawClick(aimed.target, event);
    return;
  }
  event.stopImmediatePropagation();
  event.preventDefault();
}

/** Notes where a click event goes: the control of a label gets one of its own. @param {Element} element @param {Event} event */
function sawClick(element, event) {
  const at = event.composedPath()[0];
  if (!(at instanceof Element) || aimed.arrived) return;
  beginCall();
  if (isAround(at, element)) aimed.went ??= at;
  else if (hides(at, element) || takes(element, at)) aimed.arrived = true;
  else aimed.went ??= at;
}

/** Whether at holds the element, which acts by itself and let the pointer through. @param {Element} at @param {Element} element */
function isAround(at, element) {
  if (at === element || !plainContains.call(at, element)) return false;
  const list = closest(element, 'select, map');
  if (list && list !== element) return at !== list && plainContains.call(at, list); // it may take the click for the element
  if (!acts(element)) return false;
  const label = standIn(element);
  return label === element || !plainContains.call(label, at);
}

/**
 * Whether an event at the element is told outside as one at the host of its closed shadow tree.
 * @param {Element} host @param {Element} element
 */
function hides(host, element) {
  const root = shadowOf(host);
  if (!root || root.mode !== 'closed') return false;
  for (let at = composedParent(element); at; at = composedParent(at)) if (at === host) return true;
  return false;
}

/** Whether a click on hit is one on the element or its label. @param {Element} element @param {Element | null} hit */
function takes(element, hit) {
  if (reaches(element, hit)) return true;
  const label = standIn(element);
  return label !== element && reaches(label, hit);
}

/**
 * Whether the press that was on its way met something else, which did not see it, and whether this frame saw it at all; the
 * release of one that was missed is held back, too.
 */
export function pressed() {
  return {missed: aimed.missed, seen: aimed.seen};
}

/**
 * What came of the click; nothing is held back any more.
 * @param {{prefix?: string, next?: number}} request
 * @returns {{missed: boolean, seen: boolean, arrived: boolean, left: boolean, prevented: boolean, went: string, unsent: string, next: number}}
 *   left: it was gone when the button was released; went is the element that got the click event in place of the right one;
 *   unsent: what kept its form from being sent
 */
export function landed(request) {
  const {missed, seen, arrived, prevented} = aimed;
  const left = seen && !missed && !arrived && aimed.target !== null && !isConnected(aimed.target);
  let went = '';
  if (!missed && !arrived && aimed.went) {
    beginCall();
    continueRefs(request);
    went = aimed.went === bodyOf(document) || aimed.went === rootElementOf(document) ? 'the page' : describe(aimed.went);
  }
  aimed.element = aimed.target = aimed.went = null;
  aimed.missed = false;
  const unsent = arrived ? unsentFields(request) : '';
  return {missed, seen: seen || presses() > aimed.before, arrived, left, prevented, went, unsent, next: refState.next};
}

/**
 * Whether the pointer at x, y is still on the element; else where it has to go.
 * @param {ActRequest & {x: number, y: number}} request
 * @returns {Ready | {same: true, over: boolean}}
 */
export function still(request) {
  beginCall();
  const element = request.ref ? elementOf(request.ref) : null;
  if (element) {
    const hit = hitAt(request.x, request.y);
    if (takes(element, hit)) {
      aimed.until = performance.now() + PRESS_TIME;
      const {over} = aimed;
      aimed.over = false;
      return {same: true, over};
    }
  }
  continueRefs(request);
  return attempt(request, false);
}

/**
 * Moves a point of a frame's view into the view of the frame around it.
 * @param {{ref: string, x: number, y: number, prefix?: string, next?: number}} request
 * @returns {Ready}
 */
export function lift(request) {
  beginCall();
  continueRefs(request);
  /** @type {Ready} */
  const ready = {next: refState.next, hidden: tabHidden(), focus: hasFocus()};
  const frame = /** @type {HTMLElement | null} */ (elementOf(request.ref));
  if (!frame) throw new Objected('gone');
  const place = () => {
    const box = rectOf(frame);
    const style = styleOf(frame);
    const across = read(frame, 'offsetWidth') ? box.width / read(frame, 'offsetWidth') : 1;
    const down = read(frame, 'offsetHeight') ? box.height / read(frame, 'offsetHeight') : 1;
    return {
      x: box.left + (read(frame, 'clientLeft') + Number.parseFloat(style.paddingLeft) + request.x) * across,
      y: box.top + (read(frame, 'clientTop') + Number.parseFloat(style.paddingTop) + request.y) * down,
    };
  };
  for (let at = composedParent(frame); at; at = composedParent(at)) {
    const page = at === pageScrollerOf(document);
    if (!page && !/auto|scroll|hidden/.test(styleOf(at).overflow)) continue;
    const box = page ? viewport() : rectOf(at);
    const {x, y} = place();
    const aside = x < box.left || x >= box.right ? x - (box.left + box.right) / 2 : 0;
    const up = y < box.top || y >= box.bottom ? y - (box.top + box.bottom) / 2 : 0;
    if (aside || up) invoke(at, 'scrollBy', {left: aside, top: up, behavior: 'instant'});
  }
  const {x, y} = place();
  ready.x = x;
  ready.y = y;
  const hit = hitAt(x, y);
  if (hit !== frame) ready.objection = (hit ? hindered('covered', describeCover(hit, frame)) : hindered('outside')).objection;
  ready.next = refState.next;
  return ready;
}

/** The ref of a frame's element. @param {Element} element @param {{prefix?: string, next?: number}} request @returns {{ref: string, next: number}} */
export function refFor(element, request) {
  beginCall();
  continueRefs(request);
  return {ref: refOf(element), next: refState.next};
}
