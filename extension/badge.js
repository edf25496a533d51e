// The word on the toolbar icon.

import { status } from './socket.js';

/** @type {Record<import('./socket.js').State, [string, string]>} */
const words = {
  connected: ['on', 'Tabrelay: connected'],
  connecting: ['', 'Tabrelay: waiting for the relay'],
  disconnected: ['off', 'Tabrelay: disconnected'],
  unpaired: ['', 'Tabrelay: not paired'],
  update: ['!', 'Tabrelay: update needed'],
  stranger: ['!', 'Tabrelay: another program is answering at this address'],
  replaced: ['', 'Tabrelay: another copy is connected'],
};

/** @type {string} */
let shown = '';

export function showBadge() {
  if (shown === status.state) return;
  shown = status.state;
  const [text, title] = words[status.state];
  void chrome.action.setBadgeBackgroundColor({ color: '#5b6b73' });
  void chrome.action.setBadgeTextColor({ color: '#ffffff' });
  void chrome.action.setBadgeText({ text });
  void chrome.action.setTitle({ title });
}
