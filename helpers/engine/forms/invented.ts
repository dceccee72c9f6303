/** Invented identifiers and secrets: of the form of existing ones, but naming nothing. */
import { createHash, randomInt, randomUUID } from 'node:crypto';

/** An identifier of the same form that names nothing: with other digits, and more of them where they are too few to be unique. */
export function invented(like: string): string {
  if (UUID.test(like)) return like === like.toUpperCase() ? randomUUID().toUpperCase() : randomUUID();
  const digits = HEX.test(like) ? /[0-9a-f]/gi : /[0-9]/g;
  const missing = ENOUGH_DIGITS - (like.match(digits)?.length ?? 0);
  const varied = like.replace(digits, () => String(randomInt(10)));
  const more = Array.from({ length: Math.max(0, missing) }, () => randomInt(10)).join('');
  // Decoders may ignore whatever follows the padding of base64.
  return like.endsWith('=') ? more + varied : varied + more;
}

/** A UUID in either case of letters. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const HEX = /^[0-9a-f]+$/i;
/** Enough random digits that none hits an existing identifier by chance. */
const ENOUGH_DIGITS = 15;

/** Draws a number from 0 to less than another one. */
export type Draw = (below: number) => number;

/** Numbers that follow from a seed and a text: the same each time. */
export function drawFrom(seed: number, text: string): Draw {
  let drawn = 0;
  return (below) => createHash('sha256').update(`${seed} ${drawn++} ${text}`).digest().readUInt32BE() % below;
}

/** Another character of the same kind: hexadecimal stays hexadecimal, and upper case stays upper case. */
export function another(character: string, draw: Draw = randomInt): string {
  const kind = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ'].find((of) =>
    of.includes(character),
  );
  if (!kind) return character;
  const step = 1 + draw(kind.length - 1);
  return kind[(kind.indexOf(character) + step) % kind.length]!;
}
