// The frames and workers below the tabs, each a session of the debugger's own. Those on a page of the browser or of an
// extension, or of a site that the person refused, are nobody's: nothing is told of them, and nothing reaches them.

import { forbidden } from './addresses.js';
import { Fault } from './fault.js';
import { guardFrame, unguardFrame } from './interception.js';
import { memory, save } from './memory.js';
import { siteOf, verdict } from './sites.js';
import { goes } from './tabs.js';

const hidden = 'hidden';

/**
 * Sees in what the debugger tells which children come and go.
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} method
 * @param {any} params
 * @returns {boolean} whether the relay may hear of it
 */
export function mayTell(source, method, params) {
  if (source.sessionId && memory.children[source.sessionId]?.kind === hidden) {
    if (method === 'Target.attachedToTarget') hide(source, params);
    return false;
  }
  if (method === 'Target.attachedToTarget') {
    const { targetId, type, url } = params.targetInfo;
    if (forbidden(url) || refused(url)) {
      hide(source, params);
      return false;
    }
    note(source, params.sessionId, type, targetId);
    guardFrame({ tabId: source.tabId, sessionId: params.sessionId });
  } else if (method === 'Target.targetInfoChanged' && forbidden(params.targetInfo.url)) {
    goes(source.tabId ?? -1, params.targetInfo.url);
    return false;
  } else if (method === 'Target.targetInfoChanged' && refused(params.targetInfo.url)) {
    for (const child of Object.values(memory.children)) if (child.target === params.targetInfo.targetId) child.kind = hidden;
    save();
    return false;
  } else if (method === 'Target.detachedFromTarget') {
    const kind = memory.children[params.sessionId]?.kind;
    delete memory.children[params.sessionId];
    unguardFrame({ tabId: source.tabId, sessionId: params.sessionId });
    return kind !== hidden;
  }
  return true;
}

/** @param {string} url */
export const refused = (url) => verdict(siteOf(url)) === 'refused';

/**
 * @param {chrome.debugger.DebuggerSession} source
 * @param {any} params
 */
function hide(source, params) {
  note(source, params.sessionId, hidden);
  if (!params.waitingForDebugger) return;
  const at = { tabId: source.tabId, sessionId: params.sessionId };
  void chrome.debugger.sendCommand(at, 'Runtime.runIfWaitingForDebugger').catch(() => {}); // Gone meanwhile.
}

/**
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} sessionId
 * @param {string} kind
 * @param {string} [target] its id
 */
function note(source, sessionId, kind, target = '') {
  memory.children[sessionId] = { tabId: source.tabId ?? -1, kind, target };
  save();
}

/**
 * What kind of target a session is on.
 * @param {number} tabId
 * @param {string | undefined} sessionId
 * @returns {string}
 */
export function kindOf(tabId, sessionId) {
  if (!sessionId) return 'page';
  const child = memory.children[sessionId];
  if (child?.tabId !== tabId || child.kind === hidden) throw new Fault('Session with given id not found.', -32001);
  return child.kind;
}

/**
 * They end with the attachment that they came through.
 * @param {number} tabId
 */
export function forgetChildren(tabId) {
  for (const [sessionId, child] of Object.entries(memory.children)) if (child.tabId === tabId) delete memory.children[sessionId];
}
