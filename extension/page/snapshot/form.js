// Labels and lists of options: parts of forms whose line is not their own.

import {ELEMENT, collapse, firstChild, hasAttr, invoke, localName, nextSibling, nodeType, textContent, token} from '../dom/dom.js';
import {rendered, styleOf} from '../dom/style.js';
import {roleOf} from '../aria/role.js';
import {nameOf} from '../aria/name.js';
import {statesOf} from '../aria/state.js';
import {BREAK, counted, lineOf, walkChildren} from './tree.js';
import {flatText, settle} from './settle.js';
import {hintOf} from './hint.js';
/** @import {Line, Place, Walk} from './tree.js' */

/**
 * A label repeats what its control is called; it has a line only where it stands
 * for a control that cannot be seen, as styled check boxes do.
 * @param {HTMLLabelElement} element
 * @param {CSSStyleDeclaration} style
 * @param {(Line | string | symbol)[]} out
 * @param {Place} place
 * @param {Walk} walk
 * @param {boolean} clickable
 */
export function walkLabel(element, style, out, place, walk, clickable) {
  const control = element.control;
  if (control && !rendered(control) && token(control, 'type') !== 'hidden') {
    const role = roleOf(control);
    const line = lineOf(element, 'clickable', nameOf(control) || collapse(textContent(element)) || hintOf(element), [], true, false, walk);
    line.states.unshift(...statesOf(control, role, line.name).filter((state) => state !== 'focused'));
    line.states.unshift(role);
    out.push(line);
    return;
  }
  /** @type {(Line | string | symbol)[]} */
  const kids = [];
  // Where the control is called otherwise, the label's words are told as text.
  const muted = control !== null && !walk.all && !hasAttr(control, 'aria-label') && !hasAttr(control, 'aria-labelledby');
  if (!control && clickable) {
    walkChildren(element, 'label', style, kids, place, walk, true);
    const settled = settle(kids, walk);
    out.push(lineOf(element, 'clickable', settled.map(flatText).join(' ').trim(), settled.filter((kid) => typeof kid !== 'string' && kid.acts), true, false, walk));
    return;
  }
  const block = !style.display.startsWith('inline');
  if (block) out.push(BREAK);
  walkChildren(element, 'label', style, out, {...place, muted: place.muted || muted, depth: place.depth + 1}, walk, true);
  if (block) out.push(BREAK);
}

/** Whether a list of options opens as a part of the page, and not above it. @param {HTMLSelectElement} select */
export function opensInPage(select) {
  return styleOf(select).appearance === 'base-select';
}

const KNOWS_OPEN = CSS.supports('selector(:open)');

/** Whether such a list is open. @param {Element} select */
export function openInPage(select) {
  return KNOWS_OPEN && localName(select) === 'select' && invoke(select, 'matches', ':open') && opensInPage(/** @type {HTMLSelectElement} */ (select));
}

/** How many options of a closed list are told; the rest is counted. */
const MOST_OPTIONS = 30;

/** @param {HTMLSelectElement} select @param {string} role @param {Walk} walk @returns {(Line | string)[]} */
export function selectOptions(select, role, walk) {
  /** @type {(Line | string)[]} */
  const kids = [];
  const open = role !== 'combobox' || openInPage(select);
  const most = open || walk.all ? 500 : MOST_OPTIONS;
  let told = 0;
  let left = 0;
  /** @param {Element} parent @param {(Line | string | symbol)[]} into */
  const add = (parent, into) => {
    for (let at = firstChild(parent); at; at = nextSibling(at)) {
      if (nodeType(at) !== ELEMENT) continue;
      const child = /** @type {Element} */ (at);
      const tag = localName(child);
      if (tag === 'option') {
        if (told >= most && !/** @type {HTMLOptionElement} */ (child).selected) {
          left++;
          continue;
        }
        told++;
        const line = lineOf(child, 'option', nameOf(child), [], open, false, walk);
        into.push(line);
      } else if (tag === 'optgroup') {
        const line = lineOf(child, 'group', nameOf(child), [], false, false, walk);
        into.push(line);
        add(child, line.kids);
      } else {
        add(child, into);
      }
    }
  };
  add(select, kids);
  if (left) kids.push(`… ${counted(left)} more options`);
  return kids;
}
