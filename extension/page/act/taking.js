// Text that a page takes out of the field into which it is typed, as it makes a tag or a message of it.

import {collapse, invoke, textContent} from '../dom/dom.js';

const MOST_KEPT = 5000;

/** The text that has come into the page meanwhile. */
let came = '';
const observer = new MutationObserver(gather);

/** Begins to look what comes into the page, or the shadow tree of the field. @param {Element} field */
export function watchTaking(field) {
  endTaking();
  came = '';
  for (const root of new Set([document, invoke(field, 'getRootNode')])) observer.observe(root, {subtree: true, childList: true, characterData: true});
}

export function endTaking() {
  observer.disconnect();
}

/** @param {MutationRecord[]} records */
function gather(records) {
  for (const {type, target, addedNodes} of records) {
    if (came.length > MOST_KEPT) return;
    for (const node of type === 'childList' ? addedNodes : [target]) came += ' ' + textContent(node);
  }
}

/** Reports whether a text, apart from what ends it, has come into the page. @param {string} text */
export function taken(text) {
  gather(observer.takeRecords());
  const words = collapse(text).replace(/[\s,;]+$/, '');
  return words !== '' && collapse(came).includes(words);
}
