// The options: what agents call this browser, on which sites they may work, and which relay it is.

import { browser, installId, label } from './browser.js';
import { at, listen, make, rows, say, siteName } from './page.js';
import { loopback } from './pairing.js';
import { text, translate } from './words.js';

const relay = /** @type {HTMLInputElement} */ (at('relay'));
const name = /** @type {HTMLInputElement} */ (at('label'));
const all = /** @type {HTMLInputElement} */ (at('all-sites'));

translate();
const ask = listen('options', show);

/** @param {import('./panel.js').View} view */
function show(view) {
  at('main').dataset.state = view.state;
  say(at('state'), text(`state_${view.state}`));
  const reason = view.reason || text(`why_${view.state}`);
  say(at('reason'), reason);
  at('reason').hidden = view.state === 'connected' || !reason;
  at('pairing').hidden = view.paired;
  say(at('paired'), view.paired ? text('paired_with', view.server) : text('paired_not'));
  say(at('share'), text(view.share === 'all' ? 'share_all' : 'share_chosen'));
  relay.placeholder = view.home || '127.0.0.1:8765';
  name.placeholder = view.called || text('name_hint');
  all.checked = view.allSites;
  all.disabled = view.share === 'all';
  at('no-rules').hidden = view.rules.length > 0;
  rows(at('rules'), view.rules, ({ site }) => site, ({ site }) => {
    const row = make('li');
    const forget = make('button', '', text('sites_forget'));
    forget.setAttribute('aria-label', `${text('sites_forget')}: ${siteName(site)}`);
    forget.onclick = () => ask({ ask: 'forget', site });
    row.append(make('b', '', siteName(site)), make('span'), forget);
    return row;
  }, (row, { choice }) => say(/** @type {Element} */ (row.querySelector('span')), text(`rule_${choice}`)));
}

all.onchange = () => ask({ ask: 'allSites', on: all.checked });

at('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = relay.value.trim().replace(/^wss?:\/\//, '').replace(/\/$/, '');
  const address = loopback(typed);
  if (typed && !address) {
    relay.setAttribute('aria-invalid', 'true');
    say(at('saved'), text('server_bad'));
    return;
  }
  relay.removeAttribute('aria-invalid');
  relay.value = address;
  void chrome.storage.local.set({ relay: address }).then(() => say(at('saved'), address ? text('server_saved', address) : text('server_own')));
});

at('naming').addEventListener('submit', (event) => {
  event.preventDefault();
  name.value = name.value.trim();
  void chrome.storage.local.set({ label: name.value }).then(() => say(at('named'), name.value ? text('name_saved', name.value) : text('name_none')));
});

async function fill() {
  const [{ relay: kept }, id, who, files, called] = await Promise.all([
    chrome.storage.local.get('relay'), installId(), browser(), chrome.extension.isAllowedFileSchemeAccess(), label(),
  ]);
  name.value = called;
  if (typeof kept === 'string') relay.value = kept;
  say(at('install'), id);
  say(at('browser'), `${who.name} ${who.version}`);
  say(at('version'), chrome.runtime.getManifest().version);
  say(at('files'), text(files ? 'files_yes' : 'files_no'));
}

void fill();
