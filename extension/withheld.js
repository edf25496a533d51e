// What is kept back of sites that agents may not use, in what the debugger tells and answers of a tab. Where all tabs
// are shared the browser is the agents' own, and nothing is.

import { pairing } from './pairing.js';
import { shown } from './policy.js';
import { permitted, siteOf } from './sites.js';

/** @typedef {import('./tabs.js').Tab} Tab */

const remembered = 500;

/** @type {Set<string>} requests for documents of such sites, and downloads from there, the oldest first */
const hidden = new Set();
/** @type {Map<string, string[]>} request to the addresses that it went to, the oldest first */
const ways = new Map();

/** @param {{size: number, keys(): Iterator<string>, delete(key: string): unknown}} kept */
function bound(kept) {
  if (kept.size > remembered) kept.delete(/** @type {string} */ (kept.keys().next().value));
}

/**
 * @param {any} headers by name
 * @param {string} name
 */
const without = (headers, name) => Object.fromEntries(Object.entries(headers ?? {}).filter(([one]) => one.toLowerCase() !== name));

/** Whether the cookies of a request may be told: each of its addresses is of a site that a shared tab shows. @param {string} requestId */
const mayTellCookies = (requestId) => ways.get(requestId)?.every(shown) ?? false;

/** @param {string} requestId @param {string} url */
function goesTo(requestId, url) {
  const way = ways.get(requestId) ?? [];
  if (way.length < 30) way.push(url);
  ways.set(requestId, way);
  bound(ways);
}

/**
 * What of the headers of an answer any page may read, or says nothing of the person.
 * @param {[string, string][]} headers
 */
function plain(headers) {
  const exposed = headers.filter(([name]) => name.toLowerCase() === 'access-control-expose-headers').flatMap(([, names]) => names.toLowerCase().split(/[\s,]+/));
  return headers.filter(([name]) => !/^set-cookie2?$/i.test(name) && (harmless.test(name) || exposed.includes(name.toLowerCase())));
}
const harmless = /^(access-control-|content-|cross-origin-)|^(age|cache-control|date|etag|expires|last-modified|pragma|server|timing-allow-origin|transfer-encoding|vary)$/i;

/** @param {any} headers by name */
const plainly = (headers) => Object.fromEntries(plain(Object.entries(headers ?? {})));

/** @param {any} params */
function paused(params) {
  if (shown(params.request.url)) return params;
  const request = { ...params.request, headers: without(params.request.headers, 'cookie') };
  const kept = params.responseHeaders && plain(params.responseHeaders.map((/** @type {any} */ { name, value }) => [name, value])).map(([name, value]) => ({ name, value }));
  return { ...params, request, ...(kept ? { responseHeaders: kept } : {}) };
}

/** @param {any} response */
function answer(response) {
  if (!response || shown(response.url)) return response;
  return { ...response, headers: plainly(response.headers), headersText: undefined };
}

/** @type {Map<string, (params: any, tab: Tab) => any>} what is told in place of an event; nothing: it is not */
const events = new Map(Object.entries({
  'Network.requestWillBeSent': (params, tab) => {
    const { requestId, request, redirectResponse } = params;
    goesTo(requestId, request.url);
    if (params.type !== 'Document' || params.frameId !== tab.id) return redirectResponse ? { ...params, redirectResponse: answer(redirectResponse) } : params;
    if (!permitted({ tabId: tab.tabId, url: request.url })) {
      hidden.add(requestId);
      bound(hidden);
      return undefined;
    }
    hidden.delete(requestId);
    return redirectResponse && !permitted({ tabId: tab.tabId, url: redirectResponse.url }) ? { ...params, redirectResponse: undefined } : params;
  },
  'Network.requestWillBeSentExtraInfo': (params) => {
    const all = params.associatedCookies ?? [];
    const kept = all.filter((/** @type {any} */ one) => shown(one.cookie.domain));
    if (kept.length === all.length) return params;
    const sent = kept.filter((/** @type {any} */ one) => one.blockedReasons.length === 0).map((/** @type {any} */ { cookie: { name, value } }) => (name ? `${name}=${value}` : value));
    return { ...params, associatedCookies: kept, headers: { ...without(params.headers, 'cookie'), ...(sent.length > 0 ? { Cookie: sent.join('; ') } : {}) } };
  },
  'Network.responseReceivedExtraInfo': (params) => {
    if (mayTellCookies(params.requestId)) return params;
    return { ...params, headers: plainly(params.headers), headersText: undefined, blockedCookies: [], exemptedCookies: undefined };
  },
  'Network.responseReceived': (params) => (shown(params.response.url) ? params : { ...params, response: answer(params.response) }),
  'Network.webSocketCreated': (params) => {
    goesTo(params.requestId, params.url);
    return params;
  },
  'Network.webSocketWillSendHandshakeRequest': (params) => {
    if (mayTellCookies(params.requestId)) return params;
    return { ...params, request: { headers: without(params.request.headers, 'cookie') } };
  },
  'Network.webSocketHandshakeResponseReceived': (params) => {
    if (mayTellCookies(params.requestId)) return params;
    const { status, statusText, headers } = params.response;
    return { ...params, response: { status, statusText, headers: without(headers, 'set-cookie') } };
  },
  'Fetch.requestPaused': paused,
  'Fetch.authRequired': paused,
  'Audits.issueAdded': (params) => {
    const told = params.issue.details.cookieIssueDetails;
    if (told) delete told.rawCookieLine;
    return params;
  },
  'Page.downloadWillBegin': (params, tab) => {
    if (permitted({ tabId: tab.tabId, url: params.url })) return params;
    hidden.add(params.guid);
    bound(hidden);
    return undefined;
  },
  'Page.downloadProgress': (params) => (hidden.has(params.guid) ? undefined : params),
}));

/**
 * What the relay may hear in place of an event of a tab.
 * @param {Tab} tab
 * @param {string} method
 * @param {any} params
 * @returns {any} undefined: nothing
 */
export function toldOf(tab, method, params) {
  if (pairing()?.share === 'all') return params;
  const tells = events.get(method);
  if (tells && method === 'Network.requestWillBeSent') return tells(params, tab);
  if (hidden.size > 0 && method.startsWith('Network.') && hidden.has(params.requestId)) return undefined;
  return tells ? tells(params, tab) : params;
}

/**
 * What the relay may hear in place of the answer to a command.
 * @param {Tab} tab
 * @param {string} method
 * @param {any} result
 */
export function answerOf(tab, method, result) {
  if (method !== 'Page.getNavigationHistory' || pairing()?.share === 'all') return result;
  const entries = result.entries.map((/** @type {any} */ entry) => {
    if (permitted({ tabId: tab.tabId, url: entry.url })) return entry;
    const url = `${siteOf(entry.url)}/`;
    return { ...entry, url, userTypedURL: url, title: '' };
  });
  return { ...result, entries };
}
