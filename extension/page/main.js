// What the page script offers. The first evaluation in a world stays: it holds
// the refs, so that evaluating again is harmless.

import {fresh} from './dom/style.js';
import {objecting} from './objection.js';
import {elementOf, twinOf} from './snapshot/refs.js';
import {markListening} from './snapshot/clickable.js';
import {adoptRoot, takeHosts, takeRoots} from './dom/hosts.js';
import {snapshot} from './snapshot/snapshot.js';
import {frameCorner} from './snapshot/corner.js';
import {conceal, reveal} from './snapshot/print.js';
import {describe, inspect} from './snapshot/describe.js';
import {searchPage} from './snapshot/search.js';
import {contentOf, plainContent} from './snapshot/content.js';
import {prepare} from './act/act.js';
import {scrollPage, scrolledAt} from './act/scroll.js';
import {entrances} from './act/locate.js';
import {landed, lift, pressed, refFor, still} from './act/aim.js';
import {caretStayed, markCaret} from './act/caret.js';
import {focusedRef, focusedTaker, keepCaret, origins, putSecret, setShaped, typed, typedStill} from './act/type.js';
import {
  addParcel, cancelChooser, clearParcels, dragOver, dragState, dropParcels, frame, giveFiles, heldFiles, takesFiles, watchDrag,
} from './act/drag.js';
import {checkable, checkHidden, heldNow, sliderState} from './act/form.js';
import {submits} from './act/submit.js';
import {unsent} from './act/unsent.js';
import {choose, tookOption, widgetOption} from './act/select.js';
import {privateBoxes} from './dom/private.js';
import {firstPaint, viewState, viewToShow} from './dom/view.js';
import {awaits, change} from './dom/wait.js';
import {becomes, examine, outline} from './offers/outline.js';
import {searchResults} from './offers/results.js';
import {offers} from './offers/offers.js';
import {readTable, selecting, sorting} from './offers/grid.js';
import {paging} from './offers/pager.js';
import {invalidFields, takeOffer} from './offers/take.js';

/** Elements have names, which the page gives, and shadow properties of window; symbols they have not. */
const key = Symbol.for('tabrelay');
/** @type {any} */
const world = globalThis;
if (!world[key]) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const offered = {
    snapshot, describe: fresh(describe), inspect: fresh(inspect),
    hosts: takeHosts, roots: takeRoots, adopt: adoptRoot, listens: markListening,
    element: elementOf, twin: fresh(twinOf), search: searchPage,
    entrances: fresh(entrances), viewState, viewToShow, firstPaint, privateBoxes, conceal, reveal, scrolledAt, prepare, still, lift, refFor, landed, pressed, typed, typedStill, focusedRef, focusedTaker, keepCaret, markCaret: fresh(markCaret), caretStayed, origins, putSecret, setShaped, choose, widgetOption, tookOption, scrollPage, awaits, change,
    watchDrag, dragState, dragOver, frame, takesFiles, heldFiles, clearParcels, addParcel, giveFiles, cancelChooser, dropParcels,
    submits: fresh(submits), unsent, checkable, checkHidden, heldNow, sliderState, frameCorner, contentOf, plainContent,
    outline, examine: fresh(examine), becomes, searchResults,
    offers, takeOffer, readTable, sorting, selecting, paging: fresh(paging), invalidFields: fresh(invalidFields),
  };
  for (const [name, does] of Object.entries(offered)) offered[name] = objecting(does);
  world[key] = offered;
}
