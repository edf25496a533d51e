// Between the walk and the text: what belongs together is joined, what would
// be said twice is dropped.

import {readable, wellFormed} from '../dom/dom.js';
import {FIELDS} from '../aria/state.js';
import {CELLS, SCOPES} from './roles.js';
/** @import {Line, Walk} from './tree.js' */

/** A text without the marks of emphasis. @param {string} text */
export function unmarked(text) {
  return text.includes('*') ? text.replace(/(\*\*?)(?=\S)(.*?\S)\1/g, '$2') : text;
}

/** @param {Line | string | symbol} kid @returns {kid is Line} */
export function isLine(kid) {
  return typeof kid === 'object';
}

/** All text below a line or string. @param {Line | string | symbol} kid @returns {string} */
export function flatText(kid) {
  if (typeof kid === 'string') return unmarked(kid);
  if (typeof kid === 'symbol') return '';
  if (kid.name && !kid.quiet) return kid.name;
  if (kid.role === 'text') return ''; // ARIA hides it
  return kid.kids.map(flatText).join(' ').trim();
}

/** How emphasis stands in a text. @type {Record<string, string>} */
const MARKS = {strong: '**', emphasis: '*'};

/**
 * Joins texts, melts phrases into the text that they are part of, and forgets the breaks.
 * @param {(Line | string | symbol)[]} raw
 * @param {Walk} walk
 * @returns {(Line | string)[]}
 */
export function settle(raw, walk) {
  if (raw.length === 0) return /** @type {(Line | string)[]} */ (raw);
  if (raw.length === 1 && isLine(raw[0])) return [raw[0]];
  /** @type {(Line | string)[]} */
  const out = [];
  let text = '';
  const flush = () => {
    if (!text) return;
    const clean = readable(text);
    if (clean && clean !== ' ') out.push(clean);
    text = '';
  };
  for (let i = 0; i < raw.length; i++) {
    const kid = raw[i];
    if (typeof kid === 'string') {
      text += kid;
    } else if (typeof kid === 'symbol') {
      flush();
    } else if (kid.phrase && kid.kids.every((inner) => typeof inner === 'string') && (text.trim() || textFollows(raw, i + 1))) {
      const mark = MARKS[kid.role] ?? '';
      text += mark + kid.kids.join(' ') + mark;
    } else {
      flush();
      out.push(kid);
    }
  }
  flush();
  // A paragraph alone in an item or cell says nothing more than its text.
  if (!walk.all && out.length === 1 && isLine(out[0]) && out[0].role === 'paragraph' && !out[0].ref && !out[0].states.length && !out[0].name) {
    return /** @type {(Line | string)[]} */ (out[0].kids.length ? [...out[0].kids] : out);
  }
  return out;
}

/** Whether text comes before the next block. @param {(Line | string | symbol)[]} raw @param {number} from */
function textFollows(raw, from) {
  for (let i = from; i < raw.length; i++) {
    const kid = raw[i];
    if (typeof kid === 'symbol') return false;
    if (typeof kid === 'string') {
      if (kid.trim()) return true;
    } else if (!kid.phrase) {
      return false;
    }
  }
  return false;
}

/**
 * What stays below a line whose name is its content: what acts.
 * @param {string} role
 * @param {(Line | string | symbol)[]} kids
 * @returns {(Line | string | symbol)[]}
 */
export function speakAsName(role, kids) {
  if (CELLS.has(role) && kids.some((kid) => isLine(kid) && !kid.phrase)) return kids;
  return actingOnly(kids);
}

/** Whether the one thing in an element acts on a click for the whole of it, and says nothing else. @param {Line} line */
export function twiceClickable(line) {
  const [only] = line.kids;
  return line.kids.length === 1 && isLine(only) && only.role === 'clickable' && !only.kids.length && !only.states.length && (!line.name || line.name === only.name);
}

/** @param {(Line | string | symbol)[]} kids @returns {Line[]} */
function actingOnly(kids) {
  /** @type {Line[]} */
  const out = [];
  for (const kid of kids) {
    if (!isLine(kid)) continue;
    if (kid.acts || kid.role === 'iframe') out.push(kid);
    else out.push(...actingOnly(kid.kids));
  }
  return out;
}

/** Roles that tell where a control is, in the short tree. */
const CONTEXT = new Set([...SCOPES, 'row', 'listitem', 'group', 'rowgroup'].filter((role) => role !== 'list' && role !== 'table' && role !== 'rowgroup'));

/** What a line is called where its texts are left out. @param {Line} line */
function contextName(line) {
  if (line.name || !(line.role === 'row' || line.role === 'listitem' || line.role === 'article' || line.role === 'clickable')) return line.name;
  const text = line.kids.map(flatText).filter(Boolean).join(' ');
  return text.length > 60 ? wellFormed(text.slice(0, 59)) + '…' : text;
}

/**
 * Keeps what can be acted on, and in short where it is.
 * @param {(Line | string | symbol)[]} kids
 * @returns {Line[]}
 */
export function interactiveOnly(kids) {
  /** @type {Line[]} */
  const out = [];
  for (const kid of kids) {
    if (!isLine(kid)) continue;
    const inner = interactiveOnly(kid.kids);
    const scrolls = kid.states.some((state) => state.startsWith('scrollable'));
    if (kid.acts || kid.role === 'iframe' || scrolls) {
      out.push({...kid, name: contextName(kid), quiet: false, kids: FIELDS.has(kid.role) ? kid.kids : inner});
    } else if (inner.length && CONTEXT.has(kid.role)) {
      out.push({...kid, name: contextName(kid), quiet: false, kids: inner});
    } else {
      out.push(...inner);
    }
  }
  return out;
}
