// The one socket to the relay, and when to try again.

import { memory, save } from './memory.js';
import { readPairing, wanted } from './pairing.js';

/** @typedef {'unpaired'|'disconnected'|'connecting'|'connected'|'update'|'replaced'} State */

/** @type {{state: State, reason: string, since: number, server: string}} */
export const status = { state: 'connecting', reason: '', since: 0, server: '' };

const protocolMismatch = 4001;
const replacedByAnother = 4002;
const slowRetry = 30_000;
const firstDelay = 250;
const lastDelay = 2_000;
// Past this the alarm alone tries: a relay that is not running costs one refused connection each 30 s.
const patience = 300_000;
// What waits for the relay to come back, and what waits for a relay that does not read.
const queueFrames = 500;
const unsentBytes = 256 << 20;

/**
 * @typedef {object} Handlers
 * @property {() => Promise<void>} prepare runs before each attempt
 * @property {() => string} hello the first frame
 * @property {(text: string, answer: (text: string) => void) => void} message
 * @property {(connected: boolean) => void} changed
 * @property {() => void} traffic a frame came or went
 */

/** @type {Handlers} */
let handlers;
/** @type {WebSocket | null} */
let live = null;
let opening = false;
let delay = firstDelay;
let lastConnected = Date.now();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {string[]} */
let queue = [];

/** @param {Handlers} h */
export function prepareSocket(h) {
  handlers = h;
}

/** @returns {boolean} */
export const connected = () => status.state === 'connected';

/**
 * @param {State} state
 * @param {string} [reason]
 */
function become(state, reason = '') {
  status.state = state;
  status.reason = reason;
  status.since = state === 'connected' ? Date.now() : 0;
  handlers.changed(state === 'connected');
}

/** Connects unless that is done, under way, unwanted or too early. */
export function connect() {
  const early = memory.notBefore - Date.now();
  // More than ever was set is a clock that was turned back.
  if (live || opening || (early > 0 && early <= 2 * slowRetry)) return;
  clearTimeout(timer);
  opening = true;
  void open().finally(() => (opening = false));
}

async function open() {
  await handlers.prepare();
  const paired = await readPairing();
  if (!paired) return become('unpaired');
  status.server = `ws://${paired.relay}`;
  if (!(await wanted())) return become('disconnected');
  if (status.state !== 'connecting') become('connecting', status.reason);
  /** @type {WebSocket} */
  let socket;
  try {
    socket = new WebSocket(`ws://${paired.relay}/extension/${paired.secret}`);
  } catch {
    return become('unpaired', `${paired.relay} is not an address: correct it in the options`);
  }
  live = socket;
  socket.onopen = () => {
    lastConnected = Date.now();
    const waiting = queue;
    queue = [];
    put(socket, handlers.hello());
    for (const text of waiting) put(socket, text);
    become('connected');
  };
  const answer = (/** @type {string} */ text) => {
    // A command's answer belongs to the socket that asked.
    if (socket === live) put(socket, text);
  };
  socket.onmessage = (frame) => {
    memory.received++;
    handlers.traffic();
    delay = firstDelay;
    handlers.message(frame.data, answer);
  };
  socket.onclose = (why) => {
    if (socket === live) closed(why);
  };
}

/** @param {CloseEvent} why */
function closed(why) {
  live = null;
  if (connected()) lastConnected = Date.now(); // however long it lasted, or the machine slept
  save();
  if (why.code === protocolMismatch || why.code === replacedByAnother) {
    const pause = why.code === protocolMismatch ? slowRetry : 2 * slowRetry;
    memory.notBefore = Date.now() + pause;
    save();
    become(why.code === protocolMismatch ? 'update' : 'replaced', why.reason);
    retry(pause);
    return;
  }
  become('connecting', why.reason);
  if (Date.now() - lastConnected < patience) retry(delay);
  delay = Math.min(2 * delay, lastDelay);
}

/** @param {number} ms */
function retry(ms) {
  clearTimeout(timer);
  timer = setTimeout(connect, ms);
}

/** Closes and stays closed; the person's choice itself is kept by pairing.js. */
export function disconnect() {
  clearTimeout(timer);
  const socket = live;
  live = null;
  queue = [];
  socket?.close(1000, 'disconnected in the browser');
  become('disconnected');
}

/** Ends the connection, which comes back by itself. */
export function drop() {
  live?.close(4000, 'the worker is being stopped');
}

/** The person asked: forget every pause and begin anew. */
export function reconnect() {
  memory.notBefore = 0;
  delay = firstDelay;
  lastConnected = Date.now();
  const socket = live;
  live = null;
  socket?.close(1000, 'connecting anew');
  connect();
}

/**
 * @param {WebSocket} socket
 * @param {string} text
 */
function put(socket, text) {
  if (socket.bufferedAmount > unsentBytes) {
    socket.close(4003, 'the relay does not read');
    return;
  }
  memory.sent++;
  handlers.traffic();
  socket.send(text);
}

/**
 * Sends an event. What happens to tabs without a connection is told by the next hello.
 * @param {string} method
 * @param {object} params
 */
export function tell(method, params) {
  if (live && status.state === 'connected') put(live, JSON.stringify({ method, params }));
}

/**
 * Sends an event, or keeps it for the next connection: what woke the worker comes before its socket.
 * @param {string} method
 * @param {object} params
 */
export function tellLater(method, params) {
  if (live && status.state === 'connected') return tell(method, params);
  if (status.state !== 'connecting') return;
  if (queue.length === queueFrames) queue.shift();
  queue.push(JSON.stringify({ method, params }));
}
