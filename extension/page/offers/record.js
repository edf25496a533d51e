// Words of the page that are of the record it shows and of no function: the name in
// its main heading, numbers, and counts that change.

import {attr, collapse, find, findAll, plainContains, queryAll, textContent} from '../dom/dom.js';
import {call, rendered} from '../dom/style.js';
import {nameOf} from '../aria/name.js';
import {MOST_ITEMS, wordsOf} from './lists.js';
/** @import {Repeat} from './lists.js' */

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

/** Notes that a heading is what an item of a list is called: the page shows that one. @param {Repeat[]} repeats */
export function noteRecord(repeats) {
  if (pageRecord()) return;
  const headings = Array.from(findAll('h1, h2, h3')).filter((heading) => rendered(heading) && !repeats.some(({rows}) => rows.some((row) => plainContains.call(row, heading)))).map(headingName).filter((name) => name.length > 2);
  for (const {rows, table} of repeats) {
    if (table || !headings.length || rows.length < 2) continue;
    for (const row of rows.slice(0, MOST_ITEMS)) {
      const [title, ...rest] = wordsOf(row, null);
      if (rest.length && headings.includes(title)) { // what says nothing else is a menu
        call.record = title;
        return;
      }
    }
  }
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
  const slug = last.length > 7 && plain(name).startsWith(last) && path.some((part) => IDENTIFIES.test(part.replace(/ /g, '-')));
  const known = slug || path.length > 1 && IDENTIFIES.test(last.replace(/ /g, '-')) || Array.from(address.searchParams).some(([key, value]) => !PLACES.test(key) && (/^(.*_?id|p|pk|uuid)$/i.test(key) || IDENTIFIES.test(value)));
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

/** A title without the numbers, the dates and the record in it; '' where it says nothing else. @param {string} title */
export function kindOf(title) {
  const rest = withoutDate(withoutRecord(title));
  return collapse(rest.replace(/(^|\s)[#№]?\d[\d.,]*(?=\s|$)/gu, ' ').replace(/^[\s:–—|·-]+|[\s:–—|·-]+$/g, ''));
}

/** A title without a date, which is another one tomorrow: "Events" of "Events in May 2026", '' of "November". @param {string} title */
function withoutDate(title) {
  const named = title.split(/[^\p{L}\p{M}]+/u).filter(Boolean);
  const dated = named.filter((word) => dateWords().has(word.toLowerCase()));
  if (!dated.length || dated.length < named.length && !/\d/.test(title)) return title;
  const rest = collapse(title.split(/(?<=[\s,.–—-])/).filter((word) => !dateWords().has(word.toLowerCase().replace(/[^\p{L}\p{M}]/gu, ''))).join(''));
  return rest.replace(/[\d\s,.–—-]+$/, '').replace(/(^|\s)(of|for|on|from|by|in|to|until)$/i, '').trim();
}

/** What months and days of the week are called in the page's language, and in English. @returns {Set<string>} */
function dateWords() {
  if (call.dates) return call.dates;
  /** @type {Set<string>} */
  const words = new Set();
  for (const language of [attr(document.documentElement, 'lang') || 'en', 'en']) {
    for (const length of /** @type {const} */ (['long', 'short'])) {
      try {
        const month = new Intl.DateTimeFormat(language, {month: length}), day = new Intl.DateTimeFormat(language, {weekday: length});
        for (let i = 0; i < 12; i++) words.add(month.format(new Date(2001, i, 1)).toLowerCase().replace('.', ''));
        for (let i = 1; i < 8; i++) words.add(day.format(new Date(2001, 0, i)).toLowerCase().replace('.', ''));
      } catch { /* it is no language */ }
    }
  }
  return call.dates = words;
}

/** Words without the part that counts: "Reply" of "Reply, 3 replies". @param {string} words */
export function withoutCounts(words) {
  const parts = words.split(/\s*[,;·|]\s+/);
  const rest = parts.filter((part) => !/\d/.test(part));
  return rest.length && rest.length < parts.length && /^\p{L}/u.test(parts[0]) ? rest.join(', ') : words;
}

/** Whether a link says nothing but when something was. @param {Element} link */
export function saysTime(link) {
  const text = collapse(textContent(link));
  return Array.from(queryAll(link, 'time')).some((time) => collapse(textContent(time)) === text) || /^(?:an?\s+|\d+\s*)(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|mos?|months?|y|years?)(?:\s+ago)?$/i.test(text);
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
