// Whether the person closes the browser: its tabs go one by one, and a relay that heard of them alone would take
// it for one without tabs.

import { tell } from './socket.js';

/** @type {Set<number>} tabs that the relay closes */
const closing = new Set();

/** @param {{tabId: number}} tab */
export async function remove({ tabId }) {
  closing.add(tabId);
  await chrome.tabs.remove(tabId).finally(() => closing.delete(tabId));
}

/**
 * A tab goes with its window, and the person did that.
 * @param {{tabId: number, windowId: number}} tab
 * @param {Iterable<{windowId: number}>} all
 */
export function goesWithWindow(tab, all) {
  if (closing.has(tab.tabId)) return;
  for (const { windowId } of all) if (windowId !== tab.windowId) return;
  tell('leaving', {});
}
