// Opened by the launcher: a message wakes the sleeping worker, which connects, and this tab goes.

async function wake() {
  const port = chrome.runtime.connect({ name: 'wake' });
  await new Promise((/** @type {(v: unknown) => void} */ done) => {
    port.onMessage.addListener(done);
    port.onDisconnect.addListener(done);
  });
  const tab = await chrome.tabs.getCurrent();
  if (tab?.id === undefined) return;
  // Closing the last tab would end the browser that was started for this.
  if ((await chrome.tabs.query({})).length > 1) await chrome.tabs.remove(tab.id);
  else await chrome.tabs.update(tab.id, { url: 'chrome://newtab' });
}

void wake();
