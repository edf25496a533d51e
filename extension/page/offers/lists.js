// Lists among offers: rows that are alike, what opens each, and what else can be
// done to each. A list of a thousand is understood from its first rows.

import {ELEMENT, TEXT, attr, childElementCount, closest, collapse, composedParent, eachChild, find, firstChild, hasAttr,
  localName, matches, nextSibling, nodeType, plainContains, previousElement, previousSibling, queryAll, read, shadowOf, textContent, token} from '../dom/dom.js';
import {rendered, styleOf} from '../dom/style.js';
import {disabled, roleOf} from '../aria/role.js';
import {expandedState} from '../aria/state.js';
import {NEVER_TEXT, nameOf} from '../aria/name.js';
import {eachElement} from '../snapshot/refs.js';
import {clickListeners} from '../snapshot/clickable.js';
import {SENTENCE_TAGS} from './outline.js';
import {HEADINGS} from './results.js';
import {NEVER_SURVEYED, brief} from './offers.js';
import {authorLabel, headingBefore} from './forms.js';
import {headingName, kindOf, saysTime} from './record.js';
import {plainAction} from './rows.js';
import {rowItem} from './tables.js';
/** @import {Zone} from './offers.js' */
/** @import {Table} from './tables.js' */

/**
 * Rows that are alike.
 * @typedef {object} Repeat
 * @property {Element} box what holds them
 * @property {Zone} area
 * @property {number} order
 * @property {Element[]} rows
 * @property {Set<Element>} members the children of the box that hold the rows
 * @property {string | null} path from a row to what opens it; '' for the row itself; null where nothing does
 * @property {string} name
 * @property {string[] | null} items
 * @property {Table} [table] where it has columns
 * @property {Element[]} [within] rows of a table that are no records, but hold something of their own
 * @property {Map<Element, string>} [parts] the column that each row stands in, of cards
 */

/** @typedef {{element: Element, path: string, name: string}} Opener */

/** What may open something. */
const OPENERS = 'a[href], button, [role="link"], [role="button"], [role="option"], [role="tab"], [role="treeitem"], [role="menuitem"]';
/** Roles of what looks like a button and holds a value. */
const HOLDS = new Set(['switch', 'checkbox', 'radio', 'combobox']);
/** Tags that hold a list by their meaning. */
const LIST_TAGS = new Set(['ul', 'ol', 'tbody', 'menu']);
const LIST_ROLES = new Set(['list', 'feed', 'listbox', 'grid', 'table', 'rowgroup', 'tablist', 'tree', 'treegrid']);
const NEVER_ROWS = new Set(['main', 'nav', 'aside', 'header', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'label', 'input', 'select', 'textarea', 'button', 'td', 'th', 'dd', 'img', 'br', 'hr', 'p', 'span', 'fieldset', 'thead', 'tfoot', 'caption', 'colgroup', 'option', 'svg', 'strong', 'em', 'b', 'i', 'code', 'pre', 'time', 'small']);
const ROW_ROLES = new Set(['row', 'listitem', 'article', 'option', 'tab', 'treeitem', 'link']);
export const MOST_ITEMS = 50;
/** Rows that are looked into for what can be done to each. */
export const MOST_LOOKED = 12;
const SAMPLES = 4;
export const ITEM_LENGTH = 120;

/** The rows among an element's children; null where they are no list. @param {Element} parent @param {Zone} area @param {number} order @returns {Repeat | null} */
export function repeatIn(parent, area, order) {
  if (!childElementCount(parent) && !shadowOf(parent)) return null;
  const tag = localName(parent);
  if (tag === 'tr' || tag === 'p' || tag === 'table' || tag === 'select') return null;
  const semantic = LIST_TAGS.has(tag) || LIST_ROLES.has(token(parent, 'role'));
  if (token(parent, 'role') === 'tree') return treeIn(parent, area, order);
  /** @type {Map<string, Element[]>} */
  const kinds = new Map();
  eachChild(parent, (node) => {
    if (nodeType(node) !== ELEMENT) return;
    const child = /** @type {Element} */ (node);
    const role = token(child, 'role');
    const name = localName(child);
    if (NEVER_SURVEYED.has(name) || NEVER_ROWS.has(name) && !ROW_ROLES.has(role) || role === 'button' || role === 'menuitem' || role === 'radio') return;
    // Rows of a table that have other cells are of another sort, such as headings of parts.
    const kind = name === 'tr' ? `tr ${childElementCount(child)}` : semantic ? name : `${name} ${role} ${(attr(child, 'class') ?? '').trim().split(/\s+/)[0]}`;
    const others = kinds.get(kind);
    if (others) others.push(child);
    else kinds.set(kind, [child]);
  });
  /** @type {Repeat | null} */
  let best = null;
  // Rows may take turns with others; those that open something are the items.
  for (const rows of Array.from(kinds.values()).sort((a, b) => b.length - a.length).slice(0, 3)) {
    const found = rowsAlike(parent, area, order, rows, semantic, localName(rows[0]) === 'tr' ? Array.from(kinds.values()).flat() : rows);
    if (found && found.path !== null) return found;
    best ??= found;
  }
  return best;
}

/** What of a tree is unfolded, at all levels. @param {Element} tree @param {Zone} area @param {number} order @returns {Repeat | null} */
function treeIn(tree, area, order) {
  const rows = Array.from(queryAll(tree, '[role="treeitem"]')).filter(rendered);
  return rows.length ? {box: tree, area, order, rows, members: new Set(Array.from(read(tree, 'children'))), path: '', name: '', items: null} : null;
}

/** What stands for an item of a tree, without the items below it. @param {Element} item */
function ownOfTree(item) {
  const own = Array.from(read(item, 'children')).filter((child) => token(child, 'role') !== 'group' && !queryAll(child, '[role="treeitem"]').length);
  return own.find((child) => rendered(child) && collapse(textContent(child))) ?? null;
}

/** @param {Element} parent @param {Zone} area @param {number} order @param {Element[]} rows @param {boolean} semantic @param {Element[]} all @returns {Repeat | null} */
function rowsAlike(parent, area, order, rows, semantic, all) {
  const row = localName(rows[0]);
  const least = semantic ? (area === 'nav' || area === 'foot' || area === 'top' ? 2 : 1) : row === 'article' || ROW_ROLES.has(token(rows[0], 'role')) || attr(rows[0], 'class') ? 2 : 3;
  if (rows.length < least || row === 'a' && !semantic && ownWords(parent)) return null;
  return planned(parent, area, order, rows, semantic, all);
}

/** Whether an element has words of its own, between its children. @param {Element} element */
function ownWords(element) {
  for (let at = firstChild(element); at; at = nextSibling(at)) if (nodeType(at) === TEXT && /\p{L}{2}/u.test(/** @type {Text} */ (at).data)) return true;
  return false;
}

/** @param {Element} box @param {Zone} area @param {number} order @param {Element[]} children @param {boolean} semantic @param {Element[]} all with those of other sorts @returns {Repeat | null} */
function planned(box, area, order, children, semantic, all) {
  /** @type {{row: Element, openers: Opener[]}[]} */
  const samples = [];
  for (let i = 0; i < children.length && i < 3 * SAMPLES && samples.length < SAMPLES; i++) {
    const row = children[i];
    if (!rendered(row)) continue;
    const openers = openersIn(row);
    if (openers.length || actsItself(row)) samples.push({row, openers});
  }
  if (!samples.length || !semantic && samples.length < 2) return null;
  if (samples.length === 1 && localName(box) === 'tbody' && layout(closest(box, 'table'))) return null;
  const fields = samples.map(({row}) => fieldNames(row));
  const filled = fields.filter((names) => names.length);
  if (filled.some((names) => names.length > 3) || filled.length > 1 && filled.some((names) => names.join() !== filled[0].join())) return null; // a form in rows
  if (filled.length && samples.length === 1 && !semantic) return null;
  const flat = flatPath(samples, box);
  /** @type {Repeat} */
  const repeat = {box, area, order, rows: children, members: new Set(children), path: null, name: '', items: null};
  if (flat !== null) {
    repeat.members = new Set(all);
    repeat.rows = all.flatMap((child) => openersIn(child).filter((opener) => opener.path === flat).map((opener) => opener.element));
    repeat.path = '';
    return repeat;
  }
  if ((!semantic || samples.length === 1) && samples.some(({row}) => queryAll(row, 'ul, ol, table').length > 0 && queryAll(row, 'li a[href], tr a[href]').length > 2)) return null;
  repeat.path = openingPath(samples, semantic);
  // Two boxes are alike by chance, unless headings lead on from both.
  if (children.length === 2 && !semantic && area !== 'nav' && localName(children[0]) !== 'article' && !(repeat.path && /(^|>)h([1-6]>|$)/.test(repeat.path)) && !(repeat.path === null && sharedNames(samples)) && !headed(box, repeat.path)) return null;
  if (repeat.path === null && !sharedNames(samples) || fewLinks(repeat)) return null;
  // What heads a table is no item of it.
  repeat.rows = children.filter((row) => !headsTable(row) && (children.length > 200 || rendered(row)));
  // Short links side by side are a menu.
  if (area === 'page' && !semantic && localName(children[0]) === 'a' && repeat.rows.every((row) => textContent(row).length < 25)) repeat.area = 'nav';
  return repeat.rows.length ? repeat : null;
}

/** Whether rows that act themselves stand right below a heading. @param {Element} box @param {string | null} path */
function headed(box, path) {
  const before = path === '' ? previousElement(box) : null;
  return before !== null && matches(before, HEADINGS);
}

/** Whether a list is a few links that nothing names together: each is something of its own to do. @param {Repeat} repeat */
function fewLinks({box, area, rows, path}) {
  if (!/^(ul|ol|menu)$/.test(localName(box)) || token(box, 'role') && token(box, 'role') !== 'list' || !path || area === 'nav' || area === 'foot' || area === 'top' || rows.length > 6) return false;
  if (rows.some((row) => openersIn(row).length !== 1 || collapse(textContent(row)).length > 25 || collapse(textContent(row)) !== collapse(textContent(openersIn(row)[0].element)))) return false;
  const main = find('main, [role="main"]');
  if (area === 'page' && main && !plainContains.call(main, box)) return false; // a menu
  if (rows.length === 1) return true;
  const before = previousElement(box);
  if (rows.length === 2 && before && matches(before, HEADINGS)) return kindOf(headingName(before)) !== headingName(before);
  return !authorLabel(box) && !headingBefore(box);
}

/** Whether a table says nothing of what is in it, as those do that only place things. @param {Element | null} table */
function layout(table) {
  return table !== null && !authorLabel(table) && queryAll(table, 'th, caption').length === 0;
}

/** @param {Element} row */
function headsTable(row) {
  return localName(row) === 'tr' && queryAll(row, 'td').length === 0 || token(row, 'role') === 'row' && queryAll(row, '[role="columnheader"]').length > 0;
}

/** What may open something in a row, as far as can be seen. @param {Element} row @returns {Opener[]} */
export function openersIn(row) {
  /** @type {Element[]} */
  let list = Array.from(queryAll(row, OPENERS)).slice(0, 60);
  if (!list.length && (localName(row).includes('-') || shadowOf(row))) {
    eachElement(row, (element) => {
      if (element !== row && matches(element, OPENERS) && list.length < 60) list.push(element);
    });
  }
  /** @type {Opener[]} */
  const found = [];
  for (const element of list) {
    if (!rendered(element) || disabled(element) || HOLDS.has(token(element, 'role'))) continue;
    const name = quickName(element);
    if (!folds(element, name)) found.push({element, path: pathFrom(row, element), name});
  }
  return found;
}

/** Whether a button shows and hides more of its row, and is called by what it would do now. @param {Element} element @param {string} name */
export function folds(element, name) {
  return !!expandedState(element, roleOf(element)) && !hasAttr(element, 'aria-haspopup') && (!/\p{L}/u.test(name) || /^(expand|collapse|show|hide|toggle|unfold|fold)\b/i.test(name));
}

/** The tags between a row and an element in it, without those that only style. @param {Element} row @param {Element} element */
function pathFrom(row, element) {
  let path = localName(element) + (token(element, 'role') && ':' + token(element, 'role')) + (queryAll(element, HEADINGS).length ? '>h' : saysTime(element) ? '>time' : '');
  for (let at = composedParent(element); at && at !== row; at = composedParent(at)) {
    const tag = localName(at);
    if (!SENTENCE_TAGS.has(tag) && tag !== 'span' && tag !== 'div') path = `${tag}>${path}`;
  }
  return path;
}

/** A name that costs little: the label or the text. @param {Element} element */
export function quickName(element) {
  const name = collapse(attr(element, 'aria-label') ?? '') || (childElementCount(element) ? '' : collapse(textContent(element))) || nameOf(element);
  // A sign says less than its tooltip.
  return /[\p{L}\p{N}]/u.test(name) ? name : collapse(attr(element, 'title') ?? '') || name;
}

/** Whether a row acts on a click by itself. @param {Element} row */
export function actsItself(row) {
  const tag = localName(row);
  if (tag === 'a' && hasAttr(row, 'href') || tag === 'button') return true;
  const role = token(row, 'role');
  if (role === 'option' || role === 'tab' || role === 'treeitem' || role === 'link') return true;
  const index = attr(row, 'tabindex');
  if (clickListeners.has(row) || hasAttr(row, 'onclick') || index !== null && Number.parseInt(index, 10) >= 0) return true;
  if (styleOf(row).cursor !== 'pointer') return false;
  const around = composedParent(row);
  return !around || styleOf(around).cursor !== 'pointer';
}

/** The path of what stands many times in each row: cells of a calendar, links of a menu in parts. @param {{row: Element, openers: Opener[]}[]} samples @param {Element} box */
function flatPath(samples, box) {
  const [{row}] = samples;
  if (localName(row) !== 'tr' && localName(row) !== 'li' && token(row, 'role') !== 'row') return null;
  /** @type {Map<string, number>} */
  const most = new Map();
  for (const {openers} of samples) {
    /** @type {Map<string, Set<Element | null>>} */
    const here = new Map();
    for (const {path, element} of openers) here.set(path, (here.get(path) ?? new Set()).add(closest(element, 'td, th, li, [role="gridcell"]')));
    for (const [path, cells] of here) if (cells.size >= 3) most.set(path, (most.get(path) ?? 0) + 1);
  }
  for (const [path, rows] of most) {
    // A row's own tools are alike in each row, what is in cells is not.
    const names = samples.map(({openers}) => openers.filter((opener) => opener.path === path).map((opener) => opener.name).join('|'));
    if (rows >= Math.ceil(samples.length / 2) && new Set(names).size === names.length && (path.includes('td>') || path.includes('li>') || token(box, 'role') === 'grid' || token(box, 'role') === 'rowgroup')) return path;
  }
  return null;
}

/** The path to what opens each row: what is called otherwise in each, best a heading. @param {{row: Element, openers: Opener[]}[]} samples @param {boolean} semantic @returns {string | null} */
export function openingPath(samples, semantic) {
  /** @type {Map<string, {names: string[], rows: number, place: number, heading: boolean, prose: boolean}>} */
  const paths = new Map();
  for (const {openers} of samples) {
    const seen = new Set();
    openers.forEach(({element, path, name}, place) => {
      if (seen.has(path) || !name) return;
      seen.add(path);
      const known = paths.get(path) ?? {names: [], rows: 0, place, heading: /(^|>)h([1-6]>|$)/.test(path), prose: false};
      known.names.push(name);
      known.rows++;
      known.prose ||= inProse(element);
      paths.set(path, known);
    });
  }
  // A post is opened by when it was written, its author by their name.
  const posted = samples.every(({row}) => localName(row) === 'article' || token(row, 'role') === 'article');
  let best = /** @type {string | null} */ (null);
  let most = 0;
  for (const [path, {names, rows, place, heading, prose}] of paths) {
    const link = /(^|>)a[^>]*(>h|>time)?$|:(link|option|tab|treeitem)$/.test(path);
    if (rows < Math.ceil(samples.length * 0.6) || prose && !heading || new Set(names).size < names.length) continue;
    if (samples.length === 1 && !link && !heading || !link && !heading && !semantic && samples.every(({row}) => !wordsOf(row, null).length)) continue;
    if (!link && new Set(names.map((name, i) => plainAction(name, samples[i]?.row))).size < names.length) continue;
    const length = names.reduce((sum, name) => sum + Math.min(name.length, 60), 0) / names.length;
    const score = 10 + (heading ? 50 : 0) + (link ? 20 : 0) + (posted && path.endsWith('>time') ? 15 : 0) + length / 2 - place * 3;
    if (score > most) [best, most] = [path, score];
  }
  if (best !== null) return best;
  return samples.every(({row}) => actsItself(row)) && (semantic || samples.length > 1) ? '' : null;
}

/** Whether a link stands within a sentence. @param {Element} link */
export function inProse(link) {
  for (let at = /** @type {Element} */ (link); ;) {
    for (let before = previousSibling(at); before; before = previousSibling(before)) {
      if (nodeType(before) === TEXT && /\p{L}{2}/u.test(/** @type {Text} */ (before).data)) return true;
    }
    const around = composedParent(at);
    if (!around || !(SENTENCE_TAGS.has(localName(around)) || localName(around) === 'span')) return !!around && localName(around) === 'p' && ownWords(around);
    at = around;
  }
}

/** Whether rows have a button in common. @param {{row: Element, openers: Opener[]}[]} samples */
function sharedNames(samples) {
  if (samples.length < 2) return false;
  const first = new Set(samples[0].openers.map(({name}) => plainAction(name, samples[0].row)));
  return samples[1].openers.some(({name}) => first.has(plainAction(name, samples[1].row)));
}

/** What the fields in a row are, without what differs from row to row. @param {Element} row @returns {string[]} */
function fieldNames(row) {
  const names = [];
  for (const field of queryAll(row, 'input, select, textarea')) {
    const type = token(field, 'type');
    if (type === 'hidden' || type === 'submit' || type === 'button' || !rendered(field)) continue;
    names.push(`${localName(field)} ${type} ${(attr(field, 'name') ?? '').replace(/\d+/g, '#')}`);
    if (names.length > 3) break;
  }
  return names;
}

/** What opens a row; null where nothing does. @param {Repeat} repeat @param {Element} row @returns {Element | null} */
export function openerOf(repeat, row) {
  if (repeat.path === null) return null;
  if (repeat.path === '') return token(row, 'role') === 'treeitem' && queryAll(row, '[role="treeitem"]').length ? ownOfTree(row) ?? row : row;
  const openers = openersIn(row);
  return (openers.find(({path, name}) => path === repeat.path && name) ?? openers.find(({path}) => path === repeat.path) ?? openers.find(({path, element}) => localName(element) === 'a' && path.endsWith('a')))?.element ?? (actsItself(row) ? row : null);
}

/** What a row is called: what opens it, and the words beside it. @param {Repeat} repeat @param {Element} row */
export function itemOf(repeat, row) {
  const opener = openerOf(repeat, row);
  if (opener !== row && token(row, 'role') === 'treeitem') return brief(opener ? collapse(textContent(opener)) : nameOf(row), ITEM_LENGTH);
  const title = opener && opener !== row && !saysTime(opener) ? headingText(opener) || quickName(opener) : '';
  if (repeat.table) return rowItem(repeat.table, row, title);
  if (opener === row && (repeat.area === 'nav' || !childElementCount(row) || hasAttr(row, 'aria-label'))) return brief(nameOf(row) || collapse(textContent(row)), ITEM_LENGTH);
  const parts = wordsOf(row, opener === row ? null : opener);
  const rest = parts.join(' · ').replace(title ? /^[\s,;:.–—-]+/ : /^\s+/, '');
  const part = repeat.parts?.get(row);
  return brief((title && rest ? `${title} — ${rest}` : title || rest || nameOf(row)) + (part ? ` · ${part}` : ''), ITEM_LENGTH);
}

/** The heading that a link holds, of which the rest only says more. @param {Element} link */
function headingText(link) {
  const heading = queryAll(link, HEADINGS)[0];
  return heading ? collapse(textContent(heading)) : '';
}

/** The words of a row, block by block, without its controls. @param {Element} row @param {Element | null} except */
export function wordsOf(row, except) {
  /** @type {string[]} */
  const parts = [];
  let pending = '';
  let size = 0;
  const flush = () => {
    const text = collapse(pending);
    pending = '';
    if (!text || !/[\p{L}\p{N}]/u.test(text) || parts.includes(text)) return;
    parts.push(text);
    size += text.length;
  };
  /** @param {Element} element @param {number} depth */
  const walk = (element, depth) => {
    eachChild(element, (node) => {
      if (size > ITEM_LENGTH * 2) return;
      if (nodeType(node) === TEXT) pending += /** @type {Text} */ (node).data;
      if (nodeType(node) !== ELEMENT) return;
      const child = /** @type {Element} */ (node);
      const tag = localName(child);
      if (child === except || NEVER_TEXT.has(tag) || tag === 'button' || tag === 'select' || tag === 'textarea' || tag === 'input' || tag === 'svg' || token(child, 'role') === 'button' || depth > 30) return;
      if (tag === 'a' && /\b(btn|button)\b/i.test(attr(child, 'class') ?? '')) return;
      if (tag === 'label' && /** @type {HTMLLabelElement} */ (child).control) return;
      const {display} = styleOf(child);
      if (display === 'none' || !rendered(child) && display !== 'contents') return;
      const inline = display === 'inline' || display === 'contents';
      if (!inline) flush();
      walk(child, depth + 1);
      if (!inline) flush();
    });
  };
  walk(row, 0);
  flush();
  return parts;
}

/** What the rows are called, the first ones. @param {Repeat} repeat @returns {string[]} */
export function itemsOf(repeat) {
  repeat.items ??= repeat.rows.slice(0, MOST_ITEMS).map((row) => itemOf(repeat, row));
  return repeat.items;
}
