// Tabs that have set out for a page and are not there yet.

/** @type {Map<number, number>} tab id to how many pages it is on its way to */
const underway = new Map();
/** @type {Set<() => void>} those who wait for one to be there */
const waiting = new Set();

/** @param {number} tabId */
export function hasSetOut(tabId) {
  underway.set(tabId, (underway.get(tabId) ?? 0) + 1);
}

/**
 * It is there, or that came to nothing.
 * @param {number} tabId
 * @param {string} [url] of the page; left out: it is on its way to none
 */
export function hasEnded(tabId, url) {
  const n = (underway.get(tabId) ?? 0) - (url === undefined || url.startsWith('http') ? 1 : 0);
  if (url === undefined || n <= 0) underway.delete(tabId);
  else underway.set(tabId, n);
  for (const look of [...waiting]) look();
}

/** @param {number} tabId */
const isUnderway = async (tabId) => underway.has(tabId) || !!(await chrome.tabs.get(tabId)).pendingUrl;

/**
 * Returns when a tab is on its way to nothing.
 * @param {number} tabId
 * @returns {Promise<true>}
 */
export async function hasArrived(tabId) {
  for (;;) {
    /** @type {() => void} */
    let look = () => {};
    const next = new Promise((/** @type {(v: unknown) => void} */ done) => waiting.add((look = () => done(0))));
    try {
      if (!(await isUnderway(tabId))) return true;
      await next;
    } finally {
      waiting.delete(look);
    }
  }
}
