// Choosing in lists.

import {attr, closest, collapse, comparable, composedParent, find, focusedElement, idrefs, localName, matches, plainContains, queryAll, rootElementOf, textContent, token,
  wellFormed} from '../dom/dom.js';
import {isPrivate} from '../dom/private.js';
import {beginCall, leaving, rendered} from '../dom/style.js';
import {change, turn} from '../dom/wait.js';
import {roleOf} from '../aria/role.js';
import {nameOf, shownValue} from '../aria/name.js';
import {checkedState, quote, selectedState} from '../aria/state.js';
import {continueRefs, eachElement, elementOf, refOf, refState} from '../snapshot/refs.js';
import {Objected} from '../objection.js';
import {kindOf} from './act.js';
import {answered, endAnswer, watchAnswer} from './answer.js';
import {frame} from './drag.js';
import {focusOn} from './type.js';
/** @import {Code} from '../objection.js' */

const MOST_OPTIONS_LISTED = 30;

/** What an option is named by; '' is any of them. @typedef {'' | 'value' | 'label' | 'index'} By */

/**
 * Chooses options of a select by value, label or index.
 * @param {{ref: string, values: string[], by?: By}} request
 * @returns {Promise<{wanted: string[], chosen: string[]}>} the labels of those that were wanted, and of those that are chosen
 *   once the page has handled it
 */
export async function choose(request) {
  beginCall();
  const select = /** @type {HTMLSelectElement | null} */ (elementOf(request.ref));
  if (!select) throw new Objected('gone');
  const options = Array.from(select.options);
  /** @param {HTMLOptionElement} option */
  const label = (option) => comparable(option.label || option.text);
  /** @param {Code} code @param {string} [about] */
  const objected = (code, about) => new Objected(code, {
    about, count: options.length, list: options.slice(0, MOST_OPTIONS_LISTED).map((option) => quote(wellFormed(label(option)))),
  });
  /** @type {HTMLOptionElement[]} */
  const wanted = [];
  for (const value of request.values) {
    const option = optionFor(options, value, label, request.by);
    if (!option) throw objected('no-option', value);
    if (matches(option, ':disabled')) throw objected('option-disabled', value);
    wanted.push(option);
  }
  if (wanted.length > 1 && !select.multiple) throw objected('one-option');
  focusOn(select);
  let changed = false;
  for (const option of options) {
    const on = wanted.includes(option);
    if (option.selected === on) continue;
    changed = true;
    if (select.multiple) option.selected = on;
  }
  if (!select.multiple) select.selectedIndex = wanted.length ? wanted[0].index : -1;
  const labels = () => Array.from(select.selectedOptions, (option) => wellFormed(label(option)));
  const given = labels();
  if (changed) {
    select.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
    select.dispatchEvent(new Event('change', {bubbles: true}));
    await turn(); // a page that holds the value itself may put it back
  }
  return {wanted: given, chosen: labels()};
}

/**
 * @param {HTMLOptionElement[]} options @param {string} value @param {(option: HTMLOptionElement) => string} label
 * @param {By} [by]
 */
function optionFor(options, value, label, by) {
  if (by === 'index') return options[Number(value)];
  const text = comparable(value);
  const number = by ? null : /^#?(\d+)$/.exec(text);
  const valued = options.find((option) => option.value === value);
  const labeled = options.find((option) => label(option) === text) ?? options.find((option) => label(option).toLowerCase() === text.toLowerCase());
  return (by === 'label' ? labeled ?? valued : valued ?? labeled) ?? (number ? options[Number(number[1])] : undefined);
}

/**
 * Finds the options of a list that the page has made itself, and the one that is wanted.
 * @param {{ref: string, value: string, by?: By, typed?: boolean, loose?: boolean, prefix?: string, next?: number}} request typed: the list shows what fits
 *   to the text, so that the only option with it is meant, and a number is no index; loose: the first that begins with the text
 *   is meant, or has it
 * @returns {{open: boolean, ref: string, name: string, selected: boolean, options: string[], next: number}}
 */
export function widgetOption(request) {
  beginCall();
  continueRefs(request);
  const widget = elementOf(request.ref);
  const options = choicesOf(widget);
  const found = choiceFor(options, request);
  const name = found ? choiceName(found) : '';
  const typed = request.typed ?? false;
  choosing = found ? {widget, typed, name, shown: shownBy(widget)} : null;
  const selected = found !== undefined && chosen(found, typed);
  if (found && !selected) watchAnswer();
  return {
    open: options.length > 0, ref: found ? refOf(found) : '', name: wellFormed(name), selected,
    options: options.slice(0, MOST_OPTIONS_LISTED).map((option) => quote(wellFormed(choiceName(option)))), next: refState.next,
  };
}

/**
 * The option that was found last, and what there was to be seen before it is clicked.
 * @type {{widget: Element | null, typed: boolean, name: string, shown: string} | null}
 */
let choosing = null;

/** How long, in ms, a page that has not answered to the click may take for it. */
const CHOOSING_TIME = 500;
/** The frames that a page has that answered, to draw what it did. */
const CHOOSING_FRAMES = 2;

/**
 * Whether the page took the option that was clicked: it is marked, or its widget shows it, or its list closed on the click.
 * @param {{arrived: boolean, later: number}} request arrived: the click event came to the option; later: for how many ms what
 *   the click started still runs
 * @returns {Promise<{taken: boolean, open: boolean, still: boolean, shown: string}>} still: the page has not answered to the
 *   click, in a list for one
 */
export async function tookOption(request) {
  const begun = performance.now();
  for (let frames = 0; ;) {
    beginCall();
    if (!choosing) return {taken: false, open: false, still: false, shown: ''};
    const {widget, typed, name} = choosing;
    const now = choicesOf(widget).find((option) => choiceName(option) === name && !fading(option));
    const shown = shownBy(widget);
    const taken = now && chosen(now, typed) || shown !== choosing.shown && shown.includes(name) || !now && (request.arrived || shown === name && keepsFocus(widget));
    const left = begun + (answered() ? Math.min(request.later, CHOOSING_TIME) : CHOOSING_TIME) - performance.now();
    if (taken || left <= 0 && (!answered() || frames === CHOOSING_FRAMES)) {
      endAnswer();
      const still = now !== undefined && !answered() && !forMany(now);
      return {taken: Boolean(taken), open: now !== undefined, still, shown: widget && isPrivate(widget) ? '' : wellFormed(shown)};
    }
    if (left > 0) await change(left);
    else frames += 1, await frame();
  }
}

/** @param {Element[]} options @param {{value: string, by?: By, typed?: boolean, loose?: boolean}} request */
function choiceFor(options, {value, by, typed, loose}) {
  if (by === 'index') return options[Number(value)];
  const text = comparable(value);
  const named = options.find((option) => choiceName(option) === text);
  const valued = options.find((option) => attr(option, 'data-value') === text || attr(option, 'value') === text);
  return (by === 'value' ? valued ?? named : named ?? valued) ?? options.find((option) => choiceName(option).toLowerCase() === text.toLowerCase()) ??
    (loose ? firstWith(options, text) : typed ? onlyWith(options, text) : !by && /^#?\d+$/.test(text) ? options[Number(text.replace('#', ''))] : undefined);
}

/** The options that a widget offers, as far as they can be seen. @param {Element | null} widget */
function choicesOf(widget) {
  /** @type {Element[]} */
  const options = [];
  if (!widget) return options;
  const places = [widget, ...idrefs(widget, 'aria-controls'), ...idrefs(widget, 'aria-owns')];
  const input = queryAll(widget, '[aria-controls]')[0];
  if (input) places.push(...idrefs(input, 'aria-controls'));
  for (const place of places) eachElement(place, (element) => isChoice(element) && options.push(element));
  if (!options.length) eachElement(rootElementOf(document), (element) => isChoice(element) && offered(element, widget) && !isAnothers(element, widget) && options.push(element));
  return options;
}

/** @param {Element} option */
function choiceName(option) {
  return comparable(nameOf(option) || (textContent(option) ?? ''));
}

/** What a widget shows as its value. @param {Element | null} widget */
function shownBy(widget) {
  if (!widget) return '';
  return kindOf(widget) === 'field' ? collapse(/** @type {HTMLInputElement} */ (widget).value) : shownValue(widget);
}

/** Whether an option is in a list that is going away. @param {Element} option */
function fading(option) {
  for (let at = /** @type {Element | null} */ (option); at; at = composedParent(at)) if (leaving(at)) return true;
  return false;
}

/** @param {Element | null} widget */
function keepsFocus(widget) {
  const focused = focusedElement();
  return widget !== null && focused !== null && (focused === widget || plainContains.call(widget, focused));
}

/** Whether an option is in a list that several may be chosen in. @param {Element} option */
function forMany(option) {
  const list = closest(option, '[role~="listbox" i], [role~="tree" i]');
  return list !== null && token(list, 'aria-multiselectable') === 'true';
}

/**
 * Whether an option needs no click. In a list that shows what fits to a text, the selected one of a list for one is only
 * the one that Enter would take.
 * @param {Element} option @param {boolean} typed
 */
function chosen(option, typed) {
  if (checkedState(option, roleOf(option)) === 'true') return true;
  return selectedState(option, roleOf(option)) && (!typed || forMany(option));
}

/** @param {Element} element */
export function isChoice(element) {
  return /^(option|menuitemradio|treeitem)$/.test(roleOf(element)) && localName(element) !== 'option' && rendered(element);
}

/** Whether an option may be one of a widget that says nothing of its list: what stands in a tree is there without it. @param {Element} option @param {Element | null} widget */
function offered(option, widget) {
  return roleOf(option) !== 'treeitem' || widget !== null && attr(widget, 'aria-haspopup') === 'tree';
}

/** Whether an option is in the list of another widget. @param {Element} option @param {Element} widget */
function isAnothers(option, widget) {
  for (let at = composedParent(option); at; at = composedParent(at)) {
    if (plainContains.call(at, widget)) return false;
    if (attr(at, 'role') === 'combobox') return true;
    const id = attr(at, 'id');
    const owner = id && /^(listbox|menu|tree|grid)$/.test(roleOf(at)) ? find(`[aria-controls~=${CSS.escape(id)}], [aria-owns~=${CSS.escape(id)}]`) : null;
    if (owner) return owner !== widget && !plainContains.call(widget, owner) && !plainContains.call(owner, widget);
  }
  return false;
}

/** The only option with a text in it. @param {Element[]} options @param {string} text */
function onlyWith(options, text) {
  const fitting = options.filter((option) => choiceName(option).toLowerCase().includes(text.toLowerCase()));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** The first option that begins with a text, or has it. @param {Element[]} options @param {string} text */
function firstWith(options, text) {
  const names = options.map((option) => choiceName(option).toLowerCase());
  const begins = names.findIndex((name) => name.startsWith(text.toLowerCase()));
  return options[begins < 0 ? names.findIndex((name) => name.includes(text.toLowerCase())) : begins];
}
