// Where the frames of a document stand in it.

/** Where a frame's content begins in the view of the frame around it, and how much it is scaled. @param {string} ref @returns {{x: number, y: number, scale: number, scrollX: number, scrollY: number} | null} */
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
    scale, scrollX: window.scrollX, scrollY: window.scrollY,
  };
}
