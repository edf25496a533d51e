// Reading the DOM of a page that may get in the way. A form's controls shadow
// its own properties (<input name="tagName">), in isolated worlds too, so what
// matters goes through getters and methods taken once from the prototypes.

import {call} from './style.js';
import {noteRoot} from './hosts.js';

const domElement = Element.prototype;

/**
 * The prototype's own getter as a plain function.
 * @param {object} proto
 * @param {string} property
 * @returns {(object: any) => any}
 */
function domGetter(proto, property) {
  const get = Object.getOwnPropertyDescriptor(proto, property)?.get;
  if (!get) return () => null;
  return (object) => get.call(object);
}

/**
 * A property as the object's interface has it.
 * @template {object} T
 * @template {keyof T} K
 * @param {T} object
 * @param {K} property
 * @returns {T[K]}
 */
export function read(object, property) {
  return Reflect.get(Object.getPrototypeOf(object), property, object);
}

/**
 * Calls a method as the object's interface has it.
 * @template {object} T
 * @template {keyof T} K
 * @param {T} object
 * @param {K} method
 * @param {...any} given
 * @returns {T[K] extends (...given: any) => infer R ? R : never}
 */
export function invoke(object, method, ...given) {
  return Reflect.apply(/** @type {Function} */ (read(object, method)), object, given);
}

/** @type {(node: Node) => number} */
export const nodeType = domGetter(Node.prototype, 'nodeType');
/** @type {(node: Node) => Node | null} */
export const firstChild = domGetter(Node.prototype, 'firstChild');
/** @type {(node: Node) => Node | null} */
export const nextSibling = domGetter(Node.prototype, 'nextSibling');
/** @type {(node: Node) => Node | null} */
export const previousSibling = domGetter(Node.prototype, 'previousSibling');
/** @type {(node: Node) => Node | null} */
export const parentNode = domGetter(Node.prototype, 'parentNode');
/** @type {(node: Node) => Element | null} */
export const parentElement = domGetter(Node.prototype, 'parentElement');
/** @type {(node: Node) => string} */
export const textContent = domGetter(Node.prototype, 'textContent');
/** @type {(node: Node) => boolean} */
export const isConnected = domGetter(Node.prototype, 'isConnected');
/** @type {(element: Element) => string} */
export const localName = domGetter(domElement, 'localName');
/** @type {(element: Element) => string} */
const namespace = domGetter(domElement, 'namespaceURI');
/** @type {(element: Element) => ShadowRoot | null} */
export const openRoot = domGetter(domElement, 'shadowRoot');
/** @type {(element: Element) => Element | null} */
export const previousElement = domGetter(domElement, 'previousElementSibling');
/** @type {(element: Element) => Element | null} */
export const nextElement = domGetter(domElement, 'nextElementSibling');
/** @type {(element: Element) => number} */
export const childElementCount = domGetter(domElement, 'childElementCount');

export const ELEMENT = 1;
export const TEXT = 3;
export const FRAGMENT = 11;
const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const MATH_NAMESPACE = 'http://www.w3.org/1998/Math/MathML';

const plainGetAttribute = domElement.getAttribute;
const plainHasAttribute = domElement.hasAttribute;
const plainRootOf = Node.prototype.getRootNode;
export const plainContains = Node.prototype.contains;
const plainRect = domElement.getBoundingClientRect;
const plainQueryAll = domElement.querySelectorAll;
const plainClosest = domElement.closest;
const plainMatches = domElement.matches;
export const plainVisible = domElement.checkVisibility;

/** @param {Element} element @param {string} attribute @returns {string | null} */
export function attr(element, attribute) {
  return plainGetAttribute.call(element, attribute);
}

/** @param {Element} element @param {string} attribute */
export function hasAttr(element, attribute) {
  return plainHasAttribute.call(element, attribute);
}

/** The attribute in lower case, without white space around it. @param {Element} element @param {string} attribute */
export function token(element, attribute) {
  const value = plainGetAttribute.call(element, attribute);
  return value === null ? '' : value.trim().toLowerCase();
}

// Named elements (<img name="querySelector">) shadow the document's properties as well.
const plainFind = Document.prototype.querySelector;
const plainFindAll = Document.prototype.querySelectorAll;
const plainById = Document.prototype.getElementById;
const plainByTag = Document.prototype.getElementsByTagName;
/** @type {(from: Document) => Element | null} */
export const bodyOf = domGetter(Document.prototype, 'body');
/** @type {(from: Document) => Element} */
export const rootElementOf = domGetter(Document.prototype, 'documentElement');
/** @type {(from: Document) => Element | null} */
export const activeOf = domGetter(Document.prototype, 'activeElement');
/** @type {(from: Document) => string} */
export const titleOf = domGetter(Document.prototype, 'title');
/** @type {(from: Document) => Element | null} */
export const pageScrollerOf = domGetter(Document.prototype, 'scrollingElement');
/** @type {(from: Document) => StyleSheetList} */
export const sheetsOf = domGetter(Document.prototype, 'styleSheets');
/** @type {(from: Node) => string} */
export const baseOf = domGetter(Node.prototype, 'baseURI');

/** The document's first match. @param {string} selector @returns {Element | null} */
export function find(selector) {
  return plainFind.call(document, selector);
}

/** The document's matches; shadow trees are not looked into. @param {string} selector @returns {NodeListOf<Element>} */
export function findAll(selector) {
  return plainFindAll.call(document, selector);
}

/** The document and the shadow roots in it. @returns {(Document | ShadowRoot)[]} */
export function allRoots() {
  /** @type {(Document | ShadowRoot)[]} */
  const roots = [document];
  for (let i = 0; i < roots.length; i++) {
    for (const element of invoke(roots[i], 'querySelectorAll', '*')) {
      const root = shadowOf(element);
      if (root) roots.push(root);
    }
  }
  return roots;
}

/** The document's elements of a tag; Chrome remembers these lists, unlike those of selectors. @param {string} tag @returns {HTMLCollectionOf<Element>} */
export function allOfTag(tag) {
  return plainByTag.call(document, tag);
}

/**
 * How far an element is scrolled, how much it holds and how much of it is shown, in CSS pixels.
 * @param {Element} element
 */
export function scrollOf(element) {
  return {
    left: read(element, 'scrollLeft'), top: read(element, 'scrollTop'), width: read(element, 'scrollWidth'), height: read(element, 'scrollHeight'),
    shownWidth: read(element, 'clientWidth'), shownHeight: read(element, 'clientHeight'),
  };
}

/** Notes that the call looks at a shadow tree, when it starts inside of one. @param {Element} element */
export function noteShadow(element) {
  if (!call.shadow && nodeType(rootOf(element)) === FRAGMENT) call.shadow = true;
}

/** The tag of an HTML element; `svg:…` and `math:…` for others. @param {Element} element */
export function tagOf(element) {
  const space = namespace(element);
  if (space === HTML_NAMESPACE) return localName(element);
  if (space === SVG_NAMESPACE) return 'svg:' + localName(element);
  if (space === MATH_NAMESPACE) return 'math:' + localName(element);
  return 'xml:' + localName(element);
}

/** @param {Element} element @returns {DOMRect} */
export function rectOf(element) {
  return plainRect.call(element);
}

/** @param {Node} node @returns {Document | ShadowRoot | Node} */
export function rootOf(node) {
  return plainRootOf.call(node);
}

/** @param {Element} element @param {string} selector @returns {Element | null} */
export function closest(element, selector) {
  return plainClosest.call(element, selector);
}

/** @param {Element} element @param {string} selector */
export function matches(element, selector) {
  return plainMatches.call(element, selector);
}

/** @param {Element} element @param {string} selector @returns {NodeListOf<Element>} */
export function queryAll(element, selector) {
  return plainQueryAll.call(element, selector);
}

/** Closed shadow roots that were handed in. @type {WeakMap<Element, ShadowRoot>} */
export const adoptedRoots = new WeakMap();

/** @param {Element} element @returns {ShadowRoot | null} */
export function shadowOf(element) {
  const root = openRoot(element) || adoptedRoots.get(element) || null;
  if (root) {
    call.shadow = true;
    noteRoot(root);
  }
  return root;
}

/**
 * The nodes below an element as they are rendered: a host shows its shadow
 * tree, a slot what was assigned to it.
 * @param {Element} element
 * @returns {Node | null | Node[]} the first child, to be followed with nextSibling, or a list
 */
function composedChildren(element) {
  const root = shadowOf(element);
  if (root) return firstChild(root);
  if (localName(element) === 'slot' && nodeType(rootOf(element)) === FRAGMENT) {
    const assigned = /** @type {HTMLSlotElement} */ (element).assignedNodes();
    if (assigned.length) return assigned;
  }
  return firstChild(element);
}

/** Calls back for each rendered child, those of aria-owns last. @param {Element} element @param {(node: Node) => void} visit */
export function eachChild(element, visit) {
  const children = composedChildren(element);
  const owned = ownership();
  if (Array.isArray(children)) {
    for (const child of children) if (!owned || !owned.taken.has(child)) visit(child);
  } else {
    for (let child = children; child; child = nextSibling(child)) {
      if (!owned || !owned.taken.has(child)) visit(child);
    }
  }
  const extra = owned?.owners.get(element);
  if (extra) for (const child of extra) visit(child);
}

/** The element above as it is rendered. @param {Node} node @returns {Element | null} */
export function composedParent(node) {
  const owner = ownership()?.taken.get(node);
  if (owner) return owner;
  const above = parentNode(node);
  if (!above) return null;
  if (nodeType(above) === FRAGMENT) return /** @type {ShadowRoot} */ (above).host ?? null;
  if (nodeType(above) !== ELEMENT) return null;
  const host = /** @type {Element} */ (above);
  const root = shadowOf(host);
  if (!root) return host;
  const slot = nodeType(node) === ELEMENT ? attr(/** @type {Element} */ (node), 'slot') || '' : '';
  for (const candidate of root.querySelectorAll('slot')) {
    if ((attr(candidate, 'name') || '') === slot) return candidate;
  }
  return host;
}

/** The elements that an attribute's ids name, in the same tree. @param {Element} element @param {string} attribute @returns {Element[]} */
export function idrefs(element, attribute) {
  const value = attr(element, attribute);
  if (!value) return [];
  const root = /** @type {Document | ShadowRoot} */ (rootOf(element));
  const inDocument = root === document;
  if (!inDocument && nodeType(root) !== FRAGMENT) return [];
  const out = [];
  for (const id of value.split(/\s+/)) {
    const found = id && (inDocument ? plainById.call(document, id) : root.getElementById(id));
    if (found) out.push(found);
  }
  return out;
}

/**
 * Who owns whom through aria-owns; the first owner of an element has it.
 * @typedef {{owners: Map<Element, Element[]>, taken: Map<Node, Element>}} Ownership
 */

/** Elements that show no child, so that they own nothing and no text stands in them. */
export const CHILDLESS = new Set(['input', 'textarea', 'select', 'img', 'iframe', 'frame', 'audio', 'video', 'canvas', 'embed', 'object', 'meter', 'progress', 'hr', 'br']);

/** The ownership of this call; null when nothing owns. @returns {Ownership | null} */
export function ownership() {
  if (call.ownership !== undefined) return call.ownership;
  call.ownership = null;
  if (!find('[aria-owns]')) return null;
  /** @type {Ownership} */
  const found = {owners: new Map(), taken: new Map()};
  for (const owner of findAll('[aria-owns]')) {
    if (CHILDLESS.has(localName(owner))) continue;
    const list = [];
    for (const child of idrefs(owner, 'aria-owns')) {
      if (found.taken.has(child) || plainContains.call(child, owner)) continue;
      found.taken.set(child, owner);
      list.push(child);
    }
    if (list.length) found.owners.set(owner, list);
  }
  call.ownership = found.owners.size ? found : null;
  return call.ownership;
}

/** White space collapsed, ends trimmed. @param {string} text */
export function collapse(text) {
  // Most text needs nothing: look before building a new string.
  if (!/[\t\n\f\r\v\u00a0]|^ | $| {2}/.test(text)) return text;
  return text.replace(/[\s\u00a0]+/g, ' ').trim();
}

/** Glyphs of icon fonts, which no other font has, and marks that nobody sees. */
const UNREADABLE = /[\ue000-\uf8ff\u200b\u2060\ufeff]/;

/** A text as it is told: white space collapsed, without what cannot be read. @param {string} text */
export function readable(text) {
  return wellFormed(collapse(UNREADABLE.test(text) ? text.replace(/[\ue000-\uf8ff]/g, ' ').replace(/[\u200b\u2060\ufeff]/g, '') : text));
}

/** Spaces that look as others do, and marks that show nothing: hyphens where a word may be broken, directions, tags. */
const UNSEEN = /[\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u00ad\ufeff]/;

/** A text as it is compared with what an agent writes, who does not see which space it is, nor what shows nothing. @param {string} text */
export function comparable(text) {
  return collapse(UNSEEN.test(text) ? text.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '').replace(/\s+/g, ' ') : text);
}

/** The string with lone surrogates replaced, so that it is valid UTF-8 on the wire. @param {string} text */
export function wellFormed(text) {
  return /** @type {{toWellFormed(): string}} */ (/** @type {unknown} */ (text)).toWellFormed();
}

/** The focused element, through shadow roots. @returns {Element | null} */
export function focusedElement() {
  let focused = activeOf(document);
  while (focused) {
    const inner = shadowOf(focused)?.activeElement;
    if (!inner) break;
    focused = inner;
  }
  return focused;
}
