// What acts within an element, and what only listens for it.

import {hasAttr} from '../dom/dom.js';
import {clickListeners, isItem} from './clickable.js';
import {isLine} from './settle.js';
/** @import {Line} from './tree.js' */

/**
 * Whether a listener is for what is in the element, as that of an application's root is, and not for the element.
 * @param {Element} element
 * @param {number} within how many things in it act
 * @param {Line} line
 */
export function listensForOthers(element, within, line) {
  if (line.kids.length === 1 && within) return true;
  if (hasAttr(element, 'onclick') || !clickListeners.has(element)) return false;
  return within >= MANY || within > 0 && line.kids.some((kid) => isLine(kid) && kid.acts && isItem(kid.element));
}

/** A listener around that many things that act is taken to listen for them. */
const MANY = 4;

/** @param {(Line | string | symbol)[]} kids @returns {number} */
export function actsBelow(kids) {
  let count = 0;
  for (const kid of kids) {
    if (!isLine(kid)) continue;
    count += (kid.acts ? 1 : 0) + actsBelow(kid.kids);
    if (count >= MANY) break;
  }
  return count;
}
