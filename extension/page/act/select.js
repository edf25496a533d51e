// Choosing in lists.

import {attr, closest, collapse, composedParent, find, idrefs, localName, matches, plainContains, queryAll, rootElementOf, textContent, token, wellFormed} from '../dom/dom.js';
import {beginCall, rendered} from '../dom/style.js';
import {roleOf} from '../aria/role.js';
import {nameOf} from '../aria/name.js';
import {checkedState, quote, selectedState} from '../aria/state.js';
import {continueRefs, eachElement, elementOf, refOf, refState} from '../snapshot/refs.js';
import {Objected} from '../objection.js';
import {focusOn} from './type.js';
/** @import {Code} from '../objection.js' */

const MOST_OPTIONS_LISTED = 30;

/**
 * Chooses options of a select by value, label or index.
 * @param {{ref: string, values: string[]}} request
 * @returns {string[]} the labels of those that are chosen then
 */
export function choose(request) {
  beginCall();
  const select = /** @type {HTMLSelectElement | null} */ (elementOf(request.ref));
  if (!select) throw new Objected('gone');
  const options = Array.from(select.options);
  /** @param {HTMLOptionElement} option */
  const label = (option) => collapse(option.label || option.text);
  /** @param {Code} code @param {string} [about] */
  const objected = (code, about) => new Objected(code, {
    about, count: options.length, list: options.slice(0, MOST_OPTIONS_LISTED).map((option) => quote(wellFormed(label(option)))),
  });
  /** @type {HTMLOptionElement[]} */
  const wanted = [];
  for (const value of request.values) {
    const option = optionFor(options, value, label);
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
  if (changed) {
    select.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
    select.dispatchEvent(new Event('change', {bubbles: true}));
  }
  return Array.from(select.selectedOptions, (option) => wellFormed(label(option)));
}

/** @param {HTMLOptionElement[]} options @param {string} value @param {(option: HTMLOptionElement) => string} label */
function optionFor(options, value, label) {
  const text = collapse(value);
  const number = /^#?(\d+)$/.exec(text);
  return options.find((option) => option.value === value) ?? options.find((option) => label(option) === text) ??
    options.find((option) => label(option).toLowerCase() === text.toLowerCase()) ?? (number ? options[Number(number[1])] : undefined);
}

/**
 * Finds the options of a list that the page has made itself, and the one that is wanted.
 * @param {{ref: string, value: string, typed?: boolean, prefix?: string, next?: number}} request typed: the list shows what fits
 *   to the text, so that the only option with it is meant, and a number is no index
 * @returns {{open: boolean, ref: string, name: string, selected: boolean, options: string[], next: number}}
 */
export function widgetOption(request) {
  beginCall();
  continueRefs(request);
  const widget = elementOf(request.ref);
  /** @type {Element[]} */
  const options = [];
  if (widget) {
    const places = [widget, ...idrefs(widget, 'aria-controls'), ...idrefs(widget, 'aria-owns')];
    const input = queryAll(widget, '[aria-controls]')[0];
    if (input) places.push(...idrefs(input, 'aria-controls'));
    for (const place of places) eachElement(place, (element) => isChoice(element) && options.push(element));
    if (!options.length) eachElement(rootElementOf(document), (element) => isChoice(element) && offered(element, widget) && !isAnothers(element, widget) && options.push(element));
  }
  const text = collapse(request.value);
  const name = /** @param {Element} option */ (option) => nameOf(option) || collapse(textContent(option) ?? '');
  const found = options.find((option) => name(option) === text) ?? options.find((option) => attr(option, 'data-value') === text || attr(option, 'value') === text) ??
    options.find((option) => name(option).toLowerCase() === text.toLowerCase()) ??
    (request.typed ? onlyWith(options, name, text) : /^#?\d+$/.test(text) ? options[Number(text.replace('#', ''))] : undefined);
  return {
    open: options.length > 0, ref: found ? refOf(found) : '', name: found ? wellFormed(name(found)) : '', selected: found ? chosen(found, request.typed ?? false) : false,
    options: options.slice(0, MOST_OPTIONS_LISTED).map((option) => quote(wellFormed(name(option)))), next: refState.next,
  };
}

/**
 * Whether an option needs no click. In a list that shows what fits to a text, the selected one of a list for one is only
 * the one that Enter would take.
 * @param {Element} option @param {boolean} typed
 */
function chosen(option, typed) {
  if (checkedState(option, roleOf(option)) === 'true') return true;
  const list = closest(option, '[role~="listbox" i], [role~="tree" i]');
  return selectedState(option, roleOf(option)) && (!typed || list !== null && token(list, 'aria-multiselectable') === 'true');
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

/** The only option with a text in it. @param {Element[]} options @param {(option: Element) => string} name @param {string} text */
function onlyWith(options, name, text) {
  const fitting = options.filter((option) => name(option).toLowerCase().includes(text.toLowerCase()));
  return fitting.length === 1 ? fitting[0] : undefined;
}
