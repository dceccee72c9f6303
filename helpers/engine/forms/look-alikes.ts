/** Texts that resemble an identifier, token, session, secret or password that is known, but are another one (readings 11, 17, 32 and 34). */
import type { Context } from '../../context.ts';
import type { Form } from '../rows.ts';
import { EDITS, type Edit } from './edits.ts';
import { drawFrom } from './invented.ts';
import { isInteger, MISTAKES, type Mistake } from './mistakes.ts';
import { isPermitted, type PermissionName } from './permissions.ts';

/** A text that resembles another one. */
export interface LookAlike {
  /** What sets it apart, to be said after a noun, e.g. `continued by a word`. */
  name: string;
  text: string;
  /** A firewall may refuse it, with 403, before the operation sees it. */
  isFiltered?: boolean;
}

/** A kind of values. */
interface KindOfValue {
  /** Fewer characters could be somebody else's when changed a little; Infinity where others are numbered. */
  least: number;
  /** Whether they may be handed out in turn, so that those of digits which differ a little are others' good ones. */
  areInTurn?: boolean;
  /** What a conformant implementation may do to them. */
  permits: readonly PermissionName[];
  /** Whether a text can be sent, and is no other right value. */
  isMeant?: (text: string, right: string) => boolean;
}

const lacks = (what: RegExp) => (text: string) => !what.test(text);
/** What holds these in a path a web server may take for another address. */
const IN_PATH = lacks(/[/\\\0]/);
/** What a firewall in front of the target may take for an attack. */
const FILTERED = /[^\p{L}\p{N}\p{M}\s_.,~+/=:@-]|--/u;

const CREDENTIAL = ['blanks', 'numbers', 'bytes'] as const;
const IDENTIFIER = [...CREDENTIAL, 'collation'] as const;
const FILTER = [...IDENTIFIER, 'lists'] as const;

const KINDS = {
  identifier: { least: 15, permits: IDENTIFIER, isMeant: IN_PATH },
  // A part of a number may be that of another card, which the answer shows.
  proxy: { least: 6, permits: CREDENTIAL, isMeant: IN_PATH },
  temporaryToken: { least: 12, areInTurn: true, permits: CREDENTIAL, isMeant: IN_PATH },
  // What a header holds (RFC 6750 section 2.1).
  token: { least: 16, areInTurn: true, permits: CREDENTIAL, isMeant: lacks(/[^\w.~+/=-]/) },
  sessionId: { least: 8, areInTurn: true, permits: CREDENTIAL },
  // Wrong secrets and passwords of one's own name are wrong, however short.
  secret: { least: 0, permits: CREDENTIAL },
  password: { least: 0, permits: [...CREDENTIAL, 'typing'] },
  // Clients may be numbered and share a secret.
  clientId: { least: 8, areInTurn: true, permits: IDENTIFIER },
  loginId: { least: 9, permits: IDENTIFIER },
  // Values of filters are judged by what they find.
  filterOfCustomer: { least: 15, permits: FILTER },
  filterOfOrder: { least: 3, permits: FILTER },
  filterOfMember: { least: 3, permits: FILTER },
  // Names contain their parts, and may hold blanks and the usual marks anywhere.
  filterOfName: {
    least: Infinity,
    permits: FILTER,
    isMeant: (text, right) => !right.includes(text) && (/[^\w\s'.,&-]/.test(text) || text.length >= right.length + FAR),
  },
  orderIdentifier: { least: 0, permits: ['blanks', 'bytes', 'collation'] },
  // Customers of the portal, and programs, are numbered.
  numberOfNobody: { least: Infinity, permits: ['numbers'], isMeant: (text) => /^-?\d+$/.test(text) },
  // A firewall's refusal would be no 400.
  integer: { least: 0, permits: [], isMeant: (text) => !isInteger(text) && !/[\0"'<>&%#]|--/.test(text) },
} as const satisfies Record<string, KindOfValue>;

/** What a value is. */
export type Kind = keyof typeof KINDS;

/** Characters that make a text so much longer that it is nobody's. */
const FAR = 12;

const areNumbers = (...texts: readonly string[]): boolean => texts.every((text) => /^\d+$/.test(text));

/** Whether a text goes so far beyond another one that it is nobody's: by its length, by marks that no plain one has, or as a number. */
const isNobodys = (text: string, right: string): boolean =>
  text.length >= right.length + FAR ||
  [...text].some((character) => /[^\w-]/.test(character) && !right.includes(character)) ||
  (areNumbers(right, text.replace(/^-/, '')) && (BigInt(text) < 0n || BigInt(text) > BigInt(right) + 2n ** 31n));

/** Whether a text may be another good one where they are numbers that are handed out in turn. */
export const isNeighbour = (text: string, right: string): boolean => areNumbers(text, right) && !isNobodys(text, right);

/** The text that an edit makes of another one; undefined where it makes none. */
const edited = ({ name, of }: Edit, text: string, seed: number) => of(text, drawFrom(seed, `${name} ${text}`));

/** Each edit of a text that makes another one. */
function everyEdit(text: string, seed: number): LookAlike[] {
  const byText = new Map<string, LookAlike>();
  for (const edit of EDITS) {
    const made = edited(edit, text, seed);
    if (made && made !== text && !byText.has(made)) byText.set(made, { name: edit.name, text: made });
  }
  return [...byText.values()];
}

const NAMES = Object.keys(MISTAKES) as Mistake[];
/** The mistakes by which code takes a text for the right one. */
const shownBy = (given: string, right: string): Mistake[] => NAMES.filter((name) => MISTAKES[name](given, right));

/** What a text may hold, the plainest first: a target may refuse by its form what holds anything else. */
const ALPHABETS = [/^\d*$/, /^[a-z\d]*$/i, /^[\w-]*$/, /^[ -~]*$/, /^/];

const seedOf = ({ run }: Pick<Context, 'run'>): number => run.configuration.run.seed;

/**
 * The look-alikes of a text, none of which a conformant implementation may take for it: as few as show every mistake that any edit shows, for each alphabet
 * those that the ones of plainer characters don't show.
 */
export const lookAlikes = (t: Pick<Context, 'run'>, kind: Kind, text: string): LookAlike[] =>
  lookAlikesOf(kind, text, seedOf(t));

/** {@link lookAlikes}, with the edits of a seed. */
export function lookAlikesOf(kind: Kind, text: string, seed: number): LookAlike[] {
  const { least, areInTurn = false, permits, isMeant = () => true }: KindOfValue = KINDS[kind];
  const isOther = ({ text: made }: LookAlike) =>
    isMeant(made, text) &&
    (text.length >= least || isNobodys(made, text)) &&
    !(areInTurn && isNeighbour(made, text)) &&
    !isPermitted(permits, made, text);
  const others = everyEdit(text, seed)
    .filter(isOther)
    .map((one) => ({ ...one, shows: shownBy(one.text, text) }));
  const found: Shown[] = [];
  for (const alphabet of ALPHABETS.filter((one) => one.test(text))) {
    const known = new Set(found.flatMap(({ shows }) => shows));
    const among = others.filter((one) => alphabet.test(one.text)).map((one) => without(one, known));
    found.push(...fewest(among));
  }
  return found.map(({ shows: _, ...one }) => (FILTERED.test(one.text) ? { ...one, isFiltered: true } : one));
}

/** A text, and what it shows. */
interface Shown extends LookAlike {
  shows: readonly Mistake[];
}

const without = (one: Shown, known: ReadonlySet<Mistake>): Shown => ({
  ...one,
  shows: one.shows.filter((name) => !known.has(name)),
});

/** As few texts as show all mistakes that any of them shows, each time the one that shows the most others. */
function fewest(from: readonly Shown[]): Shown[] {
  const [best] = from.toSorted((one, other) => other.shows.length - one.shows.length);
  if (!best || best.shows.length === 0) return [];
  const shown = new Set(best.shows);
  return [best, ...fewest(from.map((one) => without(one, shown)))];
}

/** Look-alikes that hold what the text itself may hold, and others. */
export function byAlphabet(text: string, forms: readonly LookAlike[]): Record<'plain' | 'odd', LookAlike[]> {
  const alphabet = ALPHABETS.find((one) => one.test(text))!;
  const isPlain = (one: LookAlike) => alphabet.test(one.text);
  return { plain: forms.filter(isPlain), odd: forms.filter((one) => !isPlain(one)) };
}

const editNamed = (name: string): Edit => EDITS.find((edit) => edit.name === name)!;

/** Another text, edited in the same way as a look-alike. */
export const likewise = (t: Pick<Context, 'run'>, name: string, text: string): string =>
  edited(editNamed(name), text, seedOf(t)) ?? text;

/** Forms of a value for tables, which do not know it: those of a sample, made of any other one. */
export const formsLike = (kind: Kind, sample: string): Form<string>[] =>
  lookAlikesOf(kind, sample, 0).map(({ name, text, isFiltered = false }) => ({
    name,
    isFiltered,
    of: (right) => edited(editNamed(name), String(right), 0) ?? text,
  }));

/** Texts that code which makes a mistake takes for the right one. */
export const takenBy = (mistake: Mistake, text: string): LookAlike[] =>
  everyEdit(text, 0).filter((one) => MISTAKES[mistake](one.text, text));

/** Texts that an implementation may take for the right one: what is out of reach is so by each of them. */
export const equivalents = (text: string): LookAlike[] =>
  everyEdit(text, 0).filter((one) => isPermitted(IDENTIFIER, one.text, text));
