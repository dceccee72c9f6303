/**
 * Cards that an operation on another one carries along (reading 10): they stopped being Active though no request named them. Whoever leases them next
 * finds them so, and knows nothing of the operation; so all answers of the run are looked through.
 */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { type Answer, memberOf, now, succeeded } from '../../../../helpers/answer.ts';
import { isActive } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/check.ts';
import { knownOf } from '../../../../helpers/engine/monitor.ts';
import * as Retrial from '../../../../helpers/engine/retrial.ts';
import { fail, inconclusive } from '../../../../helpers/verdict.ts';
import * as Phases from '../states/phases.ts';
import { statusesIn } from '../states/statuses.ts';
import * as ByItself from './by-itself.ts';
import * as Looks from './looks.ts';
import * as Steps from './steps.ts';

/** Operations on a card that may be asked for again, since another one undoes them. */
export const REPEATABLE: readonly string[] = ['cards.suspend', 'cards.unsuspend'];
/** Pairs of cards that are tried at the most. */
const MOST_PAIRS = 16;
/** Cards that are read, at the most, since a listing alone shows them suspended. */
const MOST_READ = 4;

/** A card that stopped being Active, and what shows it. */
interface Carried {
  card: string;
  /** The answer that showed it Active, and the first that did not. */
  by: readonly [before: Answer, after: Answer];
  status: string;
  /** Other cards that the operation was accepted for in between. */
  named: readonly string[];
}

/** What an answer shows of the status of cards, by their identifiers. */
function shownIn(answer: Answer): (readonly [card: string, status: string])[] {
  return Looks.entriesOfCards(answer).flatMap(({ identifier, status }) =>
    typeof identifier === 'string' && typeof status === 'string' ? [[identifier, status] as const] : [],
  );
}

/** The cards that a request may change; undefined where that may be any. */
function mayChange(answer: Answer): unknown[] | undefined {
  const { path, json } = answer.input;
  if (!Phases.mayChange(answer)) return [];
  // Blanks around an identifier may be taken off.
  if (answer.intent === 'unknown' && succeeded(answer)) return undefined;
  return [path?.identifier, memberOf(json, 'targetCardIdentifier')];
}

/**
 * Cards that stopped being Active while an operation was accepted for others, and none for them.
 * @param suspended statuses that suspended cards have: a card may also have expired
 */
export function carriedAlong(
  answers: readonly Answer[],
  operation: string,
  cards: readonly string[],
  suspended: ReadonlySet<string>,
): Carried[] {
  const active = new Map<string, { before: Answer; named: Set<string> }>();
  const found = new Map<string, Carried>();
  for (const answer of answers.toSorted((one, other) => one.sentAt - other.sentAt)) {
    const changed = mayChange(answer);
    if (!changed) active.clear();
    for (const card of changed ?? []) active.delete(String(card));
    const { identifier } = answer.input.path ?? {};
    if (answer.operation.id === operation && succeeded(answer) && identifier !== undefined)
      for (const [, { named }] of active) named.add(identifier);
    for (const [card, status] of shownIn(answer)) {
      const seen = active.get(card);
      if (status === ACTIVE) active.set(card, { before: answer, named: new Set() });
      else if (seen && seen.named.size > 0 && suspended.has(status) && (isRecord(answer) || !found.has(card)))
        found.set(card, { card, by: [seen.before, answer], status, named: [...seen.named] });
    }
  }
  return cards.flatMap((card) => found.get(card) ?? []);
}

const isRecord = ({ operation }: Answer): boolean => operation.id === 'cards.get';

/** Cards of the pools that an operation seems to have carried along in this run. A listing may be behind, so what it alone shows is read. */
async function carriedIn(t: Context, operation: string): Promise<Carried[]> {
  const { suspended } = statusesIn(t.run.answers, knownOf(t));
  const carried = () => carriedAlong(t.run.answers, operation, pooled(t), suspended);
  const found = carried();
  const listed = found.filter(({ by: [, after] }) => !isRecord(after));
  if (listed.length === 0) return found;
  await Promise.all(listed.slice(0, MOST_READ).map(({ card }) => t.state(card)));
  return carried().filter(({ by: [, after] }) => isRecord(after));
}

const pooled = ({ fixtures }: Context): string[] => ByItself.POOLS.flatMap((pool) => fixtures.cards?.[pool] ?? []);

/** How many members two cards have in common, as they were last shown: what is done to both is likely done to what they share. */
function likenessIn(answers: readonly Answer[]): (one: string, other: string) => number {
  const shown = new Map<string, Record<string, unknown>>();
  for (const card of answers.flatMap(Looks.entriesOfCards))
    shown.set(String(card.identifier), { ...shown.get(String(card.identifier)), ...card });
  return (one, other) => {
    const [first = {}, second = {}] = [shown.get(one), shown.get(other)];
    return Object.keys(first).filter((name) => typeof first[name] === 'string' && first[name] === second[name]).length;
  };
}

/** The pairs to try: of each card in turn that with which it has most in common, first of those that fewest may have carried along. */
function pairsOf(t: Context, carried: readonly Carried[]): Retrial.Pair[] {
  const likeness = likenessIn(t.run.answers);
  const own = new Set(pooled(t));
  const ofCards = carried
    .map(({ card, named }) => named.filter((one) => own.has(one)).map((one): Retrial.Pair => [one, card]))
    .map((pairs) => pairs.toSorted((one, other) => likeness(...other) - likeness(...one)))
    .toSorted((one, other) => one.length - other.length);
  const most = Math.max(0, ...ofCards.map(({ length }) => length));
  const inTurn = Array.from({ length: most }, (_, turn) => ofCards.flatMap((pairs) => pairs.slice(turn, turn + 1)));
  return inTurn.flat().slice(0, MOST_PAIRS);
}

/** Unsuspends a card, also one that is Active, so that as long has passed each time since it was used. @returns when; undefined where it does not show */
async function renew(t: Context, card: string): Promise<number | undefined> {
  if (isActive(await t.state(card))) await Steps.makeActive(t, card, false);
  const since = now();
  return (await Steps.makeActive(t, card)) ? since : undefined;
}

/** Asks for the operation on one card while the other is Active. @returns whether that one is suspended then, and not without it */
async function isCarriedAlong(
  t: Context,
  operation: string,
  [named, other]: Retrial.Pair,
  status: string,
): Promise<boolean> {
  const prepare = async () => {
    const since = await renew(t, other);
    return since !== undefined && (await Steps.makeActive(t, named, operation === 'cards.suspend')) ? since : undefined;
  };
  const since = await prepare();
  if (since === undefined) return false;
  await t.settle();
  if (!isActive(await t.state(other)) || !succeeded(await Steps.ask(t, operation, named))) return false;
  await t.settle();
  if ((await t.confirmed(() => t.state(other), isActive)).status !== status) return false;
  const tookMs = now() - since;
  // With nothing asked of the first it stays Active, for twice as long: it may be suspended by itself, or by others.
  const again = await prepare();
  if (again === undefined) return false;
  await t.pause(Math.max(0, again + ByItself.TIMES_AS_LONG * tookMs - now()));
  return isActive(await t.state(other));
}

/** @throws Nonconformance where an operation carries cards along that no request named, Inconclusive where one only seems to have been */
export async function expectNoneCarried(t: Context, operation: string): Promise<void> {
  if (!REPEATABLE.includes(operation) || !t.allows('reversible') || !REPEATABLE.every((one) => t.isInScope(one)))
    return;
  const carried = await carriedIn(t, operation);
  const pairs = pairsOf(t, carried);
  const [first] = carried.filter(({ card }) => card === pairs[0]?.[1]);
  if (!first) return;
  const shown = first.by.map(({ exchange }) => exchange);
  t.suspect(shown);
  const { inWords } = Looks.statusChange({ status: ACTIVE }, first)!;
  const message = `after ${operation} another card, which ${inWords}`;
  const retrial = await Retrial.shownByPairs(t, pairs, {
    prepare: () => leaseAll(t, pairs),
    isShown: (pair) => isCarriedAlong(t, operation, pair, first.status),
  });
  if (!retrial) inconclusive(`${message}, but not when it was called for these cards again`);
  t.exchanges.unshift(...shown);
  fail(message, 'no change but that of the card', `another card, which ${inWords}`, { retrial, in: first.by[1] });
}

/** Leases all cards of some pairs. */
async function leaseAll(t: Context, pairs: readonly Retrial.Pair[]): Promise<void> {
  const cards = new Set(pairs.flat());
  const requests = ByItself.POOLS.map((pool) => ({
    pool,
    these: [...cards].filter((card) => t.run.pools.poolOf(card) === pool),
  }));
  await t.lease(...requests.filter(({ these }) => these.length > 0));
}
