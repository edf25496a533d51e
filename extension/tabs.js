// The tabs, each under its CDP target id, and what the relay is told of them.

import { allowFiles, eligible, filesAllowed, forbidden } from './addresses.js';
import { forgetChildren } from './children.js';
import { cameToFront, madeInFront, mayStay, openedBy } from './front.js';
import { inheritGroups } from './groups.js';
import { goesWithWindow } from './leaving.js';
import { forgetSessions, memory, put, recall, save } from './memory.js';
import { readPairing } from './pairing.js';
import { holdToo, recallPaused } from './paused.js';
import { forget, isOver, isShared, isTaken, moveShared } from './sharing.js';
import { bear, comesTo, forgetTab, moveSite, permitted, readSites, siteOf, siteShown } from './sites.js';
import { connected, tell } from './socket.js';

/**
 * @typedef {object} Tab
 * @property {number} tabId
 * @property {string} id CDP target id; empty until Chrome named it
 * @property {string} title
 * @property {string} url
 * @property {boolean} active
 * @property {number} windowId
 * @property {boolean} discarded
 * @property {boolean} frozen
 * @property {boolean} attached
 * @property {boolean} reachable what it shows may be controlled
 * @property {boolean} shut it came to a site that agents may not use; nothing is told of it until it is attached anew
 * @property {string} bound where it sets out for and agents may not follow; empty: nowhere
 * @property {boolean} led it is being sent to the empty page from here
 * @property {string} agent who asked for it last
 * @property {string} told what the relay heard last
 */

/** @type {Map<number, Tab>} */
const byTab = new Map();
/** @type {Map<string, Tab>} */
const byTarget = new Map();

let isReady = false;
/** @type {Promise<void> | null} */
let readying = null;

/** @type {{lost: (tab: Tab) => void, changed: () => void}} */
const handlers = { lost: () => {}, changed: () => {} };

/**
 * @param {(tab: Tab) => void} lost a tab is no longer the relay's to touch: let go of it
 * @param {() => void} changed what the popup shows may have changed
 */
export function prepareTabs(lost, changed) {
  handlers.lost = lost;
  handlers.changed = changed;
}

export const tabOf = (/** @type {string} a target's */ id) => byTarget.get(id);
export const tabAt = (/** @type {number} */ tabId) => byTab.get(tabId);

/** The tabs that the relay knows of. */
export const knownTabs = () => [...byTab.values()].filter((t) => t.id && memory.known.includes(t.tabId));

/** Those that the person took over. */
export const overTabs = () => [...byTab.values()].filter((t) => isOver(t.tabId));

/** @param {Tab} tab */
export function shape(tab) {
  const openerId = memory.openers[tab.tabId];
  const withheld = tab.shut || !permitted(tab);
  return {
    id: tab.id,
    title: withheld ? '' : tab.title,
    url: withheld ? `${siteShown(tab)}/` : tab.url || 'about:blank',
    withheld,
    active: tab.active,
    windowId: tab.windowId,
    ...(openerId ? { openerId } : {}),
    attached: tab.attached,
    discarded: tab.discarded,
    frozen: tab.frozen,
    fileAccess: filesAllowed(),
  };
}

/** Tells nothing: the hello does that. */
export function helloTabs() {
  const taken = [...byTab.values()].filter((t) => t.id && isTaken(t.tabId)).map(({ id, tabId }) => ({ id, taken: true, ...(isOver(tabId) ? { over: true } : {}) }));
  return [...taken, ...knownTabs().map((tab) => {
    const s = shape(tab);
    tab.told = JSON.stringify(s);
    return s;
  })];
}

/**
 * Runs f when the tabs are known: at once, but for the first moment of a worker's life.
 * @param {() => void} f
 */
export function whenReady(f) {
  if (isReady) f();
  else void ready().then(f);
}

/** @returns {Promise<void>} */
export function ready() {
  readying ??= load().then(() => {
    isReady = true;
  });
  return readying;
}

async function load() {
  const [goesOn, , , , files, tabs] = await Promise.all([
    recall(),
    recallPaused(),
    readPairing(),
    readSites(),
    chrome.extension.isAllowedFileSchemeAccess(),
    chrome.tabs.query({}),
  ]);
  allowFiles(files);
  for (const tab of tabs) if (tab.id !== undefined) merge(tab.id, tab);
  await identify();
  const alive = (/** @type {number} */ id) => byTab.has(id);
  for (const list of /** @type {const} */ (['chosen', 'stopped', 'taken', 'over', 'made', 'known', 'held', 'sized'])) {
    memory[list] = memory[list].filter(alive);
  }
  for (const by of [memory.openers, memory.grants, memory.born]) for (const id of Object.keys(by).map(Number)) if (!alive(id)) delete by[id];
  forgetSessions(alive);
  save();
  for (const tab of byTab.values()) settle(tab);
  if (!goesOn) inheritGroups();
}

/**
 * @param {number} tabId
 * @param {chrome.tabs.Tab} tab
 * @returns {Tab}
 */
function merge(tabId, tab) {
  let record = byTab.get(tabId);
  if (!record) {
    record = {
      tabId, id: '', title: '', url: '', active: false, windowId: -1,
      discarded: false, frozen: false, attached: false, reachable: false, shut: false, bound: '', led: false, agent: '', told: '',
    };
    byTab.set(tabId, record);
  }
  // A tab that has not committed anything yet is judged by where it goes.
  comesTo(record, record.bound || tab.url || tab.pendingUrl || '');
  record.title = tab.title ?? '';
  record.active = tab.active;
  record.windowId = tab.windowId;
  record.discarded = tab.discarded;
  record.frozen = tab.frozen === true;
  return record;
}

/** Learns the target ids of the tabs that have none; attaches to nothing. */
async function identify() {
  for (const target of await chrome.debugger.getTargets()) {
    if (target.type !== 'page' || target.tabId === undefined) continue;
    const tab = byTab.get(target.tabId);
    if (!tab || tab.id === target.id) continue;
    if (tab.id) byTarget.delete(tab.id);
    tab.id = target.id;
    byTarget.set(target.id, tab);
  }
}

/**
 * Takes in what Chrome says of a tab and tells the relay what it may know.
 * @param {chrome.tabs.Tab} tab
 * @returns {Promise<Tab | undefined>}
 */
export async function update(tab) {
  if (tab.id === undefined) return;
  const record = merge(tab.id, tab);
  if (!record.id) await identify();
  settle(record);
  return record;
}

/** @param {chrome.tabs.Tab} tab */
export function created(tab) {
  if (tab.id === undefined) return;
  if (tab.active) madeInFront(tab.id, activeBeside(tab.id, tab.windowId));
  void update(tab);
  const opener = byTarget.get(memory.openers[tab.id] ?? ''), record = byTab.get(tab.id);
  if (opener && record) openedBy(record, opener);
}

/**
 * The tab that is known to be active in a window, other than one.
 * @param {number} tabId
 * @param {number} windowId
 */
function activeBeside(tabId, windowId) {
  for (const tab of byTab.values()) if (tab.active && tab.windowId === windowId && tab.tabId !== tabId) return tab.tabId;
}

/** @param {number} tabId */
export async function refresh(tabId) {
  try {
    return await update(await chrome.tabs.get(tabId));
  } catch {
    return undefined; // Gone: onRemoved tells.
  }
}

/**
 * Brings what the relay knows of a tab in line with what it is.
 * @param {Tab} tab
 */
export function settle(tab) {
  if (byTab.get(tab.tabId) !== tab || !tab.id) return;
  const shared = isShared(tab.tabId);
  const known = memory.known.includes(tab.tabId);
  const was = tab.reachable;
  tab.reachable = eligible(tab.url) && permitted(tab);
  if (!known && shared && eligible(tab.url)) {
    put(memory.known, tab.tabId, true);
    announce('tabOpened', tab);
    handlers.changed();
  } else if (known && !shared) {
    if (isTaken(tab.tabId)) unknow(tab);
    else close(tab);
    handlers.lost(tab);
  } else if (known) {
    if (was && !tab.reachable) left(tab);
    else soon(tab);
  }
}

/**
 * A tab goes where no agent may follow; it stays known, for it may come back.
 * @param {Tab} tab
 */
export function left(tab) {
  tab.reachable = false;
  if (!permitted(tab)) tab.shut = true;
  if (tab.attached) handlers.lost(tab);
  tab.attached = false;
  if (!memory.known.includes(tab.tabId)) return;
  announce('tabUpdated', tab);
  tell('tabDetached', { id: tab.id, reason: permitted(tab) ? 'not_eligible' : 'withheld' });
}

/**
 * @param {string} method
 * @param {Tab} tab
 */
function announce(method, tab) {
  const s = shape(tab), told = JSON.stringify(s);
  if (method === 'tabUpdated' && told === tab.told) return;
  tab.told = told;
  const replaced = replaces.get(tab.tabId);
  replaces.delete(tab.tabId);
  tell(method, replaced ? { ...s, replaces: replaced } : s);
  handlers.changed();
}

/** @type {Map<number, string>} tab id to the target id that it had before its contents were swapped */
const replaces = new Map();

/** @type {Set<Tab>} */
const waiting = new Set();

/**
 * One tabUpdated for the burst of events that a navigation is.
 * @param {Tab} tab
 */
function soon(tab) {
  if (waiting.size === 0) setTimeout(flush, 0);
  waiting.add(tab);
}

function flush() {
  const tabs = [...waiting];
  waiting.clear();
  for (const tab of tabs) {
    if (byTab.get(tab.tabId) === tab && memory.known.includes(tab.tabId)) announce('tabUpdated', tab);
  }
}

/**
 * Attachment changes are told at once: the relay waits on them.
 * @param {Tab} tab
 * @param {boolean} attached
 */
export function setAttached(tab, attached) {
  tab.attached = attached;
  if (memory.known.includes(tab.tabId)) announce('tabUpdated', tab);
}

/**
 * A frame of a tab goes to an address, or is there. If nobody may follow, the tab is let go of at once.
 * @param {number} tabId
 * @param {string} url
 * @param {boolean} [there] it is the tab's own, and there
 */
export function goes(tabId, url, there = false) {
  const tab = byTab.get(tabId);
  if (!tab) return;
  if (there) tab.bound = '';
  if (there && siteOf(tab.url) !== siteOf(url)) comesTo(tab, url);
  if (there && tab.shut && permitted(tab)) {
    tab.shut = false;
    settle(tab);
  }
  if (!tab.attached || !(forbidden(url) || (there && !permitted(tab)))) return;
  left(tab);
  void refresh(tabId); // It may come to nothing.
}

/**
 * The relay hears no more of a tab.
 * @param {Tab} tab
 */
function unknow(tab) {
  put(memory.known, tab.tabId, false);
  tab.told = '';
  handlers.changed();
}

/** @param {Tab} tab */
function close(tab) {
  unknow(tab);
  if (connected()) tell('tabClosed', { id: tab.id });
}

/**
 * @param {number} tabId
 * @param {boolean} [withWindow] its window closes
 */
export function removed(tabId, withWindow = false) {
  const tab = byTab.get(tabId);
  if (tab && withWindow) goesWithWindow(tab, byTab.values());
  byTab.delete(tabId);
  if (tab) {
    if (byTarget.get(tab.id) === tab) byTarget.delete(tab.id);
    if (memory.known.includes(tabId) || isTaken(tabId)) close(tab);
  }
  forget(tabId);
  for (const list of [memory.held, memory.sized]) put(list, tabId, false);
  delete memory.openers[tabId];
  forgetTab(tabId);
  forgetChildren(tabId);
  mayStay(tabId);
  save();
}

/**
 * Chrome swapped a tab's contents (discard, prerender): another tab id, another target.
 * @param {number} to
 * @param {number} from
 */
export async function replaced(to, from) {
  const old = byTab.get(from);
  moveShared(from, to);
  moveSite(from, to);
  const opener = memory.openers[from];
  if (opener) memory.openers[to] = opener;
  if (old && memory.known.includes(from)) replaces.set(to, old.id);
  await refresh(to);
  removed(from);
}

/**
 * What opened a tab, by the one event that can be trusted; a shared tab's popup is shared.
 * @param {number} tabId
 * @param {number} sourceTabId
 */
export function opened(tabId, sourceTabId) {
  const opener = byTab.get(sourceTabId);
  if (!opener?.id || !memory.known.includes(sourceTabId)) return;
  memory.openers[tabId] = opener.id;
  bear(tabId, siteShown(opener), opener.tabId);
  holdToo(tabId, sourceTabId);
  put(memory.chosen, tabId, true);
  if (memory.made.includes(sourceTabId)) put(memory.made, tabId, true);
  void refresh(tabId);
  const tab = byTab.get(tabId);
  if (tab) openedBy(tab, opener);
}

/** A change of who is shared, or how, may concern every tab. */
export function settleAll() {
  for (const tab of byTab.values()) settle(tab);
}

/** Which tab is active concerns two tabs of a window. @type {(tabId: number, windowId: number) => void} */
export function activated(tabId, windowId) {
  const came = byTab.get(tabId);
  if (came) cameToFront(came, activeBeside(tabId, windowId));
  for (const tab of byTab.values()) {
    if (tab.windowId !== windowId && tab.tabId !== tabId) continue;
    tab.windowId = tab.tabId === tabId ? windowId : tab.windowId;
    tab.active = tab.tabId === tabId;
    settle(tab);
  }
}
