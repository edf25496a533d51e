// Requests that clients hold back where agents may not use every site. A client acts on those that it was told of alone:
// ids can be guessed. What a page fetches from sites that agents may not use stays the page's: a client lets such a
// request go or fails it, and may answer it itself where no document of that site comes of it, but reads no answer of
// that site, and changes neither that nor what is sent there.

import { Fault } from './fault.js';
import { goOn } from './interception.js';
import { asThePageMadeIt } from './paused.js';
import { everySite, permitted, siteOf } from './sites.js';

/** @typedef {{method: string, params: any}} Command */

const mostTold = 10_000;

/** @type {Map<string, {site: string, stage: 'request'|'document'|'answer'}>} what clients were told of, the oldest first; site: one that agents may not use, or empty */
const told = new Map();

/** @param {string | undefined} sessionId @param {unknown} requestId */
const key = (sessionId, requestId) => `${sessionId ?? ''} ${requestId}`;

/**
 * Clients are told that a request is held back.
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} method
 * @param {any} params
 */
export function tellsOf({ tabId = -1, sessionId }, method, { requestId, request, resourceType, responseStatusCode, responseErrorReason }) {
  if (everySite()) return;
  const answer = method === 'Fetch.requestPaused' && (responseStatusCode !== undefined || responseErrorReason !== undefined);
  const site = permitted({ tabId, url: request.url }) ? '' : siteOf(request.url);
  told.delete(key(sessionId, requestId));
  told.set(key(sessionId, requestId), { site, stage: answer ? 'answer' : resourceType === 'Document' ? 'document' : 'request' });
  if (told.size > mostTold) told.delete(/** @type {string} */ (told.keys().next().value));
}

/**
 * What is carried out in place of a command on a request that is held back; it throws what says why not, and then the
 * request goes on as the page made it.
 * @param {chrome.debugger.DebuggerSession} at
 * @param {Command} does
 * @returns {Command}
 */
export function asTold(at, does) {
  const { method, params } = does;
  const reads = /^Fetch\.(getResponseBody|takeResponseBodyAsStream)$/.test(method);
  if (!reads && !/^Fetch\.(continue|fulfill|fail)/.test(method) || everySite()) return does;
  const of = told.get(key(at.sessionId, params?.requestId));
  if (!of) {
    if (reads) throw new Fault('Invalid InterceptionId.', -32602);
    return asThePageMadeIt(params?.requestId, method === 'Fetch.continueWithAuth');
  }
  const changes = method === 'Fetch.continueRequest' && ['url', 'method', 'postData', 'headers'].some((name) => params[name] !== undefined && params[name] !== null);
  const answers = method === 'Fetch.fulfillRequest' && of.stage !== 'request';
  if (!of.site || !(reads || changes || answers || method === 'Fetch.continueResponse')) return does;
  if (!reads) goOn(at, params.requestId);
  throw new Fault(`'${method}' is refused: the request is to ${of.site}, which agents may not use; it goes on as the page made it`);
}
