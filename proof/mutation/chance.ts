/** Stands for `node:crypto` in the copies: what is drawn by chance depends on the request alone, so that two replays compare. */
import { createHash } from 'node:crypto';

export * from 'node:crypto';

let request = 0;
let draws = 0;

/** Begins the draws of a request. */
export function drawFor(number: number): void {
  request = number;
  draws = 0;
}

export function randomBytes(size: number): Buffer {
  draws++;
  return createHash('shake256', { outputLength: size }).update(`${request} ${draws} ${size}`).digest();
}

export function randomUUID(): string {
  const hex = randomBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
