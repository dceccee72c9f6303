/** Whether some pattern selects an id, or there is none but exclusions (`-`), and none excludes it. */
export function claims(patterns: readonly string[], id: string): boolean {
  const included = patterns.filter((pattern) => !isExclusion(pattern));
  const excluded = patterns.filter(isExclusion).map((pattern) => pattern.slice(1));
  return (
    (included.length === 0 || included.some((pattern) => matches(pattern, id))) &&
    !excluded.some((pattern) => matches(pattern, id))
  );
}

const isExclusion = (pattern: string): boolean => pattern.startsWith('-');

/**
 * Whether a pattern matches the id of a requirement or operation.
 *
 * A pattern is a whole id, or a prefix that ends at a dot (which may be omitted): `cards.get` matches `cards.get` and
 * `cards.get.shape`, not `cards.getBalance`. `*` stands for any number of characters, including dots:
 * `*.requires-token` matches that requirement of every operation, `cards.get*` also those of `cards.getBalance`.
 */
export function matches(pattern: string, id: string): boolean {
  const whole = pattern.endsWith('.') ? pattern : `${pattern}.`;
  const text = `${id}.`;
  if (!whole.includes('*')) return text.startsWith(whole);
  const [head = '', ...rest] = whole.split('*');
  if (!text.startsWith(head)) return false;
  let at = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
