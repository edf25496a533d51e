// The walk: the rendered page as a tree of what a line will say. Wrappers that
// add nothing are left out here, so that the tree is small from the start.

import {ELEMENT, TEXT, attr, baseOf, childElementCount, collapse, eachChild, findAll, firstChild, hasAttr, localName, nextSibling,
  nodeType, queryAll, read, tagOf, token, wellFormed} from '../dom/dom.js';
import {call, leaving, pseudoText, styleOf} from '../dom/style.js';
import {editingHost, roleOf} from '../aria/role.js';
import {NAMELESS, authorName, nameOf, shownValue} from '../aria/name.js';
import {FIELDS, RANGES, scrollState, statesOf, valueOf} from '../aria/state.js';
import {actsBelow, listensForOthers} from './acts.js';
import {ACTING, actsOnClick, clickListeners, draggable, idle, isGridCell, isItem} from './clickable.js';
import {CELLS, PASSED_OVER, PHRASES, SCOPES, SIMPLE, SPOKEN_AS_NAME} from './roles.js';
import {noteHost} from '../dom/hosts.js';
import {selectOptions, walkLabel} from './form.js';
import {flatText, isLine, settle, speakAsName, twiceClickable} from './settle.js';
import {hintOf} from './hint.js';
import {isVeiled, readsAsText, veiled} from './veiled.js';

/**
 * What becomes one line.
 * @typedef {object} Line
 * @property {Element} element
 * @property {string} role
 * @property {string} name
 * @property {boolean} quiet the name only repeats what the children say
 * @property {(Line | string | symbol)[]} kids
 * @property {boolean} acts something can be done with it
 * @property {boolean} ref
 * @property {string[]} states
 * @property {string} value
 * @property {boolean} phrase part of a text, such as an emphasis
 */

/** Keeps the texts of two blocks apart. */
export const BREAK = Symbol('block');

/**
 * @typedef {object} Walk
 * @property {boolean} all
 * @property {boolean} urls
 * @property {number} budget characters that may still be made; below zero the walk stops
 * @property {boolean} stopped
 * @property {Element[]} hosts elements that may hide a closed shadow tree
 */

/**
 * Where in the page the walk is.
 * @typedef {object} Place
 * @property {boolean} unseen ARIA hides what is here
 * @property {boolean} veil what ARIA hides is being gathered, to be told with a mark
 * @property {boolean} muted the texts here are in the name of something already
 * @property {boolean} pointer the pointer cursor has begun
 * @property {number} depth
 */

const NEVER_WALKED = new Set([
  'script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'datalist', 'base', 'param', 'source',
  'track', 'col', 'colgroup', 'wbr', 'map', 'svg:title', 'svg:desc', 'svg:defs', 'svg:metadata', 'svg:style', 'svg:script',
]);
/** Drawing: walked only where something marks it. */
const SVG_SHAPES = new Set(['svg:path', 'svg:circle', 'svg:rect', 'svg:line', 'svg:polygon', 'svg:polyline', 'svg:ellipse', 'svg:use', 'svg:image', 'svg:stop']);
/** Elements without anything below that a person reads. */
const LEAVES = new Set(['input', 'textarea', 'img', 'iframe', 'frame', 'audio', 'video', 'canvas', 'embed', 'meter', 'progress', 'hr', 'br']);
export const MOST_DEPTH = 1000;

/** Whether nothing of an element is ever told. @param {Element} element @param {string} tag */
function neverTold(element, tag) {
  if (NEVER_WALKED.has(tag)) return true;
  return SVG_SHAPES.has(tag) && !clickListeners.has(element) && !hasAttr(element, 'onclick') && !hasAttr(element, 'role') && !hasAttr(element, 'tabindex') && !hasAttr(element, 'aria-label');
}

/**
 * Walks an element and adds its lines and texts to out. Each function between a level of the page and the next costs
 * stack, which is not endless, so whatever goes a level down is called from here.
 * @param {Element} element
 * @param {(Line | string | symbol)[]} out
 * @param {Place} place
 * @param {Walk} walk
 */
export function walkElement(element, out, place, walk) {
  if (walk.budget < 0) walk.stopped = true;
  // Nobody nests so deep on purpose, and the stack is not endless.
  if (walk.stopped || place.depth > MOST_DEPTH) return;
  const tag = tagOf(element);
  if (neverTold(element, tag)) return;
  if (tag === 'br') {
    out.push(' ');
    return;
  }
  const style = styleOf(element);
  const display = style.display;
  if (display === 'none') return;
  if (hasAttr(element, 'inert') || leaving(element)) return;
  const visible = style.visibility === 'visible';
  const inline = display.startsWith('inline') || display === 'contents' || display.startsWith('ruby');
  const unseen = place.unseen || token(element, 'aria-hidden') === 'true';
  if (unseen && !place.veil) {
    /** @type {(Line | string | symbol)[]} */
    const inside = [];
    walkElement(element, inside, {...place, unseen, veil: true}, walk);
    if (inside.length) out.push(...veiled(element, inside, place.muted, walk));
    return;
  }
  noteHost(element, tag, walk);

  if (!visible) {
    walkChildren(element, tag, style, out, {...place, unseen, depth: place.depth + 1}, walk, false);
    return;
  }
  const role = roleOf(element);
  const host = editingHost(element);
  const acting = host || ACTING.has(role);
  const clickable = !acting && actsOnClick(element, tag, style, place.pointer);
  // Acts unless something in it does.
  const item = !acting && !clickable && !unseen && (isItem(element) || isGridCell(element, role));
  // Inside of a button or link, a pointer tells nothing new.
  const pointer = place.pointer || SIMPLE.has(role) || style.cursor === 'pointer';

  if (unseen && acting && !clickable && attr(element, 'tabindex') === '-1' && (style.opacity === '0' || idle(element, style))) return; // beside what stands for it
  if (unseen && !acting && !clickable) {
    if (!inline) out.push(BREAK);
    walkChildren(element, tag, style, out, {...place, unseen, pointer, depth: place.depth + 1}, walk, true);
    if (!inline) out.push(BREAK);
    return;
  }
  if (tag === 'label' && !host) {
    walkLabel(/** @type {HTMLLabelElement} */ (element), style, out, {...place, unseen, pointer}, walk, clickable);
    return;
  }
  if (tag === 'iframe' || tag === 'frame') {
    // Frames without an area are for counting visitors, not for them.
    if (read(element, 'clientWidth') < 2 || read(element, 'clientHeight') < 2) return;
    out.push(lineOf(element, role, nameOf(element), [], false, true, walk));
    return;
  }
  const scrolled = tag === 'textarea' || boxed(display) ? scrollMark(element, tag, style, role) : '';
  const told = role !== 'none' && role !== 'generic' && (walk.all || !PASSED_OVER.has(role) || hasAttr(element, 'role'));
  const labelled = (role === 'generic' || PASSED_OVER.has(role)) && role !== 'none' && bareName(element, walk) !== '';
  if (!told && !clickable && !item && !scrolled && !labelled && element !== call.focused) {
    if (!inline) out.push(BREAK);
    walkChildren(element, tag, style, out, {...place, unseen, pointer, depth: place.depth + 1}, walk, true);
    if (!inline) out.push(BREAK);
    return;
  }
  // What acts is told though ARIA hides it, and so is the text that says what it is.
  const below = {...place, unseen: false, veil: false, muted: place.muted && !clickable, pointer, depth: place.depth + 1};
  const line = walkTold(element, tag, role, style, below, walk, {acting, clickable: clickable || item, scrolled, host, unseen});
  if (!line) return;
  if (!inline && !line.phrase) out.push(BREAK);
  putLine(element, line, item, out, walk);
  if (tag === 'img' && hasAttr(element, 'usemap')) walkAreas(element, out, walk);
}

/**
 * Adds a line, or what is in it where it says nothing itself.
 * @param {Element} element
 * @param {Line} line
 * @param {boolean} item it acts unless something in it does
 * @param {(Line | string | symbol)[]} out
 * @param {Walk} walk
 */
function putLine(element, line, item, out, walk) {
  const within = actsBelow(line.kids);
  if (item && within) line.acts = line.ref = false;
  const silent = !walk.all && !line.name && !line.states.length && element !== call.focused;
  if (line.role === 'clickable' && silent && (item && within || listensForOthers(element, within, line))) {
    // Its texts are whole blocks.
    for (const kid of line.kids) out.push(kid, BREAK);
    return;
  }
  if (!walk.all && line.acts && line.role !== 'clickable' && twiceClickable(line)) {
    const [inner] = line.kids;
    line.kids = line.name || !isLine(inner) ? [] : [inner.name];
  }
  out.push(line);
}

/**
 * What an element shows that its author's name for it does not say, such as the value of a button that opens a list.
 * @param {Element} element
 * @param {string} name
 * @param {(Line | string | symbol)[]} kids
 */
function textBeside(element, name, kids) {
  if (!name || !attr(element, 'aria-label') && !hasAttr(element, 'aria-labelledby')) return '';
  const text = kids.filter((kid) => typeof kid === 'string' || isLine(kid) && !kid.acts && kid.role !== 'image' && !isVeiled(kid)).map(flatText).join(' ').trim();
  const known = name.toLowerCase();
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // One letter draws an icon, such as the x of a button that closes.
  return words.every((word) => known.includes(word) || /^\p{L}$/u.test(word)) ? '' : text;
}

/** The name of an element that has no role. @param {Element} element @param {Walk} walk */
function bareName(element, walk) {
  const label = attr(element, 'aria-label');
  if (label && localName(element) !== 'slot') return wellFormed(collapse(label));
  return walk.all ? authorName(element, true) : '';
}

/** The links of an image map, which have no box of their own. @param {Element} image @param {(Line | string | symbol)[]} out @param {Walk} walk */
function walkAreas(image, out, walk) {
  const wanted = (attr(image, 'usemap') ?? '').replace(/^#/, '');
  for (const map of findAll('map')) {
    if (attr(map, 'name') !== wanted) continue;
    for (const area of queryAll(map, 'area[href]')) out.push(lineOf(area, roleOf(area), nameOf(area), [], true, false, walk));
    return;
  }
}

/**
 * Makes the line of an element that has one.
 * @param {Element} element
 * @param {string} tag
 * @param {string} role
 * @param {CSSStyleDeclaration} style
 * @param {Place} place
 * @param {Walk} walk
 * @param {{acting: boolean, clickable: boolean, scrolled: string, host: boolean, unseen: boolean}} how
 * @returns {Line | null}
 */
function walkTold(element, tag, role, style, place, walk, how) {
  const bare = role === 'generic' || role === 'none' || (PASSED_OVER.has(role) && !walk.all && !hasAttr(element, 'role'));
  // A row's or cell's name mostly repeats what is in it: not computed before that is known.
  const late = !walk.all && (role === 'row' || CELLS.has(role));
  let name = late ? '' : bare ? bareName(element, walk) : NAMELESS.has(role) ? authorName(element, walk.all) : nameOf(element);
  /** @type {(Line | string | symbol)[]} */
  let kids = [];
  const spoken = SPOKEN_AS_NAME.has(role);
  if (tag === 'select') {
    kids = selectOptions(/** @type {HTMLSelectElement} */ (element), role, walk);
  } else if (tag === 'svg:svg' && !childElementCount(element)) {
    kids = [];
  } else if (!LEAVES.has(tag)) {
    walkChildren(element, tag, style, kids, place, walk, true);
    kids = settle(kids, walk);
  }
  // What is called by its content says all that it is for.
  if (kids.some(isVeiled) && !CELLS.has(role) && (spoken || how.acting || how.clickable && !actsBelow(kids))) kids = kids.filter((kid) => !isVeiled(kid));
  const apart = role === 'row' || kids.some((kid) => isLine(kid) && !kid.phrase);
  if (late) name = apart && !how.clickable ? authorName(element) : nameOf(element);
  let shown = role;
  if (bare) {
    shown = how.clickable ? 'clickable' : 'generic';
    if (how.clickable && kids.every((kid) => !isLine(kid) || kid.phrase)) {
      if (!name) name = kids.map(flatText).join(' ').trim();
      kids = [];
      if (!name && element !== call.focused && !walk.all && (how.unseen || idle(element, style))) return null;
      if (!name) name = hintOf(element);
      if (name.length > 200) name = name.slice(0, 199) + '…';
    }
  } else if (spoken && !walk.all && !how.host) {
    const hidden = textBeside(element, name, kids);
    kids = speakAsName(role, kids);
    if (hidden) kids.unshift(hidden);
  } else if (name && (tag === 'fieldset' || tag === 'table') && !walk.all) {
    // The legend or caption is the name already.
    kids = kids.filter((kid) => typeof kid === 'string' ? kid !== name : !isLine(kid) || kid.role !== 'caption' || flatText(kid) !== name);
  }
  if (role === 'paragraph' && !name && !kids.length && !how.acting && !how.clickable && !walk.all) return null;
  if (shown === 'image' && !name && !how.clickable && !walk.all) {
    if (tag === 'svg:svg' && !kids.length) return null;
  }
  if (how.clickable && !name && !bare && !kids.length && !CELLS.has(role)) name = hintOf(element);
  if (how.acting && !name && !how.host && !FIELDS.has(role) && !kids.length) name = hintOf(element);
  const line = lineOf(element, shown, name, kids, how.acting || how.clickable, false, walk);
  if (draggable(element, style.cursor)) line.states.push('draggable');
  if (how.host && !FIELDS.has(role)) line.states.push('editable');
  if (late && apart) line.quiet = !attr(element, 'aria-label');
  if (role === 'heading' && !walk.all && kids.length === 1 && typeof kids[0] !== 'string' && typeof kids[0] !== 'symbol' && kids[0].name === name) line.quiet = true;
  if (how.scrolled) {
    line.states.push(how.scrolled);
    line.ref = true;
  }
  line.phrase = PHRASES.has(role) && !line.acts && !line.name && !walk.all;
  if (role === 'combobox' && tag !== 'select' && !LEAVES.has(tag) && !walk.all) {
    line.value = wellFormed(shownValue(element));
    line.kids = kids.filter((kid) => isLine(kid) && (kid.acts || FIELDS.has(kid.role)));
  }
  if (tag === 'select' || LEAVES.has(tag) || role === 'slider' || RANGES.has(role)) line.value = wellFormed(collapse(valueOf(element, role)));
  if (line.value && RANGES.has(role)) line.kids = kids.filter(isLine);
  // In an editing host the text is the value; what is in it and acts stays.
  return line;
}

/**
 * @param {Element} element
 * @param {string} role
 * @param {string} name
 * @param {(Line | string | symbol)[]} kids
 * @param {boolean} acts
 * @param {boolean} frame
 * @param {Walk} walk
 * @returns {Line}
 */
export function lineOf(element, role, name, kids, acts, frame, walk) {
  const states = statesOf(element, role, name);
  if (walk.urls && role === 'link') {
    const url = linkUrl(element);
    if (url) states.push('url=' + url);
  }
  walk.budget -= role.length + name.length + 12;
  return {
    element, role, name, quiet: false, kids, acts,
    ref: acts || frame || walk.all || SCOPES.has(role) || element === call.focused,
    states, value: '', phrase: false,
  };
}

/** Where a link leads; without the origin when that is the page's. @param {Element} element */
function linkUrl(element) {
  const written = attr(element, 'href');
  if (written === null) return '';
  try {
    const url = new URL(written, baseOf(document));
    const short = url.origin === location.origin && url.protocol.startsWith('http') ? url.pathname + url.search + url.hash : url.href;
    return short.length > 300 ? short.slice(0, 299) + '…' : short;
  } catch {
    return written;
  }
}

/**
 * Walks what is rendered below an element.
 * @param {Element} element
 * @param {string} tag
 * @param {CSSStyleDeclaration} style
 * @param {(Line | string | symbol)[]} out
 * @param {Place} place
 * @param {Walk} walk
 * @param {boolean} texts whether texts directly below are seen
 */
export function walkChildren(element, tag, style, out, place, walk, texts) {
  if (LEAVES.has(tag)) return;
  if (boxed(style.display) && style.contentVisibility === 'hidden') return;
  const seen = texts && (!place.unseen || readsAsText(element, style));
  if (tag === 'details' && !hasAttr(element, 'open')) {
    for (let child = firstChild(element); child; child = nextSibling(child)) {
      if (nodeType(child) !== ELEMENT || localName(/** @type {Element} */ (child)) !== 'summary') continue;
      walkElement(/** @type {Element} */ (child), out, place, walk);
      break;
    }
    return;
  }
  const pseudo = seen && !place.unseen && !place.muted && !firstChild(element);
  if (pseudo) pushText(pseudoText(element, '::before'), out, walk);
  eachChild(element, (child) => {
    const type = nodeType(child);
    if (type === TEXT) {
      if (seen && !place.muted) pushText(/** @type {Text} */ (child).data, out, walk);
    } else if (type === ELEMENT) {
      if (walk.stopped) return;
      walkElement(/** @type {Element} */ (child), out, place, walk);
    }
  });
  if (pseudo) pushText(pseudoText(element, '::after'), out, walk);
}

/** Whether a display makes a box that can clip and scroll; the inside of tables and lines cannot. @param {string} display */
function boxed(display) {
  return display === 'block' || display === 'flex' || display === 'grid' || display === 'list-item' ||
    display === 'flow-root' || display.startsWith('inline-');
}

/** @param {string} text @param {(Line | string | symbol)[]} out @param {Walk} walk */
function pushText(text, out, walk) {
  if (!text) return;
  walk.budget -= text.length;
  out.push(text);
}

/** @param {number} count */
export function counted(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** @param {Element} element @param {string} tag @param {CSSStyleDeclaration} style @param {string} role */
function scrollMark(element, tag, style, role) {
  if (tag === 'body' || tag === 'html' || tag === 'input') return '';
  if (tag !== 'textarea' && tag !== 'select') {
    const overflow = style.overflow;
    if (!/auto|scroll/.test(overflow)) return '';
  }
  if (tag === 'select' && role === 'combobox') return '';
  return scrollState(element);
}
