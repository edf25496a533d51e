// What must outlive the service worker but not the browser: chrome.storage.session.

/**
 * @typedef {object} Memory
 * @property {number[]} chosen tab ids that are shared one by one
 * @property {number[]} stopped tab ids that the person took back where all are shared
 * @property {number[]} taken tab ids that the relay knew and the person took back
 * @property {number[]} over those of them that the person took over, to hand them back
 * @property {number[]} made tab ids that agents opened
 * @property {Record<string, number[]>} paused names of agents that the person paused, with the tabs that they have
 * @property {number[]} known tab ids that the relay has been told of
 * @property {number[]} held tab ids that must not be discarded while attached
 * @property {number[]} sized tab ids that were given a size, since nobody has seen them yet
 * @property {string[]} network keys of sessions in which clients have the Network domain on
 * @property {Record<string, {patterns: {urlPattern?: string, resourceType?: string, requestStage?: string}[], handleAuthRequests: unknown}>} fetch key of a session to the requests that clients hold back there
 * @property {Record<string, string>} openers tab id to the opener's target id
 * @property {Record<number, string>} groups tab groups that were made here, with the title that they were given; empty: their agents have gone
 * @property {Record<number, {id: string, guid: string, name?: string}>} downloads download id to the target id of the tab that it came from, and its GUID and the name that its page suggested where they are known
 * @property {string[]} once sites that agents may use until the browser is closed
 * @property {import('./asked.js').Question[]} asked what the person has not answered, the oldest first
 * @property {Record<string, 'allowed'|'refused'>} entries what they said to questions that count once, until it is heard
 * @property {Record<number, string>} grants tab id to the site that it showed when the person shared it
 * @property {Record<number, string>} born tab id to the site of what it shows without an address
 * @property {string} noticed the question of which there is a notification
 * @property {Record<string, {tabId: number, kind: string, target: string}>} children sessions of the debugger below the tabs
 * @property {number} received messages from the relay
 * @property {number} sent messages to the relay
 * @property {number} notBefore no connection attempt before this time (ms)
 */

/** @type {Memory} */
export const memory = {
  chosen: [], stopped: [], taken: [], over: [], made: [], paused: {}, known: [], held: [], sized: [], network: [], fetch: {}, openers: {}, groups: {}, downloads: {},
  once: [], asked: [], entries: {}, grants: {}, born: {}, noticed: '', children: {}, received: 0, sent: 0, notBefore: 0,
};

/** @returns {Promise<boolean>} whether there is one: the browser was not started anew */
export async function recall() {
  const kept = await chrome.storage.session.get('memory');
  if (kept.memory) Object.assign(memory, kept.memory);
  return kept.memory !== undefined;
}

/** @type {Promise<void> | null} */
let saving = null;

/**
 * Writes soon; several changes in one turn are one write. What must not be lost with the worker waits for it.
 * @returns {Promise<void>}
 */
export function save() {
  saving ??= Promise.resolve().then(() => {
    saving = null;
    return chrome.storage.session.set({ memory });
  });
  return saving;
}

/**
 * @param {number[]} list
 * @param {number} id
 * @param {boolean} present
 * @returns {boolean} whether anything changed
 */
export function put(list, id, present) {
  const at = list.indexOf(id);
  if ((at >= 0) === present) return false;
  if (present) list.push(id);
  else list.splice(at, 1);
  save();
  return true;
}

/**
 * What a session of the debugger is remembered by; it begins with the id of its tab.
 * @param {chrome.debugger.DebuggerSession} session
 */
export const keyOf = ({ tabId, sessionId }) => (sessionId ? `${tabId} ${sessionId}` : `${tabId}`);

/**
 * Forgets the sessions of tabs that have gone.
 * @param {(tabId: number) => boolean} alive
 */
export function forgetSessions(alive) {
  for (const key of Object.keys(memory.fetch)) if (!alive(parseInt(key))) delete memory.fetch[key];
  memory.network = memory.network.filter((key) => alive(parseInt(key)));
  for (const [id, child] of Object.entries(memory.children)) if (!alive(child.tabId)) delete memory.children[id];
}
