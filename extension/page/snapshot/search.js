// Finding lines of the snapshot by text, with what is around them.

import {comparable} from '../dom/dom.js';
import {beginCall} from '../dom/style.js';
import {continueRefs, refState} from './refs.js';
import {pendingHosts, pendingRoots} from '../dom/hosts.js';
import {takeNews} from '../dom/news.js';
import {counted} from './tree.js';
import {told} from './inline.js';
import {shortened} from './render.js';
import {Objected} from '../objection.js';
import {buildTree} from './snapshot.js';
import {written} from './wire.js';
import {unmarked} from './settle.js';
/** @import {Line} from './tree.js' */
/** @import {Told} from './wire.js' */

/**
 * @typedef {object} SearchOptions
 * @property {string} [text] found without regard to letter case
 * @property {string} [regex]
 * @property {string} [flags]
 * @property {number} [context] lines before and after each match
 * @property {number} [limit] matches at most
 * @property {string} [prefix]
 * @property {number} [next]
 */

/** The whole page is searched, but not without end. */
const SEARCHED = 8_000_000;

/** Lines that are passed over. @type {Told} */
const GAP = {role: '', name: '', states: [], ref: '', text: '…'};

/** What is shown whole where something in it matches, unless it is long. */
const WHOLE = new Set(['row', 'listitem', 'option', 'treeitem', 'article']);
const MOST_WHOLE = 16;

/**
 * Searches the whole snapshot; each match comes with the lines above it in the tree.
 * @param {SearchOptions} options
 * @returns {{lines: string, count: number, next: number, frames?: string, more?: string,
 *   hosts?: number, roots?: number, news?: boolean}} the lines, those of all frames, and the rest as in a snapshot
 */
export function searchPage(options) {
  beginCall();
  continueRefs(options);
  const pattern = patternOf(options);
  const tree = buildTree(null, {}, SEARCHED);
  const unknown = {hosts: pendingHosts.size, roots: pendingRoots.size, news: takeNews()};
  const {rows, frames} = rowsOf(tree.kids);
  const limit = options.limit ?? 30;
  const {chosen, count} = chosenRows(rows, pattern, Math.max(0, options.context ?? 2), limit);
  /** @type {{depth: number, line: Told}[]} */
  const out = [];
  let before = -1;
  for (const index of [...chosen].sort((a, b) => a - b)) {
    const depth = rows[index].level;
    if (before >= 0 && index > before + 1) out.push({depth, line: GAP});
    out.push({depth, line: rows[index].make()});
    before = index;
  }
  beginCall();
  return {
    lines: written(out), count, next: refState.next, frames: written(frames), ...unknown,
    ...(count > limit ? {more: `… ${counted(count - limit)} more matches not shown: narrow the search`} : {}),
  };
}

/** @param {SearchOptions} options @returns {RegExp} */
function patternOf(options) {
  const flags = (options.flags ?? (options.regex ? '' : 'i')).replace(/[gy]/g, '');
  const source = options.regex ?? comparable(options.text ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  try {
    return new RegExp(source, flags);
  } catch (problem) {
    throw new Objected('search-regex', {why: /** @type {Error} */ (problem).message});
  }
}

/**
 * A line as it is searched: above is the index of the one that it is in.
 * @typedef {{level: number, make: () => Told, plain: string, above: number, role?: string}} Row
 */

/** The lines of a tree in their order, and those of its frames. @param {(Line | string | symbol)[]} kids */
function rowsOf(kids) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {{depth: number, line: Told}[]} */
  const frames = [];
  /** @param {(Line | string | symbol)[]} kids @param {number} level @param {number} above */
  const list = (kids, level, above) => {
    for (const kid of kids) {
      if (typeof kid === 'symbol') continue;
      if (typeof kid === 'string') {
        rows.push({level, above, plain: kid, make: () => ({role: 'text', name: '', states: [], ref: '', ...shortened(kid, false)})});
        continue;
      }
      if (kid.role === 'iframe') frames.push({depth: 0, line: told(kid)});
      const inline = kid.kids.length === 1 && typeof kid.kids[0] === 'string' ? kid.kids[0] : kid.value;
      const here = rows.length;
      rows.push({
        level, above, role: kid.role, plain: `${kid.role === 'text' ? '' : kid.role} ${kid.quiet ? '' : kid.name} ${inline}`,
        make: () => ({...told(kid), ...shortened(inline, false)}),
      });
      if (!(inline && inline === kid.kids[0])) list(kid.kids, level + 1, here);
    }
  };
  list(kids, 0, -1);
  return {rows, frames};
}

/** The indexes of rows that match and of those around them, and how many match. @param {Row[]} rows @param {RegExp} pattern @param {number} context @param {number} limit */
function chosenRows(rows, pattern, context, limit) {
  const chosen = new Set();
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    if (![rows[i].plain, unmarked(rows[i].plain), comparable(rows[i].plain)].some((text) => pattern.test(text))) continue;
    count++;
    if (count > limit) continue;
    for (let j = Math.max(0, i - context); j <= Math.min(rows.length - 1, i + context); j++) chosen.add(j);
    for (let up = rows[i].above; up >= 0; up = rows[up].above) {
      chosen.add(up);
      // What belongs together is shown together, such as the button of a row.
      if (!WHOLE.has(rows[up].role ?? '')) continue;
      let end = up + 1;
      while (end < rows.length && rows[end].level > rows[up].level) end++;
      if (end - up <= MOST_WHOLE) for (let j = up; j < end; j++) chosen.add(j);
    }
  }
  return {chosen, count};
}
