// The tab groups that show which agent's a tab is. Only groups that were made here are touched:
// one that the person made is theirs, and so is a title that they gave to one of ours.

import { memory, save } from './memory.js';

/** @typedef {NonNullable<chrome.tabGroups.UpdateProperties['color']>} Color */

/** @type {Promise<unknown>} one after the other, or two tabs at once would make two groups */
let last = Promise.resolve();

/**
 * @param {() => Promise<void>} work
 * @returns {Promise<void>}
 */
function next(work) {
  const done = last.then(work, work);
  last = done.catch(() => {});
  return done;
}

/**
 * Puts tabs of one window into the group of a title.
 * @param {number} windowId
 * @param {number[]} tabIds
 * @param {string} title
 * @param {Color} color
 */
export function group(windowId, tabIds, title, color) {
  return next(async () => {
    const [first, ...others] = tabIds;
    const here = await chrome.tabGroups.query({ windowId });
    const ours = here.find((g) => memory.groups[g.id] === title);
    if (ours) {
      await chrome.tabs.group({ tabIds: [first, ...others], groupId: ours.id });
      return;
    }
    const groupId = await chrome.tabs.group({ tabIds: [first, ...others], createProperties: { windowId } });
    memory.groups[groupId] = title;
    save();
    await chrome.tabGroups.update(groupId, { title, color });
  });
}

/**
 * Gives the groups of a title another one.
 * @param {string} title
 * @param {string} to
 * @param {Color} color
 */
export function rename(title, to, color) {
  return next(async () => {
    const open = new Map((await chrome.tabGroups.query({})).map((g) => [g.id, g]));
    for (const id of Object.keys(memory.groups).map(Number)) {
      if (memory.groups[id] !== title) continue;
      const shown = open.get(id);
      if (shown) memory.groups[id] = to;
      else delete memory.groups[id];
      if (shown?.title === title) await chrome.tabGroups.update(id, { title: to, color });
    }
    save();
  });
}
