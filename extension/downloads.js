// Downloads of shared tabs, told with the final path.

import { pairing } from './pairing.js';
import { knownTabs, tabAt } from './tabs.js';
import { tellLater } from './socket.js';

// Page.downloadWillBegin, seen on an attached tab, is the one sure sign of whose download it is.
/** @type {Map<string, number>} url to tab id */
const begun = new Map();
/** @type {Map<number, number>} download id to tab id */
const owners = new Map();
const remembered = 100;

/**
 * @template K, V
 * @param {Map<K, V>} map
 * @param {K} key
 * @param {V} value
 */
function remember(map, key, value) {
  map.delete(key);
  map.set(key, value);
  for (const first of map.keys()) {
    if (map.size <= remembered) break;
    map.delete(first);
  }
}

/**
 * @param {number | undefined} tabId
 * @param {string} method
 * @param {any} params
 */
export function noticed(tabId, method, params) {
  if (method === 'Page.downloadWillBegin' && tabId !== undefined && params?.url) remember(begun, params.url, tabId);
}

/**
 * The tab that a download came from, as well as can be told.
 * @param {chrome.downloads.DownloadItem} item
 */
function owner(item) {
  const sure = owners.get(item.id) ?? begun.get(item.url) ?? begun.get(item.finalUrl);
  if (sure !== undefined) return tabAt(sure);
  const tabs = knownTabs();
  const exact = tabs.filter((t) => t.url === item.referrer || t.url === item.url || t.url === item.finalUrl);
  if (exact.length > 0) return exact.find((t) => t.active) ?? exact[0];
  // A referrer is often cut to its origin: enough when one tab alone is of that origin.
  // It says too little where a tab that is not shared may be of it as well.
  const near = item.referrer && pairing()?.share === 'all' ? tabs.filter((t) => t.url.startsWith(item.referrer)) : [];
  return near.length === 1 ? near[0] : undefined;
}

/** @param {chrome.downloads.DownloadItem} item */
export function downloadCreated(item) {
  // Listing the downloads page's history is not a download.
  if (item.state === 'in_progress' || item.endTime) report(item);
}

/** @param {chrome.downloads.DownloadDelta} delta */
export async function downloadChanged(delta) {
  if (!delta.state && !delta.filename && !delta.error && !delta.danger) return;
  const [item] = await chrome.downloads.search({ id: delta.id });
  if (item) report(item);
}

/** @param {chrome.downloads.DownloadItem} item */
function report(item) {
  const tab = owner(item);
  if (tab) remember(owners, item.id, tab.tabId);
  // Where tabs are shared one by one, a download of no shared tab is nobody's business.
  else if (pairing()?.share !== 'all') return;
  // Chrome first creates a download and then names it.
  if (!item.filename && item.state === 'in_progress') return;
  tellLater('downloadChanged', {
    id: item.id,
    url: item.finalUrl || item.url,
    filename: (item.filename || new URL(item.finalUrl || item.url).pathname).split(/[\\/]/).pop() ?? '',
    path: item.filename,
    state: item.state,
    bytes: item.bytesReceived,
    total: item.totalBytes,
    ...(item.error ? { error: item.error } : {}),
    ...(tab?.id ? { tabId: tab.id } : {}),
  });
}
