// Programs that came through a port that asks for no secret. The person lets each of them in, or not; where all tabs are
// shared the browser is the agents' own, and nobody is asked.

import { answered, pose, tellChange, withdraw } from './asked.js';
import { codes, Fault } from './fault.js';
import { memory, save } from './memory.js';
import { pairing } from './pairing.js';

/**
 * Asks the person whether a program may use this browser, and waits a while for what they say.
 * @param {string} id the relay's, for this connection alone
 * @param {number} port
 * @param {string} program what it calls itself
 */
export async function admitted(id, port, program) {
  if (pairing()?.share === 'all') return 'allowed';
  const same = (/** @type {import('./asked.js').Question} */ q) => q.id === id && q.port !== undefined;
  const verdict = () => /** @type {import('./asked.js').Verdict} */ (memory.entries[id] ?? 'unasked');
  if (verdict() === 'unasked' && !pose({ id, site: '', agent: program.replace(/["“”]/g, ''), port }, same)) {
    throw new Fault('too much is asked of the person already to ask whether another program may come in', codes.refused);
  }
  const said = await answered(verdict, same);
  delete memory.entries[id]; // It counts for one connection, which has it now.
  save();
  return said;
}

/**
 * The person decides.
 * @param {string} id
 * @param {boolean} may
 */
export function letIn(id, may) {
  memory.entries[id] = may ? 'allowed' : 'refused';
  save();
  tellChange();
}

/**
 * Programs have gone, one or all of them: nobody is asked for them.
 * @param {string} [id]
 */
export function forgetClients(id) {
  if (withdraw((q) => q.port !== undefined && (id === undefined || q.id === id)).length > 0) tellChange();
}
