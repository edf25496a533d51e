// What the person is asked while they look elsewhere: a notification for the oldest question. The panel has all of
// them, and more answers.

import { memory, save } from './memory.js';
import { siteName } from './page.js';
import { answer, questions } from './sites.js';
import { text } from './words.js';

/** Shows the oldest question, or takes away one that is none any more. */
export function showNotice() {
  const [oldest] = questions();
  if (memory.noticed === (oldest?.id ?? '')) return;
  if (memory.noticed) void chrome.notifications.clear(memory.noticed);
  memory.noticed = oldest?.id ?? '';
  save();
  if (!oldest) return;
  chrome.notifications.create(oldest.id, {
    type: 'basic',
    iconUrl: chrome.runtime.getURL('icons/128.png'),
    title: text('question', oldest.agent || text('somebody'), siteName(oldest.site)),
    message: text('notice_more'),
    buttons: [{ title: text('always') }, { title: text('no') }],
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
