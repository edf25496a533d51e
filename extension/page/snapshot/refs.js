// Refs: a number for an element, for the element's life. A number is never
// used twice: the caller keeps the next one across documents.

import {ELEMENT, firstChild, isConnected, nextSibling, nodeType, noteShadow, rootElementOf, shadowOf} from '../dom/dom.js';
import {rendered} from '../dom/style.js';
import {roleOf} from '../aria/role.js';
import {nameOf} from '../aria/name.js';
import {PASSED_OVER} from './roles.js';
import {lineFor} from './describe.js';

/**
 * @typedef {object} Held
 * @property {WeakRef<Element>} node
 * @property {string} role as when the ref was last shown
 * @property {string} name
 */

/** @type {WeakMap<Element, number>} */
const refNumbers = new WeakMap();
/** @type {Map<number, Held>} */
const refHolders = new Map();

export const refState = {prefix: '', next: 1};

/** Takes over the frame's prefix and the next free number; numbers never go back. @param {{prefix?: string, next?: number}} options */
export function continueRefs(options) {
  if (options.prefix !== undefined) refState.prefix = options.prefix;
  if (options.next !== undefined && options.next > refState.next) refState.next = options.next;
}

/** The element's ref, made when it has none. @param {Element} element @param {string} [role] @param {string} [name] */
export function refOf(element, role, name) {
  let number = refNumbers.get(element);
  if (number === undefined) {
    number = refState.next++;
    refNumbers.set(element, number);
    refHolders.set(number, {node: new WeakRef(element), role: role ?? roleOf(element), name: name ?? nameOf(element)});
  } else if (name !== undefined && role !== undefined) {
    const held = refHolders.get(number);
    if (held) {
      held.role = role;
      held.name = name;
    }
  }
  return `${refState.prefix}e${number}`;
}

/** @param {string} ref @returns {Held | null} */
function heldBy(ref) {
  const match = /^(f\d+)?e(\d+)$/.exec(ref);
  if (!match || (match[1] ?? '') !== refState.prefix) return null;
  return refHolders.get(Number(match[2])) ?? null;
}

/** The live element of a ref; null when it is gone or was never given. @param {string} ref @returns {Element | null} */
export function elementOf(ref) {
  const node = heldBy(ref)?.node.deref();
  if (!node || !isConnected(node)) return null;
  noteShadow(node);
  return node;
}

/**
 * Looks for the one element that stands where a gone one stood: the same role and name, and visible.
 * @param {string} ref
 * @returns {{element: Element | null, count: number, role: string, name: string} | null} null when the ref was never given here
 */
export function twinOf(ref) {
  const held = heldBy(ref);
  if (!held) return null;
  /** @type {Element[]} */
  const found = [];
  eachElement(rootElementOf(document), (element) => {
    const role = roleOf(element);
    if (held.role !== role && !(held.role === 'clickable' && PASSED_OVER.has(role))) return;
    if (!rendered(element)) return;
    const line = lineFor(element);
    if (line && line.role === held.role && line.name === held.name) found.push(element);
  });
  const one = found.length === 1 ? found[0] : null;
  if (one) adoptRef(ref, one);
  return {element: one, count: found.length, role: held.role, name: held.name};
}

/** The ref goes on as the twin's, which keeps its own when it has one. @param {string} ref @param {Element} element */
function adoptRef(ref, element) {
  const held = heldBy(ref);
  if (!held) return;
  held.node = new WeakRef(element);
  const match = /e(\d+)$/.exec(ref);
  if (match && !refNumbers.has(element)) refNumbers.set(element, Number(match[1]));
}

/** Visits every element of the frame, shadow trees included, in tree order. @param {Element} top @param {(element: Element) => void} visit */
export function eachElement(top, visit) {
  // Not recursive: a page may nest deeper than the stack.
  /** @type {Element[]} */
  const waiting = [top];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    visit(at);
    const from = waiting.length;
    const root = shadowOf(at);
    for (const tree of root ? [root, at] : [at]) {
      for (let child = firstChild(tree); child; child = nextSibling(child)) {
        if (nodeType(child) === ELEMENT) waiting.push(/** @type {Element} */ (child));
      }
    }
    // The first child is visited first.
    for (let low = from, high = waiting.length - 1; low < high; low++, high--) [waiting[low], waiting[high]] = [waiting[high], waiting[low]];
  }
}
