// The tab groups that show which agent's a tab is. Only groups that were made here are touched:
// one that the person made is theirs, and so is a title that they gave to one of ours.

import { memory, save } from './memory.js';
import { text } from './words.js';

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

/** What memory.groups has for a group of tabs whose agents have gone. */
const nobodys = '';

/**
 * Puts tabs of one window into the group of a title.
 * @param {number} windowId
 * @param {number[]} tabIds
 * @param {string} title
 * @param {Color} color
 * @param {boolean} taken only those that an agent left
 */
export function group(windowId, tabIds, title, color, taken) {
  return next(async () => {
    const tabs = taken ? (await chrome.tabs.query({ windowId })).filter(({ groupId }) => memory.groups[groupId] === nobodys).map(({ id }) => id) : tabIds;
    const [first, ...others] = tabIds.filter((id) => tabs.includes(id));
    if (first === undefined) return;
    const here = await chrome.tabGroups.query({ windowId });
    const ours = here.find((g) => memory.groups[g.id] === title);
    if (ours) await chrome.tabs.group({ tabIds: [first, ...others], groupId: ours.id });
    else await begin(await chrome.tabs.group({ tabIds: [first, ...others], createProperties: { windowId } }), title, title, color);
  });
}

/**
 * A group is ours from now on.
 * @param {number} groupId
 * @param {string} of whose it is
 * @param {string} title
 * @param {Color} color
 */
async function begin(groupId, of, title, color) {
  memory.groups[groupId] = of;
  save();
  const { groups } = await chrome.storage.local.get('groups');
  await chrome.storage.local.set({ groups: { .../** @type {object} */ (groups), [title]: color } });
  await chrome.tabGroups.update(groupId, { title, color });
}

/**
 * Agents have gone: the tabs in their groups stand in one for all such tabs of a window.
 * @param {string} [title] of the groups; without one it is all
 */
export function leave(title) {
  return next(async () => {
    for (const shown of await chrome.tabGroups.query({})) {
      const was = memory.groups[shown.id];
      // One with another title is the person's by now.
      if (was && was === shown.title && was === (title ?? was)) await abandon(shown);
    }
  });
}

/** @param {chrome.tabGroups.TabGroup} shown */
async function abandon(shown) {
  const title = text('left_group');
  const [first, ...others] = (await chrome.tabs.query({ groupId: shown.id })).flatMap(({ id }) => id ?? []);
  const there = (await chrome.tabGroups.query({ windowId: shown.windowId, title })).find((g) => memory.groups[g.id] === nobodys);
  if (there && first !== undefined) await chrome.tabs.group({ tabIds: [first, ...others], groupId: there.id });
  else await begin(shown.id, nobodys, title, 'grey');
}

/** The groups that an earlier session of the browser had are nobody's: nothing in them is shared. Some may come yet. */
export function inheritGroups() {
  void chrome.tabGroups.query({}).then((shown) => shown.forEach(inherit));
  chrome.tabGroups.onUpdated.addListener(inherit);
}

/** @param {chrome.tabGroups.TabGroup} shown */
const inherit = (shown) => next(async () => {
  const { groups } = await chrome.storage.local.get('groups');
  const color = /** @type {Record<string, string>} */ (groups ?? {})[shown.title ?? ''];
  if (memory.groups[shown.id] === undefined && color === shown.color) await abandon(shown);
});
