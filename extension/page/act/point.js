// Where on an element the pointer goes: a point at which it, and not what covers
// it, takes the click.

import {attr, bodyOf, closest, collapse, composedParent, invoke, localName, plainContains, queryAll, rectOf, rootElementOf,
  shadowOf, textContent, wellFormed} from '../dom/dom.js';
import {rendered, styleOf} from '../dom/style.js';
import {roleOf} from '../aria/role.js';
import {quote} from '../aria/state.js';
import {refOf} from '../snapshot/refs.js';
import {ACTING, actsOnClick} from '../snapshot/clickable.js';
import {describe} from '../snapshot/describe.js';
import {hindered} from '../objection.js';
import {standIn} from './act.js';
/** @import {Ready} from './act.js' */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Area */

/** The boxes that an element can be clicked in; those of its content where it has none itself. @param {Element} element @returns {Area[]} */
export function clickBoxes(element) {
  const boxes = [];
  for (const box of invoke(element, 'getClientRects')) {
    if (box.width >= 1 && box.height >= 1) boxes.push(box);
    if (boxes.length === 10) break;
  }
  if (boxes.length) return boxes;
  let looked = 0;
  for (const child of queryAll(element, '*')) {
    if (++looked > 200) break;
    const box = rectOf(child);
    if (box.width >= 1 && box.height >= 1 && rendered(child)) return [box];
  }
  return [];
}

/** @param {Area} a @param {Area} b @returns {Area | null} */
function overlap(a, b) {
  const both = {left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom)};
  return both.right - both.left >= 1 && both.bottom - both.top >= 1 ? both : null;
}

/** @returns {Area} */
export function viewport() {
  return {left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight};
}

/** The part of the view in which an element can be, its scroll containers considered. @param {Element} element @returns {Area | null} */
function clipOf(element) {
  /** @type {Area | null} */
  let clip = viewport();
  for (let at = composedParent(element); at && clip; at = composedParent(at)) {
    if (at === bodyOf(document) || at === rootElementOf(document)) break;
    if (styleOf(at).overflow === 'visible') continue;
    clip = overlap(clip, rectOf(at));
  }
  return clip;
}

/** @param {Element} element */
export function visiblePart(element) {
  const clip = clipOf(element);
  return clip ? overlap(rectOf(element), clip) : null;
}

/** The element on top at a point, through shadow roots. @param {number} x @param {number} y @returns {Element | null} */
export function hitAt(x, y) {
  let hit = invoke(document, 'elementFromPoint', x, y);
  while (hit) {
    const inner = shadowOf(hit)?.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

/** Whether a click on hit is a click on the element. @param {Element} element @param {Element | null} hit */
export function reaches(element, hit) {
  if (!hit) return false;
  for (let at = /** @type {Element | null} */ (hit); at; at = composedParent(at)) {
    if (at === element) return true;
    if (localName(at) === 'label' && /** @type {HTMLLabelElement} */ (at).control === element) return true;
  }
  if (localName(element) === 'label' && /** @type {HTMLLabelElement} */ (element).control === hit) return true;
  if (localName(element) === 'option' && hit === closest(element, 'select')) return true;
  // Inside of a control the control takes the click, such as an icon that lets the pointer through. What is around it
  // and does nothing by itself does not: a list may let the pointer through for a moment, or the element has gone.
  for (let at = composedParent(element); at; at = composedParent(at)) {
    if (acts(at)) return reaches(at, hit);
    if (styleOf(element).pointerEvents !== 'none') break;
  }
  return false;
}

/** Whether a click on an element does something. @param {Element} element */
export function acts(element) {
  return ACTING.has(roleOf(element)) || actsOnClick(element, localName(element), styleOf(element), false);
}

/** @param {Area} area @returns {[number, number][]} */
function pointsOf(area) {
  /** @type {[number, number][]} */
  const points = [];
  for (const down of [1 / 2, 1 / 6, 5 / 6]) {
    for (const along of [1 / 2, 1 / 6, 5 / 6]) points.push([area.left + (area.right - area.left) * along, area.top + (area.bottom - area.top) * down]);
  }
  return points;
}

/**
 * A point at which the element, or its label, takes a click; null where there is none in view.
 * @param {Element} element
 * @returns {{point: [number, number] | null, cover: Element | null, outside: boolean}}
 */
export function pointOn(element) {
  const boxes = clickBoxes(element);
  const clip = clipOf(element);
  /** @type {Element | null} */
  let cover = null;
  let outside = true;
  for (const within of [clip, viewport()]) {
    if (!within) continue;
    for (const box of boxes) {
      const area = overlap(box, within);
      if (!area) continue;
      outside = false;
      for (const point of pointsOf(area)) {
        const hit = hitAt(...point);
        if (reaches(element, hit)) return {point, cover: null, outside};
        cover ??= hit;
      }
    }
  }
  return {point: null, cover, outside};
}

/** Whether an element is kept out of sight by its size, as the field behind a star or a switch. @param {Element} element */
export function tiny(element) {
  const box = rectOf(element);
  return box.width < 3 || box.height < 3;
}

/** Puts the point for the pointer into ready, scrolling when it must. @param {Element} element @param {Ready} ready @param {boolean} first */
export function placePointer(element, ready, first) {
  const label = standIn(element);
  const places = label === element ? [element] : tiny(element) ? [label, element] : [element, label];
  let at = pointOn(places[0]);
  if (!at.point && places.length > 1) {
    const other = pointOn(places[1]);
    if (other.point) at = other;
  }
  if (!at.point && (first || at.outside) && !(at.cover && fillsView(at.cover))) {
    const shown = rendered(element) && clickBoxes(element).length ? element : standIn(element);
    for (const block of /** @type {ScrollLogicalPosition[]} */ (['center', 'end', 'start'])) {
      ready.scrolled = true;
      invoke(shown, 'scrollIntoView', {block, inline: block === 'center' ? 'nearest' : 'center', behavior: 'instant'});
      const now = pointOn(shown);
      if (now.point || !now.outside) at = now;
      if (at.point) break;
    }
  }
  if (at.point) {
    [ready.x, ready.y] = at.point;
    return;
  }
  if (at.cover && !plainContains.call(at.cover, element)) throw hindered('covered', describeCover(at.cover, element));
  if (styleOf(element).pointerEvents === 'none') throw hindered('transparent');
  throw hindered(!clickBoxes(element).length ? 'sizeless' : at.outside ? 'outside' : 'clipped');
}

/** @param {Element} element */
export function fillsView(element) {
  const box = rectOf(element);
  return box.width * box.height > window.innerWidth * window.innerHeight * 0.8 && /fixed|absolute/.test(styleOf(element).position);
}

/** Whether an id or a class may stand without quotes, as most can. @param {string} word */
const isWord = (word) => /^[\p{L}\p{N}_:.-]+$/u.test(word);

/** The covering thing as a person would name it: the whole of it, not the part that was hit. @param {Element} hit @param {Element} element */
export function describeCover(hit, element) {
  let cover = hit;
  for (let at = composedParent(hit); at && at !== bodyOf(document) && at !== rootElementOf(document); at = composedParent(at)) {
    if (plainContains.call(at, element)) break;
    if (rectOf(at).width) cover = at;
  }
  const said = describe(cover);
  if (!said.startsWith('generic')) return said;
  const id = [attr(cover, 'id') ?? ''].filter(isWord)[0];
  const classes = id ? '' : (attr(cover, 'class') ?? '').trim().split(/\s+/).slice(0, 2).filter(isWord).map((word) => '.' + word).join('');
  const text = collapse(attr(cover, 'aria-label') || attr(cover, 'title') || (textContent(cover) ?? '')).slice(0, 60).trim();
  return `${localName(cover)}${id ? '#' + id : classes}${text ? ' ' + quote(wellFormed(text)) : ''} [${refOf(cover)}]`;
}
