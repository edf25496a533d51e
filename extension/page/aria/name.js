// The accessible name of an element, as Accname 1.2 and HTML-AAM compute it.

import {CHILDLESS, ELEMENT, FRAGMENT, TEXT, allOfTag, attr, collapse, composedParent, eachChild, firstChild, hasAttr, idrefs, localName,
  nextSibling, nodeType, ownership, queryAll, readable, rootOf, shadowOf, tagOf, textContent, token, wellFormed} from '../dom/dom.js';
import {ariaHidden, call, pseudoPossible, pseudoText, rendered, styleOf, styledAway} from '../dom/style.js';
import {isPrivate, veil} from '../dom/private.js';
import {editingHost, roleOf} from './role.js';

/** Roles whose name comes from their content. */
export const NAMED_BY_CONTENT = new Set((
  'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row ' +
  'rowheader switch tab term tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref doc-subtitle').split(' '));

/** Roles that no name is for. */
export const NAMELESS = new Set((
  'caption code deletion emphasis generic insertion mark none paragraph strong subscript suggestion superscript ' +
  'definition time').split(' '));

/** Inside of a name these are content like any text, though their own name does not come from it. */
const CONTROL_VALUES = new Set(['textbox', 'searchbox', 'combobox', 'listbox', 'slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar']);

export const NEVER_TEXT = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'meta', 'link', 'datalist', 'audio', 'video', 'canvas', 'object', 'embed']);

/**
 * How far inside of which step the computation is.
 * @typedef {object} NameWalk
 * @property {Set<Element>} seen nothing is read twice for one name
 * @property {boolean} referenced inside an aria-labelledby, which is not followed again
 * @property {boolean} hidden whether hidden content counts
 * @property {boolean} embedded inside another element's name, where controls give their value
 * @property {boolean} tree the name is a tree item's
 * @property {Element | null} label the element being named by a label around it
 */

/** Whether a text is only white space or glyphs of an icon font; a no-break space is not, as authors use it on purpose. @param {string} text */
function blank(text) {
  return !/[^ \t\n\f\r\ue000-\uf8ff\u200b\u2060\ufeff]/.test(text);
}

/** The name of an element; empty when it has none. @param {Element} element @returns {string} */
export function nameOf(element) {
  let name = call.names.get(element);
  if (name === undefined) {
    // A cycle of references must find something here.
    call.names.set(element, '');
    name = readable(computeName(element));
    call.names.set(element, name);
  }
  return name;
}

/** Elements within a line, which HTML names by their title alone. */
const TEXT_LEVEL = /^(abbr|b|bdi|bdo|cite|code|data|dfn|em|i|kbd|mark|q|s|samp|small|strong|sub|sup|time|u|var)$/;

/** The name of an element whose role has none: what its author gave it. @param {Element} element @param {boolean} [title] whether its title counts */
export function authorName(element, title = false) {
  if (attr(element, 'aria-label') || hasAttr(element, 'aria-labelledby')) return nameOf(element);
  return title && TEXT_LEVEL.test(localName(element)) ? wellFormed(collapse(attr(element, 'title') ?? '')) : '';
}

/** @returns {NameWalk} */
function freshWalk() {
  return {seen: new Set(), referenced: false, hidden: false, embedded: false, tree: false, label: null};
}

/** @param {Element} element */
function computeName(element) {
  const role = roleOf(element);
  const walk = {...freshWalk(), tree: role === 'treeitem'};
  if (localName(element) === 'slot') return '';
  const labelled = namedByReference(element, walk);
  if (labelled) return labelled;
  const label = attr(element, 'aria-label');
  if (label && !blank(label)) return label;
  const native = nativeName(element, walk);
  if (native !== null) return native;
  if (role === 'generic' || role === 'none') return '';
  if (NAMED_BY_CONTENT.has(role) && !editingHost(element) && (role !== 'row' || rowNamed(element))) {
    walk.seen.add(element);
    const content = contentText(element, walk);
    if (content.trim() && !blank(content)) return content;
  }
  return lateName(element);
}

/** A row's cells are its name only where the row itself is chosen or focused. @param {Element} row */
function rowNamed(row) {
  for (let at = composedParent(row); at; at = composedParent(at)) {
    const role = roleOf(at);
    if (role === 'grid' || role === 'treegrid') return true;
    if (role === 'table') return false;
  }
  return false;
}

/** @param {Element} element @param {NameWalk} walk */
function namedByReference(element, walk) {
  if (walk.referenced || !hasAttr(element, 'aria-labelledby')) return '';
  const parts = [];
  /** @type {Set<Element>} */
  const collected = new Set();
  for (const target of idrefs(element, 'aria-labelledby')) {
    /** @type {NameWalk} */
    const inner = {seen: new Set(), referenced: true, hidden: styledAway(target) || !rendered(target) || ariaHidden(target), embedded: true, tree: false, label: null};
    const text = nodeText(target, inner, true);
    if (text.trim()) parts.push(text.trim());
    for (const read of inner.seen) collected.add(read);
  }
  // What was read here is not read again where the walk comes to it.
  for (const read of collected) walk.seen.add(read);
  return parts.join(' ');
}

const NO_PLACEHOLDER = new Set(['checkbox', 'radio', 'range', 'button', 'submit', 'reset', 'image', 'color', 'file']);

/** Names that stand behind everything else. @param {Element} element */
function lateName(element) {
  const title = attr(element, 'title');
  if (title && title.trim()) return title;
  const tag = localName(element);
  if (tag === 'textarea' || (tag === 'input' && !NO_PLACEHOLDER.has(token(element, 'type')))) {
    const placeholder = attr(element, 'placeholder');
    if (placeholder && placeholder.trim()) return placeholder;
  }
  if (tag === 'input' && token(element, 'type') === 'file') return 'Choose File';
  return attr(element, 'aria-placeholder') ?? '';
}

/**
 * The labels of a control. The property `labels` searches the document anew for
 * each control, so the labels of a tree are read once a call, from their side.
 * @param {Element} element
 */
function labelsOf(element) {
  const root = call.shadow ? rootOf(element) : document;
  let known = call.labels.get(root);
  if (!known) {
    known = new Map();
    const labels = root === document ? allOfTag('label') : nodeType(root) === FRAGMENT ? /** @type {ShadowRoot} */ (root).querySelectorAll('label') : [];
    for (const label of labels) {
      const control = /** @type {HTMLLabelElement} */ (label).control;
      if (!control) continue;
      const others = known.get(control);
      if (others) others.push(label);
      else known.set(control, [label]);
    }
    call.labels.set(root, known);
  }
  return known.get(element);
}

/** What the labels of a control say; hidden ones do not count. @param {Element} element @param {NameWalk} walk */
function labelText(element, walk) {
  const labels = labelsOf(element);
  if (!labels) return '';
  const parts = [];
  for (const label of labels) {
    // Behind a modal dialog both are hidden.
    if (!rendered(label) || ariaHidden(label) && !ariaHidden(element)) continue;
    /** @type {NameWalk} */
    const inner = {...walk, seen: new Set(walk.seen), embedded: true, label: element};
    const text = nodeText(label, inner, true);
    if (text.trim()) parts.push(text.trim());
  }
  return parts.join(' ');
}

/**
 * What HTML gives as a name; null when it has no say, so that content and title come next.
 * @param {Element} element
 * @param {NameWalk} walk
 * @returns {string | null}
 */
function nativeName(element, walk) {
  switch (tagOf(element)) {
    case 'input': return inputName(element, walk);
    case 'select': case 'textarea': case 'meter': case 'progress': case 'output':
      return labelText(element, walk) || null;
    case 'button': return labelText(element, walk) || null;
    case 'img': case 'area': {
      const alt = attr(element, 'alt');
      return alt || (attr(element, 'title') ? null : alt);
    }
    case 'fieldset': return childText(element, 'legend', walk);
    case 'table': return childText(element, 'caption', walk) ?? (attr(element, 'title') ? null : attr(element, 'summary'));
    case 'optgroup': return attr(element, 'label');
    case 'option': return attr(element, 'label') || null;
    case 'svg:svg': case 'svg:g': case 'svg:path': case 'svg:rect': case 'svg:circle': case 'svg:use': case 'svg:a': return svgTitle(element);
    case 'iframe': return attr(element, 'title');
  }
  if (localName(element).includes('-') && 'labels' in element) return labelText(element, walk) || null;
  return null;
}

/** @param {Element} element @param {NameWalk} walk @returns {string | null} */
function inputName(element, walk) {
  const type = token(element, 'type');
  const labelled = labelText(element, walk);
  if (labelled) return labelled;
  switch (type) {
    case 'submit': return attr(element, 'value') ?? 'Submit';
    case 'reset': return attr(element, 'value') ?? 'Reset';
    case 'button': return attr(element, 'value') || null;
    case 'image': return attr(element, 'alt') || attr(element, 'value') || attr(element, 'title') || 'Submit';
  }
  return null;
}

/** @param {Element} element @param {string} tag @param {NameWalk} walk @returns {string | null} */
function childText(element, tag, walk) {
  for (let at = firstChild(element); at; at = nextSibling(at)) {
    if (nodeType(at) !== ELEMENT || localName(/** @type {Element} */ (at)) !== tag) continue;
    const child = /** @type {Element} */ (at);
    if (!rendered(child) || ariaHidden(child) && !ariaHidden(element)) return null;
    const text = nodeText(child, {...walk, seen: new Set(), embedded: true}, true);
    return text.trim() ? text : null;
  }
  return null;
}

/** @param {Element} element @returns {string | null} */
export function svgTitle(element) {
  for (let at = firstChild(element); at; at = nextSibling(at)) {
    if (nodeType(at) === ELEMENT && localName(/** @type {Element} */ (at)) === 'title') return textContent(at);
  }
  return null;
}

/** How deep the computation is in the page: the stack is not endless. */
let nameDepth = 0;

/**
 * The text that a node brings to another element's name.
 * @param {Node} node
 * @param {NameWalk} walk
 * @param {boolean} [top] the node was asked for by name, so that its own hiding does not count
 * @returns {string}
 */
function nodeText(node, walk, top = false) {
  const type = nodeType(node);
  if (type === TEXT) return /** @type {Text} */ (node).data;
  if (type !== ELEMENT) return '';
  const element = /** @type {Element} */ (node);
  const tag = localName(element);
  if (NEVER_TEXT.has(tag) && !(tag === 'title' && top) || tag === 'desc' && tagOf(element) === 'svg:desc' && !top) return '';
  if (walk.seen.has(element) || nameDepth > 500) return '';
  walk.seen.add(element);
  const style = styleOf(element);
  if (!top && !walk.hidden) {
    if (style.display === 'none' && tag !== 'area') return '';
    if (token(element, 'aria-hidden') === 'true') return '';
  }
  if (style.visibility !== 'visible' && !walk.hidden && !top) {
    // A visible child of a hidden element is still read.
    nameDepth++;
    const text = contentText(element, walk, true);
    nameDepth--;
    return text;
  }
  if (tag === 'br') return ' ';
  const space = style.display === 'inline' && tag !== 'img' && tag !== 'svg' || style.display === 'contents' || style.display.startsWith('ruby') ? '' : ' ';
  nameDepth++;
  const text = elementText(element, walk, top);
  nameDepth--;
  return space + text + space;
}

/** @param {Element} element @param {NameWalk} walk @param {boolean} top */
function elementText(element, walk, top) {
  const labelled = namedByReference(element, walk);
  if (labelled) return labelled;
  // A slot is not rendered, but what is in it.
  if (localName(element) === 'slot') return contentText(element, walk);
  const role = roleOf(element);
  if (walk.embedded && element !== walk.label && CONTROL_VALUES.has(role)) {
    const value = controlValue(element, role);
    if (value) return ` ${value} `;
    // Its content is what may be chosen.
    if (role === 'combobox') return '';
    if (role === 'listbox') return attr(element, 'aria-label') ?? '';
  }
  if (element === walk.label) return '';
  const label = attr(element, 'aria-label');
  if (label && !blank(label) && role !== 'none') return label;
  const native = nativeName(element, walk.label ? {...walk, label: null} : walk);
  if (native !== null && role !== 'none') return native;
  // The items below a tree item are not part of what it is called.
  if (role === 'group' && tagOf(element) !== 'fieldset' && walk.tree) return '';
  const text = contentText(element, walk);
  if (!blank(text) || (!top && (role === 'generic' || role === 'none'))) return text;
  return attr(element, 'title') ?? '';
}

/** @param {Element} element @param {NameWalk} walk @param {boolean} [muted] only what is visible by itself */
function contentText(element, walk, muted = false) {
  const only = firstChild(element);
  if (!muted && only && nodeType(only) === TEXT && !nextSibling(only) && !shadowOf(element) && !pseudoPossible() && !ownership()) {
    return /** @type {Text} */ (only).data;
  }
  if (CHILDLESS.has(localName(element))) return '';
  const inner = walk.embedded ? walk : {...walk, embedded: true};
  let text = muted ? '' : pseudoText(element, '::before');
  const closed = localName(element) === 'details' && !hasAttr(element, 'open');
  eachChild(element, (child) => {
    if (closed && (nodeType(child) !== ELEMENT || localName(/** @type {Element} */ (child)) !== 'summary')) return;
    if (muted && nodeType(child) === TEXT) return;
    text += nodeText(child, inner);
  });
  return muted ? text : text + pseudoText(element, '::after');
}

/** What a control shows that is no field: its text without the list that it opens. @param {Element} element */
export function shownValue(element) {
  let text = '';
  eachChild(element, (child) => {
    if (nodeType(child) === TEXT) text += /** @type {Text} */ (child).data;
    else if (nodeType(child) === ELEMENT && !LISTS.test(roleOf(/** @type {Element} */ (child)))) text += nodeText(child, freshWalk());
  });
  return collapse(text);
}

const LISTS = /^(listbox|tree|grid|dialog|menu|option)$/;

/** @param {Element} field */
function heldValue(field) {
  const {value} = /** @type {HTMLInputElement} */ (field);
  return isPrivate(field) ? veil(value) : value;
}

/** What a control inside a name says: its value. @param {Element} element @param {string} role @returns {string | null} */
function controlValue(element, role) {
  const tag = localName(element);
  switch (role) {
    case 'textbox': case 'searchbox':
      if (tag === 'input' || tag === 'textarea') return heldValue(element);
      return textContent(element);
    case 'combobox': case 'listbox': {
      if (tag === 'select') return Array.from(/** @type {HTMLSelectElement} */ (element).selectedOptions, (option) => nameOf(option)).join(' ');
      if (tag === 'input') return heldValue(element);
      const chosen = Array.from(queryAll(element, '[role~="option" i][aria-selected="true"]'), nameOf).join(' ');
      if (chosen || role === 'listbox') return chosen;
      const [field] = queryAll(element, 'input, textarea, [role~="textbox" i], [role~="searchbox" i]');
      return field ? controlValue(field, roleOf(field)) : shownValue(element);
    }
  }
  const spoken = attr(element, 'aria-valuetext') ?? attr(element, 'aria-valuenow');
  if (spoken !== null) return spoken;
  if (tag === 'input') return heldValue(element);
  if (tag === 'meter' || tag === 'progress') return String(/** @type {HTMLMeterElement} */ (element).value);
  return null;
}
