// Search, filter and copy; what is searched for stands in the address. Without this script the page reads the same.

{
  const form = document.querySelector('form.search');
  const inputs = ['search', 'shown', 'level'].map((id) => document.getElementById(id));
  const [query, shown, level] = inputs;
  const found = document.getElementById('found');
  const items = [...document.querySelectorAll('[data-shown]')];
  const requirements = items.filter((item) => item.classList.contains('requirement'));
  const holders = [...document.querySelectorAll('[data-holds]')];

  // Ids and paths of the exchanges that a failure shows.
  const exchanges = [...document.querySelectorAll('.timeline > li:not(.gap)')].map((item) => ({
    item,
    text: (item.querySelector('summary') ?? item).textContent.toLowerCase(),
  }));
  // All that show a failure are found with it, also those that the page has no room for.
  const textOf = new Map(items.map((item) => [item, `${item.dataset.text} ${item.dataset.exchanges ?? ''}`]));
  for (const { item, text } of exchanges) {
    const failure = item.closest('.failure');
    if (failure) textOf.set(failure, `${textOf.get(failure)} ${text}`);
  }

  const wordsOf = () => query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text, words) => words.every((word) => text.includes(word));

  const fits = (item, words) =>
    (shown.value === '' || item.dataset.shown === shown.value) &&
    (level.value === '' || item.dataset.level === level.value) &&
    has(textOf.get(item), words);

  const filter = () => {
    const words = wordsOf();
    for (const item of items) item.hidden = !fits(item, words);
    for (const holder of holders) holder.hidden = !holder.querySelector('[data-shown]:not([hidden])');
    const left = requirements.filter((item) => !item.hidden).length;
    const isUnshown = items.every((item) => item.hidden) && /^\s*(?:s\d+)?x\d{5,}\s*$/i.test(query.value);
    found.textContent = isUnshown
      ? 'in exchanges.ndjson'
      : left === requirements.length
        ? ''
        : `${left} of ${requirements.length}`;
  };

  const show = (target) => {
    for (let part = target; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true;
    target.querySelector('details')?.setAttribute('open', '');
    target.scrollIntoView({ block: target.matches('.timeline > li') ? 'center' : 'start' });
  };

  // Enter leads to the exchange that is searched for, else to the first that is left.
  const lead = () => {
    const words = wordsOf();
    if (words.length === 0) return;
    const exchange = exchanges.find(({ item, text }) => !item.closest('[hidden]') && has(text, words));
    const target = exchange?.item ?? items.find((item) => !item.hidden);
    if (target) show(target);
  };

  const keep = () => {
    const kept = inputs.filter(({ value }) => value !== '').map(({ id, value }) => [id, value]);
    history.replaceState(null, '', `#${new URLSearchParams(kept)}`);
    filter();
  };

  // The address holds what is searched for, or the place that a link leads to.
  const read = () => {
    if (!location.hash.includes('=')) return open();
    const kept = new URLSearchParams(location.hash.slice(1));
    for (const input of inputs) input.value = kept.get(input.id) ?? '';
    filter();
    lead();
  };

  // A link may lead into something that is closed or filtered out.
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest('[hidden]')) {
      form.reset();
      filter();
    }
    show(target);
  };

  const copy = async (button) => {
    const text = button.closest('.copyable').querySelector('pre');
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  };

  form.hidden = false;
  for (const button of document.querySelectorAll('.copy')) button.hidden = false;
  for (const input of inputs) input.addEventListener('input', keep);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    lead();
  });
  document.addEventListener('click', ({ target }) => target.closest('.copy') && copy(target.closest('.copy')));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(?:INPUT|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    query.focus();
  });
  window.addEventListener('hashchange', read);
  filter();
  read();
}
