// The side panel: who works in this browser, what they do and did, and what the person decides.

import { at, button, go, listen, make, place, rows, say } from './page.js';
import { showQuestions } from './questions.js';
import { showActors } from './side_actors.js';
import { showAddresses } from './side_addresses.js';
import { clearing, showHistory, takeNews } from './side_history.js';
import { counted, text, translate } from './words.js';

/** @typedef {import('./panel.js').View} View */
/** @typedef {import('./panel.js').Row} Row */

translate();
const ask = listen('side', show);

/** @param {View} view */
function show(view) {
  at('main').dataset.state = view.state;
  say(at('state'), text(`state_${view.state}`));
  say(at('reason'), view.reason || text(`why_${view.state}`));
  at('reason').hidden = view.state === 'connected';
  at('paused').hidden = !view.paused;
  say(at('pause'), text(view.paused ? 'resume' : 'pause_all'));
  at('pause').classList.toggle('main', view.paused);
  at('pause').dataset.on = String(view.paused);
  showQuestions(view, ask);
  showActors(view, ask);
  showAddresses(view, ask);
  tabs('over', 'mine', view.over, 'hand_back', 'share');
  tabs('shared', 'free', view.tabs.filter(({ who, left }) => !who && !left), 'stop', 'stop');
  const left = view.tabs.filter((tab) => tab.left);
  tabs('left', 'leftover', left, 'keep', 'stop');
  say(at('close-left'), counted('close_left', left.length));
  takeNews(view);
  showHistory(view);
}

/**
 * A list of tabs, each with one thing to do.
 * @param {string} id of the list
 * @param {string} section that holds it
 * @param {Row[]} list
 * @param {string} word key of what the button says
 * @param {'share'|'stop'} wish
 */
function tabs(id, section, list, word, wish) {
  at(section).hidden = list.length === 0;
  rows(at(id), list, ({ tabId }) => String(tabId), ({ tabId }) => {
    const row = make('li', 'card tab');
    const link = make('button', 'link');
    link.append(make('b'), make('small'));
    link.onclick = () => void go(tabId);
    const act = make('button', '', text(word));
    act.onclick = () => ask({ ask: wish, tabId });
    row.append(link, act);
    return row;
  }, (row, tab) => {
    const name = tab.title || place(tab.url);
    const [title, where] = row.querySelectorAll('b, small');
    say(title, name);
    say(where, place(tab.url));
    row.querySelector('button:last-child')?.setAttribute('aria-label', `${text(word)}: ${name}`);
  });
}

button('pause').onclick = () => ask({ ask: at('pause').dataset.on === 'true' ? 'resume' : 'pause' });
button('close-left').onclick = () => ask({ ask: 'closeLeft' });
clearing(() => ask({ ask: 'clearHistory' }));
