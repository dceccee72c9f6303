/** Pools of cards from the fixtures file: a leased card is touched by its holder alone. */
import type { Answer } from '../answer.ts';
import { Inconclusive, Skipped } from '../verdict.ts';
import { type Call, isActive, readBalance, readState } from './card-state.ts';

/** The pools, by their keys under `cards` in the order in which cards are taken: so two holders of different pools never wait for each other. */
export const POOLS = ['active', 'disposable', 'unused', 'fraud'] as const;
/** A pool of cards in the fixtures file. */
export type PoolName = (typeof POOLS)[number];

/** Least balance of a card of the pool `active`, in cents (10.00). */
const LEAST_BALANCE = 1000;

/** A card that a check holds, as it was when it was leased. */
export interface LeasedCard {
  identifier: string;
  pool: PoolName;
  /** When it was leased, in cents; undefined where the target gives none, or nobody looks at it. */
  balance: number | undefined;
  /** Status of the record when it was leased. */
  status: string | undefined;
  /** Answer of getStatus when it was leased. */
  statusNumber: number | undefined;
  /** The record when it was leased; undefined where the target does not claim cards.get. */
  record: Answer | undefined;
}

interface Pool {
  given: string[];
  free: string[];
  /** Not in the state that the pool promises, when they were looked at. */
  spent: string[];
  used: Set<string>;
  leased: number;
  waiting: (() => void)[];
  /** Several cards of a pool are taken at once, one holder after the other: so two holders never wait for each other. */
  turn: Promise<unknown>;
}

/** Cards of one pool that a check takes at once. */
export interface CardRequest {
  pool: PoolName;
  count?: number;
  /** Instead of a count: this many, or all that are left where these are fewer, and at least one. */
  upTo?: number;
  /** What else the card has to be, e.g. without a balance. */
  wants?: (card: LeasedCard) => boolean;
  /** What else the card is where the pool has such a one. */
  prefers?: (card: LeasedCard) => boolean;
  /** Identifiers of the cards that are taken before the others, if they are free. */
  first?: readonly string[];
}

const any = () => true;

/** How many cards of a pool were given, were not in the promised state before they were used, were used, and are left. */
export interface PoolReport {
  pool: PoolName;
  given: number;
  spentBefore: number;
  used: number;
  left: number;
}

/** The pools of the fixtures file, from which checks lease cards. */
export class CardPools {
  readonly #pools: Map<PoolName, Pool>;
  /** Ends the number of active cards that are needed where some that are given do not count. */
  readonly #besideDisposable: string;

  /** A card of both active and disposable is disposable alone: it is not given back as it was. */
  constructor(cards: Partial<Record<PoolName, readonly string[]>>) {
    const { disposable = [] } = cards;
    const active = cards.active?.filter((card) => !disposable.includes(card));
    this.#besideDisposable = active?.length === cards.active?.length ? '' : ', beside those in cards.disposable';
    this.#pools = new Map(POOLS.map((name) => [name, pool({ ...cards, active }[name] ?? [])]));
  }

  /**
   * Takes cards whose state is what their pools promise, in the order of the requests; waits for others to give theirs back.
   * @throws Skipped when the fixtures name fewer, Inconclusive when too few of them are in that state
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

  async #takeOne(request: CardRequest, call: Call): Promise<LeasedCard[]> {
    const { pool: name, count = 1, wants, prefers } = request;
    const pool = this.#pools.get(name)!;
    if (pool.given.length < count)
      throw new Skipped(
        `needs ${count} card${count > 1 ? 's' : ''} in cards.${name} of the fixtures file${name === 'active' ? this.#besideDisposable : ''}`,
      );
    const { first = [] } = request;
    pool.free.sort((one, other) => Number(first.includes(other)) - Number(first.includes(one)));
    if (wants || prefers) return this.#inTurn(name, () => this.#choose(request, call));
    for (;;) {
      const identifiers = await this.#inTurn(name, () => this.#claim(request));
      const cards = await this.#look(name, identifiers, call);
      if (cards.length === identifiers.length) {
        for (const { identifier } of cards) pool.used.add(identifier);
        return cards;
      }
      // Nobody waits for cards while holding some: those that are good go back, and the spent ones are no longer there next time.
      for (const card of cards) this.release(card, false);
    }
  }

  #inTurn<T>(name: PoolName, take: () => Promise<T>): Promise<T> {
    const pool = this.#pools.get(name)!;
    const taken = pool.turn.then(take);
    pool.turn = taken.catch(() => undefined);
    return taken;
  }

  /** Takes as many free cards as are asked for, as soon as there are, whatever their state. */
  async #claim({ pool: name, count = 1, upTo }: CardRequest): Promise<string[]> {
    const pool = this.#pools.get(name)!;
    const wanted = () => (upTo === undefined ? count : Math.max(1, Math.min(upTo, pool.free.length + pool.leased)));
    while (pool.free.length < wanted()) {
      if (pool.leased === 0) throw new Inconclusive(this.#tooFew(name, count));
      await new Promise<void>((woken) => pool.waiting.push(woken));
    }
    const identifiers = pool.free.splice(0, wanted());
    pool.leased += identifiers.length;
    return identifiers;
  }

  /** Those of claimed cards that are in the state that the pool promises; the others are spent. */
  async #look(name: PoolName, identifiers: readonly string[], call: Call): Promise<LeasedCard[]> {
    const looked = await Promise.allSettled(
      identifiers.map((identifier) => cardInPromisedState(name, identifier, call, name === 'active')),
    );
    const failed = looked.find((result) => result.status === 'rejected');
    const cards: LeasedCard[] = [];
    for (const [index, result] of looked.entries()) {
      const card = result.status === 'fulfilled' ? result.value : undefined;
      if (card && !failed) cards.push(card);
      else this.#putBack(name, identifiers[index]!, !failed);
    }
    if (failed) throw failed.reason;
    return cards;
  }

  /** Looks at one card after the other until there are enough of those that are wanted. */
  async #choose({ pool: name, count = 1, wants = any, prefers = any }: CardRequest, call: Call): Promise<LeasedCard[]> {
    const pool = this.#pools.get(name)!;
    const taken: LeasedCard[] = [];
    const others: LeasedCard[] = [];
    const unwanted: LeasedCard[] = [];
    let looking: string | undefined;
    try {
      while (taken.length < count) {
        looking = pool.free.shift();
        if (looking !== undefined) {
          const card = await cardInPromisedState(name, looking, call);
          if (!card) pool.spent.push(looking);
          else if (!wants(card)) unwanted.push(card);
          else (prefers(card) ? taken : others).push(card);
        } else if (pool.leased > 0) await new Promise<void>((woken) => pool.waiting.push(woken));
        else if (others.length > 0) taken.push(others.shift()!);
        else throw new Inconclusive(this.#tooFew(name, count));
      }
    } catch (error) {
      const back = [...taken, ...others, ...unwanted].map(({ identifier }) => identifier);
      pool.free.unshift(...back, ...(looking === undefined ? [] : [looking]));
      throw error;
    }
    pool.free.push(...[...others, ...unwanted].map(({ identifier }) => identifier));
    pool.leased += taken.length;
    for (const card of taken) pool.used.add(card.identifier);
    return taken;
  }

  /** Gives a card back; one that is spent now is not leased again. */
  release(card: LeasedCard, spent: boolean): void {
    this.#putBack(card.pool, card.identifier, spent);
  }

  #putBack(name: PoolName, identifier: string, spent: boolean): void {
    const pool = this.#pools.get(name)!;
    pool.leased--;
    (spent ? pool.spent : pool.free).push(identifier);
    for (const wake of pool.waiting.splice(0)) wake();
  }

  /** Cards of a pool that nobody holds now. */
  free(name: PoolName): readonly string[] {
    return [...this.#pools.get(name)!.free];
  }

  /** What became of the pools. */
  report(): PoolReport[] {
    return [...this.#pools]
      .filter(([, pool]) => pool.given.length > 0)
      .map(([name, { given, spent, used }]) => ({
        pool: name,
        given: given.length,
        spentBefore: spent.filter((identifier) => !used.has(identifier)).length,
        used: used.size,
        left: given.length - spent.length,
      }));
  }

  #tooFew(name: PoolName, count: number): string {
    const { given, spent } = this.#pools.get(name)!;
    return `${spent.length} of the ${given.length} cards in cards.${name} of the fixtures file are not found, or not in the promised state; ${count} ${count > 1 ? 'are' : 'is'} needed`;
  }
}

/**
 * A card of a pool as it is now. Changes nothing.
 * @param withBalance whether its balance is looked at
 * @returns undefined when it is not in the state that its pool promises
 */
export async function cardInPromisedState(
  name: PoolName,
  identifier: string,
  call: Call,
  withBalance = name === 'active' || name === 'disposable',
): Promise<LeasedCard | undefined> {
  const [{ status, statusNumber, record }, balance] = await Promise.all([
    readState(call, identifier),
    withBalance ? readBalance(call, identifier) : undefined,
  ]);
  // A card of which nothing can be read, as if it were not there, is none, whatever the status says.
  if (record?.status === 404 || (record && isUnknown(record) && statusNumber === undefined && balance === undefined))
    return undefined;
  const card = { identifier, pool: name, balance, status, statusNumber, record };
  if (status === undefined) return card;
  if (name === 'active' && balance !== undefined && balance < LEAST_BALANCE) return undefined;
  const promised = { active: isActive(card), disposable: isActive(card), unused: !isActive(card), fraud: true }[name];
  return promised ? card : undefined;
}

const isUnknown = ({ status }: Answer) => [400, 404, 410].includes(status);

function pool(cards: readonly string[]): Pool {
  const given = [...new Set(cards)];
  return {
    given,
    free: [...given],
    spent: [],
    used: new Set(),
    leased: 0,
    waiting: [],
    turn: Promise.resolve(),
  };
}
