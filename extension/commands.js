// All that the relay may ask. What is not in this table, or of a tab that is not shared, is refused.

import { eligible } from './addresses.js';
import { leave } from './blank.js';
import { kindOf } from './children.js';
import { admitted, forgetClients } from './clients.js';
import { confirmed } from './confirm.js';
import { attach, attachedSoon, command, detach, unreachable } from './debugger.js';
import { cancelDownload, deleteDownload } from './downloads.js';
import { codes, Fault, fault } from './fault.js';
import { asTold } from './foreign.js';
import { mayStay } from './front.js';
import { group, leave as leaveGroups } from './groups.js';
import { inputs, permitInput } from './inputs.js';
import { remove } from './leaving.js';
import { intercepting } from './interception.js';
import { memory, put, save } from './memory.js';
import { mayDo, mayUse, mayWork, unlessPaused, whilePaused } from './paused.js';
import { allowed } from './policy.js';
import { permitPicture, pictures } from './pictures.js';
import { show } from './scene.js';
import { isOver, isShared, isTaken, setShared } from './sharing.js';
import { answerFor, ask, permitted, siteOf, siteShown, verdict } from './sites.js';
import { drop, fits } from './socket.js';
import { knownTabs, refresh, shape, tabOf } from './tabs.js';
import { answerOf } from './withheld.js';

/**
 * @param {any} id
 * @returns {import('./tabs.js').Tab}
 */
function sharedTab(id) {
  const tab = tabOf(id);
  if (!tab) throw new Fault(`no tab ${id}`);
  if (isOver(tab.tabId)) throw new Fault(`the person took tab ${id} over and is using it: wait until they hand it back, or ask them`, codes.over);
  if (isTaken(tab.tabId)) throw new Fault(`tab ${id} is not shared: the person took this tab back; ask them to share it again in the Tabrelay popup`, codes.taken);
  if (!isShared(tab.tabId)) throw new Fault(`tab ${id} is not shared: share it in the Tabrelay popup`, codes.unshared);
  return tab;
}

/**
 * A shared tab in which something may be done now.
 * @param {any} id
 */
function freeTab(id) {
  const tab = sharedTab(id);
  mayUse(tab.tabId);
  return tab;
}

/**
 * An agent's name as a person reads it: short, in one line, and of letters that they see.
 * @param {unknown} agent
 */
const named = (agent) => plain(agent, 60);

/** @param {unknown} words @param {number} most */
const plain = (words, most) => (typeof words === 'string' ? words.replace(/[\p{C}\p{Z}]+/gu, ' ').trim().slice(0, most) : '');

/**
 * Asks the person about a site; throws where too many questions are open.
 * @param {string} site
 * @param {unknown} agent its name
 */
function question(site, agent) {
  if (!ask(site, named(agent))) throw new Fault(`too much is asked of the person already to ask for ${site}`, codes.refused);
}

/**
 * Throws, and asks the person, unless agents may use a site.
 * @param {string} site
 * @param {unknown} agent its name
 */
function permit(site, agent) {
  switch (verdict(site)) {
    case 'refused':
      throw new Fault(`the person does not let agents use ${site}`, codes.refused);
    case 'unasked':
      question(site, agent);
      throw new Fault(`not yet: the person is asked whether agents may use ${site}`, codes.asked);
  }
}

/**
 * Throws where a tab shows what nobody may control, or not yet.
 * @param {import('./tabs.js').Tab} tab
 * @param {unknown} [agent]
 */
function permitShown(tab, agent) {
  if (tab.reachable) return;
  if (eligible(tab.url) && !permitted(tab)) permit(siteShown(tab), agent);
  throw unreachable(tab);
}

/**
 * Throws unless a tab may be sent to an address.
 * @param {import('./tabs.js').Tab} tab
 * @param {string} address
 */
function permitIn(tab, address) {
  if (!permitted({ tabId: tab.tabId, url: address })) permit(siteOf(address), tab.agent);
}

/**
 * Throws unless a tab may be sent to an entry of its history.
 * @param {import('./tabs.js').Tab} tab
 * @param {unknown} id
 */
async function permitEntry(tab, id) {
  /** @type {any} */
  const history = await command(tab, undefined, 'Page.getNavigationHistory', undefined);
  const entry = history.entries.find((/** @type {{id: number}} */ one) => one.id === id);
  if (entry) permitIn(tab, entry.url);
}

/** @type {Map<string, (params: any) => unknown>} */
const table = new Map(Object.entries({
  /** The tabs that the relay may use. */
  listRegisteredTabs: () => ({ tabs: knownTabs().map(shape) }),

  /** Those with the debugger on. */
  listTabs: () => ({ tabs: knownTabs().filter((t) => t.attached).map(shape) }),

  forwardCDPCommand: async ({ id, sessionId, method, params }) => {
    const tab = sharedTab(id);
    if (!tab.attached && !(await attachedSoon(tab))) throw new Fault('not attached');
    permitShown(tab);
    const may = whilePaused(tab.tabId, { method, params }); // before the person is asked for a site
    const does = asTold({ tabId: tab.tabId, sessionId }, allowed(kindOf(tab.tabId, sessionId), may.method, may.params, (address) => permitIn(tab, address)));
    if (does.method === 'Page.navigateToHistoryEntry') await permitEntry(tab, does.params?.entryId);
    if (pictures(does)) await permitPicture(tab.tabId, does.method);
    if (inputs(does)) await permitInput({ tabId: tab.tabId, sessionId }, does);
    const send = (/** @type {typeof does} */ one) => command(tab, sessionId, one.method, one.params);
    const result = await unlessPaused(tab.tabId, intercepting({ tabId: tab.tabId, sessionId }, does, send)).catch((thrown) => {
      if (!tab.shut) throw thrown;
    });
    if (tab.shut) throw new Fault(`the tab came to ${siteShown(tab)}, which the person has not allowed`, codes.withheld);
    return answerOf(tab, does.method, result);
  },

  createTab: async ({ url, active, agent }) => {
    const address = url || 'about:blank';
    if (!eligible(address)) throw new Fault(`${address} cannot be controlled: give an http, https, data or about:blank URL`);
    mayWork(agent);
    permit(siteOf(address), agent);
    const created = await create(address, active === true);
    if (created?.id === undefined) throw new Fault('the browser created no tab');
    setShared(created.id, true);
    put(memory.made, created.id, true);
    const tab = await refresh(created.id);
    if (!tab?.id) throw new Fault('the new tab closed at once');
    if (typeof agent === 'string') tab.agent = named(agent);
    // Were the worker to end with the tab answered and not noted, the tab would seem to close by itself.
    await Promise.all([attach(tab), save()]);
    return shape(tab);
  },

  closeTab: async ({ id }) => {
    await remove(freeTab(id));
    return {};
  },

  attachTab: async ({ id, agent }) => {
    const tab = freeTab(id);
    if (tab.shut) await refresh(tab.tabId); // What was heard last may be of the page before.
    permitShown(tab, agent);
    if (typeof agent === 'string') tab.agent = named(agent);
    await attach(tab).catch((thrown) => {
      permitShown(tab, agent); // It came elsewhere meanwhile.
      throw thrown;
    });
    return {};
  },

  /** Takes a tab from a page where no debugger may be. */
  leaveTab: async ({ id }) => {
    const tab = freeTab(id);
    if (tab.shut || !tab.reachable) await leave(tab);
    return {};
  },

  detachTab: async ({ id }) => {
    await detach(sharedTab(id));
    return {};
  },

  /** Makes a tab its window's active one; the window itself comes to the front only if asked. */
  activateTab: async ({ id, front }) => {
    const { tabId } = freeTab(id);
    mayStay(tabId);
    const tab = await chrome.tabs.update(tabId, { active: true });
    if (front === true && tab) await chrome.windows.update(tab.windowId, { focused: true });
    await refresh(tabId);
    return {};
  },

  /** Puts tabs into the group of a title, one in each of their windows; taken: only those that an agent left. */
  groupTabs: async ({ ids, title, color, taken }) => {
    /** @type {Map<number, number[]>} */
    const windows = new Map();
    for (const id of ids) {
      const { tabId, windowId } = sharedTab(id);
      windows.set(windowId, [...(windows.get(windowId) ?? []), tabId]);
    }
    for (const [windowId, tabIds] of windows) await group(windowId, tabIds, title, color, taken === true);
    return {};
  },

  cancelDownload: async ({ id }) => {
    await cancelDownload(id);
    return {};
  },

  deleteDownload: async ({ id }) => {
    await deleteDownload(id);
    return {};
  },

  /** Waits a while for what the person says of a site. */
  awaitSite: async ({ site, agent }) => {
    const asked = siteOf(String(site));
    if (verdict(asked) === 'unasked') question(asked, agent);
    return { verdict: await answerFor(asked) };
  },

  /** Waits a while for whether the person lets in a program that came through a port that asks for no secret. */
  awaitClient: async ({ client, port, program }) => ({ verdict: await admitted(String(client), Number(port), named(program)) }),

  /** Waits a while for whether an agent may do something this once. */
  awaitConfirmation: async ({ question, deed, agent, wait }) => {
    mayWork(agent);
    return { verdict: await confirmed(String(question), plain(deed, 800), named(agent), Number(wait) || 0) };
  },

  /** Such a program has gone. */
  forgetClient: ({ client }) => {
    forgetClients(String(client));
    return {};
  },

  /** What agents and clients do, for the person who watches. */
  show: (scene) => {
    show(scene);
    return {};
  },

  leaveGroups: async ({ title }) => {
    await leaveGroups(String(title));
    return {};
  },
}));

/**
 * In the window that the person used last; without one, in a new one that does not take the focus.
 * @param {string} url
 * @param {boolean} active
 */
async function create(url, active) {
  const windowId = await normalWindow();
  if (windowId !== undefined) return chrome.tabs.create({ url, active, windowId });
  const made = await chrome.windows.create({ url, focused: active });
  return made?.tabs?.[0];
}

/**
 * Nothing is opened in a private window, even where the person allowed those.
 * @returns {Promise<number | undefined>}
 */
async function normalWindow() {
  try {
    const last = await chrome.windows.getLastFocused({ windowTypes: ['normal'] });
    if (!last.incognito) return last.id;
    return (await chrome.windows.getAll({ windowTypes: ['normal'] })).find((w) => !w.incognito)?.id;
  } catch {
    return undefined;
  }
}

/**
 * Carries out one frame of the relay and answers it.
 * @param {string} text
 * @param {(text: string) => void} answer
 */
export async function receive(text, answer) {
  /** @type {{id: number, method: string, params?: any}} */
  const { id, method, params } = JSON.parse(text);
  try {
    const body = table.get(method);
    if (!body) throw new Fault(`unknown command ${method}`, -32601);
    mayDo(method);
    const result = await body(params ?? {});
    const said = `{"id":${id},"result":${JSON.stringify(result ?? {})}}`;
    if (!fits(said)) throw new Fault('the answer has more than 64 MB: ask for less at a time');
    answer(said);
  } catch (thrown) {
    const { code, message } = fault(thrown);
    // So Chrome says to what a worker began that it is stopping. Nobody knows how far it came, as with all else
    // that is under way: the end of the socket says so.
    if (message === 'No SW') return drop();
    answer(JSON.stringify({ id, error: { code, message } }));
  }
}
