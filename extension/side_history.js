// The history in the side panel: the newest first, what is looked for, and how it is cleared.

import { at, button, make, place, rows, say } from './page.js';
import { did } from './side_actors.js';
import { text } from './words.js';

/** @typedef {import('./panel.js').View} View */
/** @typedef {import('./scene.js').Entry} Entry */

const most = 500;
const who = /** @type {HTMLSelectElement} */ (at('who'));
const filter = /** @type {HTMLInputElement} */ (at('filter'));

/** @type {Entry[]} the newest first */
let entries = [];
/** @type {View['state']} */
let state = 'connecting';

/** @param {View} view */
export function takeNews({ news }) {
  if (!news) return;
  if (news.fresh) entries = [];
  const known = new Set(entries.map(key));
  entries = [...news.entries.filter((e) => !known.has(key(e))).reverse(), ...entries].slice(0, most);
}

/** @param {Entry} entry */
const key = ({ at: when, who: by }) => `${when} ${by}`;

/** @param {View} view */
export function showHistory(view) {
  state = view.state;
  const names = ['', ...new Set(entries.map((e) => e.who))];
  const chosen = who.value;
  rows(who, names, (name) => name, (name) => {
    const option = make('option', '', name || text('history_everyone'));
    option.value = name;
    return option;
  }, () => {});
  who.value = names.includes(chosen) ? chosen : '';
  list();
}

function list() {
  const words = filter.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const shown = entries.filter((e) => (!who.value || e.who === who.value) && words.every((word) => plain(e).includes(word)));
  rows(at('history'), shown, key, begin, () => {});
  const none = entries.length === 0 ? text(state === 'connected' ? 'history_none' : 'history_away') : text('history_no_match');
  say(at('nothing'), none);
  at('nothing').hidden = shown.length > 0;
  button('clear').hidden = entries.length === 0;
}

/** @param {Entry} e */
const plain = (e) => [e.who, e.did, did(e.did), e.site, e.to, e.outcome, e.why].join(' ').toLowerCase();

/** @param {Entry} e */
function begin(e) {
  const row = make('li', 'entry');
  row.dataset.outcome = e.outcome ?? '';
  const what = make('p');
  what.append(make('b', '', e.who), ' ', make('span', '', did(e.did)));
  if (e.site) what.append(' ', make('span', 'site', e.to ? `${place(e.site)} → ${place(e.to)}` : place(e.site)));
  const details = make('p', 'details');
  const when = make('time', '', clock(e.at));
  when.dateTime = e.at;
  details.append(when);
  for (const part of [e.outcome && result(e), e.ms && took(e.ms), e.lost && text('history_lost', e.lost)]) {
    if (part) details.append(make('span', '', part));
  }
  row.append(what, details);
  return row;
}

/** @param {Entry} e */
const result = ({ outcome, why }) => [text(`outcome_${outcome}`) || outcome, why].filter(Boolean).join(': ');

/** @param {number} ms */
const took = (ms) => (ms < 1000 ? text('ms', Math.max(1, Math.round(ms))) : text('took_seconds', (ms / 1000).toFixed(1)));

/** @param {string} time */
export function clock(time) {
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString() : date.toLocaleString([], { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/**
 * The button that clears the history, when it is pressed twice.
 * @param {() => void} clear
 */
export function clearing(clear) {
  const press = button('clear');
  const reset = () => {
    delete press.dataset.sure;
    say(press, text('history_clear'));
  };
  press.onclick = () => {
    if (!press.dataset.sure) {
      press.dataset.sure = 'yes';
      return say(press, text('history_sure'));
    }
    reset();
    clear();
  };
  press.onblur = reset;
}

who.onchange = list;
filter.oninput = list;
