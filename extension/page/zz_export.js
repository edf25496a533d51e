// What the page script offers. The first evaluation in a world stays: it holds
// the refs, so that evaluating again is harmless.

/** @type {any} */
const tabrelayHere = globalThis;
if (!tabrelayHere.tabrelay) {
  tabrelayHere.tabrelay = {
    snapshot, describe: fresh(describe), inspect: fresh(inspect),
    hosts: takeHosts, roots: takeRoots, adopt: adoptRoot, listens: markListening,
    element: elementOf, twin: fresh(twinOf), search: searchPage,
    prepare, still, lift, refFor, landed, typed, focusedTaker, setShaped, choose, widgetOption, scrollPage, awaits, change,
    watchDrag, dragState, takesFiles, heldFiles, clearParcels, addParcel, giveFiles, cancelChooser, dropParcels,
    checkable, frameCorner, contentOf, plainContent,
    outline, examine: fresh(examine), becomes, searchResults,
    offers, takeOffer, invalidFields: fresh(invalidFields), suggested,
  };
}
