// What the person has paused: all agents, or some by name. It stays so until they say otherwise, whatever the relay
// asks, and outlives the browser.

import { codes, Fault } from './fault.js';
import { memory, put, save } from './memory.js';
import { connected, tell } from './socket.js';

/** @type {{all: boolean, who: string[]}} */
const paused = { all: false, who: [] };

/** @type {Set<{tabId: number, end: (why: Fault) => void}>} commands under way */
const running = new Set();

export async function recallPaused() {
  const kept = await chrome.storage.local.get('paused');
  if (kept.paused) Object.assign(paused, kept.paused);
}

export const allPaused = () => paused.all;

/** @param {string} name */
export const isPaused = (name) => paused.who.includes(name);

/** The relay knows from this alone who is paused, and who was while it was away. */
export function tellPaused() {
  if (connected()) tell('paused', paused);
}

/**
 * @param {boolean} on
 * @param {string} [name] one alone
 * @param {number[]} [tabIds] the tabs that it has
 */
export async function pause(on, name, tabIds = []) {
  if (name === undefined) paused.all = on;
  else {
    paused.who = paused.who.filter((one) => one !== name);
    delete memory.paused[name];
    if (on) {
      paused.who.push(name);
      memory.paused[name] = tabIds;
    }
  }
  tell('paused', paused);
  if (on) end();
  await Promise.all([chrome.storage.local.set({ paused }), save()]);
}

/** Ends what runs in tabs that are paused. */
function end() {
  for (const one of running) if (isHeld(one.tabId)) one.end(refusal());
}

/**
 * Whether nobody may do anything in a tab: agents are paused, or the one that has it.
 * @param {number} tabId
 */
export const isHeld = (tabId) => paused.all || Object.values(memory.paused).some((tabIds) => tabIds.includes(tabId));

const refusal = () => new Fault('the person paused agents: nothing runs until they press Resume in Tabrelay', codes.paused);

/** What goes on though agents are paused. */
const still = new Set(['listRegisteredTabs', 'listTabs', 'forwardCDPCommand', 'detachTab', 'groupTabs', 'leaveGroups', 'forgetClient', 'show']);

/**
 * Throws what says that agents are paused, if that keeps a command from being carried out.
 * @param {string} method of the relay
 */
export function mayDo(method) {
  if (paused.all && !still.has(method)) throw refusal();
}

/**
 * Throws the same where that is so of who has a tab.
 * @param {number} tabId
 */
export function mayUse(tabId) {
  if (isHeld(tabId)) throw refusal();
}

/**
 * Throws the same where that is so of an agent.
 * @param {unknown} name
 */
export function mayWork(name) {
  if (typeof name === 'string' && isPaused(name)) throw refusal();
}

/**
 * A tab is of who has another one: what that opened, or what it became.
 * @param {number} tabId
 * @param {number} other
 */
export function holdToo(tabId, other) {
  for (const tabIds of Object.values(memory.paused)) if (tabIds.includes(other)) put(tabIds, tabId, true);
}

/**
 * What is forwarded to a tab in place of a command. While agents are paused that is nothing, but what lets a page
 * go on that waits for them: a request that they hold back is sent as the page made it.
 * @param {number} tabId
 * @param {{method: string, params: any}} does
 * @returns {{method: string, params: any}}
 */
export function whilePaused(tabId, does) {
  if (!isHeld(tabId)) return does;
  if (does.method === 'Runtime.runIfWaitingForDebugger' || does.method === 'Debugger.resume') return does;
  if (/^Fetch\.(continue|fulfill|fail)/.test(does.method)) {
    return asThePageMadeIt(does.params?.requestId, does.method === 'Fetch.continueWithAuth');
  }
  throw refusal();
}

/**
 * The command that lets a request go on as the page made it.
 * @param {string} requestId
 * @param {boolean} auth it wants a password
 * @returns {{method: string, params: any}}
 */
export function asThePageMadeIt(requestId, auth) {
  if (auth) return { method: 'Fetch.continueWithAuth', params: { requestId, authChallengeResponse: { response: 'Default' } } };
  return { method: 'Fetch.continueRequest', params: { requestId } };
}

/**
 * A command's outcome, or that the person paused it meanwhile.
 * @template T
 * @param {number} tabId
 * @param {Promise<T>} outcome
 * @returns {Promise<T>}
 */
export function unlessPaused(tabId, outcome) {
  return new Promise((done, fail) => {
    const one = { tabId, end: fail };
    running.add(one);
    outcome.then(done, fail).finally(() => running.delete(one));
  });
}
