// What lists are called.

import {ELEMENT, closest, composedParent, eachChild, find, hasAttr, localName, matches, nodeType, parentElement, plainContains, token} from '../dom/dom.js';
import {nameOf} from '../aria/name.js';
import {HEADINGS} from './results.js';
import {authorLabel, headingBefore, summaryOf} from './forms.js';
import {wordsOf} from './lists.js';
import {headingName, kindOf} from './record.js';
/** @import {Repeat} from './lists.js' */

export const NAMELESS_LIST = 'Items';
/** Of a heading that says what is listed. */
const MOST_WORDS = 7;
const MAIN_MENU = /^(main|primary|site|global|top)( (navigation|nav|menu))?$/i;

/** What a list is called, by its author or by what stands before it. @param {Repeat} repeat */
export function repeatName(repeat) {
  const {box} = repeat;
  if (repeat.parts) return repeat.name;
  if (token(box, 'role') === 'tablist') return /\btabs?\b/i.test(authorLabel(box)) ? authorLabel(box) : `${authorLabel(box)} tabs`.trim();
  const table = localName(box) === 'tbody' ? closest(box, 'table') ?? box : box;
  let name = authorLabel(table) || (localName(table) === 'table' ? nameOf(table) : '');
  for (let at = composedParent(table), left = 4; !name && at && left > 0; at = composedParent(at), left--) {
    if (localName(at) === 'details') name = summaryOf(at);
    else if (/^(nav|section|aside|main|form|dialog)$/.test(localName(at)) || hasAttr(at, 'role')) name = authorLabel(at);
    if (localName(at) === 'nav' || localName(at) === 'main') break;
  }
  eachChild(box, (node) => {
    const child = /** @type {Element} */ (node);
    if (!name && nodeType(node) === ELEMENT && !repeat.members.has(child) && matches(child, HEADINGS)) name = kindOf(headingName(child));
  });
  if (name) return repeat.area === 'nav' && MAIN_MENU.test(name) ? 'Navigation' : name;
  if (token(box, 'role') === 'feed') return 'Posts';
  const [first] = repeat.table?.columns ?? [];
  if (first && closest(parentElement(box) ?? box, 'tr, [role="row"]')) return first.name.replace(/([^s])$/, '$1s'); // it is within a row of another
  const main = find('main, [role="main"]');
  const plain = wordsOf(repeat.rows[0], null).length < 2; // what says more is no menu
  if (repeat.area === 'page' && main && plain && !plainContains.call(main, box)) [repeat.area, repeat.name] = ['nav', ''];
  if (repeat.area === 'nav') return 'Navigation';
  if (repeat.area === 'foot') return 'Footer links';
  if (repeat.area === 'top') return 'Header links'; // what heads the page is not about them
  const heading = headingBefore(table);
  return heading && heading.split(' ').length <= MOST_WORDS ? heading : NAMELESS_LIST; // a sentence is what is written there
}
