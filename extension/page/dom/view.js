// What of the document is shown, and whether it is shown at all.

import {privateBoxes} from './private.js';
import {invoke, pageScrollerOf, read, rootElementOf, scrollOf} from './dom.js';

/**
 * @typedef {object} View
 * @property {boolean} hidden nobody sees the tab
 * @property {boolean} focus the document has the focus
 * @property {number} ratio device pixels to a CSS pixel
 * @property {number} x where in the page the view begins, in CSS pixels
 * @property {number} y
 * @property {number} width of the view, in CSS pixels
 * @property {number} height
 * @property {number} pageWidth of all that can be scrolled to
 * @property {number} pageHeight
 */

/** @returns {View} */
export function viewState() {
  const page = pageScrollerOf(document) ?? rootElementOf(document);
  const whole = page ? scrollOf(page) : {width: 0, height: 0};
  return {
    hidden: tabHidden(), focus: hasFocus(), ratio: devicePixelRatio, x: scrollX, y: scrollY, width: innerWidth, height: innerHeight,
    pageWidth: whole.width, pageHeight: whole.height,
  };
}

/** The view, and what a picture of it must not show. */
export function viewToShow() {
  return {...viewState(), private: privateBoxes(true)};
}

/** Whether nobody sees the tab. */
export function tabHidden() {
  return read(document, 'visibilityState') !== 'visible';
}

/** Whether the document, or a frame in it, has the focus. */
export function hasFocus() {
  return invoke(document, 'hasFocus');
}
