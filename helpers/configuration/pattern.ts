/**
 * Whether a list of patterns claims an id: one of them selects it, and none that begins with `-` does. A list of
 * exclusions alone, or an empty one, claims everything else.
 */
export function claims(patterns: readonly string[], id: string): boolean {
  const included = patterns.filter((pattern) => !isExclusion(pattern));
  const excluded = patterns.filter(isExclusion).map((pattern) => pattern.slice(1));
  return (
    (included.length === 0 || included.some((pattern) => matches(pattern, id))) &&
    !excluded.some((pattern) => matches(pattern, id))
  );
}

/** Whether a pattern takes out what it selects. */
const isExclusion = (pattern: string): boolean => pattern.startsWith('-');

/**
 * Whether a pattern selects an id of a requirement or an operation.
 *
 * A pattern is a whole id, or a prefix that ends at a dot (which may be left off): `cards.get` selects `cards.get` and
 * `cards.get.shape`, not `cards.getBalance`. A `*` in it stands for any characters, none and dots included:
 * `*.requires-token` selects that requirement of every operation, `cards.get*` also those of `cards.getBalance`.
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
