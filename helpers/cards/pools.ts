/** Pools of cards from the fixtures file. Only its holder touches a leased card. */
import type { Conformance } from '../../contracts/record.ts';
import { ACTIVE } from '../../contracts/v3/cards.ts';
import { type Answer, entries, member, succeeded } from '../answer.ts';
import { Inconclusive, Skipped } from '../verdict.ts';
import { type Call, type CardState, isActive, readBalance, readState } from './card-state.ts';

/** The pools, in the order in which cards are taken, so that holders of different ones never wait for each other. */
export const POOLS = ['active', 'disposable', 'unused', 'fraud'] as const;
export type PoolName = (typeof POOLS)[number];

/** Minimum balance of a card in the pool `active`, in cents (10.00). */
const LEAST_BALANCE = 1000;

/** A leased card, as it was when it was leased. */
export interface LeasedCard extends CardState {
  identifier: string;
  pool: PoolName;
  /** In cents; undefined if the target gives none, or nothing needed it. */
  balance: number | undefined;
}

/** A request for cards of one pool, taken together. */
export interface CardRequest {
  pool: PoolName;
  count?: number;
  /** Instead of a count: up to this many, and at least one. */
  upTo?: number;
  /** A further condition that the card must meet, e.g. no balance. */
  wants?: (card: LeasedCard) => boolean;
  /** A condition that the card meets if the pool has one that does. */
  prefers?: (card: LeasedCard) => boolean;
  /** Identifiers of cards to take before others, if they are free. */
  first?: readonly string[];
  /** Whether no money is moved: then no balance is read, and none is given back. */
  isUnpaid?: boolean;
  /** Just these, whatever their status, which is made what the pool promises again: those that nobody holds, and that were set aside for it, too. */
  these?: readonly string[];
}

const any = () => true;

/** Number of cards of each pool that a whole run of risk irreversible changes for good. */
export const CONSUMED: Record<PoolName, number> = { active: 0, disposable: 2, unused: 1, fraud: 1 };

/** One pool, and who holds or waits for its cards. */
class Pool {
  readonly name: PoolName;
  readonly given: readonly string[];
  free: string[];
  /** Cards that are no longer in the state that the pool promises. */
  readonly spent: string[] = [];
  /** Statuses of the cards when they were last looked at. */
  readonly statuses = new Map<string, string | undefined>();
  readonly used = new Set<string>();
  #leased = 0;
  readonly #waiting: (() => void)[] = [];
  /** Serialises holders that take several cards at once, so that they never wait for each other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(name: PoolName, cards: readonly string[]) {
    this.name = name;
    this.given = [...new Set(cards)];
    this.free = [...this.given];
  }

  /** Takes cards as soon as enough are free. @throws Inconclusive when too few are in the promised state */
  async take(request: CardRequest, call: Call): Promise<LeasedCard[]> {
    const { first = [], wants, prefers, these } = request;
    if (these) return this.#takeThese(these, call);
    this.free.sort((one, other) => Number(first.includes(other)) - Number(first.includes(one)));
    if (wants || prefers) return this.#inTurn(() => this.#choose(request, call));
    for (;;) {
      const identifiers = await this.#inTurn(() => this.#claim(request));
      const cards = await this.#look(identifiers, call, this.name === 'active' && !request.isUnpaid);
      if (cards.length === identifiers.length) {
        for (const { identifier } of cards) this.used.add(identifier);
        return cards;
      }
      // Nobody waits for cards while holding some: good cards go back, and spent ones are gone the next time.
      for (const { identifier } of cards) this.putBack(identifier, false);
    }
  }

  #inTurn<T>(take: () => Promise<T>): Promise<T> {
    const taken = this.#turn.then(take);
    this.#turn = taken.catch(() => undefined);
    return taken;
  }

  /** Takes certain cards, with the status that the pool promises. @throws Inconclusive when somebody holds one, or one is not found */
  async #takeThese(identifiers: readonly string[], call: Call): Promise<LeasedCard[]> {
    const isLeft = (identifier: string) => this.free.includes(identifier) || this.spent.includes(identifier);
    if (!identifiers.every(isLeft)) throw new Inconclusive('somebody else of this run holds the card');
    for (const pile of [this.free, this.spent])
      pile.splice(0, pile.length, ...pile.filter((identifier) => !identifiers.includes(identifier)));
    this.#leased += identifiers.length;
    const looked = await Promise.allSettled(
      identifiers.map((identifier) => readCard(this.name, identifier, call, false)),
    );
    const cards = looked.flatMap(({ status, ...read }) => ('value' in read && read.value ? [read.value] : []));
    if (cards.length < identifiers.length) {
      for (const identifier of identifiers) this.putBack(identifier, true);
      throw new Inconclusive('the card is not found any more');
    }
    for (const { identifier } of cards) this.used.add(identifier);
    return cards.map((card) => ({ ...card, status: ACTIVE }));
  }

  /** Takes the requested number of free cards as soon as they are available, whatever their state. */
  async #claim({ count = 1, upTo }: CardRequest): Promise<string[]> {
    const wanted = () => (upTo === undefined ? count : Math.max(1, Math.min(upTo, this.free.length + this.#leased)));
    while (this.free.length < wanted()) await this.#untilPutBack(count);
    const identifiers = this.free.splice(0, wanted());
    this.#leased += identifiers.length;
    return identifiers;
  }

  /** Keeps those of the claimed cards that are in the promised state; the others are spent. */
  async #look(identifiers: readonly string[], call: Call, withBalance: boolean): Promise<LeasedCard[]> {
    const looked = await Promise.allSettled(
      identifiers.map((identifier) => this.#cardInPromisedState(identifier, call, withBalance)),
    );
    const failed = looked.find((result) => result.status === 'rejected');
    const cards: LeasedCard[] = [];
    for (const [index, result] of looked.entries()) {
      const card = result.status === 'fulfilled' ? result.value : undefined;
      if (card && !failed) cards.push(card);
      else this.putBack(identifiers[index]!, !failed);
    }
    if (failed) throw failed.reason;
    return cards;
  }

  /** Examines one card after another until enough wanted ones are found. */
  async #choose({ count = 1, wants = any, prefers = any, isUnpaid }: CardRequest, call: Call): Promise<LeasedCard[]> {
    const taken: LeasedCard[] = [];
    const others: LeasedCard[] = [];
    const unwanted: LeasedCard[] = [];
    let looking: string | undefined;
    try {
      while (taken.length < count) {
        looking = this.free.shift();
        if (looking !== undefined) {
          const card = await this.#cardInPromisedState(looking, call, isUnpaid ? false : undefined);
          if (!card) this.spent.push(looking);
          else if (!wants(card)) unwanted.push(card);
          else (prefers(card) ? taken : others).push(card);
        } else if (this.#leased === 0 && others.length > 0) taken.push(others.shift()!);
        else await this.#untilPutBack(count);
      }
    } catch (error) {
      const back = [...taken, ...others, ...unwanted].map(({ identifier }) => identifier);
      this.free.unshift(...back, ...(looking === undefined ? [] : [looking]));
      throw error;
    }
    this.free.push(...[...others, ...unwanted].map(({ identifier }) => identifier));
    this.#leased += taken.length;
    for (const card of taken) this.used.add(card.identifier);
    return taken;
  }

  /** Reads a card as it is now; undefined if it is not in the promised state. */
  async #cardInPromisedState(identifier: string, call: Call, withBalance?: boolean): Promise<LeasedCard | undefined> {
    const card = await readCard(this.name, identifier, call, withBalance);
    this.statuses.set(identifier, card?.status);
    return card && isAsPromised(card) ? card : undefined;
  }

  /** Waits until somebody returns a card. @throws Inconclusive when nobody holds one */
  async #untilPutBack(count: number): Promise<void> {
    if (this.#leased === 0)
      throw new Inconclusive(
        `${this.spent.length} of the ${this.given.length} cards in cards.${this.name} of the fixtures file are not found, or not in the promised state; ${count} ${count > 1 ? 'are' : 'is'} needed`,
      );
    await new Promise<void>((woken) => this.#waiting.push(woken));
  }

  /** Returns a card; a spent one is not leased again. */
  putBack(identifier: string, spent: boolean): void {
    this.#leased--;
    (spent ? this.spent : this.free).push(identifier);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

export class CardPools {
  readonly #pools: Map<PoolName, Pool>;
  /** Appended to the number of active cards needed, when some of the given ones do not count. */
  readonly #besideDisposable: string;

  readonly #customerOf: () => ReadonlyMap<unknown, unknown>;

  /**
   * A card listed under both active and disposable counts as disposable only, since it is not restored.
   * @param customerOf the customers of cards, as far as they are known: several cards are taken of one, as far as there are
   */
  constructor(
    cards: Partial<Record<PoolName, readonly string[]>>,
    customerOf: () => ReadonlyMap<unknown, unknown> = () => new Map(),
  ) {
    this.#customerOf = customerOf;
    const { disposable = [] } = cards;
    const active = cards.active?.filter((card) => !disposable.includes(card));
    this.#besideDisposable = active?.length === cards.active?.length ? '' : ', beside those in cards.disposable';
    this.#pools = new Map(POOLS.map((name) => [name, new Pool(name, { ...cards, active }[name] ?? [])]));
  }

  /**
   * Takes cards in the state that their pools promise, in the order of the requests, waiting for others to release
   * theirs.
   * @throws Skipped when the fixtures name too few cards
   * @throws Inconclusive when too few of them are in the promised state
   */
  async take(requests: readonly CardRequest[], call: Call): Promise<LeasedCard[][]> {
    const taken = new Map<CardRequest, LeasedCard[]>();
    try {
      for (const request of requests.toSorted((a, b) => POOLS.indexOf(a.pool) - POOLS.indexOf(b.pool)))
        taken.set(request, await this.#takeOne(request, call));
    } catch (error) {
      for (const card of [...taken.values()].flat()) this.release(card, false);
      throw error;
    }
    return requests.map((request) => taken.get(request)!);
  }

  #takeOne(request: CardRequest, call: Call): Promise<LeasedCard[]> {
    const { pool: name, these, count = these?.length ?? 1 } = request;
    const pool = this.#pools.get(name)!;
    if (pool.given.length < count)
      throw new Skipped(
        `needs ${count} card${count > 1 ? 's' : ''} in cards.${name} of the fixtures file${name === 'active' ? this.#besideDisposable : ''}`,
      );
    if (count > 1 && !these) putTogether(pool.free, this.#customerOf());
    return pool.take(request, call);
  }

  /** Returns a card to its pool; a spent one is not leased again. */
  release(card: LeasedCard, spent: boolean): void {
    this.#pools.get(card.pool)!.putBack(card.identifier, spent);
  }

  /** Counts the free cards last seen with this status as spent, because it turned out not to be the state that the pool promises. */
  retire(name: PoolName, status: string | undefined): void {
    const pool = this.#pools.get(name)!;
    const isRetired = (identifier: string) => status !== undefined && pool.statuses.get(identifier) === status;
    pool.spent.push(...pool.free.filter(isRetired));
    pool.free = pool.free.filter((identifier) => !isRetired(identifier));
  }

  /** The pool of a card; undefined for a card of none. */
  poolOf(identifier: string): PoolName | undefined {
    return [...this.#pools.values()].find(({ given }) => given.includes(identifier))?.name;
  }

  /** Cards of a pool that nobody holds now. */
  free(name: PoolName): readonly string[] {
    return [...this.#pools.get(name)!.free];
  }

  /** Free cards of each pool that this run has used up some of. */
  consumable(): (readonly string[])[] {
    return [...this.#pools]
      .filter(([name, { used }]) => CONSUMED[name] > 0 && used.size > 0)
      .map(([, { free }]) => free);
  }

  /**
   * How the pools were used. Cards that an earlier run used up, judging by others, are not left.
   * @param states of cards as last read
   */
  report(states: ReadonlyMap<string, Pick<CardState, 'status'>>): NonNullable<Conformance['run']['pools']> {
    const known = [...this.#pools].flatMap(([pool, { given, statuses }]) =>
      given.map((identifier) => ({
        identifier,
        pool,
        status: states.get(identifier)?.status ?? statuses.get(identifier),
      })),
    );
    return [...this.#pools]
      .filter(([, pool]) => pool.given.length > 0)
      .map(([pool, { given, spent, used }]) => {
        const isGone = ({ identifier }: { identifier: string }) => spent.includes(identifier);
        const own = known.filter((card) => card.pool === pool && !isGone(card));
        // A fraud card that is Active may have been freed before, and this run could not free it.
        const isFreed = ({ identifier, status }: (typeof own)[number]) =>
          pool === 'fraud' && status === ACTIVE && spent.length === 0 && used.has(identifier);
        const worn = own.filter((card) => isWornOut(card, known) || isFreed(card)).length;
        const left = own.length - worn;
        return {
          pool,
          given: given.length,
          spentBefore: worn + spent.filter((identifier) => !used.has(identifier)).length,
          used: used.size,
          left,
          ...(CONSUMED[pool] > 0 && { runsLeft: Math.floor(left / CONSUMED[pool]) }),
        };
      });
  }

  /** For each pool of which no card is in the promised state, what its cards have in common. */
  causes(): string[] {
    return [...this.#pools]
      .filter(([, { given, spent, used }]) => given.length > 0 && used.size === 0 && spent.length === given.length)
      .flatMap(([name, { statuses }]) => statusOfAll(name, [...statuses.values()]) ?? []);
  }
}

/** Puts cards of the customer first who has the most of them: a target may move money between these alone. */
function putTogether(cards: string[], customerOf: ReadonlyMap<unknown, unknown>): void {
  const groups = Map.groupBy(
    cards.filter((identifier) => customerOf.has(identifier)),
    (identifier) => customerOf.get(identifier),
  );
  const [together = []] = [...groups.values()].sort((one, other) => other.length - one.length);
  cards.sort((one, other) => Number(together.includes(other)) - Number(together.includes(one)));
}

/** The customers of the cards that answers show, by identifier. */
export function customersIn(answers: readonly Answer[]): Map<unknown, unknown> {
  const shown = answers.filter(
    (answer) => ['cards.list', 'cards.get'].includes(answer.operation.id) && succeeded(answer),
  );
  const ofRecord = (answer: Answer) => [member(answer, 'identifier'), member(answer, 'customerIdentifier')] as const;
  const listed = (answer: Answer) =>
    entries(answer).map(({ identifier, customerIdentifier }) => [identifier, customerIdentifier] as const);
  return new Map(shown.flatMap((answer) => [ofRecord(answer), ...listed(answer)]));
}

/** The one status of all cards of a pool that promises Active ones, as a reason; undefined otherwise. */
export function statusOfAll(pool: PoolName, statuses: readonly (string | undefined)[]): string | undefined {
  const [status] = statuses;
  const isOne = status !== undefined && status !== ACTIVE && statuses.every((other) => other === status);
  if (!isOne || !hasBalance(pool)) return undefined;
  return `Every card of cards.${pool} has the status ${JSON.stringify(status)}; the documents name ${JSON.stringify(ACTIVE)}, so no check can use them.`;
}

/** Whether the balance of a pool's cards matters. */
const hasBalance = (pool: PoolName): boolean => pool === 'active' || pool === 'disposable';

/** Reads a pool's card as it is now; undefined if it is not found. */
export async function readCard(
  pool: PoolName,
  identifier: string,
  call: Call,
  withBalance = hasBalance(pool),
): Promise<LeasedCard | undefined> {
  const [state, balance] = await Promise.all([
    readState(call, identifier),
    withBalance ? readBalance(call, identifier) : undefined,
  ]);
  const { statusNumber, record } = state;
  // A card of which nothing can be read is treated as missing, whatever its status.
  if (record?.status === 404 || (record && isUnknown(record) && statusNumber === undefined && balance === undefined))
    return undefined;
  return { identifier, pool, balance, ...state };
}

type ReadPoolCard = Pick<LeasedCard, 'pool' | 'status'>;

/**
 * Whether an earlier run used the card up, judging by other cards: an unused card has the status of a used-up disposable one, or a fraud card
 * is Active and another one is not.
 */
export function isWornOut({ pool, status }: ReadPoolCard, cards: readonly ReadPoolCard[]): boolean {
  if (status === undefined) return false;
  const inactive = (other: PoolName) => cards.filter((card) => card.pool === other && !isActive(card));
  if (pool === 'unused') return inactive('disposable').some((card) => card.status === status);
  return pool === 'fraud' && status === ACTIVE && inactive('fraud').some((card) => card.status !== undefined);
}

/** Whether a card's own record shows the state that its pool promises; a card without a status is assumed to be in it. */
export function isAsPromised(card: LeasedCard): boolean {
  const { pool, status, balance } = card;
  if (status === undefined) return true;
  if (pool === 'active' && balance !== undefined && balance < LEAST_BALANCE) return false;
  return { active: isActive(card), disposable: isActive(card), unused: !isActive(card), fraud: true }[pool];
}

const isUnknown = ({ status }: Answer) => [400, 404, 410].includes(status);
