// Which tabs the relay may touch. Chosen: those the person or an agent's createTab put there,
// and what they open. All: every tab but those taken back.

import { shareable } from './addresses.js';
import { memory, put } from './memory.js';
import { pairing } from './pairing.js';
import { holdToo } from './paused.js';
import { forgetTab, grant } from './sites.js';
import { tell } from './socket.js';
import { refresh, settle } from './tabs.js';

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
  if (shared) {
    put(memory.taken, tabId, false);
    put(memory.over, tabId, false);
  }
  return chosen || stopped;
}

/**
 * The person shares a tab, and the site that it shows with it; or hands it back.
 * @param {number} tabId
 */
export async function share(tabId) {
  const tab = await chrome.tabs.get(tabId);
  if (!shareable(tab)) return;
  grant(tabId, tab.url || tab.pendingUrl || '');
  setShared(tabId, true);
  await refresh(tabId);
}

/** @param {number} tabId */
export function forget(tabId) {
  put(memory.chosen, tabId, false);
  put(memory.stopped, tabId, false);
  put(memory.taken, tabId, false);
  put(memory.over, tabId, false);
  put(memory.made, tabId, false);
}

/**
 * The person takes a tab back, or over: nobody has it until they share it again, or hand it back.
 * @param {import('./tabs.js').Tab} tab
 * @param {'canceled_by_user'|'unshared'|'taken_over'} reason which of them it was
 */
export function takeBack(tab, reason) {
  setShared(tab.tabId, false);
  forgetTab(tab.tabId);
  put(memory.taken, tab.tabId, true);
  put(memory.over, tab.tabId, reason === 'taken_over');
  tell('tabDetached', { id: tab.id, reason });
  settle(tab);
}

/** @param {number} tabId */
export const isOver = (tabId) => memory.over.includes(tabId);

/** @param {number} tabId */
export const isTaken = (tabId) => memory.taken.includes(tabId);

/**
 * The same tab under another id.
 * @param {number} from
 * @param {number} to
 */
export function moveShared(from, to) {
  if (put(memory.chosen, from, false)) put(memory.chosen, to, true);
  if (put(memory.stopped, from, false)) put(memory.stopped, to, true);
  for (const list of [memory.taken, memory.over, memory.made]) if (put(list, from, false)) put(list, to, true);
  holdToo(to, from);
}
