// The first minute: pin, pair, share, and whether each is done by now.

import { at, listen, say } from './page.js';
import { text, translate } from './words.js';

translate();

/** Also called when the person comes back from Chrome's menu: older versions say nothing of it. */
async function pinned() {
  step('pin', (await chrome.action.getUserSettings()).isOnToolbar === true, 'pin');
}

/**
 * @param {string} id
 * @param {boolean} done
 * @param {string} word
 */
function step(id, done, word) {
  at(id).classList.toggle('done', done);
  say(/** @type {Element} */ (at(id).querySelector('.so')), text(`${done ? 'done' : 'todo'}_${word}`));
}

listen('welcome', ({ state, paired, tabs }) => {
  step('pair', paired, state === 'connected' || !paired ? 'pair' : 'pair_waiting');
  step('share', tabs.length > 0, 'share');
});
chrome.action.onUserSettingsChanged?.addListener(() => void pinned());
addEventListener('focus', () => void pinned());
void pinned();
