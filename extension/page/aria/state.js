// What an element is at the moment: its states and its value.

import {attr, collapse, composedParent, find, hasAttr, invoke, localName, matches, parentNode, scrollOf, token} from '../dom/dom.js';
import {call} from '../dom/style.js';
import {FORM_CONTROLS, disabled, editingHost, isDetailsSummary, roleOf} from './role.js';
import {nameOf} from './name.js';
import {isPrivate, veil} from '../dom/private.js';
import {openInPage} from '../snapshot/form.js';

const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem']);
const SELECTABLE = new Set(['option', 'tab', 'row', 'gridcell', 'treeitem', 'columnheader', 'rowheader', 'cell']);
export const FIELDS = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);
export const RANGES = new Set(['slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar', 'separator']);
/** Input types whose text has a form of its own, which whoever fills it must know. */
const SHAPED_INPUTS = new Set(['date', 'datetime-local', 'month', 'week', 'time', 'color', 'file', 'email', 'tel', 'url', 'password']);

/** An ARIA state as `true`, `false`, another word, or empty when it is not set. @param {Element} element @param {string} attribute */
export function ariaState(element, attribute) {
  const value = token(element, attribute);
  return value === 'undefined' ? '' : value;
}

/** @param {Element} element @param {string} role @returns {'' | 'true' | 'false' | 'mixed'} */
export function checkedState(element, role) {
  if (localName(element) === 'input') {
    const type = token(element, 'type');
    if (type === 'checkbox' || type === 'radio') {
      const input = /** @type {HTMLInputElement} */ (element);
      return input.indeterminate && type === 'checkbox' ? 'mixed' : input.checked ? 'true' : 'false';
    }
  }
  if (!CHECKABLE.has(role)) return '';
  const value = ariaState(element, 'aria-checked');
  return value === 'true' || value === 'false' || value === 'mixed' ? value : '';
}

/** Whether the element cannot be acted on, as HTML or ARIA says. @param {Element} element */
export function disabledState(element) {
  if (disabled(element)) return true;
  if (!disablesAnywhere()) return false;
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) {
    const value = ariaState(at, 'aria-disabled');
    if (value) return value === 'true';
  }
  return false;
}

/** Whether aria-disabled stands anywhere: few pages have it, and it counts for all that is inside. */
function disablesAnywhere() {
  call.disabling ??= find('[aria-disabled]') !== null;
  return call.disabling || call.shadow;
}

/** @param {Element} element @param {string} role @returns {string} */
export function expandedState(element, role) {
  const value = ariaState(element, 'aria-expanded');
  if (value === 'true' || value === 'false') return value;
  if (localName(element) === 'summary' && isDetailsSummary(element)) {
    const details = /** @type {HTMLDetailsElement} */ (parentNode(element));
    return String(hasAttr(details, 'open'));
  }
  if (role === 'combobox' && openInPage(element)) return 'true';
  if (role === 'button' && hasAttr(element, 'popovertarget')) {
    const target = /** @type {HTMLButtonElement} */ (element).popoverTargetElement;
    if (target) return String(invoke(target, 'matches', ':popover-open'));
  }
  return '';
}

/** @param {Element} element @param {string} role */
export function selectedState(element, role) {
  if (localName(element) === 'option' && role === 'option') return /** @type {HTMLOptionElement} */ (element).selected;
  return SELECTABLE.has(role) && ariaState(element, 'aria-selected') === 'true';
}

/** Whether a field takes more than one line. @param {Element} element */
function multiline(element) {
  return localName(element) === 'textarea' || ariaState(element, 'aria-multiline') === 'true' ||
    (editingHost(element) && ariaState(element, 'aria-multiline') !== 'false');
}

/** Whether a field shows its value but does not take another. @param {Element} element */
export function readonlyState(element) {
  const tag = localName(element);
  if (tag === 'textarea') return hasAttr(element, 'readonly');
  if (tag === 'input' && !CHECKABLE.has(roleOf(element))) return hasAttr(element, 'readonly') && roleOf(element) !== 'button';
  return ariaState(element, 'aria-readonly') === 'true';
}

/** What a page may say of itself in one word; ARIA takes any other for the last one. */
const INVALID = ['grammar', 'spelling', 'true'];
const CURRENT = ['page', 'step', 'location', 'date', 'time', 'true'];
const ORDERS = ['ascending', 'descending', 'none', 'other'];
const POPUPS = ['true', 'menu', 'listbox', 'tree', 'grid', 'dialog', 'false'];

/** A state as one of the words that it may have; empty for none. @param {Element} element @param {string} attribute @param {string[]} words */
function wordOf(element, attribute, words) {
  const value = ariaState(element, attribute);
  const word = !value || words.includes(value) ? value : value === 'false' ? '' : words[words.length - 1];
  return word === 'false' ? '' : word;
}

/** @param {Element} element */
function invalidState(element) {
  const value = ariaState(element, 'aria-invalid');
  if (value) return wordOf(element, 'aria-invalid', INVALID);
  // HTML tells only what the person could know: an error shown after input.
  return FORM_CONTROLS.has(localName(element)) && matches(element, ':user-invalid') ? 'true' : '';
}

/** @param {Element} element @param {string} role */
function levelOf(element, role) {
  const written = Number.parseInt(attr(element, 'aria-level') ?? '', 10);
  if (written > 0) return written;
  if (role !== 'heading') return 0;
  const match = /^h([1-6])$/.exec(localName(element));
  return match ? Number(match[1]) : 2;
}

/**
 * The states of an element as they stand in its line, without brackets.
 * @param {Element} element
 * @param {string} role
 * @param {string} name
 * @returns {string[]}
 */
export function statesOf(element, role, name) {
  /** @type {string[]} */
  const states = [];
  const tag = localName(element);
  const checked = checkedState(element, role);
  if (checked === 'true') states.push('checked');
  else if (checked === 'mixed') states.push('checked=mixed');
  if (role === 'button') {
    const pressed = ariaState(element, 'aria-pressed');
    if (pressed === 'true') states.push('pressed');
    else if (pressed === 'mixed' || pressed === 'false') states.push('pressed=' + pressed);
  }
  const expanded = expandedState(element, role);
  if (expanded) states.push(expanded === 'true' ? 'expanded' : 'expanded=false');
  if (selectedState(element, role)) states.push('selected');
  const level = levelOf(element, role);
  if (level) states.push('level=' + level);
  if (element === call.focused) states.push('focused');
  if (disabledState(element)) states.push('disabled');
  if (FIELDS.has(role) || CHECKABLE.has(role) || role === 'listbox' || role === 'radiogroup' || role === 'slider' || tag === 'input') fieldStates(element, role, name, states);
  const current = wordOf(element, 'aria-current', CURRENT);
  if (current) states.push(current === 'true' ? 'current' : 'current=' + current);
  if (role === 'columnheader' || role === 'rowheader') {
    const order = wordOf(element, 'aria-sort', ORDERS);
    if (order && order !== 'none') states.push('sort=' + order);
  }
  const popup = wordOf(element, 'aria-haspopup', POPUPS);
  if (popup) states.push(popup === 'true' ? 'haspopup' : 'haspopup=' + popup);
  if (ariaState(element, 'aria-busy') === 'true') states.push('busy');
  if (tag === 'dialog' ? matches(element, ':modal') : ariaState(element, 'aria-modal') === 'true') states.push('modal');
  if (ariaState(element, 'aria-multiselectable') === 'true' || (tag === 'select' && hasAttr(element, 'multiple'))) states.push('multiselectable');
  if (RANGES.has(role)) rangeStates(element, role, states);
  return states;
}

/** @param {Element} element @param {string} role @param {string} name @param {string[]} states */
function fieldStates(element, role, name, states) {
  if (FORM_CONTROLS.has(localName(element)) ? hasAttr(element, 'required') || ariaState(element, 'aria-required') === 'true' : ariaState(element, 'aria-required') === 'true') states.push('required');
  if (readonlyState(element)) states.push('readonly');
  const invalid = invalidState(element);
  if (invalid) states.push(invalid === 'true' ? 'invalid' : 'invalid=' + invalid);
  if ((role === 'textbox' || role === 'searchbox') && multiline(element)) states.push('multiline');
  if (localName(element) === 'input') {
    const type = token(element, 'type');
    if (SHAPED_INPUTS.has(type)) states.push('type=' + type);
    if (type === 'file' && hasAttr(element, 'multiple')) states.push('multiple');
  }
  const placeholder = attr(element, 'placeholder') ?? attr(element, 'aria-placeholder');
  if (placeholder && FIELDS.has(role)) {
    const text = collapse(placeholder);
    if (text && text !== name && !valueOf(element, role)) states.push('placeholder=' + text);
  }
}

/** @param {Element} element @param {string} role @param {string[]} states */
function rangeStates(element, role, states) {
  if (role === 'spinbutton' && localName(element) === 'input') {
    for (const bound of ['min', 'max', 'step']) {
      const value = attr(element, bound);
      if (isNumber(value)) states.push(`${bound}=${value}`);
    }
    return;
  }
  const native = localName(element) === 'input' ? ['min', 'max'] : ['aria-valuemin', 'aria-valuemax'];
  if (role !== 'slider' && role !== 'spinbutton') return;
  const from = attr(element, native[0]) ?? (native[0] === 'min' ? '0' : null);
  const to = attr(element, native[1]) ?? (native[1] === 'max' ? '100' : null);
  if (isNumber(from)) states.push('min=' + from);
  if (isNumber(to)) states.push('max=' + to);
}

/** @param {string | null} value */
function isNumber(value) {
  return value !== null && /^-?[\d.]+(e[-+]?\d+)?$/i.test(value);
}

/** The value that a control shows; what a private field holds is never told, nor its length. @param {Element} element @param {string} role */
export function valueOf(element, role) {
  switch (localName(element)) {
    case 'input': {
      const input = /** @type {HTMLInputElement} */ (element);
      const type = token(element, 'type');
      if (type === 'file') return Array.from(input.files ?? [], (file) => file.name).join(', ');
      if (role === 'button' && type !== 'color' || CHECKABLE.has(role)) return '';
      return isPrivate(input) ? veil(input.value) : input.value;
    }
    case 'textarea': {
      const {value} = /** @type {HTMLTextAreaElement} */ (element);
      return isPrivate(element) ? veil(value) : value;
    }
    case 'select': {
      if (role !== 'combobox') return '';
      const [chosen] = /** @type {HTMLSelectElement} */ (element).selectedOptions;
      return chosen ? nameOf(chosen) : '';
    }
    case 'meter': case 'progress': {
      const gauge = /** @type {HTMLMeterElement} */ (element);
      if (localName(element) === 'progress' && !hasAttr(element, 'value')) return '';
      return `${gauge.value} of ${gauge.max}`;
    }
  }
  if (RANGES.has(role)) return attr(element, 'aria-valuetext') ?? attr(element, 'aria-valuenow') ?? '';
  return '';
}

/**
 * What of a scroll container lies outside, such as `scrollable 3.2 pages below`; empty when all is in view.
 * @param {Element} element
 */
export function scrollState(element) {
  const parts = [];
  const {left, top, width, height, shownWidth, shownHeight} = scrollOf(element);
  const below = height - shownHeight - top;
  if (shownHeight > 0) {
    if (top > 1) parts.push(pages(top / shownHeight) + ' above');
    if (below > 1) parts.push(pages(below / shownHeight) + ' below');
  }
  const aside = width - shownWidth - Math.abs(left);
  if (shownWidth > 0 && aside > 1 && !parts.length) parts.push(pages(aside / shownWidth) + ' aside');
  return parts.length ? 'scrollable ' + parts.join(', ') : '';
}

/** @param {number} count */
export function pages(count) {
  const rounded = Math.max(0.1, Math.round(count * 10) / 10);
  return `${rounded} ${rounded === 1 ? 'page' : 'pages'}`;
}

/** A name in double quotes, in which no ref reads like one that we gave. @param {string} text */
export function quote(text) {
  return '"' + (/["\\[]/.test(text) ? text.replace(/["\\]/g, '\\$&').replace(/(\[(?:f\d+)?e\d+)\]/g, '$1\\]') : text) + '"';
}
