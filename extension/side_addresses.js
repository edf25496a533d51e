// The addresses in the side panel that `tabrelay cdp` gave out: where each leads, until when, who is on it, and its end.

import { at, make, rows, say } from './page.js';
import { clock } from './side_history.js';
import { counted, text } from './words.js';

/** @typedef {import('./panel.js').View} View */
/** @typedef {import('./panel.js').Wish} Wish */
/** @typedef {import('./scene.js').Address} Address */

/**
 * @param {View} view
 * @param {(wish: Wish) => void} ask
 */
export function showAddresses({ addresses }, ask) {
  at('ways').hidden = addresses.length === 0;
  rows(at('addresses'), addresses, ({ id }) => id, (address) => begin(address, ask), (row, { clients }) => {
    say(/** @type {Element} */ (row.querySelector('.now')), counted('address_clients', clients));
  });
}

/**
 * @param {Address} address
 * @param {(wish: Wish) => void} ask
 */
function begin({ id, name, tabs, port, asks, expires }, ask) {
  const row = make('li', 'card way');
  const head = make('div', 'titled');
  const called = name || id;
  const end = make('button', 'pause', text('address_end'));
  end.setAttribute('aria-label', `${text('address_end')}: ${called}`);
  end.onclick = () => ask({ ask: 'endAddress', id });
  head.append(make('h3', '', called), end);
  row.append(head, make('p', 'kind', text(`address_tabs_${tabs}`)));
  if (port) row.append(make('p', 'kind', text(asks ? 'address_asks' : 'address_port', port)));
  row.append(make('p', 'kind', expires ? text('address_until', clock(expires)) : text('address_open')), make('p', 'now'));
  return row;
}
