// An offer at the time when it is taken: found again by its key, with the
// elements that it needs.

import {hasAttr, localName, wellFormed} from '../dom/dom.js';
import {beginCall} from '../dom/style.js';
import {FORM_CONTROLS} from '../aria/role.js';
import {quote} from '../aria/state.js';
import {continueRefs, elementOf, refOf, refState} from '../snapshot/refs.js';
import {Objected} from '../objection.js';
import {brief, findOffers, offered} from './offers.js';
import {fieldLabel} from './fields.js';
import {lastOf} from './forms.js';
import {itemOf, itemsOf, openerOf} from './lists.js';
import {hasRow, rowNamed, showRow} from './grid.js';
import {rowControls, rowFields, stem} from './rows.js';
/** @import {Found, Offered} from './offers.js' */
/** @import {FoundField} from './fields.js' */
/** @import {Repeat} from './lists.js' */

/** @typedef {{name: string, ref: string, how: string, label: string, choices: {name: string, ref: string}[]}} TakenField */

/**
 * @typedef {object} Taken
 * @property {Offered | null} offer null where the page has it no longer
 * @property {TakenField[]} fields
 * @property {string} submit the ref of what sends it
 * @property {string} enter the ref of the field in which Enter sends it
 * @property {string} press the ref of what is pressed
 * @property {string} open the ref of what is pressed before there are its fields
 * @property {string} item what the item at the index is called
 * @property {number} next
 */

/**
 * @typedef {{prefix?: string, next?: number, key: string, index?: number, item?: string, expected?: string}} Request expected is what the item was called when it was told
 */

/** @param {Request} request @returns {Promise<Taken>} */
export async function takeOffer(request) {
  beginCall();
  continueRefs(request);
  /** @type {Taken} */
  const taken = {offer: null, fields: [], submit: '', enter: '', press: '', open: '', item: '', next: refState.next};
  let found = findOffers().find((offer) => offer.key === request.key);
  if (found?.repeat && undrawn(found.repeat, request)) {
    await showRow(request.key, (repeat) => !undrawn(repeat, request));
    beginCall();
    found = findOffers().find((offer) => offer.key === request.key);
  }
  if (found) {
    taken.offer = offered(found);
    let fields = found.fields;
    if (/^(read|sort|select|page)$/.test(found.kind)) {
      fields = [];
    } else if (found.repeat) {
      const row = rowMeant(found, found.repeat, request, taken);
      fields = takeRow(found, found.repeat, row, taken, request.index);
    } else if (found.kind === 'action') {
      if (found.opens) taken.open = refOf(found.element);
      else if (!fields.length) taken.press = refOf(found.element);
      if (found.submits?.length) taken.submit = refOf(found.submits[0]);
    } else {
      if (found.submits?.length) taken.submit = refOf(found.submits[0]);
      else taken.enter = enterIn(found);
    }
    for (const field of fields) {
      taken.fields.push({
        name: field.name, label: field.label, ref: refOf(field.element), how: field.how,
        choices: /^(radio|checks|submit)$/.test(field.how) ? field.choices.map(({name, element}) => ({name, ref: refOf(element)})) : [],
      });
    }
  }
  taken.next = refState.next;
  beginCall();
  return taken;
}

/** Whether a row is meant that a grid has not drawn. @param {Repeat} repeat @param {Request} request */
function undrawn(repeat, request) {
  const {table} = repeat;
  if (!table || table.total <= repeat.rows.length) return false;
  if (request.index !== undefined) return !table.numbers.includes(request.index);
  return !hasRow(repeat, request.item ?? '');
}

/** The ref of the field in which Enter sends what has no button for it: that of a search, or the only one. @param {Found} found */
function enterIn(found) {
  const texts = found.fields.filter(({how, input, type}) => (how === 'fill' || how === 'suggest') && input && type === 'string' && /^(text|search|email|tel|url|password)$/.test(input.type));
  const one = found.kind === 'search' ? texts.find((field) => field.name === 'query') ?? texts[0] : localName(found.element) === 'form' || found.fields.length === 1 ? lastOf(texts) : null;
  return one ? refOf(one.element) : '';
}

/** The row that an index means: that which was called so when it was told, wherever it is now. @param {Found} found @param {Repeat} repeat @param {Request} request @param {Taken} taken @returns {Element} */
function rowMeant(found, repeat, request, taken) {
  const {rows, table} = repeat;
  const who = quote(brief(found.name, 80)), {index} = request;
  if (index === undefined && request.item) {
    const row = rows[rowNamed(repeat, request.item)];
    taken.item = itemOf(repeat, row);
    return row;
  }
  if (index === undefined) throw new Objected('index-missing', {who});
  const row = index >= 0 ? rows[table ? table.numbers.indexOf(index) : index] : undefined;
  if (row) taken.item = itemOf(repeat, row);
  if (request.expected && request.expected !== taken.item) {
    const places = itemsOf(repeat).flatMap((item, i) => item === request.expected ? [i] : []);
    const title = request.expected.split(' — ')[0];
    const alike = places.length ? places : itemsOf(repeat).flatMap((item, i) => item.split(' — ')[0] === title ? [i] : []);
    if (alike.length === 1) {
      taken.item = itemsOf(repeat)[alike[0]];
      return rows[alike[0]];
    }
    if (!alike.includes(index)) throw new Objected('item-moved', {who, index, about: request.expected});
  }
  if (!row) throw new Objected('item-none', {who, index, count: rows.length});
  return row;
}

/** @param {Found} found @param {Repeat} repeat @param {Element} row @param {Taken} taken @param {number} [index] @returns {FoundField[]} */
function takeRow(found, repeat, row, taken, index) {
  const problem = {who: quote(brief(found.name, 80)), about: taken.item, index};
  if (found.kind === 'list') {
    const opener = openerOf(repeat, row);
    if (!opener) throw new Objected('item-closed', problem);
    taken.press = refOf(opener);
    return [];
  }
  const control = rowControls(repeat, row).get(stem(found.press ?? found.set ?? ''));
  if (!control) throw new Objected('item-without', problem);
  if (found.press) taken.press = refOf(control.control.element);
  return rowFields(control.fields, row, repeat);
}

/** What the page says is wrong with the fields of a form, by their refs. @param {string[]} refs @returns {{ref: string, label: string, problem: string}[]} */
export function invalidFields(refs) {
  const out = [];
  for (const ref of refs) {
    const element = elementOf(ref);
    if (!element || !FORM_CONTROLS.has(localName(element))) continue;
    const field = /** @type {HTMLInputElement} */ (element);
    const form = field.form;
    if (!field.willValidate || field.validity.valid || form && hasAttr(form, 'novalidate')) continue;
    out.push({ref, label: fieldLabel(element), problem: wellFormed(field.validationMessage)});
  }
  return out;
}
