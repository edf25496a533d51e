// Computed style, read once an element and call: styles cost a few
// microseconds each, so that a page of thousands of elements feels them.

import {activeOf, allOfTag, attr, closest, composedParent, findAll, hasAttr, invoke, localName, matches, plainContains, plainVisible,
  read, sheetsOf, token} from './dom.js';
/** @import {Ownership} from './dom.js' */

/**
 * What one call knows about the page; dropped before the next, because pages change.
 * @typedef {object} Call
 * @property {Map<Element, CSSStyleDeclaration>} styles
 * @property {Map<Element, string>} names
 * @property {Map<Element, string>} roles
 * @property {Ownership | null | undefined} ownership
 * @property {boolean | undefined} pseudo whether the style sheets speak of ::before or ::after
 * @property {boolean} shadow whether a shadow tree was met, whose sheets may too
 * @property {Map<Node, Map<Element, Element[]>>} labels by tree: the labels of each control
 * @property {Map<Element, boolean>} tables whether a table holds data
 * @property {Element | null | undefined} focused
 * @property {boolean | undefined} disabling whether aria-disabled stands anywhere
 * @property {Map<Element, string>} rows what rows of lists say
 * @property {Set<Element> | undefined} leaving what is fading or folding away
 * @property {string | undefined} record what the page calls the record that it shows
 * @property {Set<string> | undefined} dates words of dates
 */

/** @returns {Call} */
function freshCall() {
  return {
    styles: new Map(), names: new Map(), roles: new Map(), ownership: undefined,
    pseudo: undefined, shadow: false, labels: new Map(), tables: new Map(), focused: undefined, disabling: undefined, rows: new Map(), leaving: undefined, record: undefined, dates: undefined,
  };
}

/** @type {Call} */
export let call = freshCall();

/** Forgets what was known of the page; every entry point starts with it. */
export function beginCall() {
  call = freshCall();
}

/**
 * A function that can be called from outside, where nothing may be known from before.
 * @template {any[]} A
 * @template R
 * @param {(...given: A) => R} inner
 * @returns {(...given: A) => R}
 */
export function fresh(inner) {
  return (...given) => {
    beginCall();
    return inner(...given);
  };
}

/** @param {Element} element @returns {CSSStyleDeclaration} */
export function styleOf(element) {
  let style = call.styles.get(element);
  if (!style) {
    style = getComputedStyle(element);
    call.styles.set(element, style);
  }
  return style;
}

/** Whether style hides the element itself (a child may still be visible). @param {Element} element */
export function styledAway(element) {
  const style = styleOf(element);
  return style.display === 'none' || style.visibility !== 'visible';
}

/**
 * Whether a person can see the element: rendered, visible, in no closed details.
 * @param {Element} element
 * @returns {boolean}
 */
export function rendered(element) {
  const tag = localName(element);
  // A closed list's options are not rendered by themselves, and what has no box of its own is as visible as what is around it.
  if (tag === 'option' || tag === 'optgroup') {
    const select = closest(element, 'select');
    if (select) return rendered(select) && styleOf(element).display !== 'none';
  }
  if (tag === 'area') return mappedImage(element) !== null;
  if (styleOf(element).display === 'contents') {
    const around = composedParent(element);
    return styleOf(element).visibility === 'visible' && (!around || rendered(around));
  }
  return plainVisible.call(element, {visibilityProperty: true, contentVisibilityAuto: false});
}

/** The image that shows an area; null when none does. @param {Element} area @returns {Element | null} */
function mappedImage(area) {
  const map = closest(area, 'map');
  const called = map && attr(map, 'name');
  if (!called) return null;
  for (const image of findAll('img[usemap]')) {
    if (attr(image, 'usemap') === '#' + called && rendered(image)) return image;
  }
  return null;
}

/** How an animation ends that takes its element away from who looks. @type {[keyof ComputedKeyframe, RegExp][]} */
const AWAY = [['opacity', /^0$/], ['height', /^0(px)?$/], ['maxHeight', /^0(px)?$/]];

/** Whether an animation that will end is taking the element away, as lists do with what was removed. @param {Element} element */
export function leaving(element) {
  if (!call.leaving) {
    call.leaving = new Set();
    for (const animation of invoke(document, 'getAnimations')) {
      const effect = /** @type {KeyframeEffect | null} */ (animation.effect);
      if (effect?.target && !effect.pseudoElement && animation.playState === 'running' && takesAway(effect)) call.leaving.add(effect.target);
    }
  }
  return call.leaving.has(element);
}

/** Whether an effect is in its last part, with nothing left to see at the end of it. @param {KeyframeEffect} effect */
function takesAway(effect) {
  const {endTime, iterations, direction, localTime, delay, progress} = effect.getComputedTiming();
  if (!(Number(endTime) < Infinity) || iterations !== 1) return false; // what flashes comes back
  if (Number(localTime) < Number(delay)) return false; // a toast that waits before it fades is there to be read
  const backwards = Boolean(direction?.endsWith('reverse'));
  const frames = effect.getKeyframes();
  if (backwards) frames.reverse();
  const last = frames.pop();
  return AWAY.some(([property, end]) => {
    if (!end.test(String(last?.[property] ?? ''))) return false;
    const from = frames.findLast((frame) => property in frame)?.computedOffset ?? Number(backwards);
    return backwards ? Number(progress) <= from : Number(progress) >= from;
  });
}

/** Whether ARIA hides the element, by itself or from above. @param {Element} element */
export function ariaHidden(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) {
    if (token(at, 'aria-hidden') === 'true' && localName(at) !== 'body' && localName(at) !== 'html') return true;
  }
  return false;
}

/** Whether the element is inert, by attribute or because a modal dialog is open elsewhere. @param {Element} element */
export function inert(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) {
    if (hasAttr(at, 'inert')) return true;
    if (localName(at) === 'dialog' && matches(at, ':modal')) return false;
  }
  const modal = openModal();
  return modal !== null && modal !== element && !plainContains.call(modal, element);
}

/** The modal dialog on top, outside of which everything is inert. @returns {Element | null} */
export function openModal() {
  const open = Array.prototype.filter.call(allOfTag('dialog'), (dialog) => matches(dialog, ':modal'));
  if (!open.length) return null;
  const focused = activeOf(document);
  const around = focused && closest(focused, 'dialog:modal');
  return around ?? open[open.length - 1];
}

/** Whether rules can make ::before or ::after content here; asking each element would cost more than its name. */
export function pseudoPossible() {
  if (call.pseudo === undefined) {
    const sheets = [...sheetsOf(document), ...(read(document, 'adoptedStyleSheets') ?? [])];
    call.pseudo = sheets.some((sheet) => !sheet.disabled && sheetSpeaksOfPseudo(sheet));
  }
  return call.pseudo || call.shadow;
}

/** By sheet: how many rules it had, and what was found. @type {WeakMap<CSSStyleSheet, {rules: number, found: boolean}>} */
const sheetsSeen = new WeakMap();

/** @param {CSSStyleSheet} sheet */
function sheetSpeaksOfPseudo(sheet) {
  try {
    const rules = sheet.cssRules;
    const seen = sheetsSeen.get(sheet);
    if (seen && seen.rules === rules.length) return seen.found;
    let found = false;
    for (let i = 0; i < rules.length && !found; i++) {
      const rule = rules[i];
      // A grouping rule is read as a whole: its text holds the inner selectors.
      const text = rule instanceof CSSStyleRule && !rule.cssRules?.length ? rule.selectorText : rule.cssText;
      found = /:(before|after)/.test(text) || rule instanceof CSSImportRule;
    }
    sheetsSeen.set(sheet, {rules: rules.length, found});
    return found;
  } catch {
    return true; // a sheet of another origin cannot be read
  }
}

/** The text that CSS puts before or after an element's content. @param {Element} element @param {'::before' | '::after'} which */
export function pseudoText(element, which) {
  if (!pseudoPossible()) return '';
  const style = getComputedStyle(element, which);
  const content = style.content;
  if (!content || content === 'none' || content === 'normal') return '';
  if (style.display === 'none' || style.visibility !== 'visible') return '';
  // `"text" / "alternative"`: the alternative is what is meant to be read.
  const parts = content.split(/ \/ (?=["a])/);
  const spoken = parts.length > 1 ? parts[parts.length - 1] : content;
  let text = '';
  for (const match of spoken.replace(/\burl\([^)]*\)/g, '').matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g)) {
    text += match[2] ? attr(element, match[2]) ?? '' : match[1].replace(/\\(.)/g, '$1');
  }
  return style.display === 'inline' && parts.length === 1 ? text : ` ${text} `;
}
