/** Refusals that disclose the data they deny: the status says no, but the answer carries it (readings 13, 17 and 34). */
import { type Answer, bodyOf, header, isObject, memberOf, succeeded } from '../answer.ts';
import { type Outline, outlineOf } from '../contract-rules/outline.ts';
import { expectRefused } from '../expect.ts';
import { fail } from '../verdict.ts';

/** Members whose values classify or trace an answer, whatever was asked for. */
const CLASSIFYING = ['status', 'summaryResult', 'correlationId', 'continuationToken'];
/** Members that a refusal may have for reasons of its own: those, and what was asked for, or asked with. */
const AMBIGUOUS = ['identifier', 'token', ...CLASSIFYING];
/** Number of documented members that show a thing, if it has that many. */
const ENOUGH = 3;
/** From which size a value is hardly equal by chance: characters of a text, and a whole number. */
const TELLING = { characters: 8, number: 10_000 };
/** Characters of a text, and of a value that was sent, that are looked for within another text. */
const LONG = { text: 12, sent: 4 };
/** Whole numbers below it count or classify. */
const TRIVIAL_BELOW = 10;
/** Number of other operations whose right answers have the same value in the same place, from which it belongs to all answers. */
const EVERYWHERE = 3;
const DAY_MS = 86_400_000;

/** A text or number in a body: its value, its name, and the names of what it stands in. */
interface Leaf {
  name: string;
  path: string;
  value: string | number | bigint;
  /** The part of its text that is meant, if not the whole. */
  part?: string;
}

/** What a refusal is compared with. */
interface Beside {
  /** The answer to the same request with a good credential, about the same thing. */
  good?: Answer | undefined;
  /** All answers so far: what others carry, too, is not about what is asked for. */
  history: readonly Answer[];
  /** Values that are known of what is asked for, such as the identifier of its owner. */
  known?: readonly string[];
}

/**
 * Expects a refusal that discloses nothing: no value that a right answer to the same request carries, whatever its name. Without such an answer,
 * and where each right answer has a value of its own, the documented members of a whole thing show it.
 * @throws Nonconformance when the request is accepted, or its refusal discloses what was asked for
 */
export function expectNothingGiven(answer: Answer, what: string, { good, history, known = [] }: Beside): Answer {
  expectRefused(answer, what);
  const isOwn = notCommonTo(answer, history);
  const namesOf = (leaves: readonly Leaf[]) => [...new Set(leaves.filter(isOwn).map(({ name }) => name))];
  const right = good && succeeded(good) ? leavesOf(good) : [];
  const shared = namesOf([...sharedLeaves(answer, [...right, ...leavesIn(known)]), ...opaqueMembers(answer)]);
  const documented = right.length > 0 ? [] : namesOf(documentedLeaves(answer));
  const disclosed = documented.length >= enoughOf(answer) ? [...shared, ...documented] : shared;
  if (disclosed.length === 0) return answer;
  return fail(
    `${what} is refused with status ${answer.status}, but the refusal discloses what was asked for`,
    'none of its values',
    disclosed.map((name) => name || 'its body').join(', '),
    { in: answer },
  );
}

// ---- what a refusal carries ----------------------------------------------------------------------------------------

/** Texts and numbers in a JSON value. */
function* leavesIn(value: unknown, name = '', path = ''): Generator<Leaf> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') yield { name, path, value };
  else if (Array.isArray(value)) for (const item of value) yield* leavesIn(item, name, path);
  else if (isObject(value))
    for (const [inner, part] of Object.entries(value)) yield* leavesIn(part, inner, `${path}.${inner}`);
}

/** Those of a body; the whole body where it is not JSON. */
const leavesOf = (answer: Answer): Leaf[] => [
  ...leavesIn(answer.json?.ok ? bodyOf(answer) : answer.bytes.toString('utf8')),
];

/** What was sent, as text: a refusal may repeat it. */
function sentWith({ input, sessionId, token }: Answer): string[] {
  const { path, query, json, form } = input;
  const leaves = [...leavesIn([path, query, json, form])].map(({ value }) => String(value));
  return [...leaves, sessionId, token].filter((one): one is string => one !== undefined && one !== '');
}

/** The letters and digits of a text, decoded, in one case: a refusal may repeat what was sent in another form. */
function plain(text: string): string {
  const decoded = text.replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return decoded.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a value shows nothing by itself: one that counts or classifies, a time about now, one that was sent, is made of that, or a part of it. */
function triviality(answer: Answer): (leaf: Leaf) => boolean {
  const sent = sentWith(answer);
  const asPlain = sent.map(plain);
  const isPartOfSent = (text: string) => text.length >= TELLING.characters && asPlain.some((one) => one.includes(text));
  const now = Date.parse(header(answer, 'date') ?? '') || answer.sentAt;
  const isAboutNow = (ms: number) => Math.abs(ms - now) < DAY_MS;
  return ({ value }) => {
    if (isPartOfSent(plain(String(value)))) return true;
    if (sent.some((one) => String(value) === one || (one.length >= LONG.sent && String(value).includes(one))))
      return true;
    if (typeof value === 'string') return value.trim().length < 2 || isAboutNow(Date.parse(value));
    return Math.abs(Number(value)) < TRIVIAL_BELOW || isAboutNow(Number(value)) || isAboutNow(Number(value) * 1000);
  };
}

/** Whether two values are hardly equal by chance. */
function isTelling(value: Leaf['value']): boolean {
  if (typeof value === 'string') return value.length >= TELLING.characters;
  return Math.abs(Number(value)) >= TELLING.number || !Number.isInteger(Number(value));
}

/** Values of a refusal that a right answer has: of any name where they tell, else of the same documented one; or within a text. */
function sharedLeaves(refusal: Answer, right: readonly Leaf[]): Leaf[] {
  const names = documentedNames(refusal);
  const carried = leavesOf(refusal);
  if (carried.length === 0 || right.length === 0) return [];
  const isTrivial = triviality(refusal);
  const namesOf = new Map<string, Set<string>>();
  for (const { name, value } of right.filter(({ name }) => !CLASSIFYING.includes(name)))
    namesOf.set(String(value), (namesOf.get(String(value)) ?? new Set()).add(name));
  const long = [...namesOf.keys()].filter((text) => text.length >= LONG.text);
  return carried.flatMap((leaf) => {
    const { name, value } = leaf;
    const inRight = namesOf.get(String(value)) ?? new Set();
    const isSame = (isTelling(value) && inRight.size > 0) || (names.has(name) && inRight.has(name));
    if (isSame) return isTrivial(leaf) ? [] : [leaf];
    const parts = long.filter((text) => text.length < String(value).length && String(value).includes(text));
    return parts.filter((part) => !isTrivial({ ...leaf, value: part })).map((part) => ({ ...leaf, part }));
  });
}

// ---- what is documented of it --------------------------------------------------------------------------------------

const outlineFor = ({ operation }: Answer): Outline | undefined => {
  const shape = operation.success?.body;
  return typeof shape === 'object' ? outlineOf(shape) : undefined;
};

/** The names of all members of the success body, at any depth. */
function documentedNames(answer: Answer): Set<string> {
  const names = new Set<string>();
  const collect = ({ members, items }: Outline): void => {
    if (items) collect(items);
    for (const [name, { outline }] of members ?? []) {
      names.add(name);
      collect(outline);
    }
  };
  const outline = outlineFor(answer);
  if (outline) collect(outline);
  return new Set([...names].filter((name) => !AMBIGUOUS.includes(name)));
}

/** The members of the thing that a reading answers with, or of each entry of its listing, as far as they are distinctive. */
function distinctiveOf(answer: Answer): string[] {
  const outline = answer.operation.risk === 'safe' ? outlineFor(answer) : undefined;
  const listing = ['results', 'items'].map((name) => outline?.members?.get(name)?.outline.items);
  const of = listing.find((items) => items !== undefined) ?? outline;
  return [...(of?.members?.keys() ?? [])].filter((name) => !AMBIGUOUS.includes(name));
}

/** Number of distinctive members by which a refusal discloses a thing. */
const enoughOf = (answer: Answer): number => Math.min(ENOUGH, distinctiveOf(answer).length);

/** The distinctive members of the object in a refusal that has most of them, with values that say something. */
function documentedLeaves(refusal: Answer): Leaf[] {
  const names = distinctiveOf(refusal);
  if (names.length === 0) return [];
  const isTrivial = triviality(refusal);
  const found = objectsIn(bodyOf(refusal)).map((object) =>
    names.flatMap((name) => [...leavesIn(memberOf(object, name), name)].slice(0, 1)).filter((leaf) => !isTrivial(leaf)),
  );
  return found.toSorted((one, other) => other.length - one.length)[0] ?? [];
}

/** An opaque text that is the only product of an operation, and another one each time: a payload. */
function opaqueMembers(refusal: Answer): Leaf[] {
  if (distinctiveOf(refusal).length >= ENOUGH) return [];
  return documentedLeaves(refusal).filter(
    ({ value }) => typeof value === 'string' && value.length >= LONG.text && !value.includes(' '),
  );
}

/** All objects in a JSON value, itself included: an error may nest the data it is about. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(isObject(value) ? [value] : []), ...Object.values(value).flatMap(objectsIn)];
}

// ---- what others carry, too ----------------------------------------------------------------------------------------

/**
 * Whether a value is of what was asked for alone: no login or token gives it to whoever asks, no refusal for another reason carries it, and right
 * answers of other operations don't have it in the same place.
 */
function notCommonTo(
  { operation: { id, interface: of } }: Answer,
  history: readonly Answer[],
): (leaf: Leaf) => boolean {
  let seen: ReturnType<typeof carriedElsewhere> | undefined;
  return ({ path, value, part }) => {
    seen ??= carriedElsewhere(id, of, history);
    const { given, places } = seen;
    const isGiven = [value, part].some((one) => one !== undefined && given.has(String(one)));
    return !isGiven && (places.get(`${path} ${value}`)?.size ?? 0) < EVERYWHERE;
  };
}

/** The values that are given to anybody or in other refusals, and the operations whose right answers have a value in a place. */
function carriedElsewhere(id: string, of: string, history: readonly Answer[]) {
  const given = new Set<string>();
  const places = new Map<string, Set<string>>();
  for (const one of history) {
    const isOwn = one.operation.id === id;
    const isGood = succeeded(one) && one.operation.authorisation !== 'none';
    if (one.operation.interface !== of && isGood) continue;
    if (isGood && isOwn) continue;
    if (!isGood && ['unauthorised', 'foreign'].includes(one.intent)) continue;
    for (const { path, value } of leavesOf(one))
      if (!isGood) given.add(String(value));
      else {
        const place = `${path} ${value}`;
        places.set(place, (places.get(place) ?? new Set()).add(one.operation.id));
      }
  }
  return { given, places };
}
