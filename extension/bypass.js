// Service workers. What a site's worker answers never reaches the network, so nothing can hold it back: where documents
// are held, Chrome passes workers by. It does so while the Network domain is on, which it then is whatever clients want.

import { keyOf, memory, save } from './memory.js';

/** @typedef {{method: string, params: any}} Command */

// Nobody reads what is kept of answers until a client turns the domain on.
const on = { method: 'Network.enable', params: { maxTotalBufferSize: 0, maxResourceBufferSize: 0 } };
const passBy = { method: 'Network.setBypassServiceWorker', params: { bypass: true } };

// What ends with the domain in Chrome.
const ends = [
  { method: 'Network.setExtraHTTPHeaders', params: { headers: {} } },
  { method: 'Network.setCacheDisabled', params: { cacheDisabled: false } },
  { method: 'Network.setBlockedURLs', params: { urls: [] } },
  { method: 'Network.emulateNetworkConditions', params: { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 } },
];

/**
 * Has documents come from the network from now on.
 * @param {chrome.debugger.DebuggerSession} at
 */
export async function passWorkersBy({ tabId, sessionId }) {
  const commands = hearsNetwork({ tabId, sessionId }) ? [passBy] : [on, passBy];
  await Promise.all(commands.map(({ method, params }) => chrome.debugger.sendCommand({ tabId, sessionId }, method, params)));
}

/**
 * Whether a client hears what the debugger tells of the network.
 * @param {chrome.debugger.DebuggerSession} at
 */
export const hearsNetwork = (at) => memory.network.includes(keyOf(at));

/** @param {chrome.debugger.DebuggerSession} at @param {boolean} heard */
function hear(at, heard) {
  memory.network = memory.network.filter((key) => key !== keyOf(at));
  if (heard) memory.network.push(keyOf(at));
  save();
}

/**
 * Carries out a command of a client.
 * @param {chrome.debugger.DebuggerSession} at
 * @param {boolean} passed workers are passed by there
 * @param {Command} does
 * @param {(does: Command) => Promise<any>} send
 */
export async function networking(at, passed, does, send) {
  if (does.method === 'Network.setBypassServiceWorker' && passed) return send(passBy);
  if (does.method === 'Network.enable') hear(at, true);
  if (does.method !== 'Network.disable') return send(does);
  hear(at, false);
  if (!passed) return send(does);
  await Promise.all([...ends, on].map(send));
  return {};
}
