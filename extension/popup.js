// The popup: what the tab in front is to agents, which tabs they have, and the one switch.

import { allowFiles, shareable } from './addresses.js';
import { at, button, go, listen, make, place, rows, say } from './page.js';
import { showQuestions } from './questions.js';
import { text, translate } from './words.js';

/** @typedef {import('./panel.js').View} View */

/** @type {View | undefined} */
let view;
/** @type {chrome.tabs.Tab | undefined} */
let current;

translate();
const ask = listen('popup', (seen) => {
  view = seen;
  show();
});

async function look() {
  try {
    const { id } = await chrome.windows.getLastFocused({ windowTypes: ['normal'] });
    [current] = await chrome.tabs.query({ active: true, windowId: id });
  } catch {
    current = undefined; // No window with tabs.
  }
  show();
}

/** What has to be pressed to have a connection again. */
const off = ['disconnected', 'replaced', 'update', 'stranger'];

function show() {
  say(at('title'), current?.title || '–');
  say(at('url'), current?.url || '–');
  at('url').title = current?.url ?? '';
  if (!view) return;
  at('main').dataset.state = view.state;
  say(at('state'), text(`state_${view.state}`));
  const reason = view.reason || text(`why_${view.state}`);
  say(at('reason'), reason);
  at('reason').hidden = view.state === 'connected' || !reason;
  at('paused').hidden = !view.paused;
  say(at('pause'), text(view.paused ? 'resume' : 'pause_all'));
  at('pause').classList.toggle('main', view.paused);
  say(at('server'), view.server || '–');
  say(at('received'), view.received.toLocaleString());
  say(at('sent'), view.sent.toLocaleString());
  tick();
  say(at('toggle'), text(off.includes(view.state) ? 'connect' : 'disconnect'));
  button('toggle').disabled = !view.paired;
  showQuestions(view, ask);
  here(view);
  say(at('shared-title'), text(view.share === 'all' ? 'shared_all' : 'shared_tabs'));
  at('none').hidden = view.tabs.length > 0;
  list(view);
}

/**
 * The tab in front.
 * @param {View} view
 */
function here({ tabs, over, paired }) {
  const mine = tabs.find((t) => t.tabId === current?.id);
  const mineAgain = over.some((t) => t.tabId === current?.id);
  say(at('share'), text(mineAgain ? 'hand_back' : mine ? 'stop' : 'share'));
  at('share').dataset.ask = mine ? 'stop' : 'share';
  at('share').classList.toggle('main', !mine);
  button('share').disabled = !paired || current?.id === undefined || (!mine && !shareable(current));
  at('used').hidden = !mine?.attached && !mineAgain;
  say(at('used'), mineAgain ? text('badge_over_here') : mine?.paused ? text('is_paused') : mine?.who ? text('used_by', mine.who) : text('used'));
}

function tick() {
  const since = view?.since ?? 0;
  say(at('since'), since ? text('ago', age(Date.now() - since)) : text('since_never'));
}

/** @param {number} ms */
function age(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return text('hours', hours, minutes % 60);
  return minutes > 0 ? text('minutes', minutes, seconds % 60) : text('seconds', seconds);
}

/** @param {View} view */
function list({ tabs }) {
  rows(at('tabs'), tabs, ({ tabId }) => String(tabId), ({ tabId }) => {
    const row = make('li');
    const link = make('button', 'link');
    link.append(make('b'), make('small'));
    link.onclick = () => void go(tabId);
    const stop = make('button', 'stop', text('stop_short'));
    stop.onclick = () => ask({ ask: 'stop', tabId });
    row.append(link, stop);
    return row;
  }, (row, tab) => {
    const name = tab.title || place(tab.url) || text('untitled');
    const [title, where] = row.querySelectorAll('b, small');
    const use = tab.paused ? text('is_paused') : tab.who || (tab.attached ? text('in_use') : '');
    say(title, name);
    say(where, use ? `${use} · ${place(tab.url)}` : place(tab.url));
    row.classList.toggle('used', tab.attached);
    row.querySelector('.stop')?.setAttribute('aria-label', `${text('stop')}: ${name}`);
  });
}

button('toggle').onclick = () => view && ask({ ask: off.includes(view.state) ? 'connect' : 'disconnect' });
button('pause').onclick = () => view && ask({ ask: view.paused ? 'resume' : 'pause' });
// Chrome opens it for a gesture of the person alone: nothing is waited for before.
button('panel').onclick = () => current && void chrome.sidePanel.open({ windowId: current.windowId }).then(() => window.close());
button('share').onclick = () => {
  if (current?.id !== undefined) ask({ ask: at('share').dataset.ask === 'stop' ? 'stop' : 'share', tabId: current.id });
};
chrome.tabs.onUpdated.addListener(() => void look());
chrome.tabs.onActivated.addListener(() => void look());
setInterval(tick, 1000);
allowFiles(await chrome.extension.isAllowedFileSchemeAccess());
void look();
