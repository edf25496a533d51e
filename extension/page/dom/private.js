// Fields whose values never leave the page: passwords, one-time codes, and what a secret was typed into.

import {attr, invoke, localName, pageScrollerOf, rectOf, shadowOf, token} from './dom.js';
import {beginCall, rendered} from './style.js';

/** Fields that hold a secret, or once were a password's; one that shows its password stays private. @type {WeakSet<Element>} */
const sealed = new WeakSet();

/** @param {Element} field */
export function seal(field) {
  sealed.add(field);
}

/** Whether what a field holds is not to be told. @param {Element} element */
export function isPrivate(element) {
  if (localName(element) === 'input' && token(element, 'type') === 'password') {
    sealed.add(element);
    return true;
  }
  return sealed.has(element) || /(^|\s)(one-time-code|current-password)(\s|$)/i.test(attr(element, 'autocomplete') ?? '');
}

/** What stands for the value of a private field, whatever its length. @param {string} value */
export function veil(value) {
  return value && '•••';
}

/** Boxes in CSS pixels of the page, or of a frame's view: x, y, width, height. @typedef {[number, number, number, number]} Box */

/**
 * Where fields show in plain letters what is not to be told.
 * @param {boolean} scrolled the boxes are of the page, and not of its view
 * @returns {Box[]}
 */
export function privateBoxes(scrolled) {
  beginCall();
  /** @type {Box[]} */
  const boxes = [];
  const [x, y] = scrolled && pageScrollerOf(document) ? [window.scrollX, window.scrollY] : [0, 0];
  for (let i = 0, roots = /** @type {(Document | ShadowRoot)[]} */ ([document]); i < roots.length; i++) {
    for (const element of invoke(roots[i], 'querySelectorAll', '*')) {
      const root = shadowOf(element);
      if (root) roots.push(root);
      const tag = localName(element);
      if (tag !== 'input' && tag !== 'textarea' || !isPrivate(element)) continue;
      const {type, value} = /** @type {HTMLInputElement} */ (element);
      if (!value || type === 'password' || !rendered(element)) continue;
      const box = rectOf(element);
      boxes.push([box.x + x, box.y + y, box.width, box.height]);
    }
  }
  return boxes;
}
