// Who works in this browser and what they did, as the relay shows it while somebody watches. Nothing is kept.

import { connected, tell } from './socket.js';

/** @typedef {{did: string, site?: string, since: string}} Doing */
/** @typedef {{name: string, kind: 'agent'|'client', color?: string, tabs: string[], doing?: Doing, paused?: boolean}} Actor */
/** @typedef {{at: string, kind: string, who: string, did: string, page?: string, site?: string, to?: string, outcome?: string, why?: string, ms?: number, lost?: number}} Entry */
/** @typedef {{id: string, name?: string, tabs: 'new'|'shared', port?: number, asks?: boolean, expires?: string, clients: number}} Address of CDP clients */
/** @typedef {{fresh?: boolean, called?: string, actors: Actor[], addresses?: Address[], entries: Entry[]}} Scene */

const kept = 500;

/** @type {{watched: boolean, known: boolean, called: string, actors: Actor[], addresses: Address[], entries: Entry[]}} */
export const scene = { watched: false, known: false, called: '', actors: [], addresses: [], entries: [] };

/** @type {(fresh: boolean, entries: Entry[]) => void} */
let changed = () => {};

/** @param {(fresh: boolean, entries: Entry[]) => void} f hears of what is new */
export function prepareScene(f) {
  changed = f;
}

/** @param {Scene} news */
export function show({ fresh, called, actors, addresses, entries }) {
  if (!scene.watched) return;
  scene.known = true;
  scene.called = called ?? '';
  scene.actors = actors;
  scene.addresses = addresses ?? []; // An older relay tells of none.
  if (fresh) scene.entries = [];
  scene.entries.push(...entries);
  scene.entries.splice(0, scene.entries.length - kept);
  changed(fresh === true, entries);
}

/** @param {boolean} on whether somebody watches */
export function watch(on) {
  if (scene.watched === on) return;
  scene.watched = on;
  empty();
  if (connected()) tell('watching', { on });
}

/** The relay is there: it knows nothing of those who watch. */
export function rewatch() {
  if (connected() && scene.watched) tell('watching', { on: true });
  else if (!connected()) empty();
}

function empty() {
  scene.known = false;
  scene.actors = [];
  scene.addresses = [];
  scene.entries = [];
}

/**
 * Who has a tab; undefined: nobody, or it is not known.
 * @param {string} id target id
 */
export const actorOf = (id) => scene.actors.find(({ kind, tabs }) => kind === 'agent' && tabs.includes(id)) ?? scene.actors.find(({ tabs }) => tabs.includes(id));
