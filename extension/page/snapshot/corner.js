// Where the frames of a document stand in it.

import {read, rectOf} from '../dom/dom.js';
import {beginCall, styleOf} from '../dom/style.js';
import {elementOf} from './refs.js';

/** Where a frame's content begins in the view of the frame around it, and how much it is scaled. @param {string} ref @returns {{x: number, y: number, scale: number} | null} */
export function frameCorner(ref) {
  beginCall();
  const frame = /** @type {HTMLElement | null} */ (elementOf(ref));
  if (!frame) return null;
  const box = rectOf(frame);
  const style = styleOf(frame);
  const scale = read(frame, 'offsetWidth') ? box.width / read(frame, 'offsetWidth') : 1;
  return {
    x: box.left + (read(frame, 'clientLeft') + Number.parseFloat(style.paddingLeft)) * scale,
    y: box.top + (read(frame, 'clientTop') + Number.parseFloat(style.paddingTop)) * scale,
    scale,
  };
}
