// Finding elements by selector: CSS through open shadow roots, the text that is
// seen, role and name, XPath; and by a chain of them, each within the one before.

import {ELEMENT, TEXT, allRoots, attr, bodyOf, collapse, comparable, composedParent, firstChild, invoke, localName, matches, nextSibling, nodeType,
  parentElement, read, rootElementOf, textContent} from '../dom/dom.js';
import {rendered, styleOf} from '../dom/style.js';
import {ROLE_SYNONYMS, roleOf} from '../aria/role.js';
import {NEVER_TEXT, nameOf} from '../aria/name.js';
import {continueRefs, eachElement, refOf, refState} from '../snapshot/refs.js';
import {ACTING} from '../snapshot/clickable.js';
import {Objected} from '../objection.js';
import {PASSED_OVER} from '../snapshot/roles.js';
import {describe, shownName, shownRole} from '../snapshot/describe.js';

/**
 * What a selector says.
 * @typedef {object} Sought
 * @property {'css' | 'text' | 'role' | 'xpath'} kind
 * @property {string} source the selector without its kind
 * @property {((text: string) => boolean)} [accepts] for a text or a name
 * @property {boolean} [part] what has not the text has nothing inside that has
 */

/** @param {string} selector @returns {Sought} */
function parseSelector(selector) {
  const text = selector.trim();
  if (!text) throw new Objected('selector-empty');
  const match = /^(css|text|role|xpath)\s*=\s*([\s\S]*)$/.exec(text);
  if (match?.[1] === 'text') return {kind: 'text', source: match[2], accepts: textTest(match[2], false), part: !/^["'/]/.test(match[2].trim())};
  if (match?.[1] === 'role') return parseRole(match[2]);
  if (match?.[1] === 'xpath') return {kind: 'xpath', source: match[2]};
  if (match?.[1] === 'css') return {kind: 'css', source: match[2]};
  if (/^\(*\/\//.test(text) || text.startsWith('/html')) return {kind: 'xpath', source: text};
  return {kind: 'css', source: text};
}

/**
 * A test of a text: quoted is exact, between slashes a regular expression, else a part without regard to case.
 * @param {string} written
 * @param {boolean} name whether it is a name, of which every one may be sought
 * @returns {(text: string) => boolean}
 */
function textTest(written, name) {
  const text = written.trim();
  const expression = /^\/((?:[^\\/]|\\.)+)\/([a-z]*)$/.exec(text);
  if (expression) {
    try {
      const pattern = new RegExp(expression[1], expression[2].replace(/[gy]/g, ''));
      return (found) => pattern.test(found) || pattern.test(comparable(found));
    } catch (problem) {
      throw new Objected('selector-regex', {why: /** @type {Error} */ (problem).message});
    }
  }
  const quoted = /^(["'])([\s\S]*)\1(i?)$/.exec(text);
  if (quoted) {
    const exact = comparable(quoted[2].replace(/\\(["'\\])/g, '$1'));
    if (quoted[3]) return (found) => comparable(found).toLowerCase() === exact.toLowerCase();
    return (found) => comparable(found) === exact;
  }
  const part = comparable(text).toLowerCase();
  if (!part && !name) throw new Objected('selector-text');
  return (found) => comparable(found).toLowerCase().includes(part);
}

/** @param {string} source @returns {Sought} */
function parseRole(source) {
  const match = /^\s*([\w-]+)\s*(?:\[\s*name\s*\*?=\s*([\s\S]+?)\s*\])?\s*$/.exec(source);
  if (!match) throw new Objected('selector-role');
  const role = match[1].toLowerCase();
  return {kind: 'role', source: ROLE_SYNONYMS[role] ?? role, accepts: match[2] === undefined ? undefined : textTest(match[2], true)};
}

/** The elements that a selector means; of several, those that can be seen. @param {string} selector @returns {Element[]} */
export function locateAll(selector) {
  /** @type {Element[] | null} */
  let around = null;
  for (const part of chainOf(selector)) around = locateWithin(part, around);
  const found = around ?? [];
  if (found.length < 2) return found;
  const seen = found.filter(rendered);
  return seen.length ? seen : found;
}

/** The selectors of a chain such as `iframe#pay >> #card`; within quotes >> is text. @param {string} selector @returns {string[]} */
function chainOf(selector) {
  return selector.includes('>>') ? selector.split(CHAIN) : [selector];
}

/** A >> outside quotes; an apostrophe within a word is no quote. */
const CHAIN = />>>?(?=(?:[^"']|"[^"]*"|(?<!\w)'[^']*'|(?<=\w)')*$)/;

/** @param {string} part of a chain @param {Element[] | null} around null for the document @returns {Element[]} */
function locateWithin(part, around) {
  const sought = parseSelector(part);
  const found = locators[sought.kind](sought);
  if (!around) return found;
  return found.filter((element) => {
    for (let at = composedParent(element); at; at = composedParent(at)) if (around.includes(at)) return true;
    return false;
  });
}

/**
 * The frames that the beginning of a chain leads to, and the rest of it, which is meant within them.
 * @param {{selector: string, prefix?: string, next?: number}} request
 * @returns {{refs: string[], rest: string, next: number}}
 */
export function entrances(request) {
  continueRefs(request);
  const parts = chainOf(request.selector);
  /** @type {Element[] | null} */
  let around = null;
  for (let at = 0; at + 1 < parts.length; at++) {
    around = locateWithin(parts[at], around);
    const refs = around.filter((element) => FRAMES.has(localName(element))).map((element) => refOf(element));
    if (refs.length) return {refs, rest: parts.slice(at + 1).join(' >> '), next: refState.next};
  }
  return {refs: [], rest: '', next: refState.next};
}

const FRAMES = new Set(['iframe', 'frame']);

/** @type {Record<Sought['kind'], (sought: Sought) => Element[]>} */
const locators = {css: locateCss, text: locateText, role: locateRole, xpath: locateXPath};

/** @param {Sought} sought */
function locateCss({source}) {
  /** @type {Element[]} */
  const found = [];
  try {
    const roots = allRoots();
    for (const root of roots) found.push(...invoke(root, 'querySelectorAll', source));
    if (found.length || roots.length < 2) return found;
    // `host-element .inside` goes through a root: match the last part in it,
    // the parts before it among what is around.
    const parts = source.match(/(?:\[[^\]]*\]|\([^)]*\)|"[^"]*"|[^\s[("])+/g) ?? [];
    if (parts.length < 2 || parts.some((part) => /^[>+~]$/.test(part)) || source.includes(',')) return found;
    const last = parts[parts.length - 1];
    for (const root of roots) {
      for (const element of invoke(root, 'querySelectorAll', last)) {
        let left = parts.length - 2;
        for (let at = composedParent(element); at && left >= 0; at = composedParent(at)) if (matches(at, parts[left])) left--;
        if (left < 0) found.push(element);
      }
    }
    return found;
  } catch {
    throw new Objected('selector-css', {about: source});
  }
}

/** The smallest elements that show a text. @param {Sought} sought */
export function locateText(sought) {
  const accepts = sought.accepts ?? (() => false);
  /** @type {Set<Element>} */
  const found = new Set();
  /** @param {Element} element @returns {boolean} whether it or something in it was taken */
  const visit = (element) => {
    const tag = localName(element);
    if (NEVER_TEXT.has(tag)) return false;
    const all = collapse(textContent(element) ?? '');
    if (!all || (sought.part && !accepts(all))) return false;
    let inside = false;
    for (let at = firstChild(element); at; at = nextSibling(at)) if (nodeType(at) === ELEMENT && visit(/** @type {Element} */ (at))) inside = true;
    if (inside) return true;
    if (!rendered(element)) return false;
    const text = collapse(seenText(element));
    if (!accepts(text)) return false;
    found.add(actingAround(element, text));
    return true;
  };
  for (const root of allRoots()) {
    const top = root === document ? [bodyOf(document) ?? rootElementOf(document)] : read(root, 'children');
    for (const element of top) if (element) visit(element);
    for (const button of invoke(root, 'querySelectorAll', 'input[type=submit], input[type=button], input[type=reset]')) {
      if (accepts(collapse(/** @type {HTMLInputElement} */ (button).value)) && rendered(button)) found.add(button);
    }
  }
  return [...found];
}

/** The text of an element without what is never seen. @param {Element} element @returns {string} */
export function seenText(element) {
  let text = '';
  for (let at = firstChild(element); at; at = nextSibling(at)) {
    if (nodeType(at) === TEXT) text += /** @type {Text} */ (at).data;
    else if (nodeType(at) === ELEMENT && !NEVER_TEXT.has(localName(/** @type {Element} */ (at))) && styleOf(/** @type {Element} */ (at)).display !== 'none') {
      text += localName(/** @type {Element} */ (at)) === 'br' ? ' ' : seenText(/** @type {Element} */ (at));
    }
  }
  return text;
}

/** The control whose whole text an element is, else the element. @param {Element} element @param {string} text */
function actingAround(element, text) {
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) {
    if (collapse(seenText(at)) !== text) break;
    if (ACTING.has(roleOf(at))) return at;
  }
  return element;
}

/** @param {Sought} sought */
function locateRole({source, accepts}) {
  /** @type {Element[]} */
  const found = [];
  if (!rootElementOf(document)) return found;
  eachElement(rootElementOf(document), (element) => {
    const role = roleOf(element);
    if (role !== source && (!PASSED_OVER.has(role) || source !== 'clickable' || shownRole(element) !== source)) return;
    if (!rendered(element)) return;
    if (accepts && !accepts(shownName(element, source))) return;
    found.push(element);
  });
  return found;
}

/** @param {Sought} sought */
function locateXPath({source}) {
  try {
    const result = invoke(document, 'evaluate', source, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    /** @type {Element[]} */
    const found = [];
    for (let i = 0; i < result.snapshotLength; i++) {
      const node = result.snapshotItem(i);
      if (node && nodeType(node) === ELEMENT) found.push(/** @type {Element} */ (node));
      const around = node && nodeType(node) === TEXT ? parentElement(node) : null;
      if (around) found.push(around);
    }
    return found;
  } catch {
    throw new Objected('selector-xpath', {about: source});
  }
}

/** What is near to a selector that found nothing: controls that share a word with it. @param {string} selector @returns {string[]} */
export function nearMisses(selector) {
  const words = selector.replace(/^(text|role|css|xpath)=/, '').toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  if (!words.length || !rootElementOf(document)) return [];
  /** @type {{element: Element, score: number, seen: boolean}[]} */
  const near = [];
  let looked = 0;
  eachElement(rootElementOf(document), (element) => {
    if (looked > 3000 || !ACTING.has(roleOf(element))) return;
    looked++;
    const seen = rendered(element);
    const name = comparable(`${seen ? nameOf(element) : textContent(element)} ${attr(element, 'id') ?? ''}`).toLowerCase();
    const score = words.filter((word) => name.includes(word)).length;
    if (seen ? score : score === words.length) near.push({element, score, seen});
  });
  near.sort((a, b) => b.score - a.score);
  return near.slice(0, 3).map(({element, seen}) => describe(element) + (seen ? '' : ' (hidden: something else shows it)'));
}
