// What an agent is about to do, where a policy has the person asked for it each time and the agent's own program cannot ask.

import { askOnce, tellChange, withdraw } from './asked.js';
import { codes, Fault } from './fault.js';
import { pairing } from './pairing.js';

/**
 * Asks the person, and waits a while for what they say. In a browser that was started for agents nobody sees the panel.
 * @param {string} id of the question
 * @param {string} deed in words; nothing in them is a link or a tag
 * @param {string} agent its name
 * @param {number} wait how long it waits in all from now on, in ms; 0: no longer
 * @returns {Promise<import('./asked.js').Verdict>}
 */
export async function confirmed(id, deed, agent, wait) {
  if (pairing()?.share === 'all') throw new Fault('this browser was started for agents, and its panel is nobody\'s', codes.refused);
  const said = wait > 0 ? await askOnce({ id, agent, deed }, wait) : 'unasked';
  if (!said) throw new Fault('too much is asked of the person already', codes.refused);
  const over = said === 'unasked' && wait <= mostRounds;
  if (over && withdraw((q) => q.id === id && q.deed !== undefined).length > 0) tellChange();
  return said;
}

// Less than this is waited for at once.
const mostRounds = 20_000;
