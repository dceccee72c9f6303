/**
 * Milliseconds that a Retry-After header (RFC 9110 section 10.2.3) asks to wait: seconds or an HTTP date. A date is
 * compared with the answer's own Date, so that differing clocks do not matter. Null if the header is absent or
 * unreadable.
 */
export function retryAfterMs(headers: Record<string, string | string[]>): number | null {
  const value = first(headers['retry-after'])?.trim();
  if (value === undefined) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  if (!value.endsWith('GMT') || Number.isNaN(until)) return null;
  const date = Date.parse(first(headers.date) ?? '');
  return Math.max(0, until - (Number.isNaN(date) ? Date.now() : date));
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
