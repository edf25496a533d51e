// The state of what can be checked, for filling forms.

/**
 * Whether an element is checked; empty where it cannot be.
 * @param {string} ref
 * @returns {{role: string, state: '' | 'true' | 'false' | 'mixed'}}
 */
function checkable(ref) {
  beginCall();
  const element = elementOf(ref);
  if (!element) return {role: '', state: ''};
  const role = roleOf(element);
  const able = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role);
  const state = able ? /** @type {'true' | 'false' | 'mixed' | ''} */ (checkedState(element, role) || 'false') : '';
  return {role, state};
}

/** Where a frame's content begins in the view of the frame around it, and how much it is scaled. @param {string} ref @returns {{x: number, y: number, scale: number} | null} */
function frameCorner(ref) {
  beginCall();
  const frame = /** @type {HTMLElement | null} */ (elementOf(ref));
  if (!frame) return null;
  const box = rectOf(frame);
  const style = styleOf(frame);
  const scale = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
  return {
    x: box.left + (frame.clientLeft + Number.parseFloat(style.paddingLeft)) * scale,
    y: box.top + (frame.clientTop + Number.parseFloat(style.paddingTop)) * scale,
    scale,
  };
}
