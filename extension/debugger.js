// The debugger's attachments. They outlive the worker, so they are found again, never made anew.

import { eligible } from './addresses.js';
import { passWorkersBy } from './bypass.js';
import { forgetChildren } from './children.js';
import { codes, Fault, fault } from './fault.js';
import { forgetPages, guard, unguard } from './interception.js';
import { memory, put } from './memory.js';
import { tell, tellLater } from './socket.js';
import { isShared, takeBack } from './sharing.js';
import { permitted, siteShown } from './sites.js';
import { knownTabs, left, refresh, setAttached, settle, tabAt } from './tabs.js';
import { hasArrived } from './underway.js';

/** @typedef {import('./tabs.js').Tab} Tab */

const version = '1.3';
const wakeTime = 10_000;
const probeTime = 3_000;
// How long a page may take that was asked for before the tab was attached to.
const arrivalTime = 25_000;
const foreign = 'of different extension';

/** @type {Map<number, string>} tab id to the other extension that is about to get a frame there */
const coming = new Map();
/** @type {Map<string, string>} names of the extensions whose content scripts were seen */
const names = new Map();
const remembered = 100;

/** @type {Map<number, Promise<void>>} */
const attaching = new Map();

/**
 * Attaches to a tab, once for all who ask at the same time.
 * @param {Tab} tab
 * @returns {Promise<void>}
 */
export function attach(tab) {
  if (tab.attached) return Promise.resolve();
  let under = attaching.get(tab.tabId);
  if (!under) {
    under = attachNow(tab).finally(() => attaching.delete(tab.tabId));
    attaching.set(tab.tabId, under);
  }
  return under;
}

/**
 * Whether a tab is attached, or will be in a moment.
 * @param {Tab} tab
 * @returns {boolean | Promise<boolean>}
 */
export function attachedSoon(tab) {
  return tab.attached || (attaching.get(tab.tabId)?.then(() => true, () => false) ?? false);
}

/**
 * Why a tab cannot be worked with; of a site that agents may not use it names no more than the site.
 * @param {Tab} tab
 */
export const unreachable = (tab) => new Fault(`this tab shows ${permitted(tab) ? tab.url : siteShown(tab)}, which cannot be controlled: navigate it elsewhere`);

/** @param {Tab} tab */
async function attachNow(tab) {
  if (!tab.reachable) throw unreachable(tab);
  const asleep = tab.discarded;
  if (asleep) await wake(tab.tabId);
  const target = { tabId: tab.tabId };
  /** @type {unknown} */
  let refused;
  await chrome.debugger.attach(target, version).catch((thrown) => (refused = thrown));
  try {
    // Attaching may work where no command would; where it did not, an earlier worker may have attached.
    if (!(await works(tab.tabId))) {
      if (refused) throw refused;
      await chrome.debugger.sendCommand(target, 'Target.getTargetInfo');
    }
    if (tab.frozen && !(await within(probeTime, chrome.debugger.sendCommand(target, 'Runtime.evaluate', { expression: '1' })))) {
      throw new Fault('this tab is frozen by the browser and does not respond: activate it');
    }
    // What set out before comes there unseen.
    if (await guard({ tabId: tab.tabId })) {
      if (!(await within(arrivalTime, passWorkersBy({ tabId: tab.tabId }).then(() => hasArrived(tab.tabId))))) throw new Fault('this tab is on its way to a page that does not answer: try again later, or close it');
      await refresh(tab.tabId);
      await forgetPages(tab.tabId);
    }
  } catch (thrown) {
    if (!refused) await release(tab.tabId);
    throw await blame(tab.tabId, thrown);
  }
  if (asleep) await size(tab.tabId);
  if (!tab.reachable) { // It went elsewhere meanwhile.
    await release(tab.tabId);
    throw unreachable(tab);
  }
  tab.shut = false;
  hold(tab.tabId);
  setAttached(tab, true);
}

/**
 * Whether this extension is attached to a tab: only then is a command carried out.
 * @param {number} tabId
 * @returns {Promise<boolean>}
 */
async function works(tabId) {
  try {
    await chrome.debugger.sendCommand({ tabId }, 'Target.getTargetInfo');
    return true;
  } catch {
    return false;
  }
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>}
 */
function within(ms, promise) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const late = new Promise((/** @type {(v: undefined) => void} */ done) => {
    timer = setTimeout(() => done(undefined), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * Loads a discarded tab in the background: attaching to it works, but no command would answer.
 * @param {number} tabId
 */
async function wake(tabId) {
  /** @type {(tabId: number, change: unknown, tab: chrome.tabs.Tab) => void} */
  let listener = () => {};
  const loaded = new Promise((/** @type {(v: boolean) => void} */ done) => {
    listener = (id, _change, tab) => {
      if (id === tabId && !tab.discarded && tab.status === 'complete') done(true);
    };
    chrome.tabs.onUpdated.addListener(listener);
  });
  try {
    await chrome.tabs.reload(tabId);
    if (!(await within(wakeTime, loaded))) throw new Fault('this tab was discarded by the browser and does not reload: activate it');
    await refresh(tabId);
  } finally {
    chrome.tabs.onUpdated.removeListener(listener);
  }
}

/**
 * A tab that was loaded again out of sight has no size, so nothing in it could be clicked: until it is seen it
 * gets the one of the tab in front.
 * @param {number} tabId
 */
async function size(tabId) {
  try {
    const { windowId } = await chrome.tabs.get(tabId);
    const [front] = await chrome.tabs.query({ windowId, active: true });
    if (!front?.width || !front.height || front.id === tabId) return;
    const metrics = { width: front.width, height: front.height, deviceScaleFactor: 0, mobile: false };
    await chrome.debugger.sendCommand({ tabId }, 'Emulation.setDeviceMetricsOverride', metrics);
    put(memory.sized, tabId, true);
  } catch {
    // It is gone, or in front after all.
  }
}

/**
 * A tab that comes to the front has its true size.
 * @param {number} tabId
 */
export function seen(tabId) {
  if (!put(memory.sized, tabId, false)) return;
  void chrome.debugger.sendCommand({ tabId }, 'Emulation.clearDeviceMetricsOverride').catch(() => {}); // Not attached.
}

/**
 * Keeps the browser from discarding an attached tab.
 * @param {number} tabId
 */
function hold(tabId) {
  void chrome.tabs.get(tabId).then((tab) => {
    if (!tab.autoDiscardable) return;
    put(memory.held, tabId, true);
    return chrome.tabs.update(tabId, { autoDiscardable: false });
  }).catch(() => {}); // The tab is gone.
}

/** @param {number} tabId */
function unhold(tabId) {
  if (put(memory.held, tabId, false)) void chrome.tabs.update(tabId, { autoDiscardable: true }).catch(() => {});
}

/** @param {Tab} tab */
export async function detach(tab) {
  if (!tab.attached) return;
  setAttached(tab, false);
  await release(tab.tabId);
}

/** @param {number} tabId */
async function release(tabId) {
  unhold(tabId);
  forgetChildren(tabId);
  unguard(tabId);
  await chrome.debugger.detach({ tabId }).catch(() => {}); // It was gone already.
}

/** Lets go of every tab, so that the debugger's bar disappears. */
export async function detachAll() {
  await adopt();
  const targets = await chrome.debugger.getTargets();
  for (const { attached, tabId } of targets) {
    if (!attached || tabId === undefined) continue;
    const tab = tabAt(tabId);
    if (tab?.attached) await detach(tab);
    else if (await works(tabId)) await release(tabId); // Attached by an earlier worker.
  }
}

/** @type {Promise<void> | null} */
let adopting = null;

/**
 * Finds, once in a worker's life, what an earlier one attached.
 * @returns {Promise<void>}
 */
export function adopt() {
  adopting ??= adoptAll();
  return adopting;
}

async function adoptAll() {
  const targets = await chrome.debugger.getTargets();
  const attached = new Set(targets.filter((t) => t.attached).map((t) => t.id));
  await Promise.all(knownTabs().map(async (tab) => {
    if (tab.attached || !attached.has(tab.id) || !(await works(tab.tabId))) return;
    const kept = await guard({ tabId: tab.tabId }).then((held) => {
      if (held) void passWorkersBy({ tabId: tab.tabId }).catch(() => {}); // A page on its way would keep it waiting.
      return tab.reachable;
    }, () => false);
    if (kept) tab.attached = true;
    else await release(tab.tabId); // It came there while no worker ran, or is gone.
  }));
}

/**
 * @param {Tab} tab
 * @param {string | undefined} sessionId
 * @param {string} method
 * @param {object | undefined} params
 */
export async function command(tab, sessionId, method, params) {
  try {
    return await chrome.debugger.sendCommand({ tabId: tab.tabId, sessionId }, method, /** @type {any} */ (params));
  } catch (thrown) {
    const error = await blame(tab.tabId, thrown);
    // In a turn of its own: the command's answer comes first.
    if (error.message.includes(foreign)) setTimeout(() => void giveUp(tab), 0);
    // Its event is on the way.
    if (/^Debugger is not attached/.test(error.message)) throw new Fault('not attached');
    throw error;
  }
}

/**
 * An attachment that carries nothing is none: the next command attaches anew, or hears why that cannot be.
 * @param {Tab} tab
 */
async function giveUp(tab) {
  if (!tab.attached) return;
  setAttached(tab, false);
  tell('tabDetached', { id: tab.id, reason: 'target_closed' });
  await release(tab.tabId);
}

/**
 * Chrome never says whose frame keeps the debugger out of a tab.
 * @param {number} tabId
 * @param {unknown} thrown
 */
async function blame(tabId, thrown) {
  const error = fault(thrown);
  const sure = error.message.includes(foreign);
  if (!sure && !/Detached while handling/.test(error.message)) return error;
  const culprits = await intruders(tabId, sure);
  if (culprits.length === 0) return error;
  return new Fault(`${accusation(culprits)} (${error.message})`, codes.blocked);
}

/** @param {string[]} ids of extensions, one of which it is */
function accusation(ids) {
  const named = ids.map((id) => (names.has(id) ? `${names.get(id)} (${id})` : id));
  const who = named.length === 1 ? `the extension ${named[0]}` : `one of the extensions ${named.join(', ')}`;
  return `blocked: ${who} has a frame in this tab, so Chrome does not allow debugging it; close its menu or turn it off for this site`;
}

/**
 * The other extensions that have a frame in a tab. Chrome may hide these from webNavigation;
 * the list of targets has them, but not where they are, so it is asked only if there must be one.
 * @param {number} tabId
 * @param {boolean} sure
 * @returns {Promise<string[]>}
 */
async function intruders(tabId, sure) {
  const frames = (await chrome.webNavigation.getAllFrames({ tabId }).catch(() => null)) ?? [];
  const inTab = frames.map((f) => f.url);
  const anywhere = sure ? (await chrome.debugger.getTargets()).filter((t) => t.type === 'other').map((t) => t.url) : [];
  for (const urls of [inTab, anywhere]) {
    const ids = urls.filter((u) => u.startsWith('chrome-extension://')).map((u) => new URL(u).host);
    const others = [...new Set(ids)].filter((id) => id !== chrome.runtime.id);
    if (others.length > 0) return others;
  }
  return [];
}

/**
 * What Chrome will not say once the other extension's frame is there.
 * @param {number | undefined} tabId
 * @param {string} method
 * @param {any} params
 */
export function suspect(tabId, method, params) {
  const scheme = 'chrome-extension://';
  if (tabId === undefined) return;
  if (method === 'Runtime.executionContextCreated') {
    const { origin, name } = params.context;
    if (!name || !origin.startsWith(scheme)) return;
    const id = origin.slice(scheme.length);
    names.delete(id);
    if (names.size === remembered) names.delete([...names.keys()][0] ?? '');
    names.set(id, name);
  } else if (method === 'Page.frameRequestedNavigation') {
    const id = params.url.startsWith(scheme) ? new URL(params.url).host : '';
    if (id && id !== chrome.runtime.id) coming.set(tabId, id);
  } else if (method === 'Page.frameNavigated') {
    coming.delete(tabId); // Something else came of it.
  }
}

/**
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} method
 * @param {object} [params]
 */
export function forward(source, method, params) {
  const tab = source.tabId === undefined ? undefined : tabAt(source.tabId);
  if (!tab || !tab.reachable || tab.shut || !isShared(tab.tabId)) return;
  tellLater('forwardCDPEvent', source.sessionId
    ? { id: tab.id, sessionId: source.sessionId, method, params: params ?? {} }
    : { id: tab.id, method, params: params ?? {} });
}

/**
 * "target_closed" also comes when the tab lives on: then the attachment is made again.
 * @param {number} tabId
 * @param {string} reason
 */
export async function detached(tabId, reason) {
  const tab = tabAt(tabId);
  if (!tab) return;
  const was = tab.attached;
  tab.attached = false;
  forgetChildren(tabId);
  unguard(tabId);
  if (reason !== 'target_closed') {
    unhold(tabId);
    // Chrome tells it of the tabs that are attached; the person means all.
    if (reason === 'canceled_by_user') return [tab, ...knownTabs().filter((one) => one !== tab)].forEach((one) => takeBack(one, reason));
    setAttached(tab, false);
    tell('tabDetached', { id: tab.id, reason });
    settle(tab);
    return;
  }
  const now = await chrome.tabs.get(tabId).catch(() => undefined);
  if (!now || tabAt(tabId) !== tab) return void coming.delete(tabId); // Gone: onRemoved tells.
  if (!eligible(now.pendingUrl || now.url || '')) return left(tab);
  if (!tab.reachable) return;
  if (!was || !isShared(tabId)) return;
  const intruder = coming.get(tabId);
  if (intruder) {
    coming.delete(tabId);
    unhold(tabId);
    setAttached(tab, false);
    tell('tabDetached', { id: tab.id, reason: accusation([intruder]) });
    return; // The next command attaches, if it can.
  }
  // Attached as it was told before is news now.
  tab.told = '';
  tell('tabDetached', { id: tab.id, reason });
  try {
    await attach(tab);
  } catch (thrown) {
    // The relay attaches again when it has a command, and then hears why it cannot be.
    if (/^Cannot access a (?!chrome-extension)/.test(fault(thrown).message)) left(tab);
    else setAttached(tab, false);
  }
}
