// The agents and clients in the side panel: what each does now, and in which tabs.

import { at, go, make, place, rows, say } from './page.js';
import { text } from './words.js';

/** @typedef {import('./panel.js').View} View */
/** @typedef {import('./panel.js').Wish} Wish */
/** @typedef {import('./panel.js').Actor} Actor */
/** @typedef {import('./panel.js').Row} Row */

/**
 * @param {View} view
 * @param {(wish: Wish) => void} ask
 */
export function showActors(view, ask) {
  at('nobody').hidden = view.actors.length > 0;
  rows(at('actors'), view.actors, ({ kind, name }) => `${kind} ${name}`, (actor) => begin(actor, ask), (row, actor) => {
    const held = view.paused || actor.paused;
    row.classList.toggle('held', held);
    say(/** @type {Element} */ (row.querySelector('.now')), held ? text('is_paused') : now(actor));
    const pause = /** @type {HTMLButtonElement} */ (row.querySelector('.pause'));
    say(pause, text(actor.paused ? 'resume' : 'pause'));
    pause.setAttribute('aria-label', `${pause.textContent}: ${actor.name}`);
    pause.dataset.on = String(actor.paused);
    pause.hidden = view.paused; // All are.
    const tabs = /** @type {HTMLElement} */ (row.querySelector('ul'));
    const mine = view.tabs.filter(({ who }) => who === actor.name);
    tabs.hidden = mine.length === 0;
    rows(tabs, mine, ({ tabId }) => String(tabId), (tab) => beginTab(tab, ask), fillTab);
  });
}

/**
 * @param {Actor} actor
 * @param {(wish: Wish) => void} ask
 */
function begin(actor, ask) {
  const row = make('li', 'card actor');
  const head = make('div', 'titled');
  const name = make('h3', '', actor.name);
  name.style.setProperty('--group', `var(--group-${actor.color ?? 'grey'})`);
  const pause = make('button', 'pause');
  pause.onclick = () => ask({ ask: pause.dataset.on === 'true' ? 'resume' : 'pause', who: actor.name });
  head.append(name, pause);
  const list = make('ul');
  list.setAttribute('aria-label', text('tabs_of', actor.name));
  row.append(head, make('p', 'kind', text(`kind_${actor.kind}`)), make('p', 'now'), list);
  return row;
}

/** @param {Actor} actor */
function now({ doing, tabs }) {
  if (doing?.site) return text('doing_on', did(doing.did), place(doing.site));
  if (doing) return text('doing', did(doing.did));
  return text(tabs.length > 0 ? 'idle' : 'no_tabs');
}

/**
 * A tool's name, in words.
 * @param {string} tool
 */
export const did = (tool) => tool.replace(/^browser_/, '').replaceAll('_', ' ');

/**
 * @param {Row} tab
 * @param {(wish: Wish) => void} ask
 */
function beginTab({ tabId }, ask) {
  const row = make('li', 'tab');
  const link = make('button', 'link');
  link.append(make('b'), make('small'));
  link.onclick = () => void go(tabId);
  const over = make('button', 'over', text('take_over'));
  over.onclick = () => ask({ ask: 'takeOver', tabId });
  const stop = make('button', 'stop', text('stop'));
  stop.onclick = () => ask({ ask: 'stop', tabId });
  const acts = make('div', 'acts');
  acts.append(over, stop);
  row.append(link, acts);
  return row;
}

/**
 * @param {HTMLElement} row
 * @param {Row} tab
 */
function fillTab(row, tab) {
  const name = tab.title || place(tab.url);
  const [title, where] = row.querySelectorAll('b, small');
  say(title, name);
  say(where, place(tab.url));
  row.querySelector('.over')?.setAttribute('aria-label', `${text('take_over')}: ${name}`);
  row.querySelector('.stop')?.setAttribute('aria-label', `${text('stop')}: ${name}`);
}
