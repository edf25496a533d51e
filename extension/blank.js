// The way out of a page where no agent may be.

import { refresh } from './tabs.js';

/**
 * Sends a tab to the empty page, and returns when it is there.
 * @param {import('./tabs.js').Tab} tab
 */
export async function leave(tab) {
  /** @type {(details: {tabId: number, frameId: number}) => void} */
  let listener = () => {};
  const there = new Promise((/** @type {(v: unknown) => void} */ done) => {
    listener = ({ tabId, frameId }) => {
      if (tabId === tab.tabId && frameId === 0) done(undefined);
    };
    chrome.webNavigation.onCommitted.addListener(listener);
  });
  try {
    await chrome.tabs.update(tab.tabId, { url: 'about:blank' });
    await there; // The relay bounds it.
    await refresh(tab.tabId);
  } finally {
    chrome.webNavigation.onCommitted.removeListener(listener);
  }
}
