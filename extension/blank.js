// The way out of a page where no agent may be.

import { refresh } from './tabs.js';

/**
 * Sends a tab to the empty page, and returns when it is there.
 * @param {import('./tabs.js').Tab} tab
 */
export async function leave(tab) {
  /** @type {(details: {tabId: number, frameId: number, url: string}) => void} */
  let listener = () => {};
  const there = new Promise((/** @type {(v: unknown) => void} */ done) => {
    listener = ({ tabId, frameId, url }) => {
      // The page that is left may be told of late.
      if (tabId === tab.tabId && frameId === 0 && url.startsWith('about:blank')) done(undefined);
    };
    chrome.webNavigation.onCommitted.addListener(listener);
  });
  tab.led = true;
  try {
    await chrome.tabs.update(tab.tabId, { url: 'about:blank' });
    await there; // The relay bounds it.
    await refresh(tab.tabId);
  } finally {
    tab.led = false;
    chrome.webNavigation.onCommitted.removeListener(listener);
  }
}
