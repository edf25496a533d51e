// The options: which relay, and whether this copy is paired with one.

import { browser, installId, label } from './browser.js';
import { loopback } from './pairing.js';

/** @param {string} id */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const relay = /** @type {HTMLInputElement} */ (at('relay'));
const name = /** @type {HTMLInputElement} */ (at('label'));

/** @type {Record<import('./socket.js').State, string>} */
const words = {
  connected: 'Connected',
  connecting: 'Waiting for tabrelay',
  disconnected: 'Disconnected in the popup',
  unpaired: 'Not paired',
  update: 'Update needed',
  stranger: 'The program at this address is not the tabrelay this extension is paired with',
  replaced: 'Another copy is connected instead',
};

/** @param {import('./panel.js').View} view */
function show(view) {
  at('main').dataset.state = view.state;
  if (at('state').textContent !== words[view.state]) at('state').textContent = words[view.state];
  at('reason').textContent = view.reason;
  at('reason').hidden = !view.reason;
  at('paired').textContent = view.paired ? `Yes, with ${view.server}` : 'No';
  at('share').textContent = view.share === 'all' ? 'All tabs in this browser' : 'Only tabs you choose';
}

function listen() {
  const port = chrome.runtime.connect({ name: 'options' });
  port.onMessage.addListener(show);
  port.onDisconnect.addListener(listen);
}

at('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = relay.value.trim().replace(/^wss?:\/\//, '').replace(/\/$/, '');
  const address = loopback(typed);
  if (typed && !address) {
    relay.setAttribute('aria-invalid', 'true');
    at('saved').textContent = 'Only an address on this computer can be used: 127.0.0.1, localhost or [::1], and a port, such as 127.0.0.1:8765.';
    return;
  }
  relay.removeAttribute('aria-invalid');
  relay.value = address;
  void chrome.storage.local.set({ relay: address }).then(() => {
    at('saved').textContent = address ? `Saved. Connecting to ${address}.` : 'Saved. Using the paired address.';
  });
});

at('naming').addEventListener('submit', (event) => {
  event.preventDefault();
  name.value = name.value.trim();
  void chrome.storage.local.set({ label: name.value }).then(() => {
    at('named').textContent = name.value ? `Saved. Agents know this browser as ${name.value}.` : 'Saved. This browser has no name.';
  });
});

async function fill() {
  const [{ relay: kept }, id, who, files, called] = await Promise.all([
    chrome.storage.local.get('relay'), installId(), browser(), chrome.extension.isAllowedFileSchemeAccess(), label(),
  ]);
  name.value = called;
  if (typeof kept === 'string') relay.value = kept;
  at('install').textContent = id;
  at('browser').textContent = `${who.name} ${who.version}`;
  at('version').textContent = chrome.runtime.getManifest().version;
  at('files').textContent = files ? 'Allowed' : 'Not allowed (turn on “Allow access to file URLs” in the extension’s details to upload files)';
}

listen();
void fill();
