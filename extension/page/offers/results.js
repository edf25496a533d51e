// The results on a page of a search engine, without knowing the engine: links
// that lead elsewhere, the headings or rows that they are in, and the longest
// text beside each.

import {attr, baseOf, closest, collapse, composedParent, findAll, localName, nextElement, plainContains, queryAll, read,
  textContent, wellFormed} from '../dom/dom.js';
import {beginCall, rendered, styleOf} from '../dom/style.js';
import {change} from '../dom/wait.js';
import {MUTE} from './outline.js';

/** @typedef {{title: string, url: string, snippet: string}} SearchResult */

/** What the ways out of an engine carry the address in. */
const CARRIERS = ['uddg', 'url', 'u', 'q', 'target', 'to', 'dest', 'ru'];
/** How long results elsewhere are waited for before the engine's own pages count, in ms. */
const OWN_AFTER = 1000;
/** Parts of a page that hold no results. */
const ASIDE = 'nav, header, footer, form, [role="navigation"], [role="search"], [role="banner"], [role="contentinfo"]';
export const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role="heading"]';

/**
 * The results of the page; waits for the first one while there is time.
 * @param {{limit: number, wait: number}} request
 * @returns {Promise<SearchResult[]>}
 */
export async function searchResults(request) {
  const until = performance.now() + request.wait;
  const alone = performance.now() + Math.min(request.wait, OWN_AFTER);
  for (;;) {
    beginCall();
    const found = resultsNow().slice(0, request.limit);
    const left = until - performance.now();
    if (found.length) return found;
    // An engine inside a company finds what is on its own host; who leads away may be late.
    const own = left <= 0 || performance.now() > alone ? resultsNow(true).slice(0, request.limit) : [];
    if (own.length || left <= 0) return own;
    await change(Math.min(left, 250));
  }
}

/** @param {boolean} [own] those on the engine's own host @returns {SearchResult[]} */
function resultsNow(own = false) {
  const links = titleLinks(leading(own));
  if (own && links.length < 2) return []; // one link is no list
  /** @type {Map<string, SearchResult>} */
  const found = new Map();
  for (const {link, url} of links) {
    if (found.has(url)) continue;
    const title = titleOfLink(link);
    found.set(url, {title: wellFormed(title), url, snippet: wellFormed(snippetOf({link, url}, title, links))});
  }
  return Array.from(found.values());
}

/** @typedef {{link: Element, url: string}} Leading */

/** The links that lead away from the engine, or to other pages of its own. @param {boolean} own @returns {Leading[]} */
function leading(own) {
  /** @type {Leading[]} */
  const found = [];
  for (const link of findAll('a[href]')) {
    const url = own ? ownPage(/** @type {HTMLAnchorElement} */ (link).href) : unwrapped(/** @type {HTMLAnchorElement} */ (link).href);
    if (!url || !rendered(link) || closest(link, ASIDE) || collapse(textContent(link)).length < 2) continue;
    found.push({link, url});
  }
  return found;
}

/** The address of another page of the engine's host; '' where it is the search itself, the host's first page, or elsewhere. @param {string} href */
function ownPage(href) {
  try {
    const url = new URL(href, baseOf(document));
    return url.origin === location.origin && url.pathname !== location.pathname && url.pathname !== '/' ? url.href : '';
  } catch {
    return '';
  }
}

/** @param {string} host */
function siteOf(host) {
  if (/^[\d.]+$/.test(host) || host.includes(':')) return host;
  const parts = host.split('.');
  return parts.slice(/^(co|com|org|net|ac|gov|edu)$/.test(parts[parts.length - 2] ?? '') && parts[parts.length - 1].length === 2 ? -3 : -2).join('.');
}

/** The address behind a link, without the engine's redirect; '' where it stays with the engine or is an advertisement. @param {string} href */
function unwrapped(href) {
  for (let left = 3; left > 0; left--) {
    /** @type {URL} */
    let url;
    try {
      url = new URL(href, baseOf(document));
    } catch {
      return '';
    }
    if (!/^https?:$/.test(url.protocol) || /\/(aclk|aclick)\b|[?&]ad_(domain|provider)=/.test(url.href)) return '';
    const own = siteOf(url.hostname) === siteOf(location.hostname) && (url.hostname !== location.hostname || url.port === location.port);
    const inner = carried(url);
    if (inner && (own || /\/(url|redirect|redir|l|r|ck\/a|link|out)\/?$/.test(url.pathname))) {
      href = inner;
      continue;
    }
    return own ? '' : url.href;
  }
  return '';
}

/** The address that another one carries. @param {URL} url */
function carried(url) {
  const inPath = /\/RU=([^/]+)/.exec(url.pathname);
  const values = [inPath ? decodeURIComponent(inPath[1]) : '', ...CARRIERS.map((name) => url.searchParams.get(name) ?? ''), ...Array.from(url.searchParams.values())];
  for (const value of values) {
    if (/^https?:\/\/[^\s]+$/i.test(value)) return value;
    if (/^a1[\w-]{8,}$/.test(value)) { // base64, with two characters before it
      try {
        const plain = atob(value.slice(2).replace(/-/g, '+').replace(/_/g, '/'));
        if (/^https?:\/\//.test(plain)) return plain;
      } catch {
        continue;
      }
    }
  }
  return '';
}

/** The heading of a link: in it or around it. @param {Element} link */
function headingOf(link) {
  return queryAll(link, HEADINGS)[0] ?? closest(link, HEADINGS);
}

/** @param {Element} link */
function titleOfLink(link) {
  const inside = queryAll(link, HEADINGS)[0];
  return collapse(textContent(inside ?? link)).slice(0, 300);
}

/** Of links that lead away, those that are titles of results. @param {Leading[]} links @returns {Leading[]} */
function titleLinks(links) {
  const headed = links.filter(({link}) => headingOf(link));
  /** @type {Map<string, Leading[]>} */
  const kinds = new Map();
  for (const one of links) {
    const kind = kindOfLink(one.link);
    kinds.set(kind, [...kinds.get(kind) ?? [], one]);
  }
  // Results repeat; the kind with the most to say in its titles is theirs.
  /** @param {Leading[]} list */
  const weight = (list) => new Set(list.map((one) => one.url)).size < 2 ? 0 : list.reduce((sum, one) => sum + Math.min(collapse(textContent(one.link)).length, 80), 0);
  const best = Array.from(kinds.values()).sort((a, b) => weight(b) - weight(a))[0] ?? [];
  if (headed.length >= 2 || headed.length && weight(best) === 0) return headed;
  return weight(best) ? best : links;
}

/** Where a link is, so that those of results are alike. @param {Element} link */
function kindOfLink(link) {
  let kind = '';
  /** @type {Element | null} */
  let at = link;
  for (let i = 0; i < 4 && at; i++, at = composedParent(at)) {
    kind += `${localName(at)}.${(attr(at, 'class') ?? '').split(/\s+/).slice(0, 2).join('.')} `;
  }
  return kind;
}

/** The longest text that stands with a link and with no other. @param {Leading} one @param {string} title @param {Leading[]} links */
function snippetOf({link, url}, title, links) {
  const others = links.filter((other) => other.link !== link && other.url !== url).map((other) => other.link);
  /** @param {Element} element */
  const shared = (element) => others.some((other) => plainContains.call(element, other));
  /** @type {Element} */
  let box = link;
  for (let i = 0; i < 8; i++) {
    const above = composedParent(box);
    if (!above || localName(above) === 'body' || shared(above)) break;
    box = above;
  }
  let best = longestText(box, link, title);
  // Titles and texts may also be rows that take turns.
  for (let row = nextElement(box), i = 0; row && i < 4 && !shared(row); row = nextElement(row), i++) {
    if (links.some((other) => other.link === row) || closest(row, ASIDE)) break;
    const text = longestText(row, link, title);
    if (text.length > best.length) best = text;
  }
  return best.length > 500 ? best.slice(0, 499).trimEnd() + '…' : best;
}

/** The longest text of one block within an element, apart from a link. @param {Element} box @param {Element} link @param {string} title */
function longestText(box, link, title) {
  let best = '';
  for (const element of [box, ...queryAll(box, '*')]) {
    if (plainContains.call(link, element) || plainContains.call(element, link) || MUTE.has(localName(element)) || !rendered(element)) continue;
    const text = collapse(read(/** @type {HTMLElement} */ (element), 'innerText') ?? '');
    // A box of boxes says the same as they do, with more around it.
    if (text.length <= best.length || text === title || isAddress(text) || Array.from(read(element, 'children')).some((child) => isBlock(child))) continue;
    best = text;
  }
  return best;
}

/** @param {Element} element */
function isBlock(element) {
  const display = styleOf(element).display;
  return display !== 'none' && !display.startsWith('inline') && display !== 'contents';
}

/** Whether a text is an address that is shown to people. @param {string} text */
function isAddress(text) {
  return /^(https?:\/\/)?[\w-]+(\.[\w-]+)+([\s/›»>].*)?$/i.test(text) && !/[.!?]\s+\w+\s+\w+/.test(text);
}
