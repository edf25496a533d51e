// What the person is asked while they look elsewhere: a notification for the oldest question. The panel has all of
// them, and more answers.

import { questions } from './asked.js';
import { memory, save } from './memory.js';
import { wording } from './questions.js';
import { answer } from './sites.js';
import { text } from './words.js';

/** Shows the oldest question, or takes away one that is none any more. */
export function showNotice() {
  const [oldest] = questions();
  if (memory.noticed === (oldest?.id ?? '')) return;
  if (memory.noticed) void chrome.notifications.clear(memory.noticed);
  memory.noticed = oldest?.id ?? '';
  save();
  if (!oldest) return;
  const { what, means, choices } = wording(oldest);
  chrome.notifications.create(oldest.id, {
    type: 'basic',
    iconUrl: chrome.runtime.getURL('icons/128.png'),
    title: what,
    message: oldest.site ? text('notice_more') : means,
    buttons: choices.slice(-2).map(([, title]) => ({ title })),
    requireInteraction: true,
  });
}

/**
 * @param {string} id
 * @param {number} button
 */
export async function noticePressed(id, button) {
  await answer(id, button === 0 ? 'always' : 'no');
  showNotice(); // The question may have lapsed.
}
