// From the tree to the lines that are told, bounded.

import {bodyOf, localName, nextElement, rectOf} from '../dom/dom.js';
import {refOf} from './refs.js';
import {counted} from './tree.js';
import {LONG_TEXT, headed, inlined, optionCells, stripped, told} from './inline.js';
import {lineSize, written} from './wire.js';
/** @import {Line, Walk} from './tree.js' */
/** @import {Told} from './wire.js' */
/** @import {SnapshotOptions} from './snapshot.js' */

/**
 * What is told of a tree: its lines, how many characters they have as text, and
 * what was left out.
 * @typedef {{lines: string, shown: number, total: number, more: string}} Rendered
 */

/** Lines up to a limit. */
class Page {
  /** @type {{depth: number, line: Told}[]} */
  lines = [];
  at = 0;
  shown = 0;
  cut = false;

  /** @param {number} offset @param {number} limit in characters */
  constructor(offset, limit) {
    this.offset = offset;
    this.limit = limit;
  }

  /** @param {number} depth @param {Told} line @param {boolean} [above] others are in it, so that it ends with a colon */
  put(depth, line, above = false) {
    if (this.cut) return;
    const size = lineSize(depth, line) + (above ? 1 : 0);
    if (this.at >= this.offset) {
      if (this.shown + size > this.limit && this.shown > 0) {
        this.cut = true;
        return;
      }
      this.lines.push({depth, line});
      this.shown += size;
    }
    this.at += size;
  }
}

/**
 * @param {(Line | string | symbol)[]} kids
 * @param {SnapshotOptions} options
 * @param {number} offset
 * @param {number} limit
 * @param {Walk} walk
 * @returns {Rendered}
 */
export function renderLines(kids, options, offset, limit, walk) {
  const deepest = options.depth && options.depth > 0 ? options.depth : Infinity;
  const whole = !!options.all || !!options.scope;
  // Boxes and everything are asked for to be read by element.
  const simple = !options.all && !options.boxes;
  const boxes = boxOffer(options.boxes);
  const page = new Page(offset, limit);
  /** @type {Line[]} */
  const path = [];
  /** @type {Line[]} */
  let last = [];

  /** @param {(Line | string | symbol)[]} below @param {number} depth */
  const render = (below, depth) => {
    for (let i = 0; i < below.length && !page.cut; i++) {
      const kid = below[i];
      if (typeof kid === 'symbol') continue;
      if (typeof kid === 'string') {
        i += texts(below, i, depth);
        continue;
      }
      const line = simple ? stripped(kid) : kid;
      path.push(line);
      last = path.slice();
      element(line, depth);
      path.pop();
    }
  };

  /** Texts that follow each other, in one line. @param {(Line | string | symbol)[]} below @param {number} from @param {number} depth @returns {number} how many more than one */
  const texts = (below, from, depth) => {
    const first = shortened(/** @type {string} */ (below[from]), whole);
    const cells = [[first.text]];
    let size = first.text.length;
    let more = 0;
    for (; simple && !first.cut && typeof below[from + more + 1] === 'string'; more++) {
      const next = /** @type {string} */ (below[from + more + 1]);
      if (size + next.length > LONG_TEXT) break;
      cells.push([next]);
      size += next.length + 3;
    }
    const around = path.at(-1)?.element ?? bodyOf(document);
    page.put(depth, {role: 'text', name: '', states: [], ref: first.cut && around ? refOf(around) : '', ...(more ? {cells} : first)});
    return more;
  };

  /** @param {Line} line @param {number} depth */
  const element = (line, depth) => {
    const head = told(line, boxes);
    const inner = line.kids;
    const deeper = depth + 1 < deepest;
    const cells = simple && deeper ? inlined(line) : null;
    const options = simple && deeper && (line.role === 'combobox' || line.role === 'group') ? optionCells(inner) : null;
    if (cells) {
      page.put(depth, {...head, states: line.role === 'row' && headed(inner) ? [...head.states, 'header'] : head.states, cells});
    } else if (options && line.role === 'group') {
      page.put(depth, {...head, cells: options});
    } else if (options) {
      page.put(depth, {...head, ...shortened(line.value, whole)}, !line.value);
      page.put(depth + 1, {role: 'options', name: '', states: [], ref: '', cells: options});
    } else if (line.value) {
      page.put(depth, cutAt(line, {...head, ...shortened(line.value, whole)}));
      render(inner, depth + 1);
    } else if (inner.length === 1 && typeof inner[0] === 'string') {
      page.put(depth, cutAt(line, {...head, ...shortened(inner[0], whole)}));
    } else if (inner.length && !deeper) {
      page.put(depth, {...head, inside: countLines(inner)});
    } else {
      page.put(depth, head, inner.length > 0);
      render(inner, depth + 1);
    }
  };

  render(kids, 0);
  const incomplete = page.cut || walk.stopped;
  return {
    lines: written(page.lines), shown: page.shown, total: incomplete ? -1 : page.at,
    more: incomplete ? moreNote(last, page.at) : '',
  };
}

/**
 * @param {SnapshotOptions['boxes']} boxes
 * @returns {((element: Element) => string) | null}
 */
function boxOffer(boxes) {
  if (!boxes) return null;
  const {x = 0, y = 0, scale = 1} = boxes === true ? {} : boxes;
  /** @param {number} value */
  const short = (value) => String(Math.round(value * 100) / 100);
  return (element) => {
    const box = rectOf(element);
    return `${short(x + box.x * scale)},${short(y + box.y * scale)},${short(box.width * scale)},${short(box.height * scale)}`;
  };
}

/** Of a text that is asked for whole, so much is told. */
const WHOLE_TEXT = 20_000;

/** What is told of a long text, and how much is not. @param {string} text @param {boolean} whole @returns {{text: string, cut?: number}} */
export function shortened(text, whole) {
  const most = whole ? WHOLE_TEXT : LONG_TEXT;
  if (text.length <= most) return {text};
  return {text: text.slice(0, most - 40), cut: text.length - most + 40};
}

/** A line whose text is cut has a ref, by which all of it is shown. @param {Line} line @param {Told} told @returns {Told} */
function cutAt(line, told) {
  if (told.cut) told.ref ||= refOf(line.element, line.role, line.name);
  return told;
}

/** @param {(Line | string | symbol)[]} kids @returns {number} */
function countLines(kids) {
  let count = 0;
  for (const kid of kids) {
    if (typeof kid === 'string') count++;
    else if (typeof kid === 'object') count += 1 + (kid.kids.length === 1 && typeof kid.kids[0] === 'string' ? 0 : countLines(kid.kids));
  }
  return count;
}

/** @type {Record<string, string>} */
const PLURALS = {row: 'rows', listitem: 'items', option: 'options', treeitem: 'tree items', article: 'articles', link: 'links'};

/**
 * Says what a cut left out: of the element at the cut and those around it, the one with most of its kind to come.
 * @param {Line[]} path
 * @param {number} at where the next part begins
 */
function moreNote(path, at) {
  let most = 0;
  let what = 'elements';
  let scope = '';
  for (let i = 0; i < path.length; i++) {
    const count = followers(path[i].element);
    if (count <= most) continue;
    most = count;
    what = PLURALS[path[i].role] ?? 'elements';
    for (let above = i - 1; above >= 0; above--) {
      if (!path[above].ref) continue;
      scope = refOf(path[above].element);
      break;
    }
  }
  const how = scope ? `scope with ref=${scope}, search, or offset=${at}` : `search, or offset=${at}`;
  return most ? `… ${counted(most)} more ${what} not shown: ${how}` : `… more not shown: ${how}`;
}

/** How many elements of its kind come after it. @param {Element} element */
function followers(element) {
  let count = 0;
  const tag = localName(element);
  for (let at = nextElement(element); at; at = nextElement(at)) if (localName(at) === tag) count++;
  return count;
}
