// The one socket to the relay, and when to try again.

import { memory, save } from './memory.js';
import { readPairing, wanted } from './pairing.js';
import { hear, newProof, OtherProtocol, Stranger } from './proof.js';

/** @typedef {'unpaired'|'disconnected'|'connecting'|'connected'|'update'|'replaced'|'stranger'} State */

/** @type {{state: State, reason: string, since: number, server: string}} */
export const status = { state: 'connecting', reason: '', since: 0, server: '' };

const protocolMismatch = 4001;
const replacedByAnother = 4002;
const notProven = 4004;
// How long the relay may take for its proof.
const proofTime = 10_000;
const slowRetry = 30_000;
const firstDelay = 250;
const lastDelay = 2_000;
// Past this the alarm alone tries: a relay that is not running costs one refused connection each 30 s.
const patience = 300_000;
// What waits for the relay to come back, and what waits for a relay that does not read.
const queueFrames = 500;
const unsentBytes = 256 << 20;
// The relay closes the socket at 64 MB in one frame.
const frameBytes = (64 << 20) - 1;

/**
 * @typedef {object} Handlers
 * @property {() => Promise<void>} prepare runs before each attempt
 * @property {() => string} hello the first frame after the proofs
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
  status.server = `ws://${paired.address}`;
  const proof = await newProof(paired.key, paired.address);
  if (!(await wanted())) return become('disconnected');
  if (status.state !== 'connecting') become('connecting', status.reason);
  const socket = new WebSocket(`ws://${paired.address}/extension/${paired.id}`);
  live = socket;
  let proven = false;
  let under = Promise.resolve();
  const late = setTimeout(() => socket.close(notProven, 'no proof in time'), proofTime);
  const answer = (/** @type {string} */ text) => {
    // A command's answer belongs to the socket that asked.
    if (socket === live) put(socket, text);
  };
  const prove = async (/** @type {unknown} */ frame) => {
    if (socket !== live || proven) return;
    const { say, proven: now } = await hear(proof, frame);
    if (socket !== live) return;
    socket.send(say);
    if (!now) return;
    proven = true;
    clearTimeout(late);
    begin(socket);
  };
  socket.onmessage = (frame) => {
    if (!proven) {
      under = under.then(() => prove(frame.data)).catch((thrown) => {
        if (socket === live) refuse(socket, thrown);
      });
      return;
    }
    memory.received++;
    handlers.traffic();
    delay = firstDelay;
    handlers.message(frame.data, answer);
  };
  socket.onclose = (why) => {
    clearTimeout(late);
    if (socket === live) closed(why, proven);
  };
}

/**
 * The relay is who it should be.
 * @param {WebSocket} socket
 */
function begin(socket) {
  lastConnected = Date.now();
  const waiting = queue;
  queue = [];
  put(socket, handlers.hello());
  for (const text of waiting) put(socket, text);
  become('connected');
}

/**
 * Turns away who is not. Nobody is asked again sooner for that.
 * @param {WebSocket} socket
 * @param {unknown} why
 */
function refuse(socket, why) {
  live = null;
  const update = why instanceof OtherProtocol;
  socket.close(update ? protocolMismatch : notProven, update ? 'another protocol' : 'no proof of the key');
  const reason = update || why instanceof Stranger ? why.message : '';
  pause(update ? 'update' : 'stranger', reason, slowRetry);
}

/**
 * @param {State} state
 * @param {string} reason
 * @param {number} ms
 */
function pause(state, reason, ms) {
  memory.notBefore = Date.now() + ms;
  save();
  become(state, reason);
  retry(ms);
}

/**
 * @param {CloseEvent} why
 * @param {boolean} proven what a stranger says is not shown
 */
function closed(why, proven) {
  live = null;
  if (connected()) lastConnected = Date.now(); // however long it lasted, or the machine slept
  save();
  if (why.code === protocolMismatch && proven) return pause('update', why.reason, slowRetry);
  if (why.code === replacedByAnother && proven) return pause('replaced', why.reason, 2 * slowRetry);
  become('connecting', proven ? why.reason : '');
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
  live?.close(4000, 'the worker is stopping');
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
 * Whether the relay takes a text as one frame. One that it does not would end the connection of everybody.
 * @param {string} text
 */
export const fits = (text) => text.length <= frameBytes / 3 || new TextEncoder().encode(text).length <= frameBytes;

/**
 * Sends a frame, unless it is too long.
 * @param {WebSocket} socket
 * @param {string} text
 */
function put(socket, text) {
  if (!fits(text)) return;
  if (socket.bufferedAmount > unsentBytes) {
    socket.close(4003, 'the relay is not reading');
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
