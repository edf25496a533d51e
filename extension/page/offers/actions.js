// Actions among offers: buttons, and links that stand by themselves.

import {attr, bodyOf, closest, collapse, localName, parentElement, queryAll, read, rectOf, textContent} from '../dom/dom.js';
import {styleOf} from '../dom/style.js';
import {roleOf} from '../aria/role.js';
import {nameOf} from '../aria/name.js';
import {ariaState, expandedState} from '../aria/state.js';
import {HEADINGS} from './results.js';
import {folded} from './fold.js';
import {brief} from './offers.js';
import {authorLabel, formOf, headingBefore, headingIn, lastOf} from './forms.js';
import {ITEM_LENGTH, inProse} from './lists.js';
import {hintedName, nearText} from '../snapshot/hint.js';
import {withoutCounts} from './record.js';
/** @import {Control, Found, Zone} from './offers.js' */
/** @import {Repeat} from './lists.js' */

/** Names of what leads nowhere new or is about the page's frame. */
const MINOR = /^(skip to|jump to|back to top|close|dismiss|×|✕|menu|toggle|cookie|privacy|terms|imprint|more)\b/i;
const MOST_LINKS = 40;
/** Buttons that are called by a number alone, or a time: a scale, a pad, what is free. */
const NUMBER = /^\d[\d.,:]*$/;
const LEAST_NUMBERS = 3;

/** @param {Control[]} controls what is in no form and no list @returns {Found[]} */
export function actionOffers(controls) {
  /** @type {Found[]} */
  const found = [];
  /** @type {Control[]} */
  const links = [];
  /** @type {Map<Element, Found[]>} */
  const numbers = new Map();
  const named = controls.filter((control) => control.kind !== 'field').map((control) => ({control, name: actionName(control.element)}));
  for (const {control, name} of named) {
    const {element, kind, area, off} = control;
    const box = parentElement(element);
    if (box && kind === 'button' && !off && NUMBER.test(name)) numbers.set(box, [...numbers.get(box) ?? [], {kind: 'action', name, about: '', key: '', rank: actionRank(element, kind, area, name), order: control.order, fields: [], element}]);
    if (!/\p{L}/u.test(name) || off || ofField(element) || saidBeside(element, name, named)) continue;
    if (kind === 'link' && !standsAlone(element)) {
      links.push(control);
      continue;
    }
    found.push({
      kind: 'action', name, about: brief([stateWords(element), aroundAction(element)].filter(Boolean).join('; '), 120), key: '',
      rank: actionRank(element, kind, area, name), order: control.order, fields: [], element,
    });
  }
  for (const [box, list] of numbers) {
    if (list.length < LEAST_NUMBERS) continue;
    const heading = headingBefore(box);
    found.push(folded(list, heading && heading.split(' ').length <= 3 ? `Press ${heading}` : 'Press number', heading));
  }
  const left = linkList(links);
  if (left) found.push(left);
  return found;
}

/** Whether another button beside opens and closes the same and says more of it. @param {Element} element @param {string} name @param {{control: Control, name: string}[]} named */
function saidBeside(element, name, named) {
  const open = expandedState(element, roleOf(element));
  if (!open) return false;
  const box = parentElement(element);
  return named.some(({control, name: other}) => control.element !== element && parentElement(control.element) === box && other.length > name.length && other.toLowerCase().startsWith(name.toLowerCase()) && expandedState(control.element, roleOf(control.element)) === open);
}

/** Whether a button is a part of a field that is chosen from, such as its arrow. @param {Element} element */
export function ofField(element) {
  const plain = roleOf(element) === 'generic' && !/^(button|a)$/.test(localName(element));
  if (attr(element, 'tabindex') !== '-1' && !plain) return false;
  let left = 3;
  for (let at = parentElement(element); at && left-- > 0; at = parentElement(at)) if (queryAll(at, '[role="combobox"]').length === 1 && queryAll(at, 'button').length <= 2) return true;
  return false;
}

/** What a control is called, without a count that changes. @param {Element} element */
function actionName(element) {
  let name = withoutCounts(nameOf(element));
  if (!/[\p{L}\p{N}]/u.test(name)) name = hintedName(element) || (nearText(element) ? '' : name);
  if (!name) name = roleOf(element) === 'generic' ? collapse(textContent(element)) : '';
  const badge = lastOf(read(element, 'children'));
  const bare = name.replace(/\s*\([\d.,]+\s*[kKmM]?\+?\)$/, '');
  if (badge && /^[\d.,]+\s*[kKmM]?\+?$/.test(collapse(textContent(badge)))) return brief(bare.replace(/\s*[\d.,]+\s*[kKmM]?\+?$/, '') || name, 80);
  return brief(bare || name, 80);
}

/** What state a button is in. @param {Element} element */
function stateWords(element) {
  const words = [];
  if (ariaState(element, 'aria-pressed') === 'true') words.push('pressed');
  const open = expandedState(element, roleOf(element));
  if (open === 'true') words.push('is open');
  if (ariaState(element, 'aria-selected') === 'true' || ariaState(element, 'aria-current') && ariaState(element, 'aria-current') !== 'false') words.push('current');
  return words.join(', ');
}

/** Where a button stands. @param {Element} element */
function aroundAction(element) {
  const places = '[role="toolbar"], [role="menu"], [role="dialog"], dialog, nav, section, form, article, aside';
  for (let at = /** @type {Element | null} */ (element); at; at = parentElement(at)) {
    const around = closest(at, places);
    if (!around) break;
    at = around;
    const name = authorLabel(around) || (/^(section|article|form|dialog)$/.test(localName(around)) ? headingIn(around) : '');
    if (name) return name;
  }
  return '';
}

/** Whether a link is no word of a text, but stands by itself. @param {Element} link */
function standsAlone(link) {
  if (/\b(btn|button|cta)\b/i.test(attr(link, 'class') ?? '')) return true;
  const style = styleOf(link);
  if (style.display !== 'inline' && Number.parseFloat(style.paddingLeft) >= 4 && Number.parseFloat(style.paddingTop) >= 2) return true;
  return !inProse(link) && !closest(link, 'p, footer, [role="contentinfo"]');
}

/** Whether a button is made to stand out, or begins something. @param {Element} element @param {string} name */
export function leads(element, name) {
  const looks = `${attr(element, 'class') ?? ''} ${attr(element, 'type') ?? ''}`;
  return /\b(primary|cta|submit|compose|fab)\b|primary/i.test(looks) || /^(new|create|add|compose|save|send|submit|publish)\b/i.test(name);
}

/** @param {Element} element @param {Control['kind']} kind @param {Zone} area @param {string} name */
function actionRank(element, kind, area, name) {
  let rank = {dialog: 80, main: 42, page: 40, aside: 24, top: 30, nav: 26, foot: 4}[area];
  if (leads(element, name)) rank += 8;
  if (closest(element, '[role="toolbar"]')) rank += 4;
  if (kind === 'link') rank -= closest(element, HEADINGS) ? 16 : 6;
  else if (area === 'nav') rank += 12;
  if (MINOR.test(name)) rank -= area === 'dialog' ? 5 : 15;
  if (formOf(element)) rank -= 6;
  const box = rectOf(element);
  if (box.top < window.innerHeight && box.bottom > 0) rank += 3;
  return rank;
}

/** The links that are left, as a list of their own. @param {Control[]} links @returns {Found | null} */
function linkList(links) {
  /** @type {Map<string, Control>} */
  const apart = new Map();
  for (const link of links) {
    if (link.area === 'foot' || link.area === 'top') continue;
    const to = attr(link.element, 'href') ?? '';
    if (!apart.has(to) && apart.size < MOST_LINKS && nameOf(link.element)) apart.set(to, link);
  }
  const list = Array.from(apart.values());
  if (!list.length) return null;
  const rows = list.map((link) => link.element);
  /** @type {Repeat} */
  const repeat = {box: bodyOf(document) ?? rows[0], area: 'main', order: list[0].order, rows, members: new Set(), path: '', name: 'Links', items: rows.map((row) => brief(nameOf(row), ITEM_LENGTH))};
  return {kind: 'list', name: 'Links', about: 'links in the text', key: '', rank: 6, order: list[0].order, fields: [], element: repeat.box, repeat};
}
