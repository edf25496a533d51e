// What the popup and the options page see, and the few things that they may ask.

import { detachAll } from './debugger.js';
import { memory } from './memory.js';
import { pairing, want } from './pairing.js';
import { isShared, share, takeBack } from './sharing.js';
import { allSites, answer, forget, questions, rules, setAllSites } from './sites.js';
import { connect, disconnect, reconnect, status, tell } from './socket.js';
import { knownTabs, refresh, tabAt, whenReady } from './tabs.js';

/**
 * @typedef {object} View
 * @property {import('./socket.js').State} state
 * @property {string} reason
 * @property {number} since connected since (ms); 0: not connected
 * @property {string} server
 * @property {boolean} paired
 * @property {'chosen'|'all'} share
 * @property {import('./sites.js').Question[]} questions what the person has not answered
 * @property {import('./sites.js').Rule[]} rules what they decided, by site
 * @property {boolean} allSites agents may use every site that the person does not refuse
 * @property {number} received
 * @property {number} sent
 * @property {{tabId: number, title: string, url: string, attached: boolean}[]} tabs
 */

/** @typedef {{ask: 'connect'|'disconnect'} | {ask: 'share'|'stop', tabId: number} | {ask: 'answer', id: string, choice: import('./sites.js').Choice}
 * | {ask: 'forget', site: string} | {ask: 'allSites', on: boolean}} Wish */

/** @type {Set<chrome.runtime.Port>} */
const ports = new Set();
let posting = false;
const pace = 100;

/** @param {chrome.runtime.Port} port */
export function openPanel(port) {
  ports.add(port);
  port.onDisconnect.addListener(() => ports.delete(port));
  port.onMessage.addListener((wish) => whenReady(() => void grant(wish)));
  whenReady(() => {
    // An agent waits for this browser: no pause counts.
    if (port.name === 'wake' && status.state !== 'connected') memory.notBefore = 0;
    connect();
    port.postMessage(view());
  });
}

/** Shows the change soon; traffic may change the view thousands of times a second. */
export function showPanel() {
  if (ports.size === 0 || posting) return;
  posting = true;
  setTimeout(() => {
    posting = false;
    const seen = view();
    for (const port of ports) port.postMessage(seen);
  }, pace);
}

/** @returns {View} */
function view() {
  return {
    state: status.state,
    reason: status.reason,
    since: status.since,
    server: status.server,
    paired: pairing() !== null,
    share: pairing()?.share ?? 'chosen',
    questions: questions(),
    rules: rules(),
    allSites: allSites(),
    received: memory.received,
    sent: memory.sent,
    tabs: knownTabs().map(({ tabId, title, url, attached }) => ({ tabId, title, url, attached })),
  };
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
      await detachAll();
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
    case 'stop': {
      const tab = tabAt(wish.tabId);
      if (!tab || !isShared(wish.tabId)) break;
      takeBack(wish.tabId);
      tell('tabDetached', { id: tab.id, reason: 'unshared' });
      await refresh(wish.tabId);
      break;
    }
  }
  showPanel();
}
