// What fields hold, for filling forms.

import {attr, collapse, invoke, isConnected, rectOf, wellFormed} from '../dom/dom.js';
import {isPrivate} from '../dom/private.js';
import {beginCall, rendered} from '../dom/style.js';
import {change} from '../dom/wait.js';
import {roleOf} from '../aria/role.js';
import {checkedState} from '../aria/state.js';
import {elementOf} from '../snapshot/refs.js';
import {kindOf, standIn} from './act.js';
import {fieldText} from './type.js';

/**
 * Whether an element is checked; empty where it cannot be.
 * @param {string} ref
 * @returns {{role: string, state: '' | 'true' | 'false' | 'mixed', hidden: boolean}}
 */
export function checkable(ref) {
  beginCall();
  const element = elementOf(ref);
  if (!element) return {role: '', state: '', hidden: false};
  const role = roleOf(element);
  const able = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role);
  const state = able ? /** @type {'true' | 'false' | 'mixed' | ''} */ (checkedState(element, role) || 'false') : '';
  return {role, state, hidden: kindOf(element) === 'check' && !rendered(element) && !rendered(standIn(element))};
}

/** Checks a box that cannot be seen, as what a page shows in its place does. @param {string} ref */
export function checkHidden(ref) {
  const element = elementOf(ref);
  if (element) invoke(/** @type {HTMLElement} */ (element), 'click');
}

/** How long a slider may take to move. */
const SLIDE_TIME = 150;

/**
 * The numbers of a slider, and where its middle is in the view; waits for a moment as long as it still stands where it
 * stood before.
 * @param {{ref: string, before: number | null}} request
 * @returns {Promise<{now: number | null, min: number | null, max: number | null, x: number, y: number}>}
 */
export async function sliderState(request) {
  const until = performance.now() + SLIDE_TIME;
  for (;;) {
    beginCall();
    const element = elementOf(request.ref);
    /** @param {string} name */
    const number = (name) => {
      const text = element && attr(element, name);
      return text && Number.isFinite(Number(text)) ? Number(text) : null;
    };
    const now = number('aria-valuenow');
    const left = until - performance.now();
    if (!element || now !== request.before || request.before === null || left <= 0) {
      const box = element ? rectOf(element) : new DOMRect();
      return {now, min: number('aria-valuemin'), max: number('aria-valuemax'), x: box.left + box.width / 2, y: box.top + box.height / 2};
    }
    await change(left);
  }
}

/**
 * What fields hold now, in the same order; null for what is gone, or is not to be told.
 * @param {string[]} refs
 * @returns {(string | null)[]}
 */
export function heldNow(refs) {
  beginCall();
  return refs.map((ref) => {
    const element = elementOf(ref);
    if (!element || !isConnected(element)) return null;
    switch (kindOf(element)) {
      case 'select': case 'listbox':
        return Array.from(/** @type {HTMLSelectElement} */ (element).selectedOptions, (option) => wellFormed(collapse(option.label || option.text))).join(', ');
      case 'check':
        return checkable(ref).state;
      case 'field': case 'shaped': {
        const field = /** @type {HTMLInputElement} */ (element);
        return isPrivate(field) ? null : wellFormed(field.value);
      }
      case 'editor':
        return wellFormed(fieldText(element).trim());
    }
    if (roleOf(element) === 'slider') return String(Number(attr(element, 'aria-valuenow')));
    return checkable(ref).state || null;
  });
}
