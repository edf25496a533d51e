// What the pages of the extension see, and the few things that the person may ask for there.

import { questions } from './asked.js';
import { showBadge } from './badge.js';
import { detachAll } from './debugger.js';
import { leave } from './groups.js';
import { memory } from './memory.js';
import { pairing, want } from './pairing.js';
import { allPaused, isHeld, isPaused, pause } from './paused.js';
import { actorOf, scene, watch } from './scene.js';
import { isShared, share, takeBack } from './sharing.js';
import { allSites, answer, forget, rules, setAllSites } from './sites.js';
import { connect, disconnect, reconnect, status, tell } from './socket.js';
import { knownTabs, overTabs, tabAt, whenReady } from './tabs.js';

/**
 * @typedef {object} Row a tab
 * @property {number} tabId
 * @property {string} title
 * @property {string} url
 * @property {boolean} attached
 * @property {string} who agent or client that has it; empty: none, or it is not known
 * @property {boolean} paused
 * @property {boolean} left an agent opened it, and nobody has it any more
 */

/** @typedef {import('./scene.js').Actor & {paused: boolean}} Actor */

/**
 * @typedef {object} View
 * @property {import('./socket.js').State} state
 * @property {string} reason
 * @property {number} since connected since (ms); 0: not connected
 * @property {string} server
 * @property {boolean} paired
 * @property {string} home the address that it was paired with
 * @property {string} called by agents; empty: it is not known
 * @property {'chosen'|'all'} share
 * @property {import('./asked.js').Question[]} questions what the person has not answered
 * @property {import('./sites.js').Rule[]} rules what they decided, by site
 * @property {boolean} allSites agents may use every site that the person does not refuse
 * @property {number} received
 * @property {number} sent
 * @property {boolean} paused all agents
 * @property {Actor[]} actors
 * @property {import('./scene.js').Address[]} addresses of CDP clients, that lead to this browser
 * @property {Row[]} tabs
 * @property {Row[]} over tabs that the person took over
 * @property {{fresh: boolean, entries: import('./scene.js').Entry[]}} [news] of the history
 */

/**
 * @typedef {{ask: 'connect'|'disconnect'|'closeLeft'|'clearHistory'}
 *   | {ask: 'share'|'stop'|'takeOver', tabId: number}
 *   | {ask: 'pause'|'resume', who?: string}
 *   | {ask: 'answer', id: string, choice: import('./sites.js').Choice}
 *   | {ask: 'endAddress', id: string}
 *   | {ask: 'forget', site: string} | {ask: 'allSites', on: boolean}} Wish
 */

/** @type {Set<chrome.runtime.Port>} */
const ports = new Set();
let posting = false;
const pace = 100;
// The pages that show who does what.
const watching = ['popup', 'side', 'options'];

/** @param {chrome.runtime.Port} port */
export function openPanel(port) {
  ports.add(port);
  port.onDisconnect.addListener(() => {
    ports.delete(port);
    lookOut();
  });
  port.onMessage.addListener((wish) => whenReady(() => void grant(wish)));
  whenReady(() => {
    // An agent waits for this browser: no pause counts.
    if (port.name === 'wake' && status.state !== 'connected') memory.notBefore = 0;
    connect();
    lookOut();
    if (ports.has(port)) port.postMessage({ ...view(), news: { fresh: true, entries: scene.entries } });
  });
}

function lookOut() {
  watch([...ports].some(({ name }) => watching.includes(name)));
}

/** Shows that messages came or went, which costs nothing while nobody looks. */
export function showTraffic() {
  if (ports.size > 0) showPanel();
}

/** Shows the change soon; traffic may change the view thousands of times a second. */
export function showPanel() {
  if (posting) return;
  posting = true;
  setTimeout(() => {
    posting = false;
    showBadge();
    if (ports.size === 0) return;
    const seen = view();
    for (const port of ports) port.postMessage(seen);
  }, pace);
}

/**
 * Shows what agents did.
 * @param {boolean} fresh instead of all before
 * @param {import('./scene.js').Entry[]} entries
 */
export function showNews(fresh, entries) {
  const seen = { ...view(), news: { fresh, entries } };
  for (const port of ports) if (watching.includes(port.name)) port.postMessage(seen);
}

/** @returns {View} */
function view() {
  return {
    state: status.state,
    reason: status.reason,
    since: status.since,
    server: status.server,
    paired: pairing() !== null,
    home: pairing()?.home ?? '',
    called: scene.called,
    share: pairing()?.share ?? 'chosen',
    questions: questions(),
    rules: rules(),
    allSites: allSites(),
    received: memory.received,
    sent: memory.sent,
    paused: allPaused(),
    actors: scene.actors.map((actor) => ({ ...actor, paused: isPaused(actor.name) || actor.paused === true })),
    addresses: scene.addresses,
    tabs: knownTabs().map(row),
    over: overTabs().map(row),
  };
}

/**
 * @param {import('./tabs.js').Tab} tab
 * @returns {Row}
 */
function row({ tabId, id, title, url, attached }) {
  const who = actorOf(id)?.name ?? '';
  return { tabId, title, url, attached, who, paused: isHeld(tabId), left: scene.known && !who && memory.made.includes(tabId) };
}

/** @param {Wish} wish */
async function grant(wish) {
  switch (wish.ask) {
    case 'connect':
      await want(true);
      reconnect();
      break;
    case 'disconnect':
      await want(false);
      disconnect();
      await Promise.all([detachAll(), leave()]);
      break;
    case 'answer':
      await answer(wish.id, wish.choice);
      break;
    case 'forget':
      await forget(wish.site);
      break;
    case 'allSites':
      await setAllSites(wish.on);
      break;
    case 'share':
      await share(wish.tabId);
      break;
    case 'stop':
      take(wish.tabId, 'unshared');
      break;
    case 'takeOver':
      take(wish.tabId, 'taken_over');
      break;
    case 'pause':
    case 'resume':
      await pause(wish.ask === 'pause', wish.who, wish.who === undefined ? [] : tabsOf(wish.who));
      break;
    case 'closeLeft':
      await chrome.tabs.remove(knownTabs().map(row).filter(({ left }) => left).map(({ tabId }) => tabId));
      break;
    case 'clearHistory':
      tell('clearHistory', {});
      break;
    case 'endAddress':
      tell('endAddress', { id: wish.id });
      break;
  }
  showPanel();
}

/** @param {string} who */
function tabsOf(who) {
  return knownTabs().filter(({ id }) => scene.actors.some(({ name, tabs }) => name === who && tabs.includes(id))).map(({ tabId }) => tabId);
}

/**
 * @param {number} tabId
 * @param {'unshared'|'taken_over'} reason
 */
function take(tabId, reason) {
  const tab = tabAt(tabId);
  if (tab && isShared(tabId)) takeBack(tab, reason);
}
