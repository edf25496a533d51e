// Text that a person sees and ARIA hides: an editor's lines, the axis of a
// calendar. It is told with a mark, unless it repeats what is said beside it.

import {ELEMENT, TEXT, attr, composedParent, eachChild, findAll, nodeType, plainContains, plainVisible, previousElement, rectOf, tagOf,
  token} from '../dom/dom.js';
import {styleOf} from '../dom/style.js';
import {isLine, settle} from './settle.js';
/** @import {Line, Walk} from './tree.js' */

/** How many elements outwards a text's surroundings reach. */
const LEVELS = 3;
/** How many characters of them are read at most: so many for each of the text's own, and so many besides. */
const REACH = 20;
const LEAST_REACH = 200;

/** The most characters of initials in a picture's place, or of an item's number. */
const LONGEST_SIGN = 3;

/** What opens above a page, and hides the rest of it from ARIA. */
const ABOVE = '[role="dialog"],[role="alertdialog"],[aria-modal="true"],dialog[open],[role="listbox"],[role="menu"]';

/** Fonts whose letters draw icons. */
const ICON_FONT = /icon|symbol|awesome|glyph/i;

/**
 * What is told of an element that ARIA hides: what acts in it, and its texts with their mark.
 * @param {Element} element
 * @param {(Line | string | symbol)[]} raw
 * @param {boolean} muted
 * @param {Walk} walk
 * @returns {(Line | string | symbol)[]}
 */
export function veiled(element, raw, muted, walk) {
  if (!raw.some((kid) => typeof kid === 'string' && kid.trim())) return raw.filter(isLine);
  const kids = settle(raw, walk);
  const texts = kids.filter((kid) => typeof kid === 'string');
  if (muted || !words(texts.join(' ')).length || !shown(element) || saidBeside(element, texts.join(' '))) return kids.filter(isLine);
  /** @type {Line[]} */
  const out = [];
  /** @type {Line | undefined} */
  let text;
  for (const kid of kids) {
    if (isLine(kid)) {
      out.push(kid);
      text = undefined;
    } else if (words(kid).length) {
      if (!text) {
        text = {element, role: 'text', name: '', quiet: false, kids: [], acts: false, ref: false, states: ['aria-hidden'], value: '', phrase: false};
        out.push(text);
      }
      text.kids.push(kid);
    }
  }
  return out;
}

/** Whether a line is such a text. @param {Line | string | symbol} kid */
export function isVeiled(kid) {
  return isLine(kid) && kid.role === 'text';
}

/** Whether the texts directly in an element that ARIA hides are words to see. @param {Element} element @param {CSSStyleDeclaration} style */
export function readsAsText(element, style) {
  if (style.opacity === '0' || ICON_FONT.test(style.fontFamily)) return false;
  if (style.display === 'contents') return true;
  const box = rectOf(element);
  return box.width >= 2 && box.height >= 2;
}

/** @param {string} text @returns {string[]} */
function words(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether a person sees the element: it is not cut away, and not what lies behind something that opened. @param {Element} element */
function shown(element) {
  if (!plainVisible.call(element, {opacityProperty: true, visibilityProperty: true})) return styleOf(element).display === 'contents';
  const parent = composedParent(element);
  if (parent) {
    for (const above of findAll(ABOVE)) {
      if (plainContains.call(parent, above) && !plainContains.call(element, above) && plainVisible.call(above, {visibilityProperty: true})) return false;
    }
  }
  let {left, top, right, bottom} = rectOf(element);
  if (right + window.scrollX <= 0 || bottom + window.scrollY <= 0) return false;
  for (let at = parent; at && tagOf(at) !== 'body'; at = composedParent(at)) {
    const style = styleOf(at);
    if (style.overflow === 'visible' || style.display === 'contents') continue;
    const box = rectOf(at);
    if (/auto|scroll/.test(style.overflow)) {
      ({left, top, right, bottom} = box); // what is elsewhere in it can be scrolled to
      continue;
    }
    left = Math.max(left, box.left);
    top = Math.max(top, box.top);
    right = Math.min(right, box.right);
    bottom = Math.min(bottom, box.bottom);
    if (right - left < 2 || bottom - top < 2) return false;
  }
  return true;
}

/** Whether what is beside an element says its text already. @param {Element} element @param {string} text */
function saidBeside(element, text) {
  const own = words(text);
  const joined = own.join('');
  if (joined.length <= LONGEST_SIGN && /avatar/i.test(attr(element, 'class') ?? '')) return true; // of a name that is told
  const reach = joined.length * REACH + LEAST_REACH;
  let at = composedParent(element);
  for (let level = 0; at && level < LEVELS; level++, at = composedParent(at)) {
    const said = {text: '', left: reach};
    collect(at, said);
    const beside = words(said.text);
    const known = new Set(beside);
    if (beside.join('').includes(joined) || own.every((word) => known.has(word))) return true;
    if (joined.length <= LONGEST_SIGN && (beside.map((word) => word[0]).join('').includes(joined) || joined === numberOf(at))) return true;
    if (said.left < 0) return false;
  }
  return false;
}

/** An item's place in its list, which no list's own marker tells either. @param {Element} element */
function numberOf(element) {
  if (tagOf(element) !== 'li') return '';
  let number = 1;
  for (let at = previousElement(element); at; at = previousElement(at)) number++;
  return String(number);
}

/** Names that the page gives, in attributes. */
const NAMES = ['aria-label', 'alt', 'title', 'placeholder', 'value'];

/** Gathers what an element says to everybody. @param {Element} element @param {{text: string, left: number}} said */
function collect(element, said) {
  if (said.left < 0 || token(element, 'aria-hidden') === 'true' || styleOf(element).display === 'none') return;
  /** @param {string} text */
  const add = (text) => {
    said.text += ' ' + text;
    said.left -= text.trim().length + 1;
  };
  for (const name of NAMES) {
    const value = attr(element, name);
    if (value) add(value);
  }
  eachChild(element, (child) => {
    if (said.left < 0) return;
    if (nodeType(child) === TEXT) add(/** @type {Text} */ (child).data);
    else if (nodeType(child) === ELEMENT) collect(/** @type {Element} */ (child), said);
  });
}
