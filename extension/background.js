// The service worker: Chrome's events on one side, the relay's socket on the other.
// Listeners are added in the first turn, or Chrome would not wake the worker for them.

import { alarm, connectionChanged, startAlarms } from './alarms.js';
import { arrives, isThere, setsOut, staysThere } from './arrivals.js';
import { prepareAsked } from './asked.js';
import { badgeGone } from './badge.js';
import { browser, installId, label } from './browser.js';
import { mayTell } from './children.js';
import { forgetClients } from './clients.js';
import { receive } from './commands.js';
import { adopt, detach, detached, forward, seen, suspect } from './debugger.js';
import { downloadChanged, downloadCreated, noticed, opens, tellWithheld } from './downloads.js';
import { tellsOf } from './foreign.js';
import { asks } from './front.js';
import { halted } from './halted.js';
import { guardAll } from './interception.js';
import { startMenus } from './menus.js';
import { noticePressed, showNotice } from './notices.js';
import { openPanel, showNews, showPanel, showTraffic } from './panel.js';
import { pairing } from './pairing.js';
import { tellPaused } from './paused.js';
import { frameCame } from './pictures.js';
import { readPolicy } from './policy.js';
import { prepareScene, rewatch } from './scene.js';
import { connect, prepareSocket, reconnect } from './socket.js';
import * as tabs from './tabs.js';
import { hasEnded } from './underway.js';
import { toldOf } from './withheld.js';

let hello = { installId: '', label: '', browser: { name: '', version: '', userAgent: '' } };

prepareSocket({
  prepare: async () => {
    await Promise.all([tabs.ready(), readPolicy()]);
    await adopt();
    if (!hello.installId) hello = { installId: await installId(), label: '', browser: await browser() };
    hello.label = await label();
  },
  hello: () => JSON.stringify({
    method: 'hello',
    params: {
      extensionVersion: chrome.runtime.getManifest().version,
      installId: hello.installId,
      label: hello.label,
      launch: pairing()?.launch ?? '',
      browser: hello.browser,
      tabs: tabs.helloTabs(),
    },
  }),
  message: (text, answer) => void receive(text, answer),
  changed: (connected) => {
    connectionChanged(connected);
    if (!connected) forgetClients(); // The relay asks again for those who are still there.
    tellPaused();
    rewatch();
    showPanel();
  },
  traffic: showTraffic,
});
tabs.prepareTabs((tab) => void detach(tab), showPanel);
prepareAsked(() => {
  tabs.settleAll();
  guardAll();
  void tellWithheld();
  showNotice();
  showPanel();
});
prepareScene(showNews);
startMenus();

chrome.tabs.onCreated.addListener((tab) => tabs.whenReady(() => {
  tabs.created(tab);
  connect();
}));
chrome.tabs.onUpdated.addListener((id, { status }, tab) => tabs.whenReady(() => {
  if (status === 'complete') hasEnded(id);
  void tabs.update(tab);
}));
chrome.tabs.onActivated.addListener(({ tabId, windowId }) => tabs.whenReady(() => {
  tabs.activated(tabId, windowId);
  seen(tabId);
}));
chrome.tabs.onAttached.addListener((tabId) => tabs.whenReady(() => void tabs.refresh(tabId)));
chrome.tabs.onReplaced.addListener((to, from) => tabs.whenReady(() => void tabs.replaced(to, from)));
chrome.tabs.onRemoved.addListener((tabId, { isWindowClosing }) => tabs.whenReady(() => {
  tabs.removed(tabId, isWindowClosing);
  hasEnded(tabId);
}));
chrome.webNavigation.onCreatedNavigationTarget.addListener(({ tabId, sourceTabId, url }) => {
  tabs.whenReady(() => {
    tabs.opened(tabId, sourceTabId);
    opens(sourceTabId, url);
  });
});
chrome.webNavigation.onCommitted.addListener(({ tabId, url, frameId, documentLifecycle }) => {
  tabs.whenReady(() => {
    if (frameId !== 0) frameCame(tabId, url);
    const there = frameId === 0 && documentLifecycle !== 'prerender';
    tabs.goes(tabId, url, there);
    if (!there) return;
    isThere(tabId, url);
    badgeGone(tabId);
    showPanel();
  });
});
// A page of this extension is left before it is there: scripts that were added would run in it.
chrome.webNavigation.onBeforeNavigate.addListener(({ tabId, url }) => tabs.whenReady(() => tabs.goes(tabId, url)), {
  url: [{ schemes: ['chrome-extension'] }],
});
const web = { url: [{ schemes: ['http', 'https'] }] };
chrome.webNavigation.onBeforeNavigate.addListener(({ tabId, url, frameId, documentLifecycle }) => {
  if (frameId === 0 && documentLifecycle !== 'prerender') tabs.whenReady(() => setsOut(tabId, url));
}, web);
chrome.webNavigation.onErrorOccurred.addListener(({ tabId, url, frameId, documentLifecycle }) => {
  if (frameId === 0 && documentLifecycle !== 'prerender') tabs.whenReady(() => staysThere(tabId, url));
}, web);

/**
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} method
 * @param {any} [params]
 */
function hear(source, method, params) {
  noticed(source.tabId, method, params);
  const tab = tabs.tabAt(source.tabId ?? -1);
  if (tab) asks(tab, method, params);
  if (tab && !arrives(tab, source, method, params)) return;
  suspect(source.tabId, method, params);
  if (!mayTell(source, method, params)) return;
  const told = tab && toldOf(tab, method, params);
  if (told) {
    if (method === 'Fetch.requestPaused' || method === 'Fetch.authRequired') tellsOf(source, method, params);
    forward(source, method, told);
  }
  halted(source, method, params);
}
chrome.debugger.onEvent.addListener((source, method, params) => {
  tabs.whenReady(() => {
    // Whose a request is that woke the worker is known when the attachments of the one before are.
    if (method.startsWith('Fetch.')) void adopt().then(() => hear(source, method, params));
    else hear(source, method, params);
  });
});
chrome.debugger.onDetach.addListener(({ tabId }, reason) => {
  if (tabId !== undefined) tabs.whenReady(() => void detached(tabId, reason));
});

chrome.downloads.onCreated.addListener((item) => tabs.whenReady(() => downloadCreated(item)));
chrome.downloads.onChanged.addListener((delta) => tabs.whenReady(() => void downloadChanged(delta)));

chrome.alarms.onAlarm.addListener(({ name }) => tabs.whenReady(() => void alarm(name)));
chrome.notifications.onButtonClicked.addListener((id, button) => tabs.whenReady(() => void noticePressed(id, button)));
chrome.runtime.onConnect.addListener(openPanel);
// Another address or name in the options.
chrome.storage.onChanged.addListener((changes, area) => {
  if (area === 'local' && ('relay' in changes || 'label' in changes)) reconnect();
});
// It only wakes the worker; connecting is what it does in any case.
chrome.runtime.onStartup.addListener(() => {});
chrome.runtime.onInstalled.addListener(({ reason }) => tabs.whenReady(() => {
  // A managed browser is no person's, and one without a window shows nobody anything.
  if (reason !== 'install' || pairing()?.share === 'all' || /Headless/.test(navigator.userAgent)) return;
  void chrome.tabs.create({ url: 'welcome.html' });
}));

void startAlarms();
connect();
