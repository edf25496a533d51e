// What must happen although the worker sleeps, and what keeps it awake.

import { detachAll } from './debugger.js';
import { leave } from './groups.js';
import { save } from './memory.js';
import { connect, connected, tell } from './socket.js';

const revive = 'revive';
const release = 'release';
const keepalive = 15_000;
// Chrome lets an unpacked extension's alarms ring this often. While connected, a worker that Chrome ended is
// back before a command that waits for it notices; without a relay, twice a minute is often enough.
const soon = 1 / 60;
const seldom = 0.5;

/** @type {ReturnType<typeof setInterval> | undefined} */
let beat;

/** The alarm that brings a sleeping worker back; creating it again would postpone it for ever. */
export async function startAlarms() {
  if (!(await chrome.alarms.get(revive))) await chrome.alarms.create(revive, { periodInMinutes: seldom });
}

/**
 * @param {boolean} connected
 */
export function connectionChanged(connected) {
  clearInterval(beat);
  void chrome.alarms.create(revive, { periodInMinutes: connected ? soon : seldom });
  if (connected) {
    void chrome.alarms.clear(release);
    beat = setInterval(() => {
      tell('keepalive', {});
      save();
    }, keepalive);
    return;
  }
  // A relay that stays away must not leave the debugger's bar behind, nor groups that look as if it were there.
  void chrome.alarms.get(release).then((set) => {
    if (!set) return chrome.alarms.create(release, { delayInMinutes: 0.5 });
  });
}

/** @param {string} name */
export async function alarm(name) {
  if (name === release && !connected()) await Promise.all([detachAll(), leave()]);
  connect();
}
