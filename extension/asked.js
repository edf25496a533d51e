// What the person is asked, and those who wait for what they say.

import { memory, save } from './memory.js';

/** @typedef {'allowed'|'refused'|'unasked'} Verdict */
/**
 * @typedef {object} Question
 * @property {string} id
 * @property {string} site that agents are to use; empty: a program wants to be let in
 * @property {string} agent its name, or what the program calls itself; empty: it has none
 * @property {number} [port] through which the program came
 * @property {number} at asked last (ms)
 */

const mostQuestions = 20;
// A question that nobody repeats lapses.
const lapse = 600_000;
// How long a single wait for an answer may be; whoever wants more waits again.
const longestWait = 20_000;

/** @type {Set<() => void>} those who wait for an answer */
const waiting = new Set();
/** @type {() => void} */
let changed = () => {};

/** @param {() => void} handler hears that a decision or a question came or went */
export function prepareAsked(handler) {
  changed = handler;
}

export function tellChange() {
  for (const look of [...waiting]) look();
  changed();
}

/** What the person has not answered, the oldest first. @returns {Question[]} */
export function questions() {
  const now = Date.now();
  memory.asked = memory.asked.filter((q) => now - q.at < lapse);
  return memory.asked;
}

/**
 * Asks the person something, once however often it is called.
 * @param {Omit<Question, 'at'>} question
 * @param {(asked: Question) => boolean} same
 * @returns {boolean} whether the question stands
 */
export function pose(question, same) {
  const at = Date.now();
  const asked = questions().find(same);
  if (asked) asked.at = at;
  else if (memory.asked.length >= mostQuestions) return false;
  else memory.asked.push({ ...question, at });
  save();
  if (!asked) tellChange();
  return true;
}

/**
 * Takes questions away.
 * @param {(asked: Question) => boolean} which
 * @returns {Question[]} those
 */
export function withdraw(which) {
  const gone = memory.asked.filter(which);
  memory.asked = memory.asked.filter((q) => !gone.includes(q));
  if (gone.length > 0) save();
  return gone;
}

/**
 * Waits a while for the person's answer.
 * @param {() => Verdict} verdict
 * @param {(asked: Question) => boolean} same
 * @returns {Promise<Verdict>} unasked: there is none yet
 */
export function answered(verdict, same) {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      waiting.delete(look);
      done(verdict());
    };
    const look = () => {
      if (verdict() !== 'unasked' || !questions().some(same)) end();
    };
    const timer = setTimeout(end, longestWait);
    waiting.add(look);
    look();
  });
}
