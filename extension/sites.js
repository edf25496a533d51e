// Which sites agents may use in a person's browser. A site is a scheme and a registrable domain. Where all tabs are shared
// the browser is the agents' own, and nobody is asked.

import { answered, decide, pose, tellChange, withdraw } from './asked.js';
import { memory, save } from './memory.js';
import { pairing } from './pairing.js';
import { readSuffixes, registrable } from './suffixes.js';

/** @typedef {'once'|'always'|'no'} Choice once: until the browser is closed */
/** @typedef {import('./asked.js').Verdict} Verdict */
/** @typedef {{site: string, choice: Choice}} Rule */

/** @type {Record<string, 'always'|'no'>} what the person decided for good */
let kept = {};
/** @type {boolean | undefined} */
let all;

/** Reads what the person decided, once in a worker's life. */
export async function readSites() {
  const [stored] = await Promise.all([chrome.storage.local.get(['sites', 'allSites']), readSuffixes()]);
  places.clear(); // What was read without the suffixes.
  kept = /** @type {typeof kept} */ (stored.sites ?? {});
  all = /** @type {typeof all} */ (stored.allSites);
}

/** @typedef {{url: URL | null, site: string}} Place url: that of a blob's origin; null: it is none */

/** @type {Map<string, Place>} addresses that were read last: each event of the network asks for those of all tabs */
const places = new Map();

/**
 * @param {string} address
 * @returns {Place}
 */
export function placeOf(address) {
  const had = places.get(address);
  if (had) return had;
  const url = URL.parse(address.replace(/^blob:/i, ''));
  const place = { url, site: url && /^(https?|file):$/.test(url.protocol) ? `${url.protocol}//${url.protocol === 'file:' ? '' : registrable(url.hostname)}` : '' };
  if (places.size >= 500) places.clear();
  if (address.length < 2000) places.set(address, place);
  return place;
}

/**
 * The site of an address; empty: it is of none, such as about:blank.
 * @param {string} address
 */
export const siteOf = (address) => placeOf(address).site;

/**
 * The site that a tab shows. A page without an address of its own is its opener's.
 * @param {{tabId: number, url: string}} tab
 */
export const siteShown = ({ tabId, url }) => siteOf(url) || (memory.born[tabId] ?? '');

/**
 * Whether agents may use a tab with what it shows.
 * @param {{tabId: number, url: string}} tab
 */
export function permitted(tab) {
  const site = siteShown(tab);
  return verdict(site) === 'allowed' || memory.grants[tab.tabId] === site;
}

/**
 * @param {string} site
 * @returns {Verdict}
 */
export function verdict(site) {
  if (!site || pairing()?.share === 'all') return 'allowed';
  const rule = ruleOf(site);
  if (rule === 'no') return 'refused';
  return rule || allSites() ? 'allowed' : 'unasked';
}

/** Whether agents may use every site. */
export const everySite = () => pairing()?.share === 'all' || (allSites() && !anyRefused());

/** Whether the person refused a site. */
export const anyRefused = () => Object.values(kept).includes('no');

/**
 * What the person said of a site. Who may use http may use https.
 * @param {string} site
 * @returns {Choice | undefined}
 */
function ruleOf(site) {
  const own = decided(site);
  if (own || !site.startsWith('https:')) return own;
  const rule = decided(site.replace('https:', 'http:'));
  return rule === 'no' ? undefined : rule;
}

/** @param {string} site @returns {Choice | undefined} */
const decided = (site) => kept[site] ?? (memory.once.includes(site) ? 'once' : undefined);

/**
 * The person shared a tab: what it shows then may be used in it.
 * @param {number} tabId
 * @param {string} url
 */
export function grant(tabId, url) {
  memory.grants[tabId] = siteOf(url);
  save();
}

/**
 * What a tab shows without an address is of a site: of that which opened it, or was there before.
 * @param {number} tabId
 * @param {string} site
 * @param {number} [opener] the tab that opened it: what was shared there is shared here
 */
export function bear(tabId, site, opener = -1) {
  memory.born[tabId] = site;
  const granted = memory.grants[opener];
  if (granted !== undefined) memory.grants[tabId] = granted;
  save();
}

/**
 * A page without an address of its own may have been made by the one before it, and is then of its site.
 * @param {{tabId: number, url: string, led: boolean}} tab
 * @param {string} url
 */
export function comesTo(tab, url) {
  if (tab.led) bear(tab.tabId, '');
  else if (!siteOf(url) && siteOf(tab.url) && !permitted(tab)) bear(tab.tabId, siteOf(tab.url));
  Object.assign(tab, { url, title: '' }); // The title is that of the page before.
}

/**
 * The same tab under another id.
 * @param {number} from
 * @param {number} to
 */
export function moveSite(from, to) {
  for (const of of [memory.grants, memory.born]) {
    const site = of[from];
    if (site !== undefined) of[to] = site;
  }
  forgetTab(from);
}

/** @param {number} tabId */
export function forgetTab(tabId) {
  delete memory.grants[tabId];
  delete memory.born[tabId];
  save();
}

/**
 * Asks the person whether agents may use a site.
 * @param {string} site
 * @param {string} agent its name; empty: it has none
 * @returns {boolean} whether the question stands
 */
export const ask = (site, agent) => pose({ id: crypto.randomUUID(), site, agent }, (q) => q.site === site);

/**
 * Waits a while for what they say.
 * @param {string} site
 */
export const answerFor = (site) => answered(() => verdict(site), (q) => q.site === site);

/**
 * The person answers a question.
 * @param {string} id
 * @param {Choice} choice
 */
export async function answer(id, choice) {
  const [question] = withdraw((q) => q.id === id);
  if (!question) return;
  if (!question.site) return decide(id, choice !== 'no');
  clear(question.site);
  if (choice === 'once') memory.once.push(question.site);
  else kept[question.site] = choice;
  await keep();
}

/** What the person decided, by site. @returns {Rule[]} */
export function rules() {
  /** @type {Rule[]} */
  const list = Object.entries(kept).map(([site, choice]) => ({ site, choice }));
  for (const site of memory.once) list.push({ site, choice: 'once' });
  return list.sort((a, b) => a.site.localeCompare(b.site));
}

/**
 * Takes back what was decided for a site; it is asked for again when an agent wants it.
 * @param {string} site
 */
export async function forget(site) {
  clear(site);
  await keep();
}

/** @param {string} site */
function clear(site) {
  delete kept[site];
  memory.once = memory.once.filter((one) => one !== site);
}

/** Whether every site may be used but those refused: what the person chose, or else what the pairing says. */
export const allSites = () => all ?? pairing()?.allSites ?? false;

/** @param {boolean} on */
export async function setAllSites(on) {
  all = on;
  await keep();
}

/** Counts at once and is kept. */
async function keep() {
  tellChange();
  await Promise.all([save(), chrome.storage.local.set({ sites: kept, ...(all === undefined ? {} : { allSites: all }) })]);
}
