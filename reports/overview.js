// Search and filter, kept in the address. Without this script every requirement is shown.

{
  const form = document.querySelector('form.search');
  const [query, show, found] = ['search', 'show', 'found'].map((id) => document.getElementById(id));
  const rows = [...document.querySelectorAll('tr[data-text]')];
  const groups = [...document.querySelectorAll('.grid tbody')];
  const KINDS = { failures: 'fails', differences: 'differs' };

  const filter = () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kind = KINDS[show.value];
    for (const row of rows)
      row.hidden = (kind && !row.classList.contains(kind)) || !words.every((word) => row.dataset.text.includes(word));
    for (const group of groups) group.hidden = !group.querySelector('tr[data-text]:not([hidden])');
    const left = rows.filter((row) => !row.hidden).length;
    found.textContent = left === rows.length ? '' : `${left} of ${rows.length}`;
  };

  const keep = () => {
    const kept = new URLSearchParams({ q: query.value, show: show.value || 'all' });
    history.replaceState(null, '', `#${kept}`);
    filter();
  };

  const read = () => {
    const kept = new URLSearchParams(location.hash.slice(1));
    if (location.hash && !kept.has('show')) return;
    query.value = kept.get('q') ?? '';
    const wanted = kept.get('show') ?? 'failures';
    show.value = wanted in KINDS ? wanted : '';
    filter();
    // A page without failures must not be empty.
    if (!kept.has('show') && rows.every((row) => row.hidden)) {
      show.value = '';
      filter();
    }
  };

  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  for (const input of [query, show]) input.addEventListener('input', keep);
  window.addEventListener('hashchange', read);
  read();
}
