// The word on the toolbar icon: for each tab what agents may do there, and else whether there is a connection.

import { questions } from './asked.js';
import { allPaused, isHeld } from './paused.js';
import { status } from './socket.js';
import { knownTabs, overTabs } from './tabs.js';
import { text } from './words.js';

/** @typedef {{text: string, color: string, title: string}} Badge */

// White on each of them has a contrast of at least 4.5.
const grey = '#5b6b73';
const green = '#1f7a50';
const blue = '#1f63b5';
const amber = '#8f5a00';
const red = '#b3261e';

/** @type {Partial<Record<import('./socket.js').State, string>>} */
const troubles = { disconnected: 'off', update: '!', stranger: '!' };

/** @type {Map<number | undefined, string>} what is shown, by tab id; undefined: where a tab has nothing of its own */
const shown = new Map();

/** Brings the badges in line with what is so. */
export function showBadge() {
  /** @type {Map<number | undefined, Badge>} */
  const all = new Map();
  const trouble = troubles[status.state];
  if (trouble) all.set(undefined, { text: trouble, color: trouble === '!' ? red : grey, title: text(`state_${status.state}`) });
  else if (questions().length > 0) all.set(undefined, { text: '?', color: red, title: text('badge_waiting') });
  else if (allPaused()) all.set(undefined, { text: 'II', color: amber, title: text('badge_paused') });
  else all.set(undefined, { text: '', color: grey, title: text(`state_${status.state}`) });
  if (status.state === 'connected') {
    for (const { tabId, attached } of knownTabs()) all.set(tabId, badge(tabId, attached));
    for (const { tabId } of overTabs()) all.set(tabId, { text: 'you', color: amber, title: text('badge_over') });
  }
  for (const [tabId, one] of all) put(tabId, one);
  for (const tabId of [...shown.keys()]) {
    if (all.has(tabId)) continue;
    put(tabId, /** @type {Badge} */ (all.get(undefined)));
    shown.delete(tabId);
  }
}

/**
 * @param {number} tabId
 * @param {boolean} attached
 * @returns {Badge}
 */
function badge(tabId, attached) {
  if (questions().length > 0) return { text: '?', color: red, title: text('badge_waiting') };
  if (isHeld(tabId)) return { text: 'II', color: amber, title: text('badge_paused') };
  if (attached) return { text: 'AI', color: blue, title: text('badge_used') };
  return { text: '✓', color: green, title: text('badge_shared') };
}

/**
 * @param {number | undefined} tabId
 * @param {Badge} badge
 */
function put(tabId, badge) {
  const now = JSON.stringify(badge);
  if (shown.get(tabId) === now) return;
  shown.set(tabId, now);
  const gone = () => void shown.delete(tabId); // The tab is gone.
  const title = `Tabrelay: ${badge.title}`;
  chrome.action.setBadgeTextColor({ color: '#ffffff', tabId }).catch(gone);
  chrome.action.setBadgeBackgroundColor({ color: badge.color, tabId }).catch(gone);
  chrome.action.setBadgeText({ text: badge.text, tabId }).catch(gone);
  chrome.action.setTitle({ title, tabId }).catch(gone);
}

/** Chrome forgets a tab's badge when another document is there. @param {number} tabId */
export const badgeGone = (tabId) => void shown.delete(tabId);
