// What a page says, as HTML without what nobody sees: shadow trees and slots
// stand where they are shown, and frames are marked to be filled in.

import {ELEMENT, TEXT, attr, baseOf, bodyOf, eachChild, hasAttr, localName, nodeType, plainContains, read, rootElementOf, tagOf,
  textContent, titleOf, wellFormed} from '../dom/dom.js';
import {beginCall, rendered, styleOf} from '../dom/style.js';
import {nameOf} from '../aria/name.js';
import {continueRefs, eachElement, elementOf, refOf, refState} from './refs.js';
import {MOST_DEPTH} from './tree.js';
import {locateAll} from '../act/locate.js';

/** @typedef {{html: string, text: number, frames: string[], cut: boolean, next: number, title: string, url: string, count: number}} Content count is of the elements that are meant */

const CONTENT_LIMIT = 8_000_000;
const KEPT = ['href', 'src', 'alt', 'title', 'colspan', 'rowspan', 'class', 'id', 'datetime', 'start', 'lang', 'dir', 'role', 'itemprop', 'headers', 'scope', 'cite'];
export const VOID = new Set(['img', 'br', 'hr', 'wbr', 'col', 'input', 'source', 'area', 'embed']);
const DROPPED = new Set(['script', 'style', 'template', 'noscript', 'meta', 'link', 'base', 'title', 'svg:svg', 'canvas', 'object', 'embed', 'audio', 'video', 'map', 'datalist', 'head']);

/** @type {Record<string, string>} */
const HTML_ESCAPES = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'};

/** @param {string} text */
export function escaped(text) {
  return wellFormed(text).replace(/[&<>"]/g, (c) => HTML_ESCAPES[c]);
}

/** @param {{prefix: string, next: number, selector?: string, ref?: string, format?: string}} request @returns {Content} */
export function contentOf(request) {
  beginCall();
  continueRefs(request);
  /** @type {Content} */
  const out = {html: '', text: 0, frames: [], cut: false, next: refState.next, title: wellFormed(titleOf(document)), url: location.href, count: 0};
  /** @type {Element[]} */
  let roots = [];
  if (request.selector || request.ref) {
    const found = request.ref ? elementOf(request.ref) : null;
    roots = request.selector ? locateAll(request.selector) : found ? [found] : [];
    // One within another is told once.
    roots = roots.filter((element) => !roots.some((other) => other !== element && plainContains.call(other, element)));
  } else {
    const body = bodyOf(document) ?? rootElementOf(document);
    if (body) roots = [body];
  }
  out.count = roots.length;
  /** @type {string[]} */
  const parts = [];
  let size = 0;
  /** @param {string} part */
  const put = (part) => {
    size += part.length;
    if (size <= CONTENT_LIMIT) parts.push(part);
    else out.cut = true;
  };
  /** @param {Element} element @param {number} depth */
  const walk = (element, depth) => {
    if (out.cut || depth > MOST_DEPTH) return;
    const tag = tagOf(element);
    if (DROPPED.has(tag)) {
      const name = tag === 'svg:svg' ? nameOf(element) : '';
      if (name) put(escaped(name));
      return;
    }
    const style = styleOf(element);
    if (style.display === 'none') return;
    if (tag === 'iframe' || tag === 'frame') {
      if (read(element, 'clientWidth') < 2 || read(element, 'clientHeight') < 2) return;
      out.frames.push(refOf(element));
      put(`<div id="tabrelay-frame-${out.frames.length - 1}"></div>`);
      return;
    }
    if (tag === 'textarea' || tag === 'select' || tag === 'input') {
      const shown = fieldShown(element, tag);
      if (shown) put(`<span>${escaped(shown)}</span> `);
      return;
    }
    const seen = style.visibility === 'visible';
    const plain = (tag === 'a' && !hasAttr(element, 'href')) || tag.includes(':') || tag.includes('-') || tag === 'slot' || tag === 'body' || tag === 'html' || tag === 'noscript';
    // Custom elements say how they are laid out by style alone.
    const written = plain ? (style.display.startsWith('inline') || style.display === 'contents' ? 'span' : 'div') : tag;
    let head = '<' + written;
    for (const name of KEPT) {
      let value = attr(element, name);
      if (value === null) continue;
      if (name === 'href' || name === 'src') value = absolute(value);
      head += ` ${name}="${escaped(value)}"`;
    }
    put(head + '>');
    if (VOID.has(tag)) return;
    eachChild(element, (child) => {
      const type = nodeType(child);
      if (type === TEXT && seen) {
        const text = /** @type {Text} */ (child).data;
        out.text += text.trim().length;
        put(escaped(text));
      } else if (type === ELEMENT) {
        walk(/** @type {Element} */ (child), depth + 1);
      }
    });
    put(`</${written}>`);
  };
  for (const root of roots) walk(root, 0);
  out.html = parts.join('');
  out.next = refState.next;
  beginCall();
  return out;
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
  if (tag === 'input' && /^(hidden|password|checkbox|radio|file|image|range|color)$/.test(field.type)) return '';
  return field.value;
}

/** The text and the links that are shown. @param {{selector?: string}} request @returns {{text: string, links: [string, string][], cut: boolean, count: number}} */
export function plainContent(request) {
  beginCall();
  let roots = request.selector ? locateAll(request.selector) : [bodyOf(document) ?? rootElementOf(document)];
  roots = roots.filter((element) => element && !roots.some((other) => other !== element && plainContains.call(other, element)));
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
  return {text: wellFormed(text.slice(0, CONTENT_LIMIT)), links: Array.from(links, ([url, name]) => /** @type {[string, string]} */ ([name, url])), cut: text.length > CONTENT_LIMIT, count: roots.length};
}
