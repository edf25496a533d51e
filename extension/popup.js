// The popup: shows what the worker tells and passes on what the person wants.

import { allowFiles, shareable } from './addresses.js';

/** @typedef {import('./panel.js').View} View */

/** @param {string} id */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (at(id));

/** @type {Record<View['state'], [string, string]>} */
const words = {
  connected: ['Connected', ''],
  connecting: ['Connecting', 'Tabrelay is not running on this computer yet.'],
  disconnected: ['Disconnected', 'You disconnected this browser. No agent can use it until you connect it again.'],
  unpaired: ['Not paired', 'Run “tabrelay extension” and load the folder it writes.'],
  update: ['Update needed', 'This extension and the tabrelay program are incompatible versions.'],
  stranger: ['Not your tabrelay', 'The program at this address could not prove that it is the tabrelay this extension is paired with.'],
  replaced: ['Replaced', 'Another copy of this extension is connected instead.'],
};

/** @type {View | undefined} */
let view;
/** @type {chrome.tabs.Tab | undefined} */
let current;
/** @type {chrome.runtime.Port} */
let port;

function listen() {
  port = chrome.runtime.connect({ name: 'popup' });
  port.onMessage.addListener((/** @type {View} */ seen) => {
    view = seen;
    show();
  });
  // A worker that was stopped comes back when it is called again.
  port.onDisconnect.addListener(listen);
}

/** @param {import('./panel.js').Wish} wish */
function ask(wish) {
  port.postMessage(wish);
}

async function look() {
  try {
    const { id } = await chrome.windows.getLastFocused({ windowTypes: ['normal'] });
    [current] = await chrome.tabs.query({ active: true, windowId: id });
  } catch {
    current = undefined; // No window with tabs.
  }
  show();
}

function show() {
  at('title').textContent = current?.title || '–';
  at('url').textContent = at('url').title = current?.url || '–';
  if (!view) return;
  const [word, explanation] = words[view.state];
  at('main').dataset.state = view.state;
  say('state', word);
  const reason = view.reason || explanation;
  say('reason', reason);
  at('reason').hidden = view.state === 'connected' || !reason;
  say('server', view.server || '–');
  say('received', view.received.toLocaleString());
  say('sent', view.sent.toLocaleString());
  tick();
  const off = view.state === 'disconnected' || view.state === 'replaced' || view.state === 'update' || view.state === 'stranger';
  say('toggle', off ? 'Connect' : 'Disconnect');
  button('toggle').disabled = !view.paired;
  const shared = view.tabs.some((t) => t.tabId === current?.id);
  say('share', shared ? 'Stop sharing' : 'Share this tab');
  at('share').classList.toggle('main', !shared);
  button('share').disabled = !view.paired || current?.id === undefined || (!shared && !shareable(current));
  at('none').hidden = view.tabs.length > 0;
  say('shared-title', view.share === 'all' ? 'Shared tabs (all in this browser)' : 'Shared tabs');
  list(view.tabs);
}

/**
 * Sets a text only if it differs, so that a screen reader does not read it again.
 * @param {string} id
 * @param {string} text
 */
function say(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

function tick() {
  const since = view?.since ?? 0;
  say('since', since ? `${age(Date.now() - since)} ago` : 'no');
}

/** @param {number} ms */
function age(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${hours}h ${minutes % 60}m`;
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`;
}

/**
 * Rows are kept while their tab is, so that the focus stays where it is.
 * @param {View['tabs']} tabs
 */
function list(tabs) {
  const ul = at('tabs');
  /** @type {Map<number, HTMLElement>} */
  const rows = new Map();
  for (const row of ul.children) rows.set(Number(/** @type {HTMLElement} */ (row).dataset.tab), /** @type {HTMLElement} */ (row));
  for (const tab of tabs) {
    const row = rows.get(tab.tabId) ?? ul.appendChild(newRow(tab.tabId));
    rows.delete(tab.tabId);
    const name = tab.title || tab.url || 'Untitled';
    const [title, where] = row.querySelectorAll('b, small');
    title.textContent = name;
    where.textContent = tab.attached ? `${place(tab.url)} · in use` : place(tab.url);
    row.querySelector('button')?.setAttribute('aria-label', `Stop sharing ${name}`);
  }
  for (const row of rows.values()) row.remove();
}

/** @param {string} url */
function place(url) {
  return URL.parse(url)?.host || url.slice(0, 60);
}

/** @param {number} tabId */
function newRow(tabId) {
  const row = document.createElement('li');
  row.dataset.tab = String(tabId);
  const text = document.createElement('span');
  const title = document.createElement('b');
  title.style.fontWeight = '500';
  text.append(title, document.createElement('small'));
  const stop = document.createElement('button');
  stop.type = 'button';
  stop.textContent = 'Stop';
  stop.onclick = () => ask({ ask: 'stop', tabId });
  row.append(text, stop);
  return row;
}

button('toggle').onclick = () => ask({ ask: button('toggle').textContent === 'Connect' ? 'connect' : 'disconnect' });
button('share').onclick = () => {
  if (current?.id === undefined) return;
  ask({ ask: button('share').textContent === 'Stop sharing' ? 'stop' : 'share', tabId: current.id });
};
chrome.tabs.onUpdated.addListener(() => void look());
chrome.tabs.onActivated.addListener(() => void look());
setInterval(tick, 1000);
listen();
allowFiles(await chrome.extension.isAllowedFileSchemeAccess());
void look();
