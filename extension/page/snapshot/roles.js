// Kinds of roles, as the walk and the text treat them.

import {NAMED_BY_CONTENT} from '../aria/name.js';

/** Roles that are told only where the page wrote them, or with `all`: their children say everything. */
export const PASSED_OVER = new Set(['generic', 'none', 'rowgroup', 'sectionheader', 'sectionfooter']);
/** What acts as a whole. */
export const SIMPLE = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab']);
/** Parts of running text. */
export const PHRASES = new Set(['strong', 'emphasis', 'code', 'mark', 'subscript', 'superscript', 'deletion', 'insertion', 'time', 'term', 'suggestion']);
/** Places that a later call may want to look into alone. */
export const SCOPES = new Set((
  'banner complementary contentinfo form main navigation region search dialog alertdialog table grid treegrid list ' +
  'menu menubar tablist tabpanel toolbar tree radiogroup article feed application').split(' '));
/** Roles that say their content as their name; what is in it and acts stays below. */
export const SPOKEN_AS_NAME = new Set([...NAMED_BY_CONTENT].filter((role) => role !== 'row'));
export const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
