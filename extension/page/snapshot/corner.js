// Where the frames of a document stand in it.

import {read, rectOf} from '../dom/dom.js';
import {beginCall, styleOf} from '../dom/style.js';
import {elementOf} from './refs.js';

/**
 * Where a frame's content begins in the view of the frame around it, how much it is scaled, and its size before that.
 * @param {string} ref
 * @returns {{x: number, y: number, scale: number, width: number, height: number} | null}
 */
export function frameCorner(ref) {
  beginCall();
  const frame = /** @type {HTMLElement | null} */ (elementOf(ref));
  if (!frame) return null;
  const box = rectOf(frame);
  const style = styleOf(frame);
  const scale = read(frame, 'offsetWidth') ? box.width / read(frame, 'offsetWidth') : 1;
  const [left, top] = [Number.parseFloat(style.paddingLeft), Number.parseFloat(style.paddingTop)];
  return {
    x: box.left + (read(frame, 'clientLeft') + left) * scale,
    y: box.top + (read(frame, 'clientTop') + top) * scale,
    scale,
    width: read(frame, 'clientWidth') - left - Number.parseFloat(style.paddingRight),
    height: read(frame, 'clientHeight') - top - Number.parseFloat(style.paddingBottom),
  };
}
