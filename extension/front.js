// What the person has in front stays there: a tab that an agent acts in, behind another one, brings nothing forward.

/** @type {Set<number>} tab ids of those behind another that ask before they go, for which they show themselves */
const asking = new Set();

/** @type {Map<number, number | undefined>} tab id of one that was made in front to that of the one which was there */
const came = new Map();

/**
 * Sees in what the debugger tells which tabs ask.
 * @param {import('./tabs.js').Tab} tab
 * @param {string} method
 * @param {any} params
 */
export function asks(tab, method, params) {
  if (method === 'Page.javascriptDialogOpening' && params.type === 'beforeunload' && !tab.active) asking.add(tab.tabId);
  else if (method === 'Page.javascriptDialogClosed') asking.delete(tab.tabId);
}

/** A tab is gone, or an agent wants it in front. @param {number} tabId */
export function mayStay(tabId) {
  asking.delete(tabId);
  came.delete(tabId);
}

/**
 * A tab was made in front of another one.
 * @param {number} tabId
 * @param {number | undefined} before tab id of that one
 */
export function madeInFront(tabId, before) {
  came.set(tabId, before);
}

/**
 * It is known which tab opened one that may have been made in front.
 * @param {import('./tabs.js').Tab} tab
 * @param {import('./tabs.js').Tab} opener
 */
export function openedBy(tab, opener) {
  if (!came.has(tab.tabId)) return;
  const before = came.get(tab.tabId);
  came.delete(tab.tabId);
  if (opener.attached && opener.tabId !== before && !(before === undefined && opener.active)) goBack(tab, before);
}

/**
 * A tab came to the front of its window.
 * @param {import('./tabs.js').Tab} tab
 * @param {number | undefined} before tab id of the one that was there
 */
export function cameToFront(tab, before) {
  if (asking.delete(tab.tabId)) goBack(tab, before);
}

/**
 * @param {import('./tabs.js').Tab} tab
 * @param {number | undefined} before
 */
function goBack(tab, before) {
  const gone = () => {};
  if (before !== undefined) chrome.tabs.update(before, { active: true }).catch(gone);
  else chrome.windows.update(tab.windowId, { focused: false }).catch(gone); // a window of its own
}
