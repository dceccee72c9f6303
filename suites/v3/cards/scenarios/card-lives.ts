/** Cards led through the documented states, with what their records and balances must show after each step (readings 10, 27, 28). */
import { type Answer, declined, succeeded } from '../../../../helpers/answer.ts';
import type { RequestOptions } from '../../../../helpers/call.ts';
import { amount, isActive } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/context.ts';
import { type Leader, Unexpected } from '../../../../helpers/engine/life.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import { sameCents } from '../money/effects.ts';
import { acceptedForm } from '../money/forms.ts';

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
  cents: number;
  /** Whether it was suspended in this life. */
  wasSuspended?: boolean;
}

const isLeased = (place: Place) => place !== 'unused' && place !== 'spare';
const money = (...inCents: number[]) => inCents.map((cents) => amount(cents).toFixed(2)).join(' and ');

/** A payment from a suspended or closed card, which must move nothing. */
interface StoppedPayment {
  from: Place;
  to: Place;
  cents: number;
  requirement: string;
}

/** The sums of any of these amounts. */
const sumsOf = (amounts: readonly number[]): number[] =>
  amounts.reduce((sums, one) => sums.flatMap((sum) => [sum, sum + one]), [0]).filter((sum) => sum > 0);

/** Leads cards through the steps of a life. */
export class CardLeader implements Leader<Step> {
  readonly #t: Context;
  /** Steps for an absent card are skipped. */
  readonly #cards: Partial<Record<Place, LivingCard>>;
  readonly #kept: Set<string>;
  readonly #stopped: StoppedPayment[] = [];
  readonly trace: string[] = [];

  constructor(t: Context, cards: Partial<Record<Place, LivingCard>>, kept: Set<string>) {
    this.#t = t;
    this.#cards = cards;
    this.#kept = kept;
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
    if (this.#stopped.length > 0) await this.#t.settle();
    for (const payment of new Map(this.#stopped.map((one) => [one.from, one])).values()) await this.#unmoved(payment);
  }

  /** Suspends or unsuspends a card, whether that changes its state or not. */
  async #toggle(action: 'suspend' | 'unsuspend', place: Place, atOnce = false): Promise<void> {
    const card = this.#cards[place];
    if (card?.state !== 'active' && card?.state !== 'suspended') return;
    const active = action === 'unsuspend';
    const changes = (card.state === 'active') !== active;
    const ask = (options: RequestOptions = {}) => this.#call(`cards.${action}`, place, options);
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
    if (from === to || !source || !target || !isLeased(to) || source.cents < cents) return;
    const stops =
      source.state === 'closed' ? 'cards.close' : source.state === 'suspended' ? 'cards.suspend' : undefined;
    if (!stops && (!isLeased(from) || target.state !== 'active')) return;
    const plain = acceptedForm(this.#t)?.members ?? this.#t.fixtures.cards?.transferBody;
    const json = { targetCardIdentifier: target.identifier, amount: amount(cents), ...plain, ...members };
    const answer = await this.#call('cards.transfer', from, { intent: stops ? 'refusable' : 'valid' }, json);
    this.trace.push(`transfer ${money(cents)} from the ${from} card to the ${to}`);
    if (stops) {
      const payment = { from, to, cents, requirement: `${stops}.stops-payments` };
      this.#stopped.push(payment);
      return this.#unmoved(payment);
    }
    const isExact = (paid: number, got: number) => sameCents(paid, cents) && sameCents(got, cents);
    const [left, held] = await this.#t.eventually(
      () => this.#balances(source, target),
      ([one, other]) => isExact(source.cents - one!, other! - target.cents),
    );
    const [paid, got] = [source.cents - left!, held! - target.cents];
    [source.cents, target.cents] = [left!, held!];
    // A rule of the target may forbid the drawn transfer, and it may charge for that, or for a change of state before.
    const [isPaid, isGot] = [sameCents(paid, cents), sameCents(got, cents)];
    const stopped = this.#stopped.filter((one) => one.to === to);
    const isLate = sumsOf(stopped.map((one) => one.cents)).some((sum) => sameCents(got - cents, sum));
    const late = isLate ? stopped[0] : undefined;
    const isWrong = (isPaid && got <= 0) || (isGot && paid < cents - 0.5) || late !== undefined;
    if (!succeeded(answer) || !(isWrong || (isPaid && isGot))) return;
    this.#expect(
      !isWrong,
      late?.requirement ?? 'cards.transfer.moves-amount',
      'after a transfer the balances of the cards are wrong',
      money(left! + paid - cents, held! - got + cents),
      money(left!, held!),
    );
    if (source.wasSuspended) this.#kept.add('cards.unsuspend.pays-again');
  }

  /** Expects payments from a suspended or closed card to have moved nothing; the balance of a closed card itself is not judged. */
  async #unmoved({ from, to, requirement }: StoppedPayment): Promise<void> {
    const [source, target] = [this.#cards[from]!, this.#cards[to]!];
    const read = async () => {
      const [left = source.cents, held] =
        source.state === 'closed'
          ? [undefined, await this.#t.balance(target.identifier)]
          : await this.#balances(source, target);
      return { paid: source.cents - left, got: held! - target.cents };
    };
    const { paid, got } = await this.#t.confirmed(read, (now) => sameCents(now.paid, 0) && sameCents(now.got, 0));
    const sums = sumsOf(this.#stopped.filter((payment) => payment.from === from).map(({ cents }) => cents));
    source.cents -= paid;
    target.cents += got;
    // Losses may be charges for a change of state; other gains may come from elsewhere.
    const isMoved = sums.some((sum) => sameCents(got, sum));
    const state = requirement.startsWith('cards.close.') ? 'closed' : 'suspended';
    const message = `a transfer from the ${from} card, which was ${state} then, moves money`;
    this.#expect(
      !isMoved,
      requirement,
      message,
      money(source.cents + paid, target.cents - got),
      money(source.cents, target.cents),
    );
  }

  #balances = (...cards: LivingCard[]) => Promise.all(cards.map(({ identifier }) => this.#t.balance(identifier)));

  #call(operation: string, place: Place, options: RequestOptions = {}, json?: unknown) {
    const input = { path: { identifier: this.#cards[place]!.identifier }, json };
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
