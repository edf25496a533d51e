// The role of an element: what its role attribute says, where that is valid,
// else what HTML gives it in its place.

import {ELEMENT, attr, composedParent, firstChild, hasAttr, idrefs, localName, matches, nextSibling, nodeType, parentElement,
  parentNode, tagOf, token} from '../dom/dom.js';
import {call} from '../dom/style.js';
import {cellRole, presentationalTable, tableRole} from './table.js';
import {svgTitle} from './name.js';

/** Roles that a page may write; abstract ones and unknown words are passed over. */
const ARIA_ROLES = new Set((
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
  'comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic ' +
  'grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu menubar ' +
  'menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio ' +
  'radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider ' +
  'spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer ' +
  'toolbar tooltip tree treegrid treeitem ' +
  'doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography ' +
  'doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote ' +
  'doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref ' +
  'doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part ' +
  'doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc ' +
  'graphics-document graphics-object graphics-symbol').split(' '));

/** Two words for one thing. @type {Record<string, string>} */
export const ROLE_SYNONYMS = {img: 'image', presentation: 'none', directory: 'list'};

/** Attributes that make a presentational role void: they say that the element means something. */
const GLOBAL_ARIA = (
  'aria-atomic aria-braillelabel aria-brailleroledescription aria-busy aria-controls aria-current aria-describedby ' +
  'aria-description aria-details aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts aria-label ' +
  'aria-labelledby aria-live aria-owns aria-relevant aria-roledescription').split(' ');

/** Roles of elements that stand for nothing but themselves. @type {Record<string, string>} */
const TAG_ROLES = {
  address: 'group', article: 'article', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code',
  dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term', em: 'emphasis',
  fieldset: 'group', figure: 'figure', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading',
  h6: 'heading', hgroup: 'group', hr: 'separator', iframe: 'iframe', frame: 'iframe', ins: 'insertion', main: 'main',
  mark: 'mark', math: 'math', 'math:math': 'math', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group',
  option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', s: 'deletion', search: 'search',
  strong: 'strong', sub: 'subscript', sup: 'superscript', textarea: 'textbox', time: 'time', ul: 'list', dir: 'list',
  audio: 'audio', video: 'video', canvas: 'canvas', embed: 'embed', object: 'object',
};

/** @type {Record<string, string>} */
const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox',
  radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', color: 'button', hidden: 'none',
};

const LIST_INPUTS = new Set(['text', 'search', 'tel', 'url', 'email', '', 'number', 'date', 'datetime-local', 'month', 'week', 'time']);
const SECTIONING_ROLES = new Set(['article', 'complementary', 'main', 'navigation']);
const EDITABLE = new Set(['', 'true', 'plaintext-only']);

/** The role of an element, `generic` and `none` included. @param {Element} element @returns {string} */
export function roleOf(element) {
  let role = call.roles.get(element);
  if (role === undefined) {
    role = computeRole(element);
    call.roles.set(element, role);
  }
  return role;
}

/** @param {Element} element @returns {string} */
function computeRole(element) {
  const written = attr(element, 'role');
  if (written) {
    for (const word of written.toLowerCase().split(/[ \t\n\f\r]+/)) {
      if (!ARIA_ROLES.has(word)) continue;
      const role = ROLE_SYNONYMS[word] ?? word;
      if ((role === 'form' || role === 'region') && !authorNamed(element)) continue;
      if (role === 'none') {
        if (meansSomething(element)) break;
        return 'none';
      }
      const wanted = REQUIRED_AROUND[role];
      if (wanted && localName(element) !== 'li' && !owned(element, wanted)) return 'generic';
      return role;
    }
  }
  return implicitRole(element);
}

/** Roles that mean nothing outside of another. @type {Record<string, Set<string>>} */
const REQUIRED_AROUND = {
  option: new Set(['listbox', 'group']),
  listitem: new Set(['list', 'feed', 'group', 'menu']),
  treeitem: new Set(['tree', 'group', 'treeitem']),
};

/** Whether an element with one of the roles owns it; what has no role of its own is looked through. @param {Element} element @param {Set<string>} wanted */
function owned(element, wanted) {
  for (let at = composedParent(element); at; at = composedParent(at)) {
    const role = roleOf(at);
    if (wanted.has(role)) return true;
    if (role !== 'generic' && role !== 'none') return false;
  }
  return false;
}

/** Whether a presentational role is void on the element. @param {Element} element */
function meansSomething(element) {
  if (focusable(element) || localName(element) === 'dialog') return true;
  for (const attribute of GLOBAL_ARIA) if (attr(element, attribute)) return true;
  return false;
}

/** Whether the author gave the element a name, which some roles require. @param {Element} element */
export function authorNamed(element) {
  if (attr(element, 'aria-label')?.trim()) return true;
  if (hasAttr(element, 'aria-labelledby') && idrefs(element, 'aria-labelledby').length) return true;
  return !!attr(element, 'title')?.trim();
}

/** The role that HTML gives; what stands for nothing else and is edited is a text box. @param {Element} element @returns {string} */
function implicitRole(element) {
  const role = tagRole(element, tagOf(element));
  return (role === 'generic' || role === 'none' || role === 'sectionheader' || role === 'sectionfooter') && editingHost(element) ? 'textbox' : role;
}

/** @param {Element} element @param {string} tag @returns {string} */
function tagRole(element, tag) {
  switch (tag) {
    case 'div': case 'span': return hasAttr(element, 'popover') ? 'group' : 'generic';
    case 'a': return hasAttr(element, 'href') ? 'link' : 'generic';
    case 'area': return hasAttr(element, 'href') ? 'link' : 'generic';
    case 'svg:a': return hasAttr(element, 'href') || hasAttr(element, 'xlink:href') ? 'link' : 'generic';
    case 'aside': {
      return sectioned(element, 'main') && !authorNamed(element) ? 'generic' : 'complementary';
    }
    case 'header': return sectioned(element) ? 'sectionheader' : 'banner';
    case 'footer': return sectioned(element) ? 'sectionfooter' : 'contentinfo';
    case 'form': return 'form';
    case 'section': return authorNamed(element) ? 'region' : 'generic';
    case 'img': return attr(element, 'alt') === '' && !meansSomething(element) && !attr(element, 'title') ? 'none' : 'image';
    case 'svg:svg': return 'image';
    case 'input': return inputRole(element);
    case 'select': return isListbox(element) ? 'listbox' : 'combobox';
    case 'option': return 'option';
    case 'li': return ownerRole(element) === 'none' ? 'none' : 'listitem';
    case 'button': return isSelectsOwn(element) ? 'none' : 'button';
    case 'summary': return isDetailsSummary(element) ? 'button' : 'generic';
    case 'table': return presentationalTable(element) ? 'none' : 'table';
    case 'thead': case 'tbody': case 'tfoot': return tableRole(element) ? 'rowgroup' : 'none';
    case 'tr': return tableRole(element) ? 'row' : 'none';
    case 'td': case 'th': return cellRole(element, tag);
    case 'caption': return tableRole(element) ? 'caption' : 'none';
  }
  if (tag.startsWith('svg:')) return svgRole(element, tag);
  return TAG_ROLES[tag] ?? 'generic';
}

/** Parts of a drawing mean something only where they have a name. @param {Element} element @param {string} tag */
function svgRole(element, tag) {
  if (tag === 'svg:foreignObject' || tag === 'svg:text' || tag === 'svg:tspan') return 'generic';
  if (!attr(element, 'aria-label')?.trim() && !attr(element, 'aria-labelledby') && svgTitle(element) === null) return 'generic';
  return tag === 'svg:g' ? 'group' : 'graphics-symbol';
}

/** Whether a button is what a select shows of itself. @param {Element} element */
function isSelectsOwn(element) {
  const above = parentElement(element);
  return above !== null && localName(above) === 'select';
}

/** @param {Element} element */
function inputRole(element) {
  const type = token(element, 'type');
  if (LIST_INPUTS.has(type) && hasAttr(element, 'list')) {
    const [list] = idrefs(element, 'list');
    if (list && localName(list) === 'datalist') return 'combobox';
  }
  return INPUT_ROLES[type] ?? 'textbox';
}

/** Whether a select shows several rows. @param {Element} element */
export function isListbox(element) {
  const size = Number.parseInt(attr(element, 'size') ?? '', 10);
  return size > 1 || (hasAttr(element, 'multiple') && size !== 1);
}

/** @param {Element} element */
export function isDetailsSummary(element) {
  const above = parentNode(element);
  if (!above || nodeType(above) !== ELEMENT || localName(/** @type {Element} */ (above)) !== 'details') return false;
  for (let at = firstChild(above); at; at = nextSibling(at)) {
    if (nodeType(at) === ELEMENT && localName(/** @type {Element} */ (at)) === 'summary') return at === element;
  }
  return false;
}

/** Whether a header, footer or aside belongs to a section and not to the page. @param {Element} element @param {string} [except] a tag that does not count */
export function sectioned(element, except) {
  for (let at = composedParent(element); at; at = composedParent(at)) {
    const tag = localName(at);
    if (hasAttr(at, 'role')) {
      if (SECTIONING_ROLES.has(roleOf(at)) && roleOf(at) !== except) return true;
      continue;
    }
    if (tag === except) continue;
    if (tag === 'article' || tag === 'aside' || tag === 'main' || tag === 'nav' || tag === 'section') return true;
  }
  return false;
}

/** The role of the element that owns this one: generic wrappers are passed over. @param {Element} element */
function ownerRole(element) {
  const above = composedParent(element);
  if (!above) return '';
  const tag = localName(above);
  const role = roleOf(above);
  if (role !== 'list' && (tag === 'ul' || tag === 'ol' || tag === 'menu')) return 'none';
  return role;
}

/** Whether the element is where editing begins. @param {Element} element */
export function editingHost(element) {
  const value = attr(element, 'contenteditable');
  return value !== null && EDITABLE.has(value.toLowerCase());
}

/** Whether the element can take the focus. @param {Element} element */
export function focusable(element) {
  const index = attr(element, 'tabindex');
  if (index !== null && /^\s*[+-]?\d/.test(index)) return true;
  switch (localName(element)) {
    case 'a': case 'area': return hasAttr(element, 'href');
    case 'input': return token(element, 'type') !== 'hidden' && !disabled(element);
    case 'button': case 'select': case 'textarea': return !disabled(element);
    case 'iframe': return true;
    case 'summary': return isDetailsSummary(element);
    case 'audio': case 'video': return hasAttr(element, 'controls');
  }
  return editingHost(element);
}

export const FORM_CONTROLS = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup', 'fieldset']);

/** Whether HTML disables the control, by itself or through a fieldset. @param {Element} element */
export function disabled(element) {
  if (!FORM_CONTROLS.has(localName(element))) return false;
  return matches(element, ':disabled');
}
