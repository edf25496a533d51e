// What a page that already shows something is still busy with, as far as it says so.

import {bodyOf, collapse, findAll, read, wellFormed} from '../dom/dom.js';
import {leaving, rendered} from '../dom/style.js';
import {quote} from '../aria/state.js';
import {describe} from './describe.js';
/** @import {Rendered} from './render.js' */

/** What says that it is at work, but not how far it is. */
const AT_WORK = '[role=progressbar]:not([aria-valuenow]), progress:not([value]), [aria-busy=true]';

/** A page that says so in no more characters has nothing else to say yet. */
const FEW_WORDS = 150;
const WORDS = /\b(?:loading|initiali[sz]ing|starting up|please wait|just a moment)\b/i;

/** What shows something without words. */
const DRAWN = 'canvas, svg, img, video, object, embed';

/** What the page is busy with; empty where nothing says that it is. @param {Rendered} told @returns {string} */
export function busyWith(told) {
  for (const element of findAll(AT_WORK)) if (rendered(element) && !leaving(element)) return describe(element);
  const body = bodyOf(document);
  if (!body) return '';
  if (!told.lines) return findAll('script').length && !findAll(DRAWN).length ? 'it shows nothing yet' : '';
  if (told.shown > FEW_WORDS) return '';
  const text = wellFormed(collapse(read(/** @type {HTMLElement} */ (body), 'innerText') ?? ''));
  return WORDS.test(text) ? quote(text.slice(0, FEW_WORDS)) : '';
}
