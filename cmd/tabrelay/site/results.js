import { euros, from, place, query, to, trains } from './timetable.js';

const $ = (id) => document.getElementById(id);
const after = (ms) => new Promise((done) => setTimeout(done, ms));

$('route').textContent = `${from()} to ${to()}`;
document.title = `${from()} to ${to()} – Lantern Line`;
const evening = query.get('date') ? new Date(`${query.get('date')}T12:00`) : new Date();
$('wish').textContent = [
  evening.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' }),
  place()[0],
  query.get('bicycle') ? 'with a bicycle' : '',
].filter(Boolean).join(' · ');

let chosen = null;

function row(train) {
  const tr = document.createElement('tr');
  const name = document.createElement('th');
  name.scope = 'row';
  name.append(train.name, Object.assign(document.createElement('small'), { textContent: train.id }));
  tr.append(name);
  for (const text of [train.leaves, train.arrives, train.changes || 'direct', train.beds]) {
    tr.insertCell().textContent = text;
  }
  const price = tr.insertCell();
  price.className = 'number';
  price.textContent = euros(train.price);
  const more = document.createElement('a');
  more.textContent = 'Details';
  more.setAttribute('aria-label', `Details of ${train.name}`);
  const search = new URLSearchParams(query);
  search.delete('chosen');
  search.set('id', train.id);
  more.href = `train.html?${search}`;
  more.addEventListener('click', (event) => {
    if (window.open(more.href, 'train', 'popup,width=460,height=660')) event.preventDefault();
  });
  tr.insertCell().append(more);
  tr.dataset.id = train.id;
  return tr;
}

// The stations take their time, as real ones do.
const [found] = await Promise.all([trains(), after(700)]);
$('rows').replaceChildren(...found.map(row));
$('found').hidden = false;
$('status').textContent = `${found.length} trains found.`;

function choose(id) {
  chosen = found.find((t) => t.id === id);
  if (!chosen) return;
  for (const tr of $('rows').children) tr.classList.toggle('on', tr.dataset.id === chosen.id);
  $('chosen').textContent = `${chosen.name}, ${chosen.leaves} from ${from()}`;
  $('receipt').textContent = 'Nothing is booked yet.';
  $('reserve').disabled = false;
  $('choice').hidden = false;
}

// The popup tells here what was chosen in it.
addEventListener('message', (event) => {
  if (event.origin === location.origin && event.data?.chosen) choose(event.data.chosen);
});
choose(query.get('chosen'));

$('reserve').addEventListener('click', async () => {
  const train = chosen;
  if (!confirm(`Reserve a ${place()[0]} on ${train.name} for ${euros(train.price)}?`)) {
    $('receipt').textContent = 'You kept your money. Nothing is booked.';
    return;
  }
  $('reserve').disabled = true;
  $('receipt').textContent = 'Making your bed…';
  await after(900);
  $('receipt').textContent = `Reserved: ${place()[0]} on ${train.name}. Your number is ${train.id.replace(' ', '')}-${train.beds}. Sleep well!`;
});

$('rules').addEventListener('click', () => {
  alert('A ticket can be given back until the lanterns are lit, that is 18:00 on the evening of travel.');
});
