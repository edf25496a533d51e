// Dragging and dropping: where things go, what the page made of it, and files
// that are put together in the page where Chrome may not hand them over.

import {composedParent, invoke, isConnected, localName, nextSibling, plainContains, queryAll, rectOf, wellFormed} from '../dom/dom.js';
import {beginCall} from '../dom/style.js';
import {turn} from '../dom/wait.js';
import {disabledState} from '../aria/state.js';
import {elementOf, refOf} from '../snapshot/refs.js';
import {hindered} from '../objection.js';
import {kindOf, mustBeAble, mustRest, mustSee, standIn, steps} from './act.js';
import {hitAt, placePointer, pointOn, visiblePart} from './point.js';
import {aim} from './aim.js';

/**
 * The drag that is under way, as this frame sees it, and where what is dragged stood before.
 * @type {{watched: boolean, start: Event | null, over: Event | null, drop: Event | null, ended: boolean, x: number, y: number,
 *   source: Element | null, parent: Element | null, next: Node | null, left: number, top: number}}
 */
const dragSeen = {
  watched: false, start: null, over: null, drop: null, ended: false, x: 0, y: 0, source: null, parent: null, next: null, left: 0, top: 0,
};

/**
 * Forgets what was seen of a drag and looks for a new one.
 * @param {string} ref of what is dragged, if it is here
 * @param {string} onto of what it is to lie on, if that is here and it goes to its middle
 * @returns {boolean} whether both are items of one list
 */
export function watchDrag(ref, onto) {
  beginCall();
  watching(ref);
  return onto !== '' && itemsOfOneList(ref, onto);
}

/** @param {string} ref */
function watching(ref) {
  dragSeen.start = dragSeen.over = dragSeen.drop = null;
  dragSeen.ended = false;
  const source = dragSeen.source = ref ? elementOf(ref) : null;
  if (source) {
    dragSeen.parent = composedParent(source);
    dragSeen.next = nextSibling(source);
    ({left: dragSeen.left, top: dragSeen.top} = rectOf(source));
  }
  if (dragSeen.watched) return;
  dragSeen.watched = true;
  window.addEventListener('dragstart', (event) => { dragSeen.start = event; }, true);
  window.addEventListener('dragover', (event) => { dragSeen.over = event; }, true);
  window.addEventListener('drop', (event) => { dragSeen.drop = event; }, true);
  window.addEventListener('dragend', () => { dragSeen.ended = true; }, true);
  window.addEventListener('mouseup', ({clientX, clientY}) => { dragSeen.x = clientX; dragSeen.y = clientY; }, true);
}

/** What has been seen of the drag since. @returns {{started: boolean, accepted: boolean, dropped: boolean, ended: boolean, moved: boolean}} */
export function dragState() {
  const {start, over, drop, ended} = dragSeen;
  return {started: !!start && !start.defaultPrevented, accepted: !!over?.defaultPrevented, dropped: !!drop, ended, moved: hasMoved()};
}

/** What was seen of a drag once the page has handled its end. */
export async function dragOver() {
  for (let turns = 0; turns < 3; turns++) await turn();
  return dragState();
}

/** Whether what was dragged stands elsewhere in the document, or lies where the button was released and did not before. */
function hasMoved() {
  const {source, parent, next, left, top, x, y} = dragSeen;
  if (!source) return false;
  if (!isConnected(source) || composedParent(source) !== parent || nextSibling(source) !== next) return true;
  const box = rectOf(source);
  return (Math.abs(box.left - left) > 2 || Math.abs(box.top - top) > 2) && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/** How long a page that draws nothing is waited for. */
const FRAME_TIME = 40;

/** Resolves with the next frame. @returns {Promise<void>} */
export function frame() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_TIME);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** How much of the item around it an element has to fill to stand for it. */
const MOST_OF = 0.5;

/**
 * Whether two elements are, or fill, items of one list: such are pushed aside only when the pointer is past their middle.
 * @param {string} from
 * @param {string} to
 */
function itemsOfOneList(from, to) {
  const a = elementOf(from), b = elementOf(to);
  if (!a || !b) return false;
  const around = new Set();
  for (let at = /** @type {Element | null} */ (a); at; at = composedParent(at)) around.add(at);
  let list = /** @type {Element | null} */ (b);
  let second = /** @type {Element | null} */ (null);
  for (; list && !around.has(list); list = composedParent(list)) second = list;
  let first = /** @type {Element | null} */ (null);
  for (let at = /** @type {Element | null} */ (a); at && at !== list; at = composedParent(at)) first = at;
  return first !== null && second !== null && localName(first) === localName(second) && alike(first, second) && fills(a, first) && fills(b, second);
}

/** Whether two elements are about as wide or as high. @param {Element} a @param {Element} b */
function alike(a, b) {
  const one = rectOf(a), other = rectOf(b);
  return Math.abs(one.width - other.width) <= one.width / 10 || Math.abs(one.height - other.height) <= one.height / 10;
}

/** @param {Element} element @param {Element} item */
function fills(element, item) {
  const inner = rectOf(element), outer = rectOf(item);
  return inner.width * inner.height >= outer.width * outer.height * MOST_OF;
}

steps.drag = (element, request, ready, first) => {
  mustSee(element);
  mustBeAble(element);
  mustRest(element);
  placePointer(element, ready, first);
  const box = rectOf(element);
  ready.box = {x: box.left, y: box.top, width: box.width, height: box.height};
  aim(element);
};

steps.drop = (element, request, ready, first) => {
  ready.kind = kindOf(element);
  mustSee(element);
  mustBeAble(element);
  let at = pointOn(element);
  if (!at.point && first) {
    invoke(standIn(element), 'scrollIntoView', {block: 'center', inline: 'nearest', behavior: 'instant'});
    at = pointOn(element);
  }
  const part = visiblePart(element);
  if (!part) throw hindered('outside');
  // What is dragged may itself lie over the place.
  [ready.x, ready.y] = at.point ?? [(part.left + part.right) / 2, (part.top + part.bottom) / 2];
  const {left, top} = rectOf(element);
  ready.box = {x: left, y: top, width: part.right - part.left, height: part.bottom - part.top}; // of what is seen of it
};

steps.upload = (element, request, ready) => {
  const input = fileInput(element);
  if (!input) {
    ready.kind = kindOf(element);
    return;
  }
  ready.kind = 'file';
  ready.ref = refOf(input);
  if (disabledState(input)) throw hindered('disabled');
};

/** The file input that an element is, labels or holds. @param {Element} element @returns {HTMLInputElement | null} */
function fileInput(element) {
  if (kindOf(element) === 'file') return /** @type {HTMLInputElement} */ (element);
  const control = localName(element) === 'label' ? /** @type {HTMLLabelElement} */ (element).control : null;
  if (control && kindOf(control) === 'file') return /** @type {HTMLInputElement} */ (control);
  const inside = queryAll(element, 'input[type=file]');
  return inside.length === 1 ? /** @type {HTMLInputElement} */ (inside[0]) : null;
}

/** What a file input takes. @param {string} ref @returns {{multiple: boolean, accept: string, folder: boolean} | null} */
export function takesFiles(ref) {
  beginCall();
  const input = elementOf(ref);
  if (!input || kindOf(input) !== 'file') return null;
  const {multiple, accept, webkitdirectory} = /** @type {HTMLInputElement} */ (input);
  return {multiple: multiple || webkitdirectory, accept, folder: webkitdirectory};
}

/** The names of the files that a file input has now. @param {string} ref @returns {string[]} */
export function heldFiles(ref) {
  const input = /** @type {HTMLInputElement | null} */ (elementOf(ref));
  return Array.from(input?.files ?? [], (file) => wellFormed(file.name));
}

/** Files that come in parts. @type {{name: string, type: string, parts: BlobPart[]}[]} */
let parcels = [];

/** Begins with new files. */
export function clearParcels() {
  parcels = [];
}

/** Adds a part of a file. @param {{file: number, name: string, type: string, data: string}} part the data in base 64 */
export function addParcel({file, name, type, data}) {
  const parcel = parcels[file] ?? (parcels[file] = {name, type, parts: []});
  if (data) parcel.parts.push(bytesOf(data));
}

/** @param {string} data in base 64 @returns {Uint8Array<ArrayBuffer>} */
function bytesOf(data) {
  const {fromBase64} = /** @type {{fromBase64?: (data: string) => Uint8Array<ArrayBuffer>}} */ (/** @type {unknown} */ (Uint8Array));
  if (fromBase64) return fromBase64.call(Uint8Array, data);
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** @returns {DataTransfer} */
function packed() {
  const transfer = new DataTransfer();
  for (const {name, type, parts} of parcels) transfer.items.add(new File(parts, name, {type}));
  parcels = [];
  return transfer;
}

/** Puts the files that have come into a file input. @param {string} ref @returns {boolean} */
export function giveFiles(ref) {
  beginCall();
  const input = /** @type {HTMLInputElement | null} */ (elementOf(ref));
  const transfer = packed();
  if (!input) return false;
  input.files = transfer.files;
  input.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  input.dispatchEvent(new Event('change', {bubbles: true}));
  return true;
}

/** Tells a file input that nothing was chosen. @param {string} ref */
export function cancelChooser(ref) {
  beginCall();
  const input = elementOf(ref);
  if (input) invoke(input, 'dispatchEvent', new Event('cancel', {bubbles: true}));
}

/**
 * Drops the files that have come, a text and HTML onto an element, by events of the page script.
 * @param {{ref: string, x: number, y: number, text: string, html: string}} request
 * @returns {{accepted: boolean, dropped: boolean}}
 */
export function dropParcels(request) {
  beginCall();
  const element = elementOf(request.ref);
  const transfer = packed();
  if (!element) return {accepted: false, dropped: false};
  if (request.text) transfer.setData('text/plain', request.text);
  if (request.html) transfer.setData('text/html', request.html);
  const hit = hitAt(request.x, request.y);
  const target = hit && plainContains.call(element, hit) ? hit : element;
  /** @param {string} type */
  const send = (type) => {
    const event = new DragEvent(type, {
      bubbles: true, cancelable: true, composed: true, dataTransfer: transfer, clientX: request.x, clientY: request.y,
      screenX: request.x, screenY: request.y,
    });
    invoke(target, 'dispatchEvent', event);
    return event.defaultPrevented;
  };
  const entered = send('dragenter');
  const accepted = send('dragover') || entered;
  if (!accepted) {
    send('dragleave');
    return {accepted, dropped: false};
  }
  send('drop');
  return {accepted, dropped: true};
}
