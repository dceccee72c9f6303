/** Deterministic building blocks of the seed: the same number always gives the same text. */

/** A 32-bit mix of two numbers (after murmur3's finaliser). */
function mix(kind: number, index: number): number {
  let hash = Math.imul(kind ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const hex = (kind: number, index: number) => mix(kind, index).toString(16).padStart(8, '0');

/** A UUID in the form of version 4; `kind` keeps different kinds of things apart. */
export function uuid(kind: number, index: number): string {
  const text = hex(kind, index) + hex(kind + 1000, index) + hex(kind + 2000, index) + hex(kind + 3000, index);
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-a${text.slice(17, 20)}-${text.slice(20)}`;
}

/** Picks one of the choices. */
export function pick<T>(choices: readonly T[], kind: number, index: number): T {
  return choices[mix(kind, index) % choices.length]!;
}

/** Digits as text. */
export function digits(count: number, kind: number, index: number): string {
  return String(mix(kind, index)).padStart(count, '0').slice(-count);
}

/** RFC 3339 in UTC: `days` and a few hours after 1 January 2024. */
export function dateTime(days: number, index = 0): string {
  return new Date(Date.UTC(2024, 0, 1 + days, mix(77, index) % 24, mix(78, index) % 60)).toISOString();
}
