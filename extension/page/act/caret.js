// Where the selection of a page is, and whether an editor put it back.

import {focusedElement} from '../dom/dom.js';
import {kindOf} from './act.js';

/** Where it was when it was marked; null: not in an editor. @type {unknown[] | null} */
let marked = null;

/** Where the selection of the page begins and ends. @returns {unknown[]} */
export function caret() {
  const {anchorNode, anchorOffset, focusNode, focusOffset} = getSelection() ?? {};
  return [anchorNode, anchorOffset, focusNode, focusOffset];
}

/** Marks where the selection is in the editor that has the focus, and reports whether one has. */
export function markCaret() {
  const focused = focusedElement();
  marked = focused && kindOf(focused) === 'editor' ? caret() : null;
  return marked !== null;
}

/** Reports whether the selection is where it was marked. */
export function caretStayed() {
  const was = marked;
  return was !== null && caret().every((part, i) => part === was[i]);
}
