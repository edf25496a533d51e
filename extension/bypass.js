// Service workers. What a site's worker answers never reaches the network, so nothing can hold it back: where documents
// are held, Chrome passes workers by. It does so while the Network domain is on, which it then is whatever clients want.

import { memory, put } from './memory.js';

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
 * Has a tab's documents come from the network from now on.
 * @param {number} tabId
 */
export async function passWorkersBy(tabId) {
  const commands = memory.network.includes(tabId) ? [passBy] : [on, passBy];
  await Promise.all(commands.map(({ method, params }) => chrome.debugger.sendCommand({ tabId }, method, params)));
}

/** The attachment ended, and the domain is off. @param {number} tabId */
export function forgetNetwork(tabId) {
  put(memory.network, tabId, false);
}

/**
 * Carries out a command of a client on a tab.
 * @param {number} tabId
 * @param {boolean} passed workers are passed by in it
 * @param {Command} does
 * @param {(does: Command) => Promise<any>} send
 */
export async function networking(tabId, passed, does, send) {
  if (does.method === 'Network.setBypassServiceWorker' && passed) return send(passBy);
  if (does.method === 'Network.enable') put(memory.network, tabId, true);
  if (does.method !== 'Network.disable') return send(does);
  put(memory.network, tabId, false);
  if (!passed) return send(does);
  await Promise.all([...ends, on].map(send));
  return {};
}

/**
 * Whether a client hears what the debugger tells of the network.
 * @param {number} tabId
 */
export const hearsNetwork = (tabId) => memory.network.includes(tabId);
