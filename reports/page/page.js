// Search, filter and copy. Without this script the page reads the same.

{
  const form = document.querySelector('form.search');
  const [query, shown, level, found] = ['search', 'shown', 'level', 'found'].map((id) => document.getElementById(id));
  const items = [...document.querySelectorAll('[data-shown]')];
  const requirements = items.filter((item) => item.classList.contains('requirement'));
  const holders = [...document.querySelectorAll('[data-holds]')];

  const fits = ({ dataset }, words) =>
    (shown.value === '' || dataset.shown === shown.value) &&
    (level.value === '' || dataset.level === level.value) &&
    words.every((word) => dataset.text.includes(word));

  const filter = () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) item.hidden = !fits(item, words);
    for (const holder of holders) holder.hidden = !holder.querySelector('[data-shown]:not([hidden])');
    const left = requirements.filter((item) => !item.hidden).length;
    found.textContent = left === requirements.length ? '' : `${left} of ${requirements.length}`;
  };

  // A link may lead into something that is closed or filtered out.
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest('[hidden]')) {
      form.reset();
      filter();
    }
    for (let part = target; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true;
    target.scrollIntoView();
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
  for (const input of [query, shown, level]) input.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('click', ({ target }) => target.closest('.copy') && copy(target.closest('.copy')));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(?:INPUT|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    query.focus();
  });
  window.addEventListener('hashchange', open);
  filter();
  open();
}
