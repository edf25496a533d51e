// Requests that are held back in a tab. Chrome has one interception for all: what clients want is joined with what this
// extension wants where agents may not use every site, which is to see where a document comes from before it is there.

import { hearsNetwork, networking, passWorkersBy } from './bypass.js';
import { Fault, fault } from './fault.js';
import { keyOf, memory, save } from './memory.js';
import { asThePageMadeIt } from './paused.js';
import { anyRefused, everySite, permitted } from './sites.js';
import { knownTabs } from './tabs.js';

/** @typedef {{method: string, params: any}} Command */

const documents = { resourceType: 'Document', requestStage: 'Response' };
// Chrome does not say that a page gave up a request, so what is known of the oldest one makes room for the newest.
const mostHeld = 10_000;
// Nothing in a cache is from then.
const farAhead = 1e11;

/**
 * @typedef {object} Guarded
 * @property {Map<string, boolean>} held requests that clients hold back, and whether they want a password
 * @property {Map<string, boolean>} choices requests of which a client said whether it wants the answer, too
 */

/** @type {Map<string, Guarded>} key of a session to what is known where documents are held */
const guarded = new Map();

/**
 * Holds the documents of a tab from now on, or those of a frame that has a session of its own, if that is needed: a frame
 * is kept from sites that the person refused.
 * @param {chrome.debugger.DebuggerSession} at
 * @returns {Promise<boolean>} whether they are
 */
export async function guard({ tabId, sessionId }) {
  if (everySite() || (sessionId && !anyRefused())) return false;
  const key = keyOf({ tabId, sessionId });
  if (!guarded.has(key)) guarded.set(key, { held: new Map(), choices: new Map() });
  if (!sessionId) guardFrames(tabId);
  await chrome.debugger.sendCommand({ tabId, sessionId }, 'Fetch.enable', joined(key));
  return true;
}

const frames = new Set(['iframe', 'fenced_frame', 'webview']);

/**
 * Holds those of what has a session of its own, if it is a frame, and has them come from the network.
 * @param {chrome.debugger.DebuggerSession} at
 */
export function guardFrame(at) {
  if (!frames.has(memory.children[at.sessionId ?? '']?.kind ?? '')) return;
  void guard(at).then((held) => (held ? passWorkersBy(at) : undefined)).catch(() => {}); // Gone meanwhile.
}

/** @param {number} [tabId] */
function guardFrames(tabId) {
  for (const [sessionId, child] of Object.entries(memory.children)) {
    if (child.tabId === tabId && !guarded.has(keyOf({ tabId, sessionId }))) guardFrame({ tabId, sessionId });
  }
}

/** Holds those of all tabs that are attached, if that is needed now. */
export function guardAll() {
  if (everySite()) return;
  for (const { tabId, attached } of knownTabs()) {
    if (!attached) continue;
    const known = guarded.has(keyOf({ tabId }));
    if (known) guardFrames(tabId);
    void (known ? forgetPages(tabId) : guard({ tabId }).then(() => Promise.all([passWorkersBy({ tabId }), forgetPages(tabId)]))).catch(() => {}); // Gone meanwhile.
  }
}

/**
 * Drops the pages that the browser keeps whole, to show them again at once, where the tab's history has some of sites
 * that agents may not use: such a page would be there before anything could be held. The cache of files is cleared of
 * what is from the future, which is nothing.
 * @param {number} tabId
 */
export async function forgetPages(tabId) {
  const { entries } = /** @type {{entries: {url: string}[]}} */ (await chrome.debugger.sendCommand({ tabId }, 'Page.getNavigationHistory'));
  if (entries.every(({ url }) => permitted({ tabId, url }))) return;
  await chrome.browsingData.remove({ since: Date.now() + farAhead }, { cache: true });
}

/** The attachment ended, and with it all that was held. @param {number} tabId */
export function unguard(tabId) {
  for (const key of new Set([...guarded.keys(), ...Object.keys(memory.fetch), ...memory.network])) if (parseInt(key) === tabId) drop(key);
}

/** A frame's session ended. @param {chrome.debugger.DebuggerSession} at */
export const unguardFrame = (at) => drop(keyOf(at));

/** @param {string} key */
function drop(key) {
  guarded.delete(key);
  delete memory.fetch[key];
  memory.network = memory.network.filter((one) => one !== key);
  save();
}

/** @param {string} key */
function joined(key) {
  const { patterns, handleAuthRequests } = memory.fetch[key] ?? { patterns: [] };
  return { patterns: [...patterns, documents], handleAuthRequests };
}

/** @param {any} one */
const isPattern = (one) => typeof one === 'object' && one !== null && ['urlPattern', 'resourceType', 'requestStage'].every((name) => /^(string|undefined)$/.test(typeof one[name]));

/**
 * Carries out a command of a client, joined with what is held there.
 * @param {chrome.debugger.DebuggerSession} at
 * @param {Command} does
 * @param {(does: Command) => Promise<any>} send
 */
export async function intercepting(at, { method, params }, send) {
  const key = keyOf(at), known = guarded.get(key);
  if (method.startsWith('Network.')) return networking(at, !!known, { method, params }, send);
  if (method === 'Fetch.enable' || method === 'Fetch.disable') {
    const { patterns = [{}], handleAuthRequests = false } = params ?? {};
    if (!Array.isArray(patterns) || !patterns.every(isPattern)) throw new Fault(`'Fetch.enable' is refused: patterns must be a list of patterns`, -32602);
    const had = memory.fetch[key];
    const wants = method === 'Fetch.enable' ? { patterns, handleAuthRequests } : undefined;
    if (wants) memory.fetch[key] = wants;
    else delete memory.fetch[key];
    save();
    try {
      await send(known ? { method: 'Fetch.enable', params: joined(key) } : { method, params });
    } catch (thrown) {
      if (wants && memory.fetch[key] === wants) { // Else the attachment ended.
        if (had) memory.fetch[key] = had;
        else delete memory.fetch[key];
        save();
      }
      throw thrown;
    }
    if (!known || wants) return {};
    for (const [id, auth] of known.held) goOn(at, id, auth);
    known.held.clear();
    return {};
  }
  if (!known || !/^Fetch\.(continue|fulfill|fail)/.test(method)) return send({ method, params });
  const id = params?.requestId, auth = known.held.get(id);
  known.held.delete(id);
  if (params && 'interceptResponse' in params) {
    if (auth !== undefined) {
      known.choices.set(id, params.interceptResponse);
      const [oldest] = known.choices.keys();
      if (oldest !== undefined && known.choices.size > mostHeld) known.choices.delete(oldest);
    }
    params = { ...params, interceptResponse: true };
  }
  try {
    return await send({ method, params });
  } catch (thrown) {
    if (auth !== undefined) {
      known.choices.delete(id);
      if (!/Invalid InterceptionId/.test(fault(thrown).message)) known.held.set(id, auth); // Else its page gave it up.
    }
    throw thrown;
  }
}

/**
 * Whether a client holds back what the debugger tells of; what none does goes on. Of the network it wants to hear at all.
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} method
 * @param {any} params
 */
export function isTheirs(source, method, params) {
  const key = keyOf(source), known = guarded.get(key);
  if (known && method.startsWith('Network.')) return hearsNetwork(source);
  const auth = method === 'Fetch.authRequired';
  if (!known || (method !== 'Fetch.requestPaused' && !auth)) return true;
  const stage = params.responseStatusCode === undefined && params.responseErrorReason === undefined ? 'Request' : 'Response';
  const chosen = stage === 'Response' ? known.choices.get(params.requestId) : undefined;
  if (!auth) known.choices.delete(params.requestId); // Its answer is still to come.
  const wants = memory.fetch[key];
  // What is no answer with a document is held for clients alone.
  const ours = params.resourceType === 'Document' && (auth || stage === 'Response');
  const wanted = chosen ?? (wants && (!ours || wants.patterns.some(({ urlPattern = '*', resourceType, requestStage = 'Request' }) =>
    (auth || requestStage === stage) && (!resourceType || resourceType === 'Document') && matches(urlPattern, params.request.url))));
  if (!wanted) {
    goOn(source, params.requestId, auth);
    return false;
  }
  known.held.set(params.requestId, auth);
  const [oldest] = known.held;
  if (oldest && known.held.size > mostHeld) {
    known.held.delete(oldest[0]);
    goOn(source, ...oldest);
  }
  return true;
}

/**
 * Lets a request go on as the page made it.
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} requestId
 * @param {boolean} [auth] it wants a password
 */
export function goOn(source, requestId, auth = false) {
  const { method, params } = asThePageMadeIt(requestId, auth);
  void chrome.debugger.sendCommand(source, method, params).catch(() => {}); // Gone meanwhile.
}

/**
 * Whether a text matches a pattern of Chrome's: * stands for any letters, ? for one or none, and \ takes the meaning
 * from what follows.
 * @param {string} pattern
 * @param {string} text
 */
export function matches(pattern, text) {
  const signs = pattern.match(/\\[^]|[^]/g) ?? [];
  const skip = (/** @type {Set<number>} */ at) => {
    for (const i of at) if (signs[i] === '*' || signs[i] === '?') at.add(i + 1);
    return at;
  };
  let at = skip(new Set([0]));
  for (const letter of text) {
    /** @type {Set<number>} */
    const next = new Set();
    for (const i of at) {
      const sign = signs[i];
      if (sign === '*') next.add(i);
      else if (sign === '?' || sign?.replace(/^\\(?=[^])/, '') === letter) next.add(i + 1);
    }
    if (next.size === 0) return false;
    at = skip(next);
  }
  return at.has(signs.length);
}
