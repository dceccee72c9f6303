/** Cards led through the documented states, with what their records and balances must show after each step (readings 10, 27, 28). */
import { type Answer, declined, succeeded } from '../../../../helpers/answer.ts';
import type { RequestOptions } from '../../../../helpers/call.ts';
import { amount, isActive } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/context.ts';
import { type Leader, Unexpected } from '../../../../helpers/engine/life.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import { differenceOf, isPlain } from '../money/bookkeeping.ts';
import { Books, type Found } from '../money/books.ts';
import { netChange, nothingMoved, type Payment, sameCents } from '../money/effects.ts';
import { acceptedForm, payment } from '../money/forms.ts';

/**
 * The cards of a life: two leased ones, a third where the pool is large enough, and two spare ones of the sandbox, which
 * are used up: one Unused, one Active with money on it.
 */
export type Place = 'first' | 'second' | 'third' | 'unused' | 'spare';

/** One step of a life. */
export type Step =
  /** `atOnce`: two simultaneous requests. */
  | { do: 'suspend' | 'unsuspend'; card: Place; atOnce?: boolean }
  /** `nth`: number of the {@link plainAmount}. */
  | { do: 'pay'; from: Place; to: Place; nth: number; members: Record<string, unknown> }
  | { do: 'activate' | 'close'; card: 'unused' | 'spare' };

/** What is known of a card in a life. */
export interface LivingCard {
  identifier: string;
  state: 'unused' | 'active' | 'suspended' | 'closed';
  /** Whether it was suspended in this life. */
  wasSuspended?: boolean;
}

const LEASED: readonly Place[] = ['first', 'second', 'third'];
const isLeased = (place: Place) => LEASED.includes(place);

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
      LEASED.flatMap((place) => cards[place]?.identifier ?? []),
    );
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'pay') return this.#pay(step);
    if (step.do === 'suspend' || step.do === 'unsuspend') return this.#toggle(step.do, step.card, step.atOnce);
    return step.do === 'activate'
      ? this.#become(step.card, 'activate', ['unused'], 'active')
      : this.#become(step.card, 'close', ['active', 'suspended'], 'closed');
  }

  async finish(): Promise<void> {
    for (const [place, card] of Object.entries(this.#cards) as [Place, LivingCard][])
      if (card.state === 'suspended' && isLeased(place)) await this.#toggle('unsuspend', place);
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
      // It may be refused because the suspension has ended by itself, which breaks `not-active`.
      if (active && [...answers, answer].every(declined)) await this.#shows(place, false, 'cards.suspend.not-active');
      this.#requireAccepted(answer, `cards.${action}.required-only`);
      card.state = active ? 'active' : 'suspended';
    }
    card.wasSuspended ||= !active;
    await this.#shows(place, active, active ? 'cards.unsuspend.active' : 'cards.suspend.not-active');
  }

  async #become(place: Place, action: 'activate' | 'close', from: LivingCard['state'][], state: 'active' | 'closed') {
    const card = this.#cards[place];
    if (!card || !from.includes(card.state)) return;
    await this.#books.restart(card.identifier);
    const answer = await this.#call(`cards.${action}`, place);
    this.trace.push(`${action} the ${place} card`);
    this.#requireAccepted(answer, `cards.${action}.required-only`);
    card.state = state;
    await this.#shows(
      place,
      state === 'active',
      state === 'active' ? 'cards.activate.active' : 'cards.close.not-active',
    );
  }

  /** Expects the stored record to show the card as Active, or not. A record without a status is not judged. */
  async #shows(place: Place, active: boolean, requirement: string): Promise<void> {
    const { identifier } = this.#cards[place]!;
    const state = await this.#t.shown(
      () => this.#t.state(identifier),
      (read) => isActive(read) === active,
    );
    if (state.status === undefined) return this.#t.settle();
    const expected = active ? 'Active' : 'not Active';
    this.#expect(
      isActive(state) === active,
      requirement,
      `the ${place} card is ${state.status}`,
      expected,
      state.status,
    );
  }

  /** Transfers between cards. A suspended or closed card must pay nothing. */
  async #pay({ from, to, nth, members }: Step & { do: 'pay' }): Promise<void> {
    const [source, target] = [this.#cards[from], this.#cards[to]];
    const cents = plainAmount(amountRule(this.#t), nth);
    if (from === to || !source || !target || !isLeased(to)) return;
    const stops =
      source.state === 'closed' ? 'cards.close' : source.state === 'suspended' ? 'cards.suspend' : undefined;
    if (!stops && (!isLeased(from) || target.state !== 'active')) return;
    if (!stops && (await this.#books.balance(source.identifier)) < cents) return;
    const plain = acceptedForm(this.#t)?.members ?? this.#t.fixtures.cards?.transferBody;
    this.trace.push(`transfer ${amount(cents).toFixed(2)} from the ${from} card to the ${to}`);
    const name = `payment ${this.trace.length}`;
    const row = stops
      ? {
          name: `${name}, from a card that is ${source.state},`,
          about: [`${stops}.stops-payments`],
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
    if (source.wasSuspended && !stops && !nothingMoved(gains)) this.#kept.add('cards.unsuspend.pays-again');
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

  /** Ends a life whose step is refused: the suite made it up, and a rule of the target may forbid it (reading 46). @throws Inconclusive */
  #requireAccepted(answer: Answer, requirement: string): void {
    if (!succeeded(answer)) inconclusive(`a life ends early: ${this.trace.at(-1)} is refused`);
    this.#kept.add(requirement);
  }

  #expect(isKept: boolean, requirement: string, message: string, expected: string, actual: string): void {
    if (!isKept) throw new Unexpected(requirement, message, expected, actual);
    this.#kept.add(requirement);
  }
}
