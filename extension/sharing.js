// Which tabs the relay may touch. Chosen: those the person or an agent's createTab put there,
// and what they open. All: every tab but those taken back.

import { memory, put } from './memory.js';
import { pairing } from './pairing.js';

/** @param {number} tabId */
export function isShared(tabId) {
  return pairing()?.share === 'all' ? !memory.stopped.includes(tabId) : memory.chosen.includes(tabId);
}

/**
 * @param {number} tabId
 * @param {boolean} shared
 * @returns {boolean} whether anything changed
 */
export function setShared(tabId, shared) {
  const chosen = put(memory.chosen, tabId, shared);
  const stopped = put(memory.stopped, tabId, !shared);
  return chosen || stopped;
}

/** @param {number} tabId */
export function forget(tabId) {
  put(memory.chosen, tabId, false);
  put(memory.stopped, tabId, false);
}

/**
 * The same tab under another id.
 * @param {number} from
 * @param {number} to
 */
export function moveShared(from, to) {
  if (put(memory.chosen, from, false)) put(memory.chosen, to, true);
  if (put(memory.stopped, from, false)) put(memory.stopped, to, true);
}
