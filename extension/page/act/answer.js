// Whether a page answers to a press: something in it changes from then on. What changes before is the pointer's doing.

import {allRoots} from '../dom/dom.js';

let awaited = false;
let pressed = false;
let seen = false;
const observer = new MutationObserver(note);
const EVENTS = ['input', 'change'];

window.addEventListener('pointerdown', (event) => {
  if (!awaited || !event.isTrusted) return;
  observer.takeRecords();
  pressed = true;
}, true);

/** Begins to wait for the answer to the next press. */
export function watchAnswer() {
  endAnswer();
  awaited = true;
  pressed = seen = false;
  for (const root of allRoots()) observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
  for (const type of EVENTS) window.addEventListener(type, note, true);
}

export function endAnswer() {
  awaited = false;
  observer.disconnect();
  for (const type of EVENTS) window.removeEventListener(type, note, true);
}

function note() {
  seen ||= pressed;
}

/** Reports whether it has. */
export function answered() {
  if (observer.takeRecords().length) note();
  return seen;
}
