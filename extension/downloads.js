// Downloads of shared tabs, told with the final path.

import { Fault } from './fault.js';
import { memory, save } from './memory.js';
import { pairing } from './pairing.js';
import { isShared } from './sharing.js';
import { ask, permitted, siteOf, verdict } from './sites.js';
import { knownTabs, tabAt, tabOf } from './tabs.js';
import { tellLater } from './socket.js';

// Whose a download is tells Page.downloadWillBegin, seen on an attached tab, and for what opens in a tab of its own
// the event that names the opener. Both come before the download, which does not say which of them it is.
/** @type {{url: string, guid: string, name: string, id: string}[]} the oldest first; id is the tab's target id */
const begun = [];
const remembered = 100;

/**
 * @param {string} url
 * @param {string} guid of the download, empty where there is none yet
 * @param {string | undefined} id
 * @param {string} [name] that the page suggests
 */
function expect(url, guid, id, name = '') {
  if (!id || !url || (guid && begun.some((b) => b.guid === guid))) return;
  begun.push({ url, guid, name, id });
  if (begun.length > remembered) begun.shift();
}

/**
 * @param {number | undefined} tabId
 * @param {string} method
 * @param {any} params
 */
export function noticed(tabId, method, params) {
  if (method === 'Page.downloadWillBegin' && tabId !== undefined) expect(params?.url, params?.guid, tabAt(tabId)?.id, params?.suggestedFilename);
}

/**
 * A tab opened another one at an address, which may be a file.
 * @param {number} sourceTabId
 * @param {string} url
 */
export function opens(sourceTabId, url) {
  const opener = knownTabs().find((t) => t.tabId === sourceTabId);
  expect(url, '', opener?.id);
}

/**
 * What a tab went to was a page.
 * @param {number} tabId
 * @param {string} url
 */
export function isPage(tabId, url) {
  const at = begun.findIndex((b) => !b.guid && b.url === url && b.id === tabAt(tabId)?.id);
  if (at >= 0) begun.splice(at, 1);
}

/**
 * The target id of the tab that a download came from, as well as can be told, and its GUID and name where a page told
 * them. They stay, also when the tab goes.
 * @param {chrome.downloads.DownloadItem} item
 * @returns {{id: string, guid: string, name?: string}}
 */
function origin(item) {
  const known = memory.downloads[item.id];
  if (known) return known;
  // The surer sign goes first: what a tab opened may have been a page.
  const at = begun.filter((b) => b.url === item.url || b.url === item.finalUrl).sort((a, b) => Number(!a.guid) - Number(!b.guid))[0];
  if (at) begun.splice(begun.indexOf(at), 1);
  const from = { id: at?.id ?? guess(item) ?? '', guid: at?.guid ?? '', name: at?.name ?? '' };
  if (!from.id) return from;
  memory.downloads[item.id] = from;
  const [oldest] = Object.keys(memory.downloads);
  if (Object.keys(memory.downloads).length > remembered) delete memory.downloads[Number(oldest)];
  save();
  return from;
}

/** @param {chrome.downloads.DownloadItem} item */
function guess(item) {
  const tabs = knownTabs();
  const exact = tabs.filter((t) => t.url === item.referrer || t.url === item.url || t.url === item.finalUrl);
  if (exact.length > 0) return exact.length === 1 ? exact[0]?.id : '';
  // A referrer is often cut to its origin: enough when one tab alone is of that origin.
  // It says too little where a tab that is not shared may be of it as well.
  const near = item.referrer && pairing()?.share === 'all' ? tabs.filter((t) => t.url.startsWith(item.referrer)) : [];
  return near.length === 1 ? near[0]?.id : '';
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

/**
 * Cancels a download that the relay may know of. On one that is complete it does nothing.
 * @param {number} id
 */
export async function cancelDownload(id) {
  if (!(await mayTouch(id))) throw new Fault('no such download');
  await chrome.downloads.cancel(id);
}

/**
 * Deletes the file of a complete download that came from a shared tab.
 * @param {number} id
 */
export async function deleteDownload(id) {
  if (!memory.downloads[id] || !(await mayTouch(id))) throw new Fault('no such download');
  await chrome.downloads.removeFile(id);
}

/**
 * Where tabs are shared one by one, a download of no shared tab is nobody's business; nor is that of a tab which the
 * person took back, for as long as the tab is there.
 * @param {string} tabId
 */
function concerns(tabId) {
  const tab = tabOf(tabId);
  return tab ? isShared(tab.tabId) : tabId !== '' || pairing()?.share === 'all';
}

/** @type {Set<number>} downloads from sites that agents may not use, or not yet */
const withheld = new Set();

/**
 * The address of a download that is of a site which agents may not use; undefined: there is none.
 * @param {chrome.downloads.DownloadItem} item
 * @param {string} id of the tab
 */
const keptFrom = (item, id) => [item.url, item.finalUrl].find((url) => !permitted({ tabId: tabOf(id)?.tabId ?? -1, url }));

/**
 * Whether agents may cancel or delete a download: one of theirs, from sites that they may use now.
 * @param {number} id
 */
async function mayTouch(id) {
  const from = memory.downloads[id]?.id ?? '';
  const [item] = await chrome.downloads.search({ id });
  return item !== undefined && concerns(from) && keptFrom(item, from) === undefined;
}

/**
 * Whether agents may know of a download. The person is asked for a site that it came from where that is open.
 * @param {chrome.downloads.DownloadItem} item
 * @param {string} id of the tab
 */
function mayTell(item, id) {
  const tab = tabOf(id);
  const kept = keptFrom(item, id);
  if (kept === undefined) return true;
  withheld.add(item.id);
  if (withheld.size > remembered) withheld.delete(/** @type {number} */ (withheld.keys().next().value));
  if (verdict(siteOf(kept)) === 'unasked') ask(siteOf(kept), tab?.agent ?? '');
  return false;
}

/** The person decided on a site: what came from there may be told now. */
export async function tellWithheld() {
  const ids = [...withheld];
  withheld.clear();
  for (const id of ids) for (const item of await chrome.downloads.search({ id })) report(item);
}

/** @param {chrome.downloads.DownloadItem} item */
function report(item) {
  const { id: tabId, guid, name } = origin(item);
  if (!concerns(tabId)) return;
  if (!mayTell(item, tabId)) return;
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
    ...(tabId ? { tabId } : {}),
    ...(guid ? { guid } : {}),
    ...(name ? { name } : {}),
  });
}
