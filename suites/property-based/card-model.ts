/**
 * A small model of the documented card states, and a player that takes real cards through the same steps and compares the
 * target with the model after each of them.
 */
import { type Answer, declined, describe, succeeded } from '../../helpers/answer.ts';
import { amount, isActive } from '../../helpers/cards/card-state.ts';
import type { Context } from '../../helpers/context.ts';
import { Inconclusive, inconclusive } from '../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../shared/amounts.ts';
import { nothingMoved, sumsOf } from '../v3/cards/scenarios/balance-changes.ts';
import { acceptedForm, Balances } from '../v3/cards/scenarios/balances.ts';
import { isFee } from '../v3/cards/scenarios/fee.ts';
import { Broken, type Player } from './sequence.ts';

/**
 * The cards of a sequence: two leased ones, a third where the pool is large enough, and two spare ones of the sandbox, which
 * are used up: one Unused, one Active with money on it.
 */
export type Place = 'first' | 'second' | 'third' | 'unused' | 'spare';

/** One step of a sequence. */
export type Step =
  /** `atOnce`: two simultaneous requests. */
  | { do: 'suspend' | 'unsuspend'; card: Place; atOnce?: boolean }
  /** `nth`: number of the {@link plainAmount}. */
  | { do: 'pay'; from: Place; to: Place; nth: number; members: Record<string, unknown> }
  | { do: 'activate' | 'close'; card: 'unused' | 'spare' };

/** The model of a card. */
export interface ModelCard {
  identifier: string;
  state: 'unused' | 'active' | 'suspended' | 'closed';
  cents: number;
  /** Whether it was suspended in this sequence. */
  wasSuspended: boolean;
  /** Whether its state has changed since its balance was read: the target may charge for that. */
  mayBeCharged?: boolean;
}
/** The cards of a sequence; steps for an absent one are skipped. */
export type ModelCards = Partial<Record<Place, ModelCard>>;

/** Tolerance in cents below which two amounts are equal. */
const SAME = 0.001;
const same = (a: number, b: number) => Math.abs(a - b) < SAME;
const isLeased = (place: Place) => place !== 'unused' && place !== 'spare';
/** The requirement that a payment breaks after an operation that stops payments. */
const STOPS_PAYMENTS = {
  'cards.suspend': 'cards.suspend.stops-payments',
  'cards.close': 'cards.close.stops-payments',
};
/** The operation that stopped a card's payments, if one did. */
const stopsPayments = ({ state }: ModelCard) =>
  state === 'closed' ? 'cards.close' : state === 'suspended' ? 'cards.suspend' : undefined;
const money = (...inCents: number[]) => inCents.map((cents) => amount(cents).toFixed(2)).join(' and ');

/** A payment from a suspended or closed card, which must move nothing. */
interface StoppedPayment {
  from: Place;
  to: Place;
  cents: number;
  operation: 'cards.suspend' | 'cards.close';
}

/** Callbacks of a player. */
export interface PlayerEvents {
  /** The sequence is over and the leased cards are Active again. */
  finished(): void;
  /** Transfers can no longer be judged, for this reason. */
  moneyUnclear(reason: Inconclusive): void;
}

/** Plays the steps of a sequence on cards of the target, and compares their records and balances with the model. */
export class CardPlayer implements Player<Step> {
  readonly #t: Context;
  readonly #cards: ModelCards;
  /** Requirements that were seen to be kept. */
  readonly #seen: Set<string>;
  /** Payments that must move nothing, to which late effects are attributed. */
  readonly #stopped: StoppedPayment[] = [];
  /** The steps taken, in words. */
  readonly trace: string[] = [];

  readonly #on: PlayerEvents;
  /** Whether transfers can still be judged. */
  #isMoneyClear = true;

  constructor(t: Context, cards: ModelCards, seen: Set<string>, on: PlayerEvents) {
    this.#t = t;
    this.#cards = cards;
    this.#seen = seen;
    this.#on = on;
  }

  /** Takes a step, unless the model says that the documents are silent on it. @throws Broken */
  async take(step: Step): Promise<void> {
    if (step.do === 'suspend' || step.do === 'unsuspend') return this.#toggle(step.do, step.card, step.atOnce);
    if (step.do === 'pay') return this.#judgingMoney(() => this.#pay(step));
    return step.do === 'activate' ? this.#activate(step.card) : this.#close(step.card);
  }

  /** Unsuspends the leased cards, and checks for late effects of stopped payments. @throws Broken */
  async finish(): Promise<void> {
    for (const [place, card] of Object.entries(this.#cards) as [Place, ModelCard][])
      if (card.state === 'suspended' && isLeased(place)) await this.#toggle('unsuspend', place);
    if (this.#stopped.length > 0) await this.#t.settle();
    const lastOfEach = new Map(this.#stopped.map((payment) => [payment.from, payment]));
    for (const { from, to, operation } of lastOfEach.values())
      await this.#judgingMoney(() => this.#unmoved(from, to, operation));
    this.#on.finished();
  }

  /** Judges money, as long as that is possible; afterwards the sequence goes on, since states can still be judged. @throws Broken */
  async #judgingMoney(judge: () => Promise<void>): Promise<void> {
    if (!this.#isMoneyClear) return;
    try {
      await judge();
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      this.#isMoneyClear = false;
      this.#on.moneyUnclear(error);
    }
  }

  async #toggle(action: 'suspend' | 'unsuspend', place: Place, atOnce = false): Promise<void> {
    const card = this.#cards[place];
    if (card?.state !== 'active' && card?.state !== 'suspended') return;
    const operation = action === 'suspend' ? 'cards.suspend' : 'cards.unsuspend';
    const changes = card.state === (action === 'suspend' ? 'active' : 'suspended');
    const ask = () => this.#call(operation, place, 'refusable');
    const twice = () => {
      const input = { path: { identifier: card.identifier } };
      const send = () => this.#t.call(operation, input, { intent: 'refusable', atOnce: true });
      return Promise.all([send(), send()]);
    };
    const answers = atOnce ? await twice() : [await ask()];
    const first = answers.find(succeeded) ?? answers[0]!;
    // A target may have a cool-down, so a step that should be accepted is repeated within the settle time.
    const answer = changes && !succeeded(first) ? await this.#t.eventually(ask, succeeded) : first;
    this.trace.push(`${action} the ${place} card${atOnce ? ' twice at the same moment' : ''}`);
    const active = action === 'unsuspend';
    if (changes) {
      // It may be refused because the suspension has ended by itself, which breaks `not-active`.
      if (active && [...answers, answer].every(declined)) await this.#shows(place, false, 'cards.suspend.not-active');
      this.#requireAccepted(answer);
      this.#seen.add(`${operation}.required-only`);
      card.state = action === 'suspend' ? 'suspended' : 'active';
      card.mayBeCharged = true;
    }
    card.wasSuspended ||= action === 'suspend';
    await this.#shows(place, active, active ? 'cards.unsuspend.active' : 'cards.suspend.not-active');
  }

  async #activate(place: Place): Promise<void> {
    const card = this.#cards[place];
    if (card?.state !== 'unused') return;
    const answer = await this.#call('cards.activate', place, 'refusable');
    this.trace.push(`activate the ${place} card`);
    this.#requireAccepted(answer);
    this.#seen.add('cards.activate.required-only');
    card.state = 'active';
    await this.#shows(place, true, 'cards.activate.active');
  }

  async #close(place: Place): Promise<void> {
    const card = this.#cards[place];
    if (card?.state !== 'active' && card?.state !== 'suspended') return;
    const answer = await this.#call('cards.close', place, 'refusable');
    this.trace.push(`close the ${place} card`);
    if (!succeeded(answer)) return;
    card.state = 'closed';
    await this.#shows(place, false, 'cards.close.not-active');
  }

  /** Judges whether the stored record shows the card as Active, or not. A record without a status is not judged. */
  async #shows(place: Place, active: boolean, requirement: string): Promise<void> {
    const card = this.#cards[place]!;
    const state = await this.#t.shown(
      () => this.#t.state(card.identifier),
      (read) => isActive(read) === active,
    );
    if (state.status === undefined) return this.#t.settle();
    const expected = active ? 'Active' : 'not Active';
    this.#judge(
      isActive(state) === active,
      requirement,
      `the ${place} card is ${state.status}`,
      expected,
      state.status,
    );
  }

  /** Transfers between cards and judges both balances: a suspended or closed card must pay nothing. */
  async #pay({ from, to, nth, members }: Step & { do: 'pay' }): Promise<void> {
    const source = this.#cards[from];
    const target = this.#cards[to];
    const cents = plainAmount(amountRule(this.#t), nth);
    const plain = acceptedForm(this.#t)?.members ?? this.#t.fixtures.cards?.transferBody;
    if (from === to || !source || !target || !isLeased(to) || source.cents < cents) return;
    const stops = stopsPayments(source);
    if (!stops && (!isLeased(from) || target.state !== 'active')) return;
    const json = { targetCardIdentifier: target.identifier, amount: amount(cents), ...plain, ...members };
    const answer = await this.#call('cards.transfer', from, stops ? 'refusable' : 'valid', json);
    this.trace.push(`transfer ${money(cents)} from the ${from} card to the ${to}`);
    if (stops) {
      this.#stopped.push({ from, to, cents, operation: stops });
      return this.#unmoved(from, to, stops);
    }
    const [paid, due] = [source.cents - cents, target.cents + cents];
    const [left, got] = await this.#t.eventually(
      () => Promise.all([this.#t.balance(source.identifier), this.#t.balance(target.identifier)]),
      ([one, other]) => same(one, paid) && same(other, due),
    );
    const nothing = same(left, source.cents) && same(got, target.cents);
    const asked = [source.cents, target.cents] as const;
    const mayBeCharged = source.mayBeCharged || target.mayBeCharged;
    [source.cents, target.cents] = [left, got];
    source.mayBeCharged = target.mayBeCharged = false;
    // A rule of the target may forbid the drawn transfer: only moved money is judged.
    if (nothing) return;
    const isExact = same(left, paid) && same(got, due);
    const late = isExact ? undefined : await this.#stoppedThatMoved({ [from]: left - paid, [to]: got - due });
    if (!isExact) await this.#requireNoOtherReason(source, target, asked, cents, late);
    // Less money than the transfer leaves, or, if it was refused, than there was before.
    const isLess = (left <= paid && got <= due) || (left <= asked[0] && got <= asked[1] && !succeeded(answer));
    if (mayBeCharged && !late && isLess && !isExact)
      inconclusive('a balance is lower than expected: the target may charge for a change of state');
    this.#judge(
      isExact,
      late ? STOPS_PAYMENTS[late.operation] : 'cards.transfer.moves-amount',
      `after a transfer (${describe(answer)}) the balances of the cards are wrong`,
      money(paid, due),
      money(left, got),
    );
    this.#seen.add('cards.transfer.moves-amount');
    if (source.wasSuspended) this.#seen.add('cards.unsuspend.pays-again');
  }

  /** The stopped payment that explains the gains of cards, in cents, and has reached its target card. */
  async #stoppedThatMoved(gains: Partial<Record<Place, number>>): Promise<StoppedPayment | undefined> {
    for (const payment of this.#stopped) {
      const { from, to, cents } = payment;
      const due = (place: string) => (place === to ? cents : place === from ? -cents : 0);
      if (!Object.entries(gains).every(([place, gain]) => same(gain, due(place)))) continue;
      const target = this.#cards[to]!;
      if (to in gains || same((await this.#t.balance(target.identifier)) - target.cents, cents)) return payment;
    }
    return undefined;
  }

  /**
   * Rules out other reasons for wrong balances, by watching them and by another transfer.
   * @param late the stopped payment that may have moved meanwhile
   * @throws Inconclusive when balances change by themselves, when transfers may cost a fee, or when the other transfer is exact
   * and the difference is none of the amounts asked for
   */
  async #requireNoOtherReason(
    source: ModelCard,
    target: ModelCard,
    [paidFrom, paidTo]: readonly [number, number],
    cents: number,
    late: StoppedPayment | undefined,
  ): Promise<void> {
    const balances = new Balances(this.#t, [source.identifier, target.identifier]);
    if (await balances.drifts(true)) inconclusive('the balances of the cards change when nothing is asked for');
    const cost = { cents, paid: paidFrom - source.cents - cents, kept: cents - (target.cents - paidTo) };
    const more = cents + 100;
    const { gains } = await balances.pay(source.identifier, target.identifier, more, {}, { intent: 'refusable' });
    const next = {
      cents: more,
      paid: -gains.get(source.identifier)! - more,
      kept: more - gains.get(target.identifier)!,
    };
    [source.cents, target.cents] = [await balances.of(source.identifier), await balances.of(target.identifier)];
    if (nothingMoved(gains) && cost.paid >= 0 && cost.kept >= 0)
      inconclusive('a transfer costs more than its amount, and no further one shows whether that is a fee');
    if (isFee([cost, next])) inconclusive('transfers cost more than their amounts: it may be a fee');
    // A cent may be a matter of rounding.
    const amounts = [0, 1, cents, 2 * cents, ...(late ? [late.cents] : [])];
    const isOwn = (extra: number) => amounts.some((own) => same(Math.abs(extra), own));
    if (same(next.paid, 0) && same(next.kept, 0) && !(isOwn(cost.paid) && isOwn(cost.kept)))
      inconclusive('a balance changes by an amount that was not asked for, but not at the next transfer');
  }

  /** Judges that payments from a suspended or closed card moved nothing. The balance of a closed card itself is not judged. */
  async #unmoved(from: Place, to: Place, operation: 'cards.suspend' | 'cards.close'): Promise<void> {
    const word = operation === 'cards.close' ? 'closed' : 'suspended';
    const places = operation === 'cards.close' ? [to] : [from, to];
    const read = () => Promise.all(places.map((place) => this.#t.balance(this.#cards[place]!.identifier)));
    const isSame = (read: readonly number[]) => places.every((place, i) => same(read[i]!, this.#cards[place]!.cents));
    let balances = await read();
    if (!isSame(balances)) {
      await this.#t.settle();
      balances = await read();
      const watched = new Balances(
        this.#t,
        places.map((place) => this.#cards[place]!.identifier),
      );
      if (!isSame(balances) && (await watched.drifts(true)))
        inconclusive('the balances of the cards change when nothing is asked for');
    }
    const asked = this.#stopped.filter((payment) => payment.from === from).map(({ cents }) => cents);
    const sums = sumsOf(asked);
    const gains = places.map((place, i) => balances[i]! - this.#cards[place]!.cents);
    const isPaid = sums.some((sum) => same(gains[places.indexOf(to)]!, sum));
    for (const [i, place] of places.entries()) {
      const card = this.#cards[place]!;
      const before = card.cents;
      card.cents = balances[i]!;
      // Other losses may be charges for a change of state or a transfer; other gains may come from elsewhere.
      const isAsked =
        place === to ? isPaid : asked.some((cents) => same(-gains[i]!, cents)) && (isPaid || !card.mayBeCharged);
      card.mayBeCharged = false;
      this.#judge(
        !isAsked,
        STOPS_PAYMENTS[operation],
        `a transfer from the ${from} card, which is ${word}, moves money: the balance of the ${place} card changes`,
        money(before),
        money(card.cents),
      );
    }
  }

  #call(operation: string, place: Place, intent: 'valid' | 'refusable', json?: unknown): Promise<Answer> {
    return this.#t.call(operation, { path: { identifier: this.#cards[place]!.identifier }, json }, { intent });
  }

  /** Ends a sequence whose step is refused: the suite made it up, and a rule of the target may forbid it (reading 46). @throws Inconclusive */
  #requireAccepted(answer: Answer): void {
    if (!succeeded(answer)) inconclusive(`a sequence ends early: ${this.trace.at(-1)} is refused`);
  }

  #judge(kept: boolean, requirement: string, message: string, expected: string, actual: string): void {
    if (!kept) throw new Broken(requirement, this.trace, message, expected, actual);
    this.#seen.add(requirement);
  }
}
