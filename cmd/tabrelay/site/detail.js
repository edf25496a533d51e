import { euros, from, place, query, to, trains } from './timetable.js';

const $ = (id) => document.getElementById(id);

const train = (await trains()).find((t) => t.id === query.get('id'));
if (train) show();
else {
  $('name').textContent = 'No such train';
  $('choose').hidden = true;
}

function show() {
  document.title = `${train.name} – Lantern Line`;
  $('number').textContent = train.id;
  $('name').textContent = train.name;
  const stops = [[train.leaves, from()], ...train.stops, [train.arrives, to()]];
  $('stops').replaceChildren(...stops.map(([time, city]) => {
    const li = document.createElement('li');
    li.append(Object.assign(document.createElement('time'), { textContent: time }), city);
    return li;
  }));
  const facts = { Price: euros(train.price), Place: place()[0], 'Beds left': train.beds, Breakfast: train.breakfast };
  for (const [term, text] of Object.entries(facts)) {
    const dt = Object.assign(document.createElement('dt'), { textContent: term });
    const dd = Object.assign(document.createElement('dd'), { textContent: text });
    $('facts').append(dt, dd);
  }
  $('choose').addEventListener('click', () => {
    if (window.opener) {
      window.opener.postMessage({ chosen: train.id }, location.origin);
      window.close();
    } else back({ chosen: train.id });
  });
}

$('close').addEventListener('click', () => (window.opener ? window.close() : back({})));

// Without a popup this page took the place of the list.
function back(more) {
  const search = new URLSearchParams(query);
  search.delete('id');
  for (const [name, value] of Object.entries(more)) search.set(name, value);
  location.assign(`trains.html?${search}`);
}
