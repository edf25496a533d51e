// What the person is asked, and those who wait for what they say.

import { memory, save } from './memory.js';

/** @typedef {'allowed'|'refused'|'unasked'} Verdict */
/**
 * @typedef {object} Question
 * @property {string} id
 * @property {string} site that agents are to use; empty: something is asked that counts once
 * @property {string} agent its name, or what the program calls itself; empty: it has none
 * @property {number} [port] through which a program came that wants to be let in
 * @property {string} [deed] what an agent is about to do
 * @property {number} at asked last (ms)
 */

const mostQuestions = 20;
// A question that nobody repeats lapses; one of an agent that waits is repeated for as long as it does.
const lapse = 600_000;
const deedLapse = 30_000;
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
  memory.asked = memory.asked.filter((q) => now - q.at < (q.deed ? deedLapse : lapse));
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
 * Asks the person something that counts once, and waits a while for what they say.
 * @param {Omit<Question, 'at' | 'site'>} question
 * @param {number} [most] in ms
 * @returns {Promise<Verdict | undefined>} undefined: too much is asked already
 */
export async function askOnce(question, most) {
  const { id } = question;
  const same = (/** @type {Question} */ q) => q.id === id && !q.site;
  const verdict = () => /** @type {Verdict} */ (memory.entries[id] ?? 'unasked');
  if (verdict() === 'unasked' && !pose({ ...question, site: '' }, same)) return undefined;
  const said = await answered(verdict, same, most);
  delete memory.entries[id]; // Whoever asked has it now.
  save();
  return said;
}

/**
 * The person answers such a question.
 * @param {string} id
 * @param {boolean} may
 */
export function decide(id, may) {
  memory.entries[id] = may ? 'allowed' : 'refused';
  save();
  tellChange();
}

/**
 * Waits a while for the person's answer.
 * @param {() => Verdict} verdict
 * @param {(asked: Question) => boolean} same
 * @param {number} [most] in ms
 * @returns {Promise<Verdict>} unasked: there is none yet
 */
export function answered(verdict, same, most = longestWait) {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      waiting.delete(look);
      done(verdict());
    };
    const look = () => {
      if (verdict() !== 'unasked' || !questions().some(same)) end();
    };
    const timer = setTimeout(end, Math.min(most, longestWait));
    waiting.add(look);
    look();
  });
}
