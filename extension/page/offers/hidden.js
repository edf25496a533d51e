// Forms among offers that are not shown until a button is pressed: the button
// takes their fields, too.

import {attr, closest, composedParent, findAll, hasAttr, invoke, localName, plainContains, queryAll, textContent, token} from '../dom/dom.js';
import {rendered} from '../dom/style.js';
import {disabledState} from '../aria/state.js';
import {nameOf} from '../aria/name.js';
import {roleOf} from '../aria/role.js';
import {HEADINGS} from './results.js';
import {fieldsFrom} from './fields.js';
import {authorLabel} from './forms.js';
import {LEAVES, SENDS} from './words.js';
import {single} from './fold.js';
/** @import {Found} from './offers.js' */

const MOST_FORMS = 20;
const MOST_FIELDS = 12;
const BOXES = 'form, dialog:not(:has(form), form dialog), [role="dialog"]:not(:has(form), form [role="dialog"])';
const FIELDS = 'input:not([type="hidden"], [type="submit"], [type="button"], [type="image"], [type="reset"], [type="file"]), select, textarea, [role="textbox"], [contenteditable]:not([contenteditable="false"], [role="textbox"])';
/** Attributes that say nothing of other elements. */
const OF_ITSELF = /^(id|class|style|name|title|value|type|role|aria-label)$/;
/** Names of buttons that begin something to be written. */
const BEGINS = /^(new|create|compose|write)\b/i;

/** @typedef {{form: Element, fields: Element[], ids: string[], words: Set<string>}} Hidden */

/** Gives the buttons that show a form its fields. @param {Found[]} found */
export function fieldsBehind(found) {
  const forms = hiddenForms();
  if (!forms.length) return;
  const buttons = found.filter((offer) => single(offer) && roleOf(offer.element) === 'button' && localName(offer.element) !== 'summary');
  for (const hidden of forms) {
    const one = [mentions, says].reduce((some, link) => some.length ? some : buttons.filter((offer) => link(offer, hidden)), /** @type {Found[]} */ ([]));
    const begin = one.length || forms.length > 1 || hidden.fields.length < 2 ? [] : buttons.filter((offer) => BEGINS.test(offer.name));
    const opens = one.length ? one : begin;
    if (opens.length !== 1 || opens[0].fields.length) continue;
    opens[0].fields = fieldsFrom(hidden.fields).map((field) => ({...field, required: false}));
    const submit = submitIn(hidden.form);
    // "Create event" is done when it is sent; "Compose" is no word for that.
    opens[0].opens = submit && SENDS.test(opens[0].name) ? 'send' : 'fill';
    if (submit && opens[0].opens === 'send') opens[0].submits = [submit];
  }
}

/** The button that sends what is hidden; null where none is known. @param {Element} form @returns {Element | null} */
function submitIn(form) {
  const buttons = Array.from(queryAll(form, 'button, input[type="submit"]')).filter((button) => !LEAVES.test(nameOf(button)));
  return buttons.find((button) => localName(form) === 'form' && /** @type {HTMLButtonElement} */ (button).type === 'submit') ?? buttons.find((button) => SENDS.test(nameOf(button))) ?? null;
}

/** @returns {Hidden[]} */
function hiddenForms() {
  /** @type {Hidden[]} */
  const forms = [];
  for (const form of Array.from(findAll(BOXES)).slice(0, MOST_FORMS)) {
    if (rendered(form) || hasAttr(form, 'toolname') || closest(form, '[inert]')) continue;
    const fields = Array.from(queryAll(form, FIELDS)).filter((field) => !disabledState(field) && !hasAttr(field, 'readonly'));
    if (!fields.length || fields.length > MOST_FIELDS || fields.some((field) => token(field, 'type') === 'password')) continue;
    /** @type {Hidden} */
    const hidden = {form, fields, ids: [], words: new Set()};
    for (let at = /** @type {Element | null} */ (form); at && !rendered(at); at = composedParent(at)) {
      const id = attr(at, 'id');
      if (id) hidden.ids.push(id);
      wordsOf(authorLabel(at)).forEach((word) => hidden.words.add(word));
      for (const text of [id, attr(at, 'class'), attr(at, 'name')]) wordsOf(text ?? '').forEach((word) => hidden.words.add(word));
      for (const heading of queryAll(at, HEADINGS)) wordsOf(textContent(heading)).forEach((word) => hidden.words.add(word));
    }
    forms.push(hidden);
  }
  return forms;
}

/** Whether a button's attributes name what is hidden, as aria-controls does. @param {Found} offer @param {Hidden} hidden */
function mentions({element}, hidden) {
  if (plainContains.call(hidden.form, element)) return false;
  return Array.from(invoke(element, 'getAttributeNames')).some((name) => {
    if (OF_ITSELF.test(name)) return false;
    const value = attr(element, name) ?? '';
    return hidden.ids.some((id) => value === id || value.split(/[^\w-]+/).includes(id));
  });
}

/** Whether what is hidden is called as the button is. @param {Found} offer @param {Hidden} hidden */
function says({name}, hidden) {
  const words = wordsOf(name);
  return words.length > 0 && words.every((word) => hidden.words.has(word));
}

/** @param {string} text @returns {string[]} */
function wordsOf(text) {
  return text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}
