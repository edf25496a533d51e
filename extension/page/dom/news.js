// Whether elements have come since it was last asked: on a page with thousands of listeners, asking Chrome for
// them takes longer than the snapshot itself.

let elementsCame = true;
const arrivals = new MutationObserver(noteArrivals);
arrivals.observe(document, {childList: true, subtree: true});

/** @param {MutationRecord[]} records */
function noteArrivals(records) {
  elementsCame ||= records.some((record) => record.addedNodes.length > 0);
}

/** Whether elements came since the last call, as far as a document knows of its shadow trees. */
export function takeNews() {
  noteArrivals(arrivals.takeRecords());
  const came = elementsCame;
  elementsCame = false;
  return came;
}
