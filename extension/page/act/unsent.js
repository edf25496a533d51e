// Forms that the browser keeps from being sent, because of what a field holds. It says so in a bubble that is in no document.

import {focusedElement, localName, wellFormed} from '../dom/dom.js';
import {isPrivate} from '../dom/private.js';
import {beginCall, rendered} from '../dom/style.js';
import {continueRefs, refState} from '../snapshot/refs.js';
import {describe} from '../snapshot/describe.js';

const MOST_KEPT = 20;
const MOST_TOLD = 5;

/** What the browser objected to lately. @type {{event: Event, field: Element}[]} */
let objections = [];

for (const type of ['invalid', 'submit']) window.addEventListener(type, note, true);

/** @param {Event} event */
function note(event) {
  const at = event.composedPath()[0];
  if (!event.isTrusted || !(at instanceof Element)) return;
  if (event.type === 'invalid') objections = [...objections.slice(1 - MOST_KEPT), {event, field: at}];
  else objections = objections.filter(({field}) => /** @type {HTMLInputElement} */ (field).form !== at);
}

/** Forgets what the browser objected to before an action. */
export function forgetUnsent() {
  objections = [];
}

/**
 * The fields that have kept their form from being sent, each with what the browser says of it; '' where none did, or the
 * page says so by itself. The browser shows the first to the person, and gives it the focus; a page that only asks whether a
 * field is valid does not. One out of sight it can show to nobody.
 * @param {{prefix?: string, next?: number}} request
 */
export function unsentFields(request) {
  const list = objections.filter(({event}) => !event.defaultPrevented).map(({field}) => field);
  forgetUnsent();
  const [first] = list;
  if (!first) return '';
  beginCall();
  if (focusedElement() !== first && rendered(first)) return '';
  continueRefs(request);
  return list.filter((field, i) => !list.slice(0, i).some((other) => ofOneGroup(field, other))).slice(0, MOST_TOLD).map((field) => {
    const said = isPrivate(field) ? '' : /** @type {HTMLInputElement} */ (field).validationMessage;
    return `${describe(field)}: ${wellFormed(said) || 'not valid'}${rendered(field) ? '' : ' (it is hidden)'}`;
  }).join('; ');
}

/** Whether two fields are one to the person. @param {Element} field @param {Element} other */
function ofOneGroup(field, other) {
  if (field === other) return true;
  const {form, name, type} = /** @type {HTMLInputElement} */ (field), {form: others, name: called} = /** @type {HTMLInputElement} */ (other);
  return localName(field) === 'input' && type === 'radio' && form === others && name === called;
}

/** What kept a form from being sent by keys. @param {{prefix?: string, next?: number}} request */
export function unsent(request) {
  return {said: unsentFields(request), next: refState.next};
}
