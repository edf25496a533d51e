// Making an element ready to be acted on: found, in view, able, and under the
// point where the pointer will be.

import {bodyOf, closest, composedParent, find, focusedElement, hasAttr, invoke, localName, nextElement, parentElement, plainContains, previousElement,
  queryAll, read, rectOf} from '../dom/dom.js';
import {beginCall, inert, rendered, styleOf} from '../dom/style.js';
import {isListbox} from '../aria/role.js';
import {disabledState, quote} from '../aria/state.js';
import {continueRefs, elementOf, refOf, refState, twinOf} from '../snapshot/refs.js';
import {opensInPage} from '../snapshot/form.js';
import {describe, elementSaid} from '../snapshot/describe.js';
import {Objected, hindered} from '../objection.js';
import {locateAll, nearMisses} from './locate.js';
import {acts, clickBoxes, placePointer, tiny, visiblePart} from './point.js';
import {aim} from './aim.js';
import {focusOn, proxy, readyToType} from './type.js';
import {forgetUnsent} from './unsent.js';
import {change} from '../dom/wait.js';
import {hasFocus, tabHidden} from '../dom/view.js';
/** @import {Objection} from '../objection.js' */

/**
 * @typedef {object} ActRequest
 * @property {string} [prefix]
 * @property {number} [next]
 * @property {string} [ref]
 * @property {string} [selector]
 * @property {string} act click, hover, type, select, press, scroll, shot or find
 * @property {number} [wait] milliseconds to wait for what hinders
 * @property {boolean} [clear]
 * @property {boolean} [again] the element was found before; do not scroll around
 */

/**
 * @typedef {object} Ready
 * @property {number} next
 * @property {boolean} hidden
 * @property {boolean} focus
 * @property {Objection} [objection] why it is not ready
 * @property {string} [ref]
 * @property {string} [target] the element, as describe says it
 * @property {string} [role]
 * @property {string[]} [notes]
 * @property {number} [x]
 * @property {number} [y]
 * @property {string} [kind] what the element is to whoever acts: select, file, option, field, editor, keys, shaped, check, keyed
 * @property {boolean} [link]
 * @property {boolean} [suggests] a field that the page shows a list for
 * @property {boolean} [fresh] it has just got the focus
 * @property {boolean} [scrolled] the page was scrolled for it
 * @property {{x: number, y: number, width: number, height: number}} [box]
 */

const MOST_LISTED = 10;

/**
 * How long, in ms, a hidden control is waited for where the page shows another in its place: most such pages keep it
 * hidden for good, and the answer names the other. One that appears with a transition is there by then.
 */
const REPLACED_TIME = 700;

/**
 * Finds the element and makes it ready; waits for what hinders while there is time.
 * @param {ActRequest} request
 * @returns {Promise<Ready>}
 */
export async function prepare(request) {
  forgetUnsent();
  const begun = performance.now();
  const until = begun + (request.wait ?? 0);
  for (let first = !request.again; ; first = false) {
    beginCall();
    continueRefs(request);
    const ready = attempt(request, first);
    const replaced = ready.objection?.code === 'replaced';
    const left = (replaced ? Math.min(until, begun + REPLACED_TIME) : until) - performance.now();
    if (replaced && left <= 0 && request.wait && ready.objection) ready.objection.passing = false;
    const loading = ready.objection?.code === 'none' && read(document, 'readyState') === 'loading';
    if ((!ready.objection?.passing && !loading) || left <= 0) return ready;
    await change(Math.min(left, 100));
  }
}

/** @param {ActRequest} request @param {boolean} first @returns {Ready} */
export function attempt(request, first) {
  /** @type {Ready} */
  const ready = {next: 0, hidden: tabHidden(), focus: hasFocus(), notes: []};
  try {
    let element = sought(request, ready);
    if ((request.act === 'type' || request.act === 'select') && localName(element) === 'label') {
      element = /** @type {HTMLLabelElement} */ (element).control ?? element;
    }
    prepared(element, ready);
    steps[request.act]?.(element, request, ready, first);
  } catch (problem) {
    if (!(problem instanceof Objected)) throw problem;
    ready.objection = problem.objection;
  }
  ready.next = refState.next;
  return ready;
}

/** Says which element is meant. @param {Element} element @param {Ready} ready */
export function prepared(element, ready) {
  [ready.target, ready.role] = elementSaid(element);
  ready.ref = refOf(element);
}

/** @param {ActRequest} request @param {Ready} ready @returns {Element} */
function sought(request, ready) {
  if (request.ref) {
    const element = elementOf(request.ref);
    if (element) return element;
    const twin = twinOf(request.ref);
    if (!twin) throw new Objected('gone');
    const about = twin.role + (twin.name ? ' ' + quote(twin.name) : '');
    if (!twin.element) throw new Objected(twin.count > 1 ? 'gone-alike' : 'gone-known', {about});
    const now = refOf(twin.element);
    ready.notes?.push(`${request.ref} was replaced; used the only ${about}` + (now === request.ref ? ' in its place' : `, now ${now}`));
    return twin.element;
  }
  const found = locateAll(request.selector ?? '');
  if (!found.length) throw new Objected('none', {list: nearMisses(request.selector ?? '')});
  if (found.length > 1) throw new Objected('many', {count: found.length, list: found.slice(0, MOST_LISTED).map(describe)});
  return found[0];
}

/**
 * What each kind of action needs.
 * @type {Record<string, (element: Element, request: ActRequest, ready: Ready, first: boolean) => void>}
 */
export const steps = {
  click(element, request, ready, first) {
    const kind = kindOf(element);
    ready.kind = kind === 'select' && opensInPage(/** @type {HTMLSelectElement} */ (element)) ? 'picker' : kind;
    ready.link = closest(element, 'a[href], area[href]') !== null;
    mustSee(element);
    mustBeAble(element);
    mustRest(element);
    const around = bearer(element);
    if (around) ready.notes?.push(`it has no size: clicked ${describe(around)} around it`);
    if (!byKey(element, ready, first)) aim(element);
  },
  hover(element, request, ready, first) {
    mustSee(element);
    mustRest(element);
    placePointer(element, ready, first);
    aim(null);
  },
  type: readyToType,
  select(element, request, ready) {
    ready.kind = kindOf(element);
    mustBeAble(element);
    if (ready.kind !== 'select') mustSee(element);
  },
  press(element, request, ready) {
    mustSee(element);
    mustBeAble(element);
    ready.kind = kindOf(element);
    ready.fresh = focusedElement() !== element;
    focusOn(element);
    const focused = focusedElement();
    if (focused !== element && !(focused && plainContains.call(element, focused))) {
      ready.notes?.push('it does not take the focus; the keys went to ' + (focused && focused !== bodyOf(document) ? describe(focused) : 'the page'));
    }
  },
  shot(element, request, ready) {
    mustSee(element);
    if (!visiblePart(element)) invoke(element, 'scrollIntoView', {block: 'center', inline: 'nearest', behavior: 'instant'});
    const box = rectOf(element);
    ready.box = {x: box.x + window.scrollX, y: box.y + window.scrollY, width: box.width, height: box.height};
    ready.x = box.x;
    ready.y = box.y;
  },
};

/** What an element is to whoever acts on it. @param {Element} element */
export function kindOf(element) {
  const tag = localName(element);
  if (tag === 'select') return isListbox(element) ? 'listbox' : 'select';
  if (tag === 'option') return 'option';
  if (tag === 'input') {
    const type = /** @type {HTMLInputElement} */ (element).type;
    if (type === 'file') return 'file';
    if (type === 'checkbox' || type === 'radio') return 'check';
    if (type === 'button' || type === 'submit' || type === 'reset' || type === 'image') return 'button';
    if (/^(date|datetime-local|month|week|time|color|range)$/.test(type)) return 'shaped';
    return 'field';
  }
  if (tag === 'textarea') return 'field';
  if (tag === 'iframe' || tag === 'frame' || tag === 'object' || tag === 'embed') return 'frame'; // its press is seen inside
  if (read(/** @type {HTMLElement} */ (element), 'isContentEditable')) return 'editor';
  return 'other';
}

/**
 * Places the pointer, or reports that a key does what a click would: a box to check may be kept out of sight, where no
 * label takes the click for it.
 * @param {Element} element @param {Ready} ready @param {boolean} first
 */
function byKey(element, ready, first) {
  try {
    placePointer(element, ready, first);
    return false;
  } catch (problem) {
    if (ready.kind !== 'check' || !(tiny(element) || styleOf(element).opacity === '0')) throw problem;
    focusOn(element);
    if (focusedElement() !== element) throw problem;
    ready.kind = 'keyed';
    return true;
  }
}

/** @param {Element} element */
export function mustSee(element) {
  if (rendered(element) && (clickBoxes(element).length || kindOf(element) === 'check')) return;
  if (rendered(standIn(element))) return;
  if (localName(element) === 'input' && /** @type {HTMLInputElement} */ (element).type === 'hidden') throw new Objected('never');
  const face = faceOf(element);
  if (face) throw hindered('replaced', describe(face));
  throw hindered('hidden');
}

/** What a page shows beside a control that it hides, in its place. @param {Element} element @returns {Element | null} */
function faceOf(element) {
  if (!/^(check|field|shaped|file|select)$/.test(kindOf(element))) return null;
  let hidden = element;
  for (let up = parentElement(hidden); up && !rendered(up) && up !== bodyOf(document); up = parentElement(hidden)) hidden = up;
  for (const beside of [nextElement(hidden), previousElement(hidden)]) {
    if (!beside || !rendered(beside) || !visiblePart(beside)) continue;
    if (acts(beside)) return other(beside) ? null : beside;
    const inside = Array.from(queryAll(beside, '*')).slice(0, 50).find((one) => rendered(one) && acts(one));
    if (inside) return other(inside) ? null : inside;
  }
  return null;
}

/** Whether a control is one of its own in its form. @param {Element} element */
function other(element) {
  return hasAttr(element, 'name') && FIELD.test(localName(element)) || /** @type {HTMLButtonElement} */ (element).type === 'submit';
}

const FIELD = /^(input|select|textarea)$/;

/** @param {Element} element */
export function mustBeAble(element) {
  if (disabledState(element)) throw hindered('disabled');
  if (localName(element) === 'label') {
    const control = /** @type {HTMLLabelElement} */ (element).control;
    if (control && disabledState(control)) throw hindered('disabled');
  }
  if (inertHere(element)) throw hindered('inert');
}

/** @param {Element} element */
export function inertHere(element) {
  return find('[inert], dialog:modal') !== null && inert(element);
}

/**
 * What acts around a control without a size, such as the header of a column around its button to sort by it: null where
 * nothing does, or another control is in it.
 * @param {Element} element @returns {Element | null}
 */
function bearer(element) {
  if (!rendered(element) || clickBoxes(element).length) return null;
  for (let at = composedParent(element), steps = 0; at && at !== bodyOf(document) && steps < 3; at = composedParent(at), steps++) {
    if (!acts(at)) continue;
    const others = Array.from(queryAll(at, '*')).slice(0, 50).some((one) => one !== element && acts(one) && clickBoxes(one).length);
    return others || !clickBoxes(at).length ? null : at;
  }
  return null;
}

/**
 * A control that cannot be seen is clicked through its label or what bears it, and the hidden field of an editor through
 * the editor.
 * @param {Element} element
 * @returns {Element}
 */
export function standIn(element) {
  const labels = read(/** @type {HTMLInputElement} */ (element), 'labels');
  if (labels) for (const label of labels) if (rendered(label) && clickBoxes(label).length) return label;
  if (kindOf(element) === 'field' && rendered(element) && proxy(element)) {
    for (let at = composedParent(element); at && at !== bodyOf(document); at = composedParent(at)) {
      const box = rectOf(at);
      if (box.width > 20 && box.height > 10 && rendered(at) && visiblePart(at)) return at;
    }
  }
  return bearer(element) ?? element;
}

const MOVES = /^(transform|translate|rotate|scale|left|top|right|bottom|inset|margin|width|height|offset|max|min|padding|flex|grid|all)/;

/** An element that is about to come to rest is waited for. @param {Element} element */
export function mustRest(element) {
  for (const animation of invoke(document, 'getAnimations')) {
    if (animation.playState !== 'running') continue;
    const effect = /** @type {KeyframeEffect | null} */ (animation.effect);
    const moved = effect?.target;
    if (!effect || !moved || !(moved === element || plainContains.call(moved, element))) continue;
    const left = Number(effect.getComputedTiming().endTime) - Number(animation.currentTime);
    if (!(left > 0 && left < 1000)) continue;
    if (effect.getKeyframes().some((frame) => Object.keys(frame).some((property) => MOVES.test(property)))) throw hindered('moving');
  }
}
