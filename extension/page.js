// What the extension's pages have in common: their elements, and the worker behind them.

/** @typedef {import('./panel.js').View} View */
/** @typedef {import('./panel.js').Wish} Wish */

/** @param {string} id */
export const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
export const button = (id) => /** @type {HTMLButtonElement} */ (at(id));

/**
 * Sets a text only if it differs, so that a screen reader does not read it again.
 * @param {Element} node
 * @param {string} words
 */
export function say(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

/**
 * An element with a class and a text.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} [kind]
 * @param {string} [words]
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, kind = '', words = '') {
  const node = document.createElement(tag);
  if (kind) node.className = kind;
  if (words) node.textContent = words;
  if (node instanceof HTMLButtonElement) node.type = 'button';
  return node;
}

/**
 * Lets the worker show this page what is so, as long as it is open.
 * @param {string} name
 * @param {(view: View) => void} show
 * @returns {(wish: Wish) => void} asks the worker
 */
export function listen(name, show) {
  /** @type {chrome.runtime.Port} */
  let port;
  const open = () => {
    port = chrome.runtime.connect({ name });
    port.onMessage.addListener(show);
    // A worker that was stopped comes back when it is called again.
    port.onDisconnect.addListener(open);
  };
  open();
  return (wish) => port.postMessage(wish);
}

/**
 * Keeps a list's rows while what they stand for is there, so that the focus stays where it is.
 * @template T
 * @param {Element} list
 * @param {T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => HTMLElement} begin makes a row
 * @param {(row: HTMLElement, item: T) => void} fill
 */
export function rows(list, items, key, begin, fill) {
  /** @type {Map<string, HTMLElement>} */
  const old = new Map();
  for (const row of list.children) old.set(/** @type {HTMLElement} */ (row).dataset.key ?? '', /** @type {HTMLElement} */ (row));
  items.forEach((item, n) => {
    const id = key(item);
    const row = old.get(id) ?? begin(item);
    old.delete(id);
    row.dataset.key = id;
    if (list.children[n] !== row) list.insertBefore(row, list.children[n] ?? null);
    fill(row, item);
  });
  for (const row of old.values()) row.remove();
}

/**
 * A site as the person reads it: with its scheme where that is not https.
 * @param {string} site
 */
export const siteName = (site) => site.replace('https://', '');

/** @param {string} url */
export const place = (url) => URL.parse(url)?.host || url.slice(0, 60);

/**
 * Shows the person a tab.
 * @param {number} tabId
 */
export async function go(tabId) {
  const tab = await chrome.tabs.update(tabId, { active: true });
  if (tab) await chrome.windows.update(tab.windowId, { focused: true });
}
