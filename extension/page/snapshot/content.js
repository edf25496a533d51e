// What a page says, as HTML without what nobody sees: shadow trees and slots
// stand where they are shown, and frames are marked to be filled in.

import {ELEMENT, TEXT, attr, baseOf, bodyOf, eachChild, hasAttr, localName, nodeType, plainContains, read, rootElementOf, tagOf,
  textContent, titleOf, wellFormed} from '../dom/dom.js';
import {isPrivate} from '../dom/private.js';
import {beginCall, rendered, styleOf} from '../dom/style.js';
import {nameOf} from '../aria/name.js';
import {continueRefs, eachElement, refOf, refState} from './refs.js';
import {MOST_DEPTH} from './tree.js';
import {locateAll} from '../act/locate.js';

/** @typedef {{html: string, text: number, frames: string[], cut: boolean, next: number, title: string, url: string, count: number}} Content count is of the elements that are meant */

const CONTENT_LIMIT = 8_000_000;
const KEPT = ['href', 'src', 'alt', 'title', 'colspan', 'rowspan', 'class', 'id', 'datetime', 'start', 'lang', 'dir', 'role', 'itemprop', 'headers', 'scope', 'cite'];
export const VOID = new Set(['img', 'br', 'hr', 'wbr', 'col', 'input', 'source', 'area', 'embed']);
const DROPPED = new Set(['script', 'style', 'template', 'noscript', 'meta', 'link', 'base', 'title', 'svg:svg', 'canvas', 'object', 'embed', 'audio', 'video', 'map', 'datalist', 'head']);

/** What is written as a div or a span, whichever it is laid out as. */
const PLAIN = new Set(['slot', 'body', 'html']);

/** @type {Record<string, string>} */
const HTML_ESCAPES = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'};

/** @param {string} text */
export function escaped(text) {
  return wellFormed(text).replace(/[&<>"]/g, (c) => HTML_ESCAPES[c]);
}

/** @param {{prefix: string, next: number, selector?: string}} request @returns {Content} */
export function contentOf(request) {
  beginCall();
  continueRefs(request);
  const roots = meant(request.selector);
  const out = new Writing();
  for (const root of roots) out.element(root, 0);
  beginCall();
  return {
    html: out.parts.join(''), text: out.text, frames: out.frames, cut: out.cut, next: refState.next, title: wellFormed(titleOf(document)),
    url: location.href, count: roots.length,
  };
}

/** What a selector means, else the page; one within another is told once. @param {string} [selector] @returns {Element[]} */
function meant(selector) {
  if (selector) return locateAll(selector).filter((element, _, all) => !all.some((other) => other !== element && plainContains.call(other, element)));
  const body = bodyOf(document) ?? rootElementOf(document);
  return body ? [body] : [];
}

/** HTML as it is written. */
class Writing {
  /** @type {string[]} */
  parts = [];
  size = 0;
  /** Characters of text. */
  text = 0;
  /** The refs of frames, in whose places marks stand. @type {string[]} */
  frames = [];
  cut = false;

  /** @param {string} part */
  put(part) {
    this.size += part.length;
    if (this.size <= CONTENT_LIMIT) this.parts.push(part);
    else this.cut = true;
  }

  /** @param {Element} element @param {number} depth */
  element(element, depth) {
    if (this.cut || depth > MOST_DEPTH) return;
    const tag = tagOf(element);
    if (DROPPED.has(tag)) {
      const name = tag === 'svg:svg' ? nameOf(element) : '';
      if (name) this.put(escaped(name));
      return;
    }
    const style = styleOf(element);
    if (style.display === 'none') return;
    if (tag === 'iframe' || tag === 'frame') {
      this.frame(element);
    } else if (tag === 'textarea' || tag === 'select' || tag === 'input') {
      const shown = fieldShown(element, tag);
      if (shown) this.put(`<span>${escaped(shown)}</span> `);
    } else {
      const written = writtenAs(element, tag, style);
      this.put('<' + written + keptAttributes(element) + '>');
      if (VOID.has(tag)) return;
      this.children(element, depth, style);
      this.put(`</${written}>`);
    }
  }

  /** @param {Element} frame */
  frame(frame) {
    if (read(frame, 'clientWidth') < 2 || read(frame, 'clientHeight') < 2) return;
    this.frames.push(refOf(frame));
    this.put(`<div id="tabrelay-frame-${this.frames.length - 1}"></div>`);
  }

  /** @param {Element} element @param {number} depth @param {CSSStyleDeclaration} style */
  children(element, depth, style) {
    const seen = style.visibility === 'visible';
    eachChild(element, (child) => {
      const type = nodeType(child);
      if (type === TEXT && seen) {
        const text = /** @type {Text} */ (child).data;
        this.text += text.trim().length;
        this.put(escaped(text));
      } else if (type === ELEMENT) {
        this.element(/** @type {Element} */ (child), depth + 1);
      }
    });
  }
}

/** The tag that an element is written as: custom elements say how they are laid out by style alone. @param {Element} element @param {string} tag @param {CSSStyleDeclaration} style */
function writtenAs(element, tag, style) {
  const own = !(tag === 'a' && !hasAttr(element, 'href')) && !/[:-]/.test(tag) && !PLAIN.has(tag);
  if (own) return tag;
  return style.display.startsWith('inline') || style.display === 'contents' ? 'span' : 'div';
}

/** @param {Element} element */
function keptAttributes(element) {
  let text = '';
  for (const name of KEPT) {
    let value = attr(element, name);
    if (value === null) continue;
    if (name === 'href' || name === 'src') value = absolute(value);
    text += ` ${name}="${escaped(value)}"`;
  }
  return text;
}

/** @param {string} url */
function absolute(url) {
  if (url.startsWith('data:')) return '';
  try {
    return new URL(url, baseOf(document)).href;
  } catch {
    return url;
  }
}

/** What a field shows. @param {Element} element @param {string} tag */
export function fieldShown(element, tag) {
  if (tag === 'select') return Array.from(/** @type {HTMLSelectElement} */ (element).selectedOptions, (option) => option.text).join(', ');
  const field = /** @type {HTMLInputElement} */ (element);
  if (tag === 'input' && /^(hidden|checkbox|radio|file|image|range|color)$/.test(field.type)) return '';
  return isPrivate(field) ? '' : field.value;
}

/** The text and the links that are shown. @param {{selector?: string}} request @returns {{text: string, title: string, links: [string, string][], cut: boolean, count: number}} */
export function plainContent(request) {
  beginCall();
  const roots = meant(request.selector);
  const text = roots.map((element) => read(/** @type {HTMLElement} */ (element), 'innerText') ?? textContent(element)).join('\n');
  /** @type {Map<string, string>} */
  const links = new Map();
  for (const root of roots) {
    eachElement(root, (element) => {
      if (localName(element) !== 'a' || !hasAttr(element, 'href') || links.size >= 5000 || !rendered(element)) return;
      const url = absolute(attr(element, 'href') ?? '');
      const name = wellFormed(nameOf(element));
      if (url && !links.get(url)) links.set(url, name.length > 200 ? name.slice(0, 199) + '…' : name);
    });
  }
  beginCall();
  return {text: wellFormed(text.slice(0, CONTENT_LIMIT)), title: wellFormed(titleOf(document)), links: Array.from(links, ([url, name]) => /** @type {[string, string]} */ ([name, url])), cut: text.length > CONTENT_LIMIT, count: roots.length};
}
