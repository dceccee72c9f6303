/** Identifiers and secrets that are made up: of the form of one that exists, and naming nothing. */
import { randomInt, randomUUID } from 'node:crypto';

/** An identifier that names nothing, of the same form as one that does: other digits, and enough of them to be nobody's. */
export function invented(like: string): string {
  if (UUID.test(like)) return like === like.toUpperCase() ? randomUUID().toUpperCase() : randomUUID();
  const digits = HEX.test(like) ? /[0-9a-f]/gi : /[0-9]/g;
  const missing = ENOUGH_DIGITS - (like.match(digits)?.length ?? 0);
  const varied = like.replace(digits, () => String(randomInt(10)));
  const more = Array.from({ length: Math.max(0, missing) }, () => randomInt(10)).join('');
  // What follows the padding of base64 may be passed over.
  return like.endsWith('=') ? more + varied : varied + more;
}

/** A UUID in either case of letters. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]+$/i;
/** Random digits that hit an existing identifier by chance in no target. */
const ENOUGH_DIGITS = 15;

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The text with its last character changed in the one bit of it that no encoding leaves spare; undefined where it is none of base64url. */
export function endedOtherwise(text: string): string | undefined {
  const last = BASE64.indexOf(text.slice(-1) || ' ');
  return last < 0 ? undefined : text.slice(0, -1) + BASE64[last ^ 32];
}

/** The text with one character changed: the letter or digit nearest after its middle, else the last one. */
export function altered(text: string): string {
  const middle = Math.floor(text.length / 2);
  const after = [...text.slice(middle)].findIndex((character) => /[A-Za-z0-9]/.test(character));
  const at = after < 0 ? text.search(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/) : middle + after;
  return at < 0 ? `${text}0` : text.slice(0, at) + another(text[at]!) + text.slice(at + 1);
}

/** Another character of the same kind: hexadecimal stays hexadecimal, and case stays case. */
export function another(character: string): string {
  const kind = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ'].find((of) =>
    of.includes(character),
  );
  if (!kind) return character;
  const step = 1 + Math.floor(Math.random() * (kind.length - 1));
  return kind[(kind.indexOf(character) + step) % kind.length]!;
}
