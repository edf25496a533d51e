// Words of the page that are of the record it shows and of no function: the name in
// its main heading, numbers, and counts that change.

import {collapse, find, findAll, queryAll, textContent} from '../dom/dom.js';
import {call, rendered} from '../dom/style.js';
import {nameOf} from '../aria/name.js';

/** Parameters of an address that place a reader in a list. */
const PLACES = /^(p|page|offset|limit|start|size|per_?page|sort|order|q|query|tab|view|lang)$/i;
/** Parts of an address after which a record is named. */
const SHELVES = /^(wiki|pages?|articles?|posts?|products?|items?|recipes?|movies?|films?|books?|users?|people|members?|companies|company|artists?|places?|topics?|repos|p|u)$/;
const IDENTIFIES = /^(?:\d+|[0-9a-f]{8,}(?:-[0-9a-f]{4,})*|[a-z]+[-_]\d+)$/i;

/** A heading without the links and the count that stand in it. @param {Element} heading */
export function headingName(heading) {
  let name = nameOf(heading);
  for (const part of queryAll(heading, 'a, button, [role="button"]')) {
    const rest = collapse(name.replace(nameOf(part), ' ').replace(/[[({]\s*[\])}]/g, ' '));
    if (/\p{L}/u.test(rest)) name = rest;
  }
  for (const part of queryAll(heading, '*')) {
    const text = collapse(textContent(part));
    if (/^[(\[]?\d[\d.,]*\s*[kKmM]?\+?[)\]]?$/.test(text) && name.endsWith(text) && name.length > text.length) name = name.slice(0, -text.length).trim();
  }
  return name;
}

/** What the page calls the record that it shows; '' where it shows no single one. @returns {string} */
function pageRecord() {
  call.record ??= recordShown();
  return call.record;
}

/** @returns {string} */
function recordShown() {
  const heading = Array.from(findAll('main h1, [role="main"] h1, h1')).find(rendered);
  const name = heading ? collapse(headingName(heading).replace(/(^|\s)[#№]\d[\w-]*/g, ' ')) : '';
  if (!/\p{L}/u.test(name) || name.length < 3) return '';
  const crumb = find('[aria-label*="readcrumb" i] [aria-current="page"]');
  const address = new URL(location.href);
  const path = `${address.pathname}/${(/^#!?(\/.*)/.exec(address.hash)?.[1] ?? '').split('?')[0]}`.split('/').filter(Boolean).map(plain);
  const words = plain(name).split(' ');
  const last = path[path.length - 1] ?? '';
  // What kind of thing it is stands in the address before it.
  if (path.slice(0, -1).some((part) => words.some((word) => word.length > 3 && part.split(' ').some((other) => other.replace(/s$/, '') === word.replace(/s$/, ''))))) return '';
  const named = SHELVES.test(path[path.length - 2] ?? '') && last.replace(/ /g, '') === plain(name).replace(/ /g, '');
  const known = path.length > 1 && IDENTIFIES.test(last.replace(/ /g, '-')) || Array.from(address.searchParams).some(([key, value]) => !PLACES.test(key) && (/^(.*_?id|p|pk|uuid)$/i.test(key) || IDENTIFIES.test(value)));
  return named || known || crumb && collapse(textContent(crumb)) === name && path.length > 1 ? name : '';
}

/** @param {string} text */
function plain(text) {
  try {
    text = decodeURIComponent(text);
  } catch { /* it is compared as it stands */ }
  return collapse(text.toLowerCase().replace(/\.\w{2,5}$/, '').replace(/[^\p{L}\p{N}]+/gu, ' '));
}

/** Words without the record of the page, unless nothing else is left of them. @param {string} words */
export function withoutRecord(words) {
  const record = pageRecord() || middleHeading(words);
  const at = record ? words.toLowerCase().indexOf(record.toLowerCase()) : -1;
  if (at < 0) return words;
  return collapse(`${words.slice(0, at)} ${words.slice(at + record.length)}`).replace(/["“”'‘’]\s*["“”'‘’]/g, ' ').replace(/\s+(of|for|on|from|by|in|to)$/i, '').replace(/^[\s:–—|·-]+|[\s:–—|·-]+$/g, '');
}

/** The main heading, where it stands in the middle of words: "Add Lamp to wishlist". @param {string} words */
function middleHeading(words) {
  const heading = find('h1');
  const name = heading && rendered(heading) ? headingName(heading) : '';
  const at = name.length > 2 ? words.indexOf(name) : -1;
  return at > 0 && at + name.length < words.length ? name : '';
}

/** A title without the numbers and the record in it; '' where it says nothing else. @param {string} title */
export function kindOf(title) {
  const rest = withoutRecord(title);
  return collapse(rest.replace(/(^|\s)[#№]?\d[\d.,]*(?=\s|$)/gu, ' ').replace(/^[\s:–—|·-]+|[\s:–—|·-]+$/g, ''));
}

/** The title of a dialog: its name, a heading, or the words that it begins with. @param {Element} dialog */
export function dialogTitle(dialog) {
  const name = nameOf(dialog);
  if (name) return name;
  for (const element of queryAll(dialog, 'h1, h2, h3, h4, h5, h6, [role="heading"], [class*="title" i]')) {
    const text = rendered(element) ? headingName(element) || collapse(textContent(element)) : '';
    if (text && text.length <= 60) return text;
  }
  return '';
}
