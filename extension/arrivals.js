// Documents that a tab comes to. Where agents may not use their site, nothing is told of them until the tab is let go of.

import { memory } from './memory.js';
import { permitted } from './sites.js';
import { left, refresh, tabAt } from './tabs.js';

/**
 * Sees in what the debugger tells where a tab comes to.
 * @param {import('./tabs.js').Tab} tab
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} method
 * @param {any} params
 * @returns {boolean} whether the relay may hear of it
 */
export function arrives(tab, source, method, params) {
  if (source.sessionId) return true;
  // The page says so before the browser has it there, which then lets go of it.
  if (method === 'Page.frameNavigated' && !params.frame.parentId && !permitted({ tabId: tab.tabId, url: params.frame.url })) tab.shut = true;
  if (method !== 'Fetch.requestPaused' || params.resourceType !== 'Document' || params.frameId !== tab.id) return tab.reachable && !tab.shut;
  if (permitted({ tabId: tab.tabId, url: params.request.url })) return true;
  // Its answer would be read before the tab is there.
  void chrome.debugger.sendCommand(source, 'Fetch.continueRequest', { requestId: params.requestId }).catch(() => {}); // Gone meanwhile.
  return false;
}

/**
 * A tab sets out for an address. What clients put into new documents must not run in one where they may not be, so it
 * is let go of before it is there.
 * @param {number} tabId
 * @param {string} url
 */
export function setsOut(tabId, url) {
  const tab = tabAt(tabId);
  if (!tab?.attached || !memory.scripted.includes(tabId) || permitted({ tabId, url })) return;
  Object.assign(tab, { url, title: '', bound: url });
  left(tab);
}

/**
 * It came to nothing, such as a download.
 * @param {number} tabId
 */
export function staysThere(tabId) {
  const tab = tabAt(tabId);
  if (!tab?.bound) return;
  tab.bound = '';
  void refresh(tabId);
}
