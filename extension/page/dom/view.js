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
  return {...viewState(), painted: painted(), private: privateBoxes(true)};
}

const painted = () => performance.getEntriesByType('paint').length > 0;

// How long a document that has not painted is waited for, in ms. Chrome holds the first paint back until there is content,
// for 500 ms at the most, and a picture taken before it is white. A document with nothing to paint never says that it has.
const paintLimit = 600;

/** Resolves when the document has painted for the first time, or at the limit. @returns {Promise<void>} */
export function firstPaint() {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver(over);
    function over() {
      observer.disconnect();
      resolve();
    }
    observer.observe({type: 'paint', buffered: true});
    setTimeout(over, paintLimit);
  });
}

/** Whether nobody sees the tab. */
export function tabHidden() {
  return read(document, 'visibilityState') !== 'visible';
}

/** Whether the document, or a frame in it, has the focus. */
export function hasFocus() {
  return invoke(document, 'hasFocus');
}
