// The context menu and the keyboard: share the tab in front, pause agents, open the side panel.

import { allPaused, pause } from './paused.js';
import { showPanel } from './panel.js';
import { share } from './sharing.js';
import { whenReady } from './tabs.js';
import { text } from './words.js';

/** Adds the listeners in the first turn of the worker; the menu itself outlives it. */
export function startMenus() {
  chrome.runtime.onInstalled.addListener(() => void make());
  chrome.contextMenus.onClicked.addListener(({ menuItemId }, tab) => void chosen(String(menuItemId), tab));
  chrome.commands.onCommand.addListener((name, tab) => void chosen(name, tab));
}

async function make() {
  await chrome.contextMenus.removeAll();
  for (const id of ['share', 'pause', 'panel']) chrome.contextMenus.create({ id, title: text(`menu_${id}`), contexts: ['page', 'action'] });
}

/**
 * @param {string} what
 * @param {chrome.tabs.Tab | undefined} tab
 */
async function chosen(what, tab) {
  // Chrome opens the panel for a gesture of the person alone: nothing is waited for before.
  if (what === 'panel' && tab) await chrome.sidePanel.open({ windowId: tab.windowId });
  await new Promise((/** @type {(v: void) => void} */ done) => whenReady(done));
  if (what === 'share' && tab?.id !== undefined) await share(tab.id);
  else if (what === 'pause') await pause(!allPaused());
  showPanel();
}
