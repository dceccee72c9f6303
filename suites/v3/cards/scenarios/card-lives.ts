/** Cards led through the documented states, with what their records and balances must show after each step (readings 10, 27, 28). */
import { succeeded } from '../../../../helpers/answer.ts';
import type { RequestOptions } from '../../../../helpers/call.ts';
import { amount, isActive } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/check.ts';
import { type Leader, Unexpected } from '../../../../helpers/engine/life.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import { differenceOf, isPlain } from '../money/bookkeeping.ts';
import { Books, type Found } from '../money/books.ts';
import { netChange, nothingMoved, type Payment, sameCents } from '../money/effects.ts';
import { acceptedForm, payment } from '../money/forms.ts';

/** The cards of a life, the third where the pool is large enough. */
export const PLACES = ['first', 'second', 'third'] as const;
export type Place = (typeof PLACES)[number];

/** One step of a life. */
export type Step =
  /** `atOnce`: two simultaneous requests. */
  | { do: 'suspend' | 'unsuspend'; card: Place; atOnce?: boolean }
  /** `nth`: number of the {@link plainAmount}. */
  | { do: 'pay'; from: Place; to: Place; nth: number; members: Record<string, unknown> };

/** What is known of a card in a life. */
export interface LivingCard {
  identifier: string;
  state: 'active' | 'suspended';
}

/** Whether the target gained the amount, and the source lost less. */
const isUnderpaid = ({ sent: { payments }, gains }: Found): boolean => {
  const [{ from, to = '', cents = 0 }] = payments as [Payment];
  return sameCents(gains.get(to) ?? 0, cents) && netChange(gains) > 0 && gains.has(from);
};

/** Leads cards through the steps of a life. */
export class CardLeader implements Leader<Step> {
  readonly #t: Context;
  /** Steps for an absent card are skipped. */
  readonly #cards: Partial<Record<Place, LivingCard>>;
  readonly #kept: Set<string>;
  readonly #books: Books;
  readonly trace: string[] = [];

  constructor(t: Context, cards: Partial<Record<Place, LivingCard>>, kept: Set<string>) {
    this.#t = t;
    this.#cards = cards;
    this.#kept = kept;
    this.#books = new Books(
      t,
      PLACES.flatMap((place) => cards[place]?.identifier ?? []),
    );
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'pay') return this.#pay(step);
    return this.#toggle(step.do, step.card, step.atOnce);
  }

  async finish(): Promise<void> {
    for (const [place, card] of Object.entries(this.#cards) as [Place, LivingCard][])
      if (card.state === 'suspended') await this.#toggle('unsuspend', place);
    await this.#judgeMoney(true);
  }

  /** Suspends or unsuspends a card, whether that changes its state or not. */
  async #toggle(action: 'suspend' | 'unsuspend', place: Place, atOnce = false): Promise<void> {
    const card = this.#cards[place];
    if (card?.state !== 'active' && card?.state !== 'suspended') return;
    const active = action === 'unsuspend';
    const changes = (card.state === 'active') !== active;
    const ask = (options: RequestOptions = {}) => this.#call(`cards.${action}`, place, options);
    // A change of state may cost something.
    await this.#books.restart(card.identifier);
    const answers = await Promise.all(atOnce ? [ask({ atOnce }), ask({ atOnce })] : [ask()]);
    const first = answers.find(succeeded) ?? answers[0]!;
    // A target may have a cool-down, so a step that should be accepted is repeated within the settle time.
    const answer = changes && !succeeded(first) ? await this.#t.eventually(() => ask(), succeeded) : first;
    this.trace.push(`${action} the ${place} card${atOnce ? ' twice at the same moment' : ''}`);
    if (changes) {
      if (!succeeded(answer)) inconclusive(`a life ends early: ${this.trace.at(-1)} is refused`);
      card.state = active ? 'active' : 'suspended';
    }
    // What the record shows is judged by what is read here.
    const state = await this.#t.shown(
      () => this.#t.state(card.identifier),
      (read) => isActive(read) === active,
    );
    if (state.status === undefined) return this.#t.settle();
    if (isActive(state) !== active) inconclusive(`a life ends early: the ${place} card is ${state.status}`);
  }

  /** Transfers between cards. A suspended or closed card must pay nothing. */
  async #pay({ from, to, nth, members }: Step & { do: 'pay' }): Promise<void> {
    const [source, target] = [this.#cards[from], this.#cards[to]];
    const cents = plainAmount(amountRule(this.#t), nth);
    if (from === to || !source || !target) return;
    const stops = source.state === 'suspended';
    if (!stops && target.state !== 'active') return;
    if (!stops && (await this.#books.balance(source.identifier)) < cents) return;
    const plain = acceptedForm(this.#t)?.members ?? this.#t.fixtures.cards?.transferBody;
    this.trace.push(`transfer ${amount(cents).toFixed(2)} from the ${from} card to the ${to}`);
    const name = `payment ${this.trace.length}`;
    const row = stops
      ? {
          name: `${name}, from a card that is ${source.state},`,
          about: ['cards.suspend.stops-payments'],
          movesNothing: true,
        }
      : { name, about: ['cards.transfer.moves-amount'] };
    const made = payment(source.identifier, target.identifier, cents, { ...plain, ...members });
    const options = { intent: stops ? 'refusable' : 'valid' } as const;
    const sent = await this.#books.send({ ...row, isNeeded: true }, () => [{ ...made, options }]);
    await this.#judgeMoney();
    const gains = this.#books.gains(row.name);
    if (!sent || !gains) return;
    for (const id of row.about) if (stops || !nothingMoved(gains)) this.#kept.add(id);
  }

  /** Expects what the books show to be right; a fee, or money from elsewhere, is not judged. */
  async #judgeMoney(late = false): Promise<void> {
    await this.#books.check({ late });
    const found = this.#books.found.find((one) => isPlain(one) || isUnderpaid(one));
    if (!found) return;
    const { expected, actual } = differenceOf(found);
    throw new Unexpected(found.requirement, found.message, expected, actual);
  }

  #call(operation: string, place: Place, options: RequestOptions = {}) {
    const input = { path: { identifier: this.#cards[place]!.identifier } };
    return this.#t.call(operation, input, { intent: 'refusable', ...options });
  }
}
