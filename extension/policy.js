// What may be forwarded to the debugger. policy.json is the table: the methods, on which kinds of target, and what
// their arguments must be. What is not in it is refused, whoever asks.

import { eligible } from './addresses.js';
import { Fault } from './fault.js';
import { pairing } from './pairing.js';
import { permitted, placeOf } from './sites.js';
import { registrable } from './suffixes.js';
import { knownTabs } from './tabs.js';

/** @typedef {{on?: string[], args?: Record<string, string>, jar?: boolean}} Rule */

/** @type {Map<string, Rule>} */
let methods = new Map();

/** Reads the table, once in a worker's life; until then nothing may be forwarded. */
export async function readPolicy() {
  if (methods.size > 0) return;
  const file = await fetch(chrome.runtime.getURL('policy.json'));
  methods = new Map(Object.entries((await file.json()).methods));
}

/** @type {Record<string, [(value: string) => boolean, string]>} */
const checks = {
  address: [eligible, 'an http, https, data, blob or about:blank address'],
  origin: [origin, 'an http or https origin with a host, of a site that a shared tab shows'],
  storageKey: [(key) => origin(key.split('^')[0] ?? ''), 'the storage key of an http or https site that a shared tab shows'],
  site: [shown, 'of a site that a shared tab shows'],
  path: [(path) => /^(\/|[a-z]:[\\/])/i.test(path) && !/(^|[\\/])\.\.([\\/]|$)/.test(path), 'an absolute path without ..'],
};

/**
 * What is carried out in place of a command; it throws what says why not.
 * @param {string} kind of the target: page, iframe, worker and so on
 * @param {string} method
 * @param {any} params
 * @param {(address: string) => void} visit throws where the tab may not go
 * @returns {{method: string, params: any}}
 */
export function allowed(kind, method, params, visit) {
  const rule = methods.get(method);
  if (!rule) throw new Fault(`'${method}' wasn't found: Tabrelay does not forward this method`, -32601);
  if (rule.on && !rule.on.includes(kind)) throw new Fault(`'${method}' wasn't found: targets of type ${kind} do not have this method`, -32601);
  for (const [path, check] of Object.entries(rule.args ?? {})) {
    const [fits, what] = checks[check] ?? [() => false, 'known'];
    for (const value of at(params, path.split('.'))) {
      if (value === undefined || value === null) continue;
      if (typeof value !== 'string' || !fits(value)) throw new Fault(`'${method}' is refused: ${path} must be ${what}`);
      if (check === 'address') visit(value);
    }
  }
  // The whole jar is the person's: of it comes what the shared tabs have.
  if (rule.jar && pairing()?.share !== 'all' && !(rule.args?.urls && params?.urls)) return { method: 'Network.getCookies', params: { urls: sharedSites().map((url) => url.href) } };
  return { method, params };
}

/**
 * The values at a path; a list stands for each of its members.
 * @param {any} value
 * @param {string[]} path
 * @returns {unknown[]}
 */
function at(value, path) {
  if (Array.isArray(value)) return value.flatMap((one) => at(one, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  return typeof value === 'object' && value !== null ? at(value[name], rest) : [undefined];
}

/** @param {string} value */
function origin(value) {
  return /^https?:\/\/[^\s/?#*%@\\]+\/?$/i.test(value) && URL.canParse(value) && shown(value);
}

/** The addresses of shared tabs on the web. */
function sharedSites() {
  return knownTabs().filter(permitted).map((tab) => placeOf(tab.url).url).filter((url) => url !== null).filter((url) => /^https?:$/.test(url.protocol));
}

/**
 * Whether an address or a domain belongs to what a shared tab shows: its host, or one above or below it in the same
 * registrable domain. Where all tabs are shared the browser is the agents' own.
 * @param {string} value
 */
export function shown(value) {
  if (pairing()?.share === 'all') return true;
  const host = (placeOf(value).url ?? placeOf(`http://${value.replace(/^\./, '')}`).url)?.hostname;
  if (!host) return false;
  return sharedSites().some(({ hostname }) => hostname === host
    || ((hostname.endsWith(`.${host}`) || host.endsWith(`.${hostname}`)) && registrable(hostname) === registrable(host)));
}
