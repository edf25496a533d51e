// What the stations know: the same twelve trains every evening.

export const query = new URLSearchParams(location.search);

const places = { seat: ['reclining seat', 0], couchette: ['couchette', 24], sleeper: ['sleeper', 71] };

export const place = () => places[query.get('place')] ?? places.couchette;
export const from = () => query.get('from') || 'Basel';
export const to = () => query.get('to') || 'Trieste';

/** Trains with prices for the place that is asked for. */
export async function trains() {
  const answer = await fetch('trains.json');
  if (!answer.ok) throw new Error(`the timetable answers ${answer.status}`);
  const [, extra] = place();
  return (await answer.json()).map((t) => ({ ...t, price: t.price + extra + (query.get('bicycle') ? 9 : 0) }));
}

export const euros = (n) => `€${n}.00`;
