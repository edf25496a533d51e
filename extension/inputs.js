// Input into frames of sites that the person refused, which are nobody's: it goes to the frame that is under the pointer
// or has the focus, wherever it was sent.

import { refused } from './children.js';
import { codes, Fault } from './fault.js';
import { anyRefused, siteOf } from './sites.js';

const pointing = /^Input\.(dispatchMouseEvent|dispatchTouchEvent|dispatchDragEvent|emulateTouchFromMouseEvent|synthesize\w+)$/;
const typing = /^Input\.(dispatchKeyEvent|insertText|imeSetComposition)$/;
const framing = /^(iframe|frame|object|embed|fencedframe)$/i;

// No page can put another in the place of these, not even by what its elements are called.
const focus = `(() => {
  const active = (root) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(root) === ShadowRoot.prototype ? ShadowRoot.prototype : Document.prototype, 'activeElement').get.call(root);
  const shadow = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get;
  let at = active(document);
  while (at && shadow.call(at) && active(shadow.call(at))) at = active(shadow.call(at));
  return at;
})()`;

/**
 * Whether a command may reach such a frame.
 * @param {{method: string}} does
 */
export const inputs = ({ method }) => anyRefused() && (pointing.test(method) || typing.test(method));

/** @type {Map<number, Promise<void>>} tab id to the input that was looked at last: it stays in order */
const turns = new Map();

/**
 * Throws where it would.
 * @param {chrome.debugger.DebuggerSession} at
 * @param {{method: string, params: any}} does
 */
export async function permitInput(at, does) {
  const tabId = at.tabId ?? -1;
  const permitted = (turns.get(tabId) ?? Promise.resolve()).then(() => look(at, does));
  const turn = permitted.catch(() => {});
  turns.set(tabId, turn);
  void turn.then(() => turns.get(tabId) === turn && turns.delete(tabId));
  await permitted;
}

/**
 * @param {chrome.debugger.DebuggerSession} at
 * @param {{method: string, params: any}} does
 */
async function look(at, { method, params }) {
  const frames = (await chrome.webNavigation.getAllFrames({ tabId: at.tabId ?? -1 })) ?? [];
  const theirs = frames.filter(({ url }) => refused(url));
  if (!theirs[0]) return;
  const nested = theirs.some(({ parentFrameId }) => parentFrameId !== 0);
  const ask = (/** @type {string} */ name, /** @type {object} */ of) => /** @type {Promise<any>} */ (chrome.debugger.sendCommand(at, name, /** @type {any} */ (of)));
  const nodes = typing.test(method) ? [await focused(ask)] : await Promise.all(points(params).map(async (point) => (await ask('DOM.getNodeForLocation', point).catch(() => undefined))?.backendNodeId));
  for (const backendNodeId of nodes) {
    if (backendNodeId === undefined) continue; // Outside of the page.
    const { node } = await ask('DOM.describeNode', { backendNodeId, depth: 1, pierce: true });
    for (const frame of await framesOf(node, ask)) {
      if (nested || refused(await addressOf(frame))) throw new Fault(`'${method}' is refused: it would reach a frame of ${siteOf(theirs[0].url)}, which the person does not let agents use`, codes.refused);
    }
  }
}

/** Where a command points. @param {any} params @returns {{x: number, y: number}[]} */
function points(params) {
  const list = Array.isArray(params?.touchPoints) ? params.touchPoints : [params];
  return list.filter((/** @type {any} */ one) => Number.isFinite(one?.x) && Number.isFinite(one?.y)).map((/** @type {any} */ { x, y }) => ({ x: Math.floor(x), y: Math.floor(y), includeUserAgentShadowDOM: false }));
}

/**
 * The element that has the focus.
 * @param {(name: string, of: object) => Promise<any>} ask
 * @returns {Promise<number | undefined>}
 */
async function focused(ask) {
  const { frameTree } = await ask('Page.getFrameTree', {});
  const { executionContextId } = await ask('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'tabrelay focus' });
  const { result } = await ask('Runtime.evaluate', { expression: focus, contextId: executionContextId });
  if (!result.objectId) return undefined;
  const { node } = await ask('DOM.describeNode', { objectId: result.objectId });
  await ask('Runtime.releaseObject', { objectId: result.objectId });
  return node.backendNodeId;
}

/**
 * The frames that an element is, or may hold where scripts do not see it.
 * @param {any} node
 * @param {(name: string, of: object) => Promise<any>} ask
 * @returns {Promise<string[]>} their ids
 */
async function framesOf(node, ask) {
  if (framing.test(node.nodeName)) return node.frameId ? [node.frameId] : [];
  if (!node.shadowRoots?.some((/** @type {any} */ { shadowRootType }) => shadowRootType === 'closed')) return [];
  const all = (await ask('DOM.describeNode', { backendNodeId: node.backendNodeId, depth: -1, pierce: true })).node;
  /** @type {string[]} */
  const list = [];
  const walk = (/** @type {any} */ one) => {
    if (framing.test(one.nodeName) && one.frameId) list.push(one.frameId);
    for (const child of [...(one.children ?? []), ...(one.shadowRoots ?? [])]) walk(child);
  };
  walk(all);
  return list;
}

/** @param {string} frame its id */
async function addressOf(frame) {
  return (await chrome.debugger.getTargets()).find(({ id }) => id === frame)?.url ?? '';
}
