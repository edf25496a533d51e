// Forms among offers: which fields belong together, what sends them, and what a
// person would call it.

import {attr, childElementCount, closest, collapse, composedParent, find, hasAttr, invoke, localName, matches, plainContains,
  previousElement, queryAll, textContent, token} from '../dom/dom.js';
import {rendered} from '../dom/style.js';
import {FORM_CONTROLS, roleOf} from '../aria/role.js';
import {nameOf} from '../aria/name.js';
import {HEADINGS} from './results.js';
import {ofField} from './actions.js';
import {brief} from './offers.js';
import {fieldLabel, fieldsFrom, shownLabel} from './fields.js';
import {looseOffers} from './loose.js';
import {dialogTitle, headingName, kindOf} from './record.js';
import {LEAVES, SAYS_NOTHING, SEARCHES, SENDS} from './words.js';
/** @import {Control, Found, Zone} from './offers.js' */
/** @import {FoundField} from './fields.js' */

/** A title that says what its form does. */
const DOES = /^(edit|change|update|rename|add|write|invite|assign|move|filter|find|leave|request|schedule|report)\b/i;
/** What a field that searches or narrows is called. */
export const NARROWS = /\b(filter|find)\b/i;
const MOST_CLIMB = 8;
/** Buttons of a page that is one form, though nothing says so. */
const MOST_OF_PAGE = 2;
/** What says of a form whether it is sent once it is filled in. */
const SEND = 'send';
const LEAST_TO_SEND = 3;
/** What a title says of where a form stands in a row of them. */
const STEP = /^(step|schritt|étape|paso|passo|stap|krok|steg|шаг|adım|ステップ|步骤)\s*\d*(\s*(of|von|sur|de|di|van|z|av|из|\/)\s*\d+)?\s*[:.–—-]\s*/iu;
const FORM_ROLES = /^(form|search|dialog|alertdialog)$/;

/** @typedef {{box: Element, form: boolean, fields: Control[], buttons: Control[]}} Group */

/** @param {Control[]} controls @param {Set<Element>} used what of them belongs to a form @returns {Found[]} */
export function formOffers(controls, used) {
  const buttons = controls.filter((control) => control.kind === 'button' && !ofField(control.element));
  const above = buttonsAbove(buttons);
  /** @type {Map<Element, Group>} */
  const groups = new Map();
  /** @type {Control[]} */
  const loose = [];
  for (const control of controls) {
    if (control.kind !== 'field') continue;
    const box = boxOf(control.element, above);
    if (!box) {
      loose.push(control);
      continue;
    }
    const group = groups.get(box) ?? {box, form: localName(box) === 'form', fields: [], buttons: []};
    group.fields.push(control);
    groups.set(box, group);
  }
  for (const {box, fields} of groups.values()) {
    if (!isPage(box) || !fields.every(({element}) => isSwitch(element))) continue;
    loose.push(...fields); // they act by themselves
    groups.delete(box);
  }
  /** @type {Found[]} */
  const found = [];
  for (const group of groups.values()) {
    for (const button of buttons) if (group.form ? formOf(button.element) === group.box : plainContains.call(group.box, button.element)) group.buttons.push(button);
    if (!group.buttons.length) group.buttons = dialogButtons(group.box, buttons, groups);
    const offer = formOffer(group, used);
    if (offer) found.push(offer);
  }
  found.push(...looseOffers(loose, used));
  return found;
}

/** The buttons of the dialog around a form that is the only one there and has none. @param {Element} box @param {Control[]} buttons @param {Map<Element, Group>} groups */
function dialogButtons(box, buttons, groups) {
  const dialog = closest(box, DIALOGS);
  if (!dialog || Array.from(groups.keys()).some((other) => other !== box && plainContains.call(dialog, other))) return [];
  return buttons.filter(({element}) => formOf(element) === null && plainContains.call(dialog, element));
}

/** By element: the buttons in it, as far up as a form may reach. @param {Control[]} buttons @returns {Map<Element, Control[]>} */
function buttonsAbove(buttons) {
  /** @type {Map<Element, Control[]>} */
  const above = new Map();
  for (const button of buttons) {
    let left = MOST_CLIMB;
    for (let at = composedParent(button.element); at && left-- > 0; at = composedParent(at)) above.set(at, [...above.get(at) ?? [], button]);
  }
  return above;
}

/** The form that a control belongs to. @param {Element} element @returns {Element | null} */
export function formOf(element) {
  if (FORM_CONTROLS.has(localName(element))) return /** @type {HTMLInputElement} */ (element).form;
  return closest(element, 'form');
}

/** What holds a field together with others and with what sends them; null where nothing does. @param {Element} field @param {Map<Element, Control[]>} above */
function boxOf(field, above) {
  const form = formOf(field);
  if (form) return form;
  const label = fieldLabel(field);
  const sought = SEARCHES.test(label) || NARROWS.test(label) || /search/.test(roleOf(field)) || token(field, 'type') === 'search';
  let left = MOST_CLIMB;
  for (let at = composedParent(field); at && left-- > 0; at = composedParent(at)) {
    const tag = localName(at);
    if (tag === 'html') return null;
    const whole = isPage(at);
    if (FORM_ROLES.test(token(at, 'role')) || tag === 'dialog' || tag === 'search') return at;
    const senders = (above.get(at) ?? []).filter((button) => follows(button.element, field) && formOf(button.element) === null);
    if (whole && (sought || (above.get(at) ?? []).length > MOST_OF_PAGE)) return null;
    const fits = senders.filter(({element}) => {
      if (inOtherPart(element, field)) return false;
      const name = buttonName(element);
      return sought ? !name || SEARCHES.test(name) || /^(go|find|filter|apply|ok|submit)/i.test(name) : SENDS.test(name) && !LEAVES.test(name);
    });
    if (fits.length) return at;
    if (whole) return null;
  }
  return null;
}

/** Whether a button stands in a part that is folded by itself and has fields, of which this is none. @param {Element} button @param {Element} field */
function inOtherPart(button, field) {
  const part = closest(button, 'details');
  return part !== null && !plainContains.call(part, field) && queryAll(part, 'input, select, textarea').length > 0;
}

/** What a part that is folded is called. @param {Element} details */
export function summaryOf(details) {
  const summary = queryAll(details, 'summary')[0];
  return summary && rendered(summary) ? brief(kindOf(headingName(summary)), 60) : '';
}

/** Whether a form has no box but the page. @param {Element} box */
const isPage = (box) => /^(body|main)$/.test(localName(box)) && !FORM_ROLES.test(token(box, 'role'));

/** @param {Element} field */
export const isSwitch = (field) => /^(checkbox|radio|switch)$/.test(roleOf(field));

/** What a button is called, also a box that is one. @param {Element} element */
function buttonName(element) {
  return nameOf(element) || (roleOf(element) === 'generic' ? brief(collapse(textContent(element)), 80) : '');
}

/** Whether an element stands after another. @param {Element} element @param {Element} other */
function follows(element, other) {
  return (invoke(other, 'compareDocumentPosition', element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** @param {Group} group @param {Set<Element>} used @returns {Found | null} */
function formOffer(group, used) {
  const elements = group.fields.map((control) => control.element);
  const fields = fieldsFrom(elements);
  if (!fields.length) return null;
  for (const element of elements) used.add(element);
  const submits = submitsOf(group);
  for (const button of submits) used.add(button.element);
  const first = group.fields[0];
  const button = submits[0] ? buttonName(submits[0].element) : '';
  const query = queryField(fields, group.box, button);
  const [title, own] = boxTitle(group.box, first.element);
  /** @type {Found} */
  const offer = {
    kind: query ? 'search' : 'form', name: '', about: '', key: '', rank: 0, order: first.order, fields, element: group.box,
    submits: submits.map((control) => control.element),
  };
  if (query) {
    query.name = fields.some((field) => field !== query && field.name === 'query') ? query.name : 'query';
    query.required = true;
    const hint = [title, nameOf(query.element), attr(query.element, 'placeholder') ?? ''].map((text) => collapse(text).replace(/[.…]+$/, ''));
    offer.name = [...hint, button].find((text) => SEARCHES.test(text) && /\s/.test(text) && text.length <= 60) ?? (button && SEARCHES.test(button) ? button : 'Search');
    offer.about = hint.find((text) => text && text !== offer.name) ?? '';
  } else {
    [offer.name, offer.about] = formName(button, title, own, fields);
  }
  offer.rank = formRank(first.area, query !== null, fields.length);
  if (submits.length > 1) {
    const names = submits.map((control) => buttonName(control.element)).filter(Boolean);
    if (new Set(names).size > 1) fields.push(submitField(submits, fields));
  }
  if (!query && submits.length && fields.length >= LEAST_TO_SEND && !fields.some((field) => field.name === SEND || field.format === 'password')) {
    fields.push({name: SEND, label: SEND, type: 'boolean', format: '', value: 'true', description: 'false: only fill in', required: false, choices: [], how: 'send', element: submits[0].element, input: null});
  }
  return offer;
}

/** The buttons that send a form, the usual one first. @param {Group} group @returns {Control[]} */
function submitsOf(group) {
  const last = group.fields[group.fields.length - 1];
  const sending = group.buttons.filter(({element}) => {
    if (LEAVES.test(buttonName(element))) return false;
    const type = FORM_CONTROLS.has(localName(element)) ? /** @type {HTMLInputElement} */ (element).type : '';
    return group.form && (type === 'submit' || type === 'image');
  });
  const on = sending.filter(({off}) => !off); // all are off until the form is filled in, or one is that of a part which is not for now
  if (sending.length) return (on.length ? on : sending).slice(0, 5);
  const worded = group.buttons.filter(({element}) => SENDS.test(buttonName(element)) && !LEAVES.test(buttonName(element)) && !hasAttr(element, 'aria-haspopup'));
  if (worded.length) {
    const after = worded.filter(({element}) => follows(element, last.element));
    return [(after.length ? after : worded)[0]];
  }
  const after = group.buttons.filter(({element}) => follows(element, last.element) && !LEAVES.test(buttonName(element)));
  return after.length === 1 ? after : [];
}

/** The choice among several buttons that send a form. @param {Control[]} submits @param {FoundField[]} fields @returns {FoundField} */
function submitField(submits, fields) {
  const choices = submits.map(({element}) => ({name: buttonName(element), element})).filter(({name}) => name);
  let name = 'submit';
  while (fields.some((field) => field.name === name)) name = 'with_' + name;
  return {
    name, label: 'Button to press', type: 'string', format: '', value: choices[0].name, description: '', required: false,
    choices, how: 'submit', element: choices[0].element, input: null,
  };
}

/** The field of a search that takes the words; null where it is no search. @param {FoundField[]} fields @param {Element} box @param {string} button */
export function queryField(fields, box, button) {
  const texts = fields.filter((field) => (field.how === 'fill' || field.how === 'suggest') && field.type === 'string' && field.format === '' && (localName(field.element) !== 'textarea' || field.how === 'suggest' || /** @type {HTMLTextAreaElement} */ (field.element).rows === 1));
  const said = texts.find((field) => field.input?.type === 'search' || roleOf(field.element) === 'searchbox');
  if (said && fields.length <= 5) return said;
  const place = localName(box) === 'search' || token(box, 'role') === 'search';
  if (texts.length !== 1 || fields.length > 4) return null;
  const [one] = texts;
  const words = [one.label, attr(one.element, 'name') ?? '', attr(one.element, 'placeholder') ?? '', attr(one.element, 'id') ?? ''];
  return place || words.some((text) => SEARCHES.test(text)) || fields.length === 1 && /^(search|find)\b/i.test(button) ? one : null;
}

/** What a box is called, by its author, or by a heading in it or before it, and whether that is its own. @param {Element} box @param {Element} first its first field @returns {[string, boolean]} */
function boxTitle(box, first) {
  const own = collapse(attr(box, 'aria-label') ?? '') || (hasAttr(box, 'aria-labelledby') ? nameOf(box) : '');
  if (own) return [own, true];
  const legends = queryAll(box, 'legend');
  for (const heading of queryAll(box, HEADINGS)) {
    // One that stands among the fields is that of a part.
    if (rendered(heading) && follows(first, heading)) return [brief(headingName(heading), 80), true];
  }
  if (legends.length === 1 && childElementCount(box) <= 3) return [brief(collapse(textContent(legends[0])), 80), true];
  if (localName(box) === 'fieldset') return [nameOf(box), true];
  if (localName(box) === 'details' && summaryOf(box)) return [summaryOf(box), true];
  const dialog = closest(box, DIALOGS);
  return dialog ? [brief(dialogTitle(dialog), 80), true] : [headingBefore(box), false];
}

const DIALOGS = 'dialog, [role="dialog"], [role="alertdialog"]';

/** The heading under which an element stands, unless it says no more than what the page's record is called. @param {Element} element @returns {string} */
export function headingBefore(element) {
  let left = 6;
  for (let at = /** @type {Element | null} */ (element); at && left-- > 0; at = composedParent(at)) {
    const tag = localName(at);
    if (tag === 'body' || at !== element && (tag === 'nav' || token(at, 'role') === 'navigation')) break;
    const label = at === element ? '' : authorLabel(at);
    let looked = 0;
    for (let before = previousElement(at); before && looked < 8; before = previousElement(before), looked++) {
      if (/^(aside|nav|form|section|article|fieldset|dialog|details|ul|ol|table)$/.test(localName(before))) continue; // its heading is its own
      const heading = matches(before, HEADED) ? before : lastOf(queryAll(before, HEADINGS));
      if (!heading || !rendered(heading) || !matches(before, HEADED) && childElementCount(before) > 6) continue;
      const kind = kindOf(headingName(heading));
      if (kind) return brief(kind, 80);
    }
    if (label) return brief(label, 80);
    if (tag === 'main') break;
  }
  const main = find('main, [role="main"]');
  if (main && !plainContains.call(main, element)) return '';
  const top = find('main h1') ?? find('h1');
  return top && rendered(top) && (follows(element, top) || plainContains.call(element, top)) ? brief(kindOf(headingName(top)), 80) : '';
}

const HEADED = `${HEADINGS}, summary`;

/** @param {Element} element */
export function authorLabel(element) {
  const label = collapse(attr(element, 'aria-label') ?? '');
  if (label) return label;
  return hasAttr(element, 'aria-labelledby') || localName(element) === 'fieldset' ? nameOf(element) : '';
}

/** @template T @param {ArrayLike<T>} list @returns {T | null} */
export function lastOf(list) {
  return list.length ? list[list.length - 1] : null;
}

/** What a form is called, and what more is said of it. @param {string} button @param {string} heading @param {boolean} own it is the form's @param {FoundField[]} fields @returns {[string, string]} */
function formName(button, heading, own, fields) {
  const verb = collapse(button).replace(/\s*[→»›>]+$/, '');
  const title = withoutValues(heading.replace(STEP, ''), fields);
  if (!verb) return [title || soleName(fields[0]), ''];
  if (!title || title.toLowerCase() === verb.toLowerCase()) return [verb, ''];
  if (DOES.test(title) && SAYS_NOTHING.test(verb) && title.split(' ').length <= 5) return [title, verb];
  const words = verb.split(' ').length;
  const sole = fields.length === 1 && shownLabel(fields[0].element) && fields[0].label.split(' ').length <= 3 ? fields[0].label : '';
  if (sole && /^(apply|update|set|save|add)$/i.test(verb)) return [`${verb} ${lowered(sole)}`, title];
  if (sole && !own && SAYS_NOTHING.test(verb)) return [sole, title];
  if (SAYS_NOTHING.test(verb)) {
    if (STEP.test(heading)) return [`Fill in ${lowered(title)}`, heading];
    const says = /^(save|update|apply)/i.exec(verb);
    return [says && !new RegExp(`^${says[1]}`, 'i').test(title) && title.split(' ').length <= 4 ? `${says[1]} ${lowered(title)}` : title, verb];
  }
  if (words > 1 || title.split(' ').length > 4) return [verb, title];
  // "Send" under "New message": the title says what. "Comment" under "Comments" says it itself.
  if (title.toLowerCase().includes(verb.toLowerCase())) return [title.includes(' ') ? title : verb, ''];
  if (!own && !(fields.length > 1 && NARROWS.test(verb))) { // a heading of more than the form says less than what is written in it
    const texts = fields.filter((field) => field.type === 'string' && field.how === 'fill' && !field.format);
    if (texts.length === 1 && fields.length <= 3) return [!shownLabel(texts[0].element) || texts[0].label.includes(' ') || texts[0].label.toLowerCase().includes(verb.toLowerCase()) ? verb : `${verb} ${lowered(texts[0].label)}`, title];
  }
  return [`${verb} ${lowered(title)}`, ''];
}

/** A title without the record that the form shows, by what is in its fields and by its number. @param {string} title @param {FoundField[]} fields */
function withoutValues(title, fields) {
  let rest = title;
  for (const {value, type} of fields) {
    const at = type === 'string' && value.length > 2 ? rest.toLowerCase().indexOf(value.toLowerCase()) : -1;
    if (at >= 0) rest = rest.slice(0, at) + rest.slice(at + value.length);
  }
  return kindOf(rest.replace(/(^|\s)[#№]?\d[\w-]*(?=\s|$)/gu, ' ').replace(/["“”'‘’]\s*["“”'‘’]/g, ' ')).replace(/[\s:–—-]+$/, '');
}

/** A form by one of its fields. One that shows no label is not called by what only its author knows. @param {FoundField} field */
export function soleName(field) {
  if (field.choices.length || shownLabel(field.element)) return field.label;
  return hasAttr(field.element, 'contenteditable') ? 'Edit text' : `Fill in ${field.label}`.trim();
}

/** A title within a sentence. @param {string} title */
function lowered(title) {
  return /^\p{Lu}[\p{Ll}\s]/u.test(title) ? title[0].toLowerCase() + title.slice(1) : title;
}

/** @param {Zone} area @param {boolean} search @param {number} fields */
export function formRank(area, search, fields) {
  const base = {dialog: 100, main: 62, page: 60, top: 50, aside: 40, nav: 40, foot: 8}[area];
  return base - (search ? 4 : 0) + Math.min(fields, 3);
}

/** @param {Element} section */
export function headingIn(section) {
  for (const heading of queryAll(section, HEADINGS)) if (rendered(heading)) return brief(kindOf(headingName(heading)), 80);
  return '';
}
