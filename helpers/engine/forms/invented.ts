/** Invented identifiers and secrets: of the form of existing ones, but naming nothing. */
import { randomInt, randomUUID } from 'node:crypto';

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

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The text with its last character changed in the one bit that base64 never leaves spare; undefined if that character is not of base64. */
export function endedOtherwise(text: string): string | undefined {
  const last = BASE64.indexOf({ '+': '-', '/': '_' }[text.slice(-1)] ?? (text.slice(-1) || ' '));
  return last < 0 ? undefined : text.slice(0, -1) + BASE64[last ^ 32];
}

/** The text with one character changed: the first letter or digit from the middle on, else the last one before it. */
export function altered(text: string): string {
  const middle = Math.floor(text.length / 2);
  const after = [...text.slice(middle)].findIndex((character) => /[A-Za-z0-9]/.test(character));
  const at = after < 0 ? text.search(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/) : middle + after;
  return at < 0 ? `${text}0` : text.slice(0, at) + another(text[at]!) + text.slice(at + 1);
}

/** Another character of the same kind: hexadecimal stays hexadecimal, and upper case stays upper case. */
export function another(character: string): string {
  const kind = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ'].find((of) =>
    of.includes(character),
  );
  if (!kind) return character;
  const step = 1 + Math.floor(Math.random() * (kind.length - 1));
  return kind[(kind.indexOf(character) + step) % kind.length]!;
}
