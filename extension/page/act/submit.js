// Whether an input would send a form in which a person entrusts something to a site.

import {allRoots, attr, closest, composedParent, invoke, localName, matches, queryAll} from '../dom/dom.js';
import {isPrivate} from '../dom/private.js';
import {rendered} from '../dom/style.js';
import {elementOf} from '../snapshot/refs.js';
import {kindOf} from './act.js';

/** @typedef {'' | 'password' | 'one-time code' | 'payment'} Entrusted what a field is for */

/**
 * @typedef {object} SubmitRequest
 * @property {string} [ref] what is acted on
 * @property {'press' | 'enter' | 'any'} how any: it is not known on what
 * @property {Entrusted} [framed] what fields of frames in the page are for
 */

/**
 * What the form is for that an input would send, empty where it sends none of those. Where a page sends without a form, or
 * with a button that says nothing of it, whatever can be pressed there counts.
 * @param {SubmitRequest} request
 * @returns {Entrusted}
 */
export function submits(request) {
  const element = request.ref ? elementOf(request.ref) : null;
  const fields = entrusted(request.framed ?? '', element && !rendered(element) ? formOf(element) : null);
  const [first] = fields;
  if (!first || request.how === 'any') return first?.what ?? '';
  if (!element) return loose(fields);
  const kind = kindOf(element), form = formOf(element);
  if (request.how === 'enter' && /^(field|shaped|check|select|listbox|option)$/.test(kind)) {
    if (localName(element) === 'textarea') return '';
    return of(fields, form) || (form ? '' : loose(fields));
  }
  if (/^(field|shaped|check|select|listbox|option|file|editor)$/.test(kind)) return '';
  const button = submitterAt(element);
  if (button) return of(fields, formOf(button)) || (formOf(button) ? '' : loose(fields));
  for (const inside of queryAll(element, SUBMITTERS)) { // a click may land on it
    const what = of(fields, formOf(inside));
    if (what) return what;
  }
  if (form && !of(fields, form) && hasSubmitter(form)) return ''; // another one
  const link = closest(element, 'a[href]');
  if (link && !/^(#|javascript:)/i.test((attr(link, 'href') ?? '').trim())) return '';
  return loose(fields);
}

/** @typedef {{what: Entrusted, form: Element | null}} Entrusting */

/** The fields that the document shows for such things, or will show in a form. @param {Entrusted} framed @param {Element | null} later the form @returns {Entrusting[]} */
function entrusted(framed, later) {
  /** @type {Entrusting[]} */
  const list = [];
  for (const root of allRoots()) {
    for (const field of invoke(root, 'querySelectorAll', 'input, select, textarea' + (framed ? ', iframe' : ''))) {
      const what = localName(field) === 'iframe' ? framed : purposeOf(field);
      const form = what ? formOf(field) : null;
      if (what && (rendered(field) || form && form === later)) list.push({what, form});
    }
  }
  return list;
}

/** @param {Element} field @returns {Entrusted} */
function purposeOf(field) {
  const hint = attr(field, 'autocomplete') ?? '';
  if (/(^|\s)one-time-code(\s|$)/i.test(hint)) return 'one-time code';
  if (/(^|\s)cc-/i.test(hint)) return 'payment';
  return isPrivate(field) || /(^|\s)new-password(\s|$)/i.test(hint) ? 'password' : '';
}

/** What the fields of a form are for. @param {Entrusting[]} fields @param {Element | null} form */
const of = (fields, form) => fields.find((field) => form && field.form === form)?.what ?? '';

/** What those are for that no button of their own form sends. @param {Entrusting[]} fields */
const loose = (fields) => fields.find((field) => !field.form || !hasSubmitter(field.form))?.what ?? '';

/** The form of an element, also one around its shadow tree. @param {Element} element @returns {Element | null} */
function formOf(element) {
  const own = /** @type {HTMLInputElement} */ (element).form;
  if (own instanceof Element) return own;
  for (let at = composedParent(element); at; at = composedParent(at)) if (localName(at) === 'form') return at;
  return null;
}

const SUBMITTERS = 'button:not([type=button i]):not([type=reset i]), input[type=submit i], input[type=image i]';

/** @param {Element} form */
function hasSubmitter(form) {
  for (const button of invoke(document, 'querySelectorAll', SUBMITTERS)) if (formOf(button) === form && rendered(button)) return true;
  return false;
}

/** The button that sends a form, of which an element is a part or a label. @param {Element} element @returns {Element | null} */
function submitterAt(element) {
  /** @type {Element | null} */
  let at = element;
  while (at && !matches(at, SUBMITTERS)) at = composedParent(at);
  const labelled = at ? null : /** @type {HTMLLabelElement | null} */ (closest(element, 'label'))?.control;
  return labelled && matches(labelled, SUBMITTERS) ? labelled : at;
}
