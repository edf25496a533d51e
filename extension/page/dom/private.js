// Fields whose values never leave the page: passwords, one-time codes, and what a secret was typed into.

import {allRoots, attr, invoke, isConnected, localName, pageScrollerOf, rectOf, textContent, token} from './dom.js';
import {beginCall, rendered} from './style.js';

/** Fields that hold a secret, or once were a password's; one that shows its password stays private. @type {WeakSet<Element>} */
const sealed = new WeakSet();

/** Those of them that are not form fields. @type {WeakRef<Element>[]} */
const editors = [];

/** @param {Element} field */
export function seal(field) {
  if (!sealed.has(field) && !/^(input|textarea)$/.test(localName(field))) editors.push(new WeakRef(field));
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

/** Elements that show in plain letters what is not to be told, in shadow trees, too. */
export function showing() {
  beginCall();
  const list = editors.map((held) => held.deref()).filter((element) => element !== undefined && isConnected(element) && textContent(element) !== '' && rendered(element));
  for (const root of allRoots()) {
    for (const field of invoke(root, 'querySelectorAll', 'input, textarea')) {
      const {type, value} = /** @type {HTMLInputElement} */ (field);
      if (isPrivate(field) && value && type !== 'password' && rendered(field)) list.push(field);
    }
  }
  return /** @type {Element[]} */ (list);
}

/**
 * Where fields show in plain letters what is not to be told, in CSS pixels.
 * @param {boolean} scrolled the boxes are of the page, and not of its view
 * @returns {{x: number, y: number, width: number, height: number}[]}
 */
export function privateBoxes(scrolled) {
  const [x, y] = scrolled && pageScrollerOf(document) ? [window.scrollX, window.scrollY] : [0, 0];
  return showing().map((element) => {
    const box = rectOf(element);
    return {x: box.x + x, y: box.y + y, width: box.width, height: box.height};
  });
}
