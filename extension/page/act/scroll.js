// Scrolling, and what lies beyond.

import {composedParent, invoke, localName, pageScrollerOf, parentElement, rectOf, rootElementOf, scrollOf} from '../dom/dom.js';
import {beginCall, styleOf} from '../dom/style.js';
import {pages} from '../aria/state.js';
import {elementOf} from '../snapshot/refs.js';
import {describe} from '../snapshot/describe.js';
import {hitAt} from './point.js';

/**
 * Scrolls the page, or the nearest thing around an element that scrolls.
 * @param {{ref?: string, direction: string, amount: number, to: string}} request
 * @returns {Promise<{moved: boolean, note: string, target: string}>}
 */
export async function scrollPage(request) {
  beginCall();
  const element = request.ref ? elementOf(request.ref) : null;
  const page = pageScrollerOf(document) ?? rootElementOf(document);
  if (element && request.to === 'element') {
    const before = rectOf(element);
    await heard(() => {
      invoke(element, 'scrollIntoView', {block: 'center', inline: 'nearest', behavior: 'instant'});
      const now = rectOf(element);
      return now.left !== before.left || now.top !== before.top;
    });
    return {moved: true, note: beyond(scrollerOf(element, false) ?? page), target: describe(element)};
  }
  const aside = request.direction === 'left' || request.direction === 'right';
  const scroller = (element ? scrollerOf(element, aside) : pageScroller(aside)) ?? page;
  let moved = false;
  await heard(() => {
    const before = scrollOf(scroller);
    if (request.to === 'top') invoke(scroller, 'scrollTo', {top: 0, behavior: 'instant'});
    else if (request.to === 'bottom') invoke(scroller, 'scrollTo', {top: before.height, behavior: 'instant'});
    else {
      const view = scroller === page ? (aside ? window.innerWidth : window.innerHeight) : aside ? before.shownWidth : before.shownHeight;
      const amount = (request.amount || Math.max(view * 0.875, view - 120)) * (request.direction === 'up' || request.direction === 'left' ? -1 : 1);
      invoke(scroller, 'scrollBy', {left: aside ? amount : 0, top: aside ? 0 : amount, behavior: 'instant'});
    }
    const after = scrollOf(scroller);
    return moved = before.left !== after.left || before.top !== after.top;
  });
  return {moved, note: beyond(scroller), target: scroller === page ? '' : describe(scroller)};
}

/** ms until a page that draws nothing is not waited for any more. */
const UNHEARD = 150;

/**
 * Scrolls, and resolves when the page has heard of it, as it does with the next frame: what it brings then, such as
 * more of a list, has begun.
 * @param {() => boolean} scroll reports whether anything moved
 * @returns {Promise<void>}
 */
function heard(scroll) {
  return new Promise((resolve) => {
    const {port1, port2} = new MessageChannel();
    const stop = () => {
      window.removeEventListener('scroll', frame, true);
      clearTimeout(timer);
      port1.close();
      resolve();
    };
    // Those who watch what comes into view are told after those who watch the scrolling.
    port1.onmessage = stop;
    const frame = () => port2.postMessage(0);
    const timer = setTimeout(stop, UNHEARD);
    window.addEventListener('scroll', frame, true);
    if (!scroll()) stop();
  });
}

/** Whether an element scrolls in a direction. @param {Element} element @param {boolean} aside */
function scrolls(element, aside) {
  const {width, height, shownWidth, shownHeight} = scrollOf(element);
  const room = aside ? width - shownWidth : height - shownHeight;
  if (room < 1) return false;
  if (element === pageScrollerOf(document)) return true;
  const style = styleOf(element);
  return /auto|scroll/.test(aside ? style.overflowX : style.overflowY) || /^(textarea|select)$/.test(localName(element));
}

/** @param {Element} element @param {boolean} aside @returns {Element | null} */
function scrollerOf(element, aside) {
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) if (scrolls(at, aside)) return at;
  return null;
}

/** What scrolls where the page itself does not: the largest scroll container around the middle. @param {boolean} aside */
function pageScroller(aside) {
  const page = pageScrollerOf(document);
  if (page && scrolls(page, aside)) return page;
  const middle = hitAt(window.innerWidth / 2, window.innerHeight / 2);
  return middle && scrollerOf(middle, aside);
}

/** @param {Element} scroller */
function beyond(scroller) {
  const page = scroller === pageScrollerOf(document);
  const whole = scrollOf(scroller);
  const height = page ? window.innerHeight : whole.shownHeight;
  const width = page ? window.innerWidth : whole.shownWidth;
  const parts = [];
  const below = whole.height - height - whole.top;
  const right = whole.width - width - whole.left;
  if (whole.top > 1) parts.push(pages(whole.top / height) + ' above');
  if (below > 1) parts.push(pages(below / height) + ' below');
  if (whole.left > 1) parts.push(pages(whole.left / width) + ' to the left');
  if (right > 1) parts.push(pages(right / width) + ' to the right');
  return parts.length ? parts.join(', ') : 'nothing lies beyond';
}

/** Where everything around a point is scrolled to. @param {number} x @param {number} y */
export function scrolledAt(x, y) {
  let all = '';
  for (let at = invoke(document, 'elementFromPoint', x, y); at; at = parentElement(at)) {
    const {left, top} = scrollOf(at);
    all += `${left},${top};`;
  }
  return all;
}
