// The date starts as tomorrow, and the past is not sold.
const date = document.forms.namedItem('search').elements.namedItem('date');
const day = (ahead) => {
  const d = new Date();
  d.setDate(d.getDate() + ahead);
  return [d.getFullYear(), d.getMonth() + 1, d.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
};
date.min = day(0);
date.value = day(1);
