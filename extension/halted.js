// Frames of other processes and workers begin halted where a client asked for that, until it has said what goes before.

import { connected } from './socket.js';

/** How long one may be halted (ms): nobody's page stands still because a client or the relay does. */
const patience = 4000;

/**
 * Lets what begins halted go, also when nobody else does.
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} method
 * @param {any} params
 */
export function halted(source, method, params) {
  if (method !== 'Target.attachedToTarget' || !params?.waitingForDebugger) return;
  setTimeout(() => {
    const at = { tabId: source.tabId, sessionId: params.sessionId };
    void chrome.debugger.sendCommand(at, 'Runtime.runIfWaitingForDebugger').catch(() => {}); // Gone meanwhile.
  }, connected() ? patience : 0);
}
