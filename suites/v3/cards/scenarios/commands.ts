/** What is done to cards in a life that the seed draws: commands, as fast-check has them for models (readings 10, 27 and 28). */
import type fc from 'fast-check';
import { succeeded } from '../../../../helpers/answer.ts';
import { amount, type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/check.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
import type { Books } from '../money/books.ts';
import * as Payments from '../money/payments.ts';

/** The cards of a life, the third where the pool is large enough: what names an absent one is left out. */
export const PLACES = ['first', 'second', 'third'] as const;
export type Place = (typeof PLACES)[number];

/** What is known of the cards as the life goes on. */
export interface Model {
  suspended: Set<Place>;
  /** Those that were suspended since they were read. */
  unread: Set<Place>;
  /** The changes so far, in words. */
  changes: string[];
}

/** The cards themselves. */
export interface Real {
  t: Context;
  books: Books;
  cards: Partial<Record<Place, string>>;
  /** The name of the life. */
  name: string;
}

export type Command = fc.AsyncCommand<Model, Real>;

/** `atOnce`: two simultaneous requests; `isUnread`: nothing is read of the card until it was asked to pay. */
export type ChangeStep = { do: 'suspend' | 'unsuspend'; card: Place; atOnce?: boolean; isUnread?: boolean };
/** `nth`: number of the plain amount. */
export type PayStep = { do: 'pay'; from: Place; to: Place; nth: number; members?: Record<string, unknown> };
export type Step = ChangeStep | PayStep;

/** Suspends or unsuspends a card, whether that changes its state or not. */
export class Change implements Command {
  readonly #step: ChangeStep;
  readonly #isRead: boolean;

  /** @param isRead whether the card is read where its state should be as before */
  constructor(step: ChangeStep, isRead: boolean) {
    this.#step = step;
    this.#isRead = isRead;
  }

  check(): boolean {
    return true;
  }

  /** @throws Inconclusive when a life cannot go on */
  async run(model: Model, real: Real): Promise<void> {
    const { do: action, card, isUnread } = this.#step;
    const suspends = action === 'suspend';
    const isNew = model.suspended.has(card) !== suspends;
    await this.#ask(real, isNew);
    model.changes.push(`${this}`);
    if (suspends) model.suspended.add(card);
    else model.suspended.delete(card);
    if (isUnread) model.unread.add(card);
    else if (this.#isRead) return readState(model, real, card);
    await real.t.settle();
  }

  async #ask({ t, books, cards }: Real, isNew: boolean): Promise<void> {
    const { do: action, card, atOnce = false } = this.#step;
    const identifier = cards[card]!;
    const ask = (options = {}) =>
      t.call(`cards.${action}`, { path: { identifier } }, { intent: 'refusable', ...options });
    // A change of state may cost something.
    await books.restart(identifier);
    const answers = await Promise.all(atOnce ? [ask({ atOnce }), ask({ atOnce })] : [ask()]);
    // A target may have a cool-down, so a step that should be accepted is repeated within the settle time.
    if (isNew && !answers.some(succeeded) && !succeeded(await t.eventually(() => ask(), succeeded)))
      inconclusive(`a life ends early: ${this} is refused`);
  }

  toString(): string {
    const { do: action, card, atOnce } = this.#step;
    return `${action} the ${card} card${atOnce ? ' twice at the same moment' : ''}`;
  }
}

/** Reads a card until it is in its state. @throws Inconclusive when it does not get there */
async function readState({ suspended }: Model, { t, cards }: Real, card: Place): Promise<void> {
  const isRight = (state: CardState) => isActive(state) !== suspended.has(card);
  const state = await t.shown(() => t.state(cards[card]!), isRight);
  if (state.status === undefined) return t.settle();
  if (!isRight(state)) inconclusive(`a life ends early: the ${card} card is ${state.status}`);
}

/** The steps of the life to which payments belong: those of a suspended card must move nothing. */
export const PAYMENTS = { ofActive: 'payments', ofSuspended: 'payments while suspended' } as const;

/** Transfers between cards. Payments one after the other are explained together, save the first of a card of which nothing was read. */
export class Pay implements Command {
  readonly #step: PayStep;
  readonly #number: number;
  readonly #cents: (round: number) => number;

  /** @param number of the step in its life; `cents` its amount, another one each time that it is tried again: what costs as much may be a fee */
  constructor(step: PayStep, number: number, cents: (round: number) => number) {
    this.#step = step;
    this.#number = number;
    this.#cents = cents;
  }

  /** The documents are silent on payments of a card to itself, and to a suspended one. */
  check({ suspended }: Readonly<Model>): boolean {
    const { from, to } = this.#step;
    return from !== to && (suspended.has(from) || !suspended.has(to));
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.#send(model, real);
    if (model.unread.size === 0) return;
    await real.books.check();
    for (const card of model.unread) await readState(model, real, card);
    model.unread.clear();
  }

  async #send({ suspended, changes }: Model, { t, books, cards, name }: Real): Promise<void> {
    const { from, to, members } = this.#step;
    const [source, target] = [cards[from]!, cards[to]!];
    const cents = this.#cents(books.round);
    const stops = suspended.has(from);
    const row = {
      name: `step ${this.#number} of ${name} (${[...changes, this].join(', ')})`,
      step: stops ? PAYMENTS.ofSuspended : PAYMENTS.ofActive,
      movesNothing: stops,
      among: name,
    };
    const plain = Payments.accepted(t)?.members ?? t.fixtures.cards?.transferBody;
    const sent = await books.send(row, async () => {
      if (!stops && (await books.balance(source)) < cents) inconclusive('the card has too little to pay with');
      const options = { intent: stops ? 'refusable' : 'valid' } as const;
      return [{ ...Payments.make(source, target, cents, { ...plain, ...members }), options }];
    });
    // What it costs, too, is a fee; all cards are Active then.
    const make = () => Payments.make(source, target, Amounts.ruleOf(t).least, plain);
    if (sent) books.control ??= { step: PAYMENTS.ofActive, make };
  }

  toString(): string {
    const { from, to } = this.#step;
    return `transfer ${amount(this.#cents(0)).toFixed(2)} from the ${from} card to the ${to}`;
  }
}
