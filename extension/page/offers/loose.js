// Fields that no form holds.

import {attr, closest, composedParent, hasAttr, localName, token} from '../dom/dom.js';
import {roleOf} from '../aria/role.js';
import {fieldLabel, fieldsFrom} from './fields.js';
import {NARROWS, authorLabel, formRank, headingBefore, headingIn, isSwitch, queryField, soleName} from './forms.js';
import {SEARCHES} from './words.js';
/** @import {Control, Found} from './offers.js' */

/** Fields below one heading that are a form without anything that sends it. */
const LEAST_BELOW = 4;
const SECTIONS = 'fieldset, section, [role="group"], [role="radiogroup"], [role="region"], [role="toolbar"], dialog, [role="dialog"], article, aside, nav, header, footer';

/** Of many fields below one heading, what holds the first: they are one form, though nothing sends it. @param {Control[]} loose @returns {Map<Control, Element>} */
function belowHeadings(loose) {
  /** @type {Map<string, Control[]>} */
  const below = new Map();
  for (const control of loose) {
    const {element} = control;
    const label = fieldLabel(element);
    if (closest(element, SECTIONS) && token(element, 'type') !== 'radio' || SEARCHES.test(label) || NARROWS.test(label) || /search/.test(roleOf(element)) || hasAttr(element, 'contenteditable')) continue;
    const heading = headingBefore(element);
    if (heading) below.set(heading, [...below.get(heading) ?? [], control]);
  }
  /** @type {Map<Control, Element>} */
  const first = new Map();
  for (const list of below.values()) {
    if (new Set(list.map(({element}) => attr(element, 'name') ?? element)).size < LEAST_BELOW) continue;
    for (const control of list) first.set(control, list[0].element);
  }
  return first;
}

/** Fields that nothing sends: they act by themselves, each section's together. @param {Control[]} loose @param {Set<Element>} used @returns {Found[]} */
export function looseOffers(loose, used) {
  /** @type {Map<Element | null, Control[]>} */
  const sections = new Map();
  const together = belowHeadings(loose);
  for (const control of loose) {
    const {element} = control;
    const leader = together.get(control);
    if (leader) {
      sections.set(leader, [...sections.get(leader) ?? [], control]);
      continue;
    }
    const searching = /search/.test(roleOf(element)) || token(element, 'type') === 'search' || localName(element) === 'input' && roleOf(element) === 'textbox' && !/^(date|time|datetime-local|month|week)$/.test(token(element, 'type'));
    const radio = token(element, 'type') === 'radio';
    const heading = !radio && isSwitch(element) && !closest(element, SECTIONS) ? headingBefore(element) : '';
    const mate = radio ? loose.find((other) => attr(other.element, 'name') === attr(element, 'name'))
      : heading ? loose.find((other) => isSwitch(other.element) && !closest(other.element, SECTIONS) && headingBefore(other.element) === heading) : null;
    const from = mate ? mate.element : element;
    const section = searching ? element : closest(from, SECTIONS) ?? composedParent(from);
    sections.set(section, [...sections.get(section) ?? [], control]);
  }
  /** @type {Found[]} */
  const found = [];
  for (const [section, controls] of sections) {
    const fields = fieldsFrom(controls.map((control) => control.element));
    if (!fields.length) continue;
    for (const control of controls) used.add(control.element);
    const [first] = controls;
    const query = fields.length === 1 ? queryField(fields, first.element, '') : null;
    if (query) [query.name, query.required] = ['query', true];
    const title = section && section !== first.element ? authorLabel(section) || headingIn(section) || headingBefore(first.element) : headingBefore(first.element);
    const single = fields.length === 1;
    const name = query ? (SEARCHES.test(query.label) || NARROWS.test(query.label) ? query.label : 'Search') : single ? soleName(fields[0]) : title || soleName(fields[0]);
    found.push({
      kind: query ? 'search' : 'form', name, about: single && title !== name ? title : '', key: '',
      rank: formRank(first.area, query !== null, fields.length) - 12, order: first.order, fields, element: single ? first.element : section ?? first.element, submits: [],
    });
  }
  return found;
}
