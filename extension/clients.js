// Programs that came through a port that asks for no secret. The person lets each of them in, or not; where all tabs are
// shared the browser is the agents' own, and nobody is asked.

import { askOnce, tellChange, withdraw } from './asked.js';
import { codes, Fault } from './fault.js';
import { pairing } from './pairing.js';

/**
 * Asks the person whether a program may use this browser, and waits a while for what they say.
 * @param {string} id the relay's, for this connection alone
 * @param {number} port
 * @param {string} program what it calls itself
 */
export async function admitted(id, port, program) {
  if (pairing()?.share === 'all') return 'allowed';
  const said = await askOnce({ id, agent: program.replace(/["“”]/g, ''), port });
  if (!said) throw new Fault('too much is asked of the person already to ask whether another program may come in', codes.refused);
  return said;
}

/**
 * Programs have gone, one or all of them: nobody is asked for them.
 * @param {string} [id]
 */
export function forgetClients(id) {
  if (withdraw((q) => q.port !== undefined && (id === undefined || q.id === id)).length > 0) tellChange();
}
