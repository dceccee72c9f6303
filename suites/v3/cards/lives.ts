/**
 * Lives of cards: one of every run and one drawn by its seed (readings 10, 27 and 28). What their records show is judged by the monitor of
 * states, what they pay by the books.
 */
import fc from 'fast-check';
import { succeeded } from '../../../helpers/answer.ts';
import { amount, type CardState, isActive } from '../../../helpers/cards/card-state.ts';
import type { Context } from '../../../helpers/check.ts';
import { attempt, inconclusive, type Fact as Led } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Amounts from '../../shared/amounts.ts';
import * as Requests from '../../shared/requests.ts';
import { bookkeeping, expectBooks, leaseActive } from './money/bookkeeping.ts';
import type { Books } from './money/books.ts';
import * as Effects from './money/effects.ts';
import * as Payments from './money/payments.ts';
import * as Transfers from './money/transfers.ts';

/** The cards of a life, the third where the pool is large enough: steps for an absent one are skipped. */
const PLACES = ['first', 'second', 'third'] as const;
type Place = (typeof PLACES)[number];
type Cards = Partial<Record<Place, string>>;

/** `atOnce`: two simultaneous requests; `isUnread`: nothing is read of the card until it was asked to pay. */
type Change = { do: 'suspend' | 'unsuspend'; card: Place; atOnce?: boolean; isUnread?: boolean };

/** `nth`: number of the {@link plainAmount}. */
type Pay = { do: 'pay'; from: Place; to: Place; nth: number; members?: Record<string, unknown> };
type Step = Change | Pay;

const pay = (from: Place, to: Place, nth: number): Step => ({ do: 'pay', from, to, nth });

/** Number of lives that `--thorough` draws, and of steps of each. */
const THOROUGH = 10;
const MOST_STEPS = 5;
/** Plain amounts to draw from, the first ones: a card of the pool holds at least 10.00. */
const AMOUNTS = 4;

const comment = fc.stringMatching(/^[a-z][a-z0-9]{1,18}[a-z]$/);
const customFields = fc
  .subarray(['customField1', 'customField2', 'customField3', 'customField4', 'customField5'], { minLength: 1 })
  .map((names) => Object.fromEntries(names.map((name, place) => [name, String(place)])));
/** What payments in lives are about. */
const OF_PAYMENTS = ['cards.transfer.moves-amount', 'cards.suspend.stops-payments'] as const;

/** Documented optional members of a transfer, in any combination. */
const members = fc.record({ comment, customFields }, { requiredKeys: [] });

/** The life of every run. */
const always: readonly Step[] = [
  pay('first', 'second', 1),
  { do: 'suspend', card: 'first' },
  { do: 'suspend', card: 'first' },
  pay('first', 'second', 0),
  { do: 'unsuspend', card: 'first' },
  { do: 'unsuspend', card: 'first' },
  pay('first', 'second', 2),
  pay('first', 'third', 1),
  { do: 'suspend', card: 'first', atOnce: true, isUnread: true },
  { do: 'suspend', card: 'second', isUnread: true },
  pay('second', 'third', 0),
  pay('first', 'third', 1),
  pay('first', 'second', 2),
  { do: 'unsuspend', card: 'first', atOnce: true },
];

/** Steps in any order, some of them twice; those on which the documents are silent are skipped. */
function drawnSteps(places: readonly Place[]): fc.Arbitrary<Step[]> {
  const card = fc.constantFrom(...places);
  const payment = { from: card, to: card, nth: fc.nat({ max: AMOUNTS - 1 }), members };
  const twice = (one: fc.Arbitrary<Step>) => fc.tuple(one, fc.boolean()).map(([s, again]) => (again ? [s, s] : [s]));
  const some: fc.Arbitrary<Step[]> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), ...payment }).map((s) => [s]) },
    { weight: 3, arbitrary: twice(fc.record({ do: fc.constant('suspend' as const), card })) },
    { weight: 2, arbitrary: twice(fc.record({ do: fc.constant('unsuspend' as const), card })) },
  );
  const drawn = fc.array(some, { minLength: 1, maxLength: MOST_STEPS, size: 'max' });
  return fc.noBias(drawn).map((steps) => steps.flat());
}

/** Leads cards through a life. @throws Inconclusive when it cannot go on */
async function lead(t: Context, books: Books, cards: Cards, life: string, steps: readonly Step[]): Promise<void> {
  const suspended = new Set<Place>();
  const unread = new Set<Place>();
  const changes: string[] = [];
  /** Suspends or unsuspends a card, whether that changes its state or not. */
  const change = async ({ do: action, card, atOnce = false, isUnread }: Change): Promise<void> => {
    const identifier = cards[card];
    if (identifier === undefined) return;
    const suspends = action === 'suspend';
    const isNew = suspended.has(card) !== suspends;
    const ask = (options = {}) =>
      t.call(`cards.${action}`, { path: { identifier } }, { intent: 'refusable', ...options });
    // A change of state may cost something.
    await books.restart(identifier);
    const answers = await Promise.all(atOnce ? [ask({ atOnce }), ask({ atOnce })] : [ask()]);
    changes.push(`${action} the ${card} card${atOnce ? ' twice at the same moment' : ''}`);
    // A target may have a cool-down, so a step that should be accepted is repeated within the settle time.
    if (isNew && !answers.some(succeeded) && !succeeded(await t.eventually(() => ask(), succeeded)))
      inconclusive(`a life ends early: ${changes.at(-1)} is refused`);
    if (suspends) suspended.add(card);
    else suspended.delete(card);
    // What changes nothing shows by what is read then, or paid.
    const own = suspends ? 'cards.suspend.not-active' : 'cards.unsuspend.active';
    if (!isNew && !t.needs(own, ...OF_PAYMENTS)) return t.settle();
    if (!isUnread) return read(card);
    unread.add(card);
    return t.settle();
  };
  const read = async (card: Place): Promise<void> => {
    const isRight = (state: CardState) => isActive(state) !== suspended.has(card);
    const state = await t.shown(() => t.state(cards[card]!), isRight);
    if (state.status === undefined) return t.settle();
    if (!isRight(state)) inconclusive(`a life ends early: the ${card} card is ${state.status}`);
  };
  /** Transfers between cards. A suspended card must pay nothing. */
  const transfer = async ({ from, to, nth, members }: Pay, step: number): Promise<void> => {
    const [source, target] = [cards[from], cards[to]];
    const stops = suspended.has(from);
    if (from === to || !source || !target || (!stops && suspended.has(to))) return;
    const cents = Amounts.plain(Amounts.ruleOf(t), nth);
    const taken = [...changes, `transfer ${amount(cents).toFixed(2)} from the ${from} card to the ${to}`];
    const row = {
      name: `step ${step} of ${life} (${taken.join(', ')})`,
      about: [stops ? 'cards.suspend.stops-payments' : 'cards.transfer.moves-amount'],
      movesNothing: stops,
      among: life,
    };
    const plain = Payments.accepted(t)?.members ?? t.fixtures.cards?.transferBody;
    const sent = await books.send(row, async () => {
      if (!stops && (await books.balance(source)) < cents) inconclusive('the card has too little to pay with');
      const options = { intent: stops ? 'refusable' : 'valid' } as const;
      return [{ ...Payments.of(source, target, cents, { ...plain, ...members }), options }];
    });
    // What it costs, too, is a fee; all cards are Active then.
    if (sent) books.control ??= () => Payments.of(source, target, Amounts.ruleOf(t).least, plain);
  };
  const mayChange = ['cards.suspend', 'cards.unsuspend'].every((operation) => t.isInScope(operation));
  for (const [index, step] of steps.entries()) {
    if (step.do !== 'pay') {
      if (mayChange) await change(step);
      continue;
    }
    await transfer(step, index + 1);
    // Payments one after the other are explained together, save the first of a card of which nothing was read.
    if (steps[index + 1]?.do === 'pay' && unread.size === 0) continue;
    await books.check();
    for (const card of unread) await read(card);
    unread.clear();
  }
  for (const card of [...suspended]) await change({ do: 'unsuspend', card });
  await books.check({ late: true });
}

/** The steps of a life, up to the last that shows what is judged. */
function shownIn(t: Context, steps: readonly Step[]): readonly Step[] {
  const suspended = new Set<Place>();
  const shows = steps.map((step) => {
    if (step.do === 'pay') return t.needs(OF_PAYMENTS[suspended.has(step.from) ? 1 : 0]);
    if (step.do === 'suspend') suspended.add(step.card);
    else suspended.delete(step.card);
    return t.needs('cards.suspend.not-active', 'cards.unsuspend.active');
  });
  return steps.slice(0, shows.lastIndexOf(true) + 1);
}

/** The lives of a run, and the places of the cards that they need: those that are only paid are not where nothing is. */
function livesOf(t: Context) {
  const { thorough } = t.run.configuration.run;
  const places = PLACES.slice(0, Transfers.hasMany(t.run.configuration) ? 3 : 2);
  const numRuns = thorough ? THOROUGH : 1;
  const drawn = t.seedsOf('lives of cards').flatMap((seed) => fc.sample(drawnSteps(places), { seed, numRuns }));
  const all = [always, ...drawn].map((steps) => shownIn(t, steps));
  const changed = all.flat().map((step) => step.do !== 'pay' && step.card);
  const used = places.filter((place) => t.needs(...OF_PAYMENTS) || changed.includes(place));
  const { seed } = t.run.configuration.run;
  const nameOf = (index: number) => `life ${index + 1} of --seed ${seed}${thorough ? ' --thorough' : ''}`;
  return { all, used, nameOf };
}

/** Cards led through lives; `led` throws what ended these early. */
export const lives = bookkeeping(
  'lives of cards',
  async (t, avoiding) => {
    // Cards of one customer, which pay each other, are leased together, as far as these are known.
    if (t.needs(...OF_PAYMENTS)) await attempt(() => t.known(Requests.firstCards));
    return leaseActive(t, livesOf(t).used.length, avoiding);
  },
  async (t, books, leased): Promise<{ led: Led<void> }> => {
    const { all, used, nameOf } = livesOf(t);
    const cards: Cards = Object.fromEntries(used.map((place, index) => [place, leased[index]!.identifier]));
    const led = await attempt(async () => {
      for (const [index, steps] of all.entries()) await lead(t, books, cards, nameOf(index), steps);
    });
    return { led };
  },
);

for (const requirement of OF_PAYMENTS)
  check(requirement, 'in lives of cards', async (t) => {
    await expectBooks(t, lives, requirement);
    const { facts, books } = await t.shared(lives.first);
    const { sent } = books.about(requirement);
    if (sent.some(({ sent: { row }, gains }) => gains && (row.movesNothing || !Effects.nothingMoved(gains)))) return;
    facts.led.get();
    inconclusive('no life gets that far');
  });
