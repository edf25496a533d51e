// Documents that a tab comes to. Where agents may not use their site the tab is let go of before it is there: nothing of
// it is told, and nothing that a client said or put into the tab does anything in it.

import { refused } from './children.js';
import { isPage, opens } from './downloads.js';
import { goOn, isTheirs } from './interception.js';
import { memory } from './memory.js';
import { permitted } from './sites.js';
import { left, refresh, tabAt } from './tabs.js';
import { hasEnded, hasSetOut } from './underway.js';

/** @typedef {import('./tabs.js').Tab} Tab */

/**
 * Sees in what the debugger tells where a tab comes to.
 * @param {Tab} tab
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} method
 * @param {any} params
 * @returns {boolean} whether the relay may hear of it
 */
export function arrives(tab, source, method, params) {
  if (source.sessionId) return !staysOut(source, method, params) && isTheirs(source, method, params);
  // The page says so before the browser has it there, which then lets go of it.
  if (method === 'Page.frameNavigated' && !params.frame.parentId && !permitted({ tabId: tab.tabId, url: params.frame.url })) tab.shut = true;
  if (method === 'Fetch.requestPaused' && params.resourceType === 'Document' && params.frameId === tab.id) {
    const url = leadsTo(params);
    if (!permitted({ tabId: tab.tabId, url })) {
      // That it is let go of lets the request go on. Before it is attached to, nobody could do anything in it.
      if (tab.attached) letGo(tab, url);
      else goOn(source, params.requestId);
      return false;
    }
  }
  return isTheirs(source, method, params) && tab.reachable && !tab.shut;
}

/**
 * Keeps a frame that has a session of its own from coming to a site that the person refused: what clients put into it
 * would be there.
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} method
 * @param {any} params
 * @returns {boolean} whether it was to come there
 */
function staysOut(source, method, params) {
  if (method !== 'Fetch.requestPaused' || params.resourceType !== 'Document' || params.frameId !== memory.children[source.sessionId ?? '']?.target) return false;
  if (!refused(leadsTo(params))) return false;
  void chrome.debugger.sendCommand(source, 'Fetch.failRequest', { requestId: params.requestId, errorReason: 'BlockedByClient' }).catch(() => {}); // Gone meanwhile.
  return true;
}

/**
 * Where a request or its answer leads.
 * @param {any} params
 */
function leadsTo({ request, responseStatusCode = 0, responseHeaders = [] }) {
  const location = responseHeaders.find((/** @type {{name: string}} */ { name }) => name.toLowerCase() === 'location')?.value;
  if (!location || responseStatusCode < 300 || responseStatusCode > 399) return request.url;
  return URL.parse(location, request.url)?.href ?? request.url;
}

/**
 * Lets go of a tab on its way to where agents may not follow.
 * @param {Tab} tab
 * @param {string} url
 */
function letGo(tab, url) {
  opens(tab.tabId, url); // It may be a file.
  Object.assign(tab, { url, title: '', bound: url });
  left(tab);
}

/**
 * A tab sets out for an address.
 * @param {number} tabId
 * @param {string} url
 */
export function setsOut(tabId, url) {
  hasSetOut(tabId);
  const tab = tabAt(tabId);
  if (tab?.attached && !permitted({ tabId, url })) letGo(tab, url);
}

/**
 * It is there.
 * @param {number} tabId
 * @param {string} url
 */
export function isThere(tabId, url) {
  hasEnded(tabId, url);
  isPage(tabId, url);
}

/**
 * It came to nothing, such as a download.
 * @param {number} tabId
 * @param {string} url
 */
export function staysThere(tabId, url) {
  hasEnded(tabId, url);
  const tab = tabAt(tabId);
  if (!tab?.bound) return;
  tab.bound = '';
  void refresh(tabId);
}
