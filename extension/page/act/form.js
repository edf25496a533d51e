// The state of what can be checked, for filling forms.

import {beginCall} from '../dom/style.js';
import {roleOf} from '../aria/role.js';
import {checkedState} from '../aria/state.js';
import {elementOf} from '../snapshot/refs.js';

/**
 * Whether an element is checked; empty where it cannot be.
 * @param {string} ref
 * @returns {{role: string, state: '' | 'true' | 'false' | 'mixed'}}
 */
export function checkable(ref) {
  beginCall();
  const element = elementOf(ref);
  if (!element) return {role: '', state: ''};
  const role = roleOf(element);
  const able = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role);
  const state = able ? /** @type {'true' | 'false' | 'mixed' | ''} */ (checkedState(element, role) || 'false') : '';
  return {role, state};
}
