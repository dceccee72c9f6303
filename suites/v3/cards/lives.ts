/**
 * Lives of cards: one of every run and one drawn by its seed (readings 10, 27 and 28). What their records show is judged by the monitor of
 * states, what they pay by the books.
 */
import fc from 'fast-check';
import { attempt, inconclusive, type Step as Led } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { firstCards } from '../../shared/requests.ts';
import { bookkeeping, expectBooks, leaseActive } from './money/bookkeeping.ts';
import { nothingMoved } from './money/effects.ts';
import { hasMany } from './money/transfers.ts';
import { type Cards, lead, PLACES, type Place, pay, type Step } from './scenarios/life.ts';

/** Number of lives that `--thorough` draws. */
const THOROUGH = 10;
const MOST_STEPS = 5;
/** Plain amounts to draw from, the first ones: a card of the pool holds at least 10.00. */
const AMOUNTS = 4;

/** Documented optional members of a transfer, in any combination. */
const members = fc.record(
  {
    comment: fc.stringMatching(/^[a-z][a-z0-9]{1,18}[a-z]$/),
    customFields: fc
      .subarray(['customField1', 'customField2', 'customField3', 'customField4', 'customField5'], { minLength: 1 })
      .map((names) => Object.fromEntries(names.map((name, place) => [name, String(place)]))),
  },
  { requiredKeys: [] },
);

/**
 * The life of every run: the first card is suspended twice and unsuspended twice, and pays a different card. Then it
 * is suspended by two simultaneous requests, followed by the second card, which is asked to pay before anything is read of the two. The first
 * card is asked to pay the third and the second one, and unsuspended by two simultaneous requests.
 */
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

/** Cards led through lives; `led` throws what ended these early. */
export const lives = bookkeeping(
  'lives of cards',
  async (t, avoiding) => {
    // Cards of one customer are leased together, as far as these are known.
    await attempt(() => t.known(firstCards));
    return leaseActive(t, hasMany(t.run.configuration) ? 3 : 2, avoiding);
  },
  async (t, books, leased): Promise<{ led: Led<void> }> => {
    const { seed, thorough } = t.run.configuration.run;
    const places = PLACES.slice(0, leased.length);
    const cards: Cards = Object.fromEntries(places.map((place, index) => [place, leased[index]!.identifier]));
    const drawn = fc.sample(drawnSteps(places), { seed, numRuns: thorough ? THOROUGH : 1 });
    const led = await attempt(async () => {
      for (const [index, steps] of [always, ...drawn].entries())
        await lead(t, books, cards, `life ${index + 1} of --seed ${seed}${thorough ? ' --thorough' : ''}`, steps);
    });
    return { led };
  },
);

for (const requirement of ['cards.transfer.moves-amount', 'cards.suspend.stops-payments'])
  check(requirement, 'in lives of cards', async (t) => {
    await expectBooks(t, lives, requirement);
    const { facts, books } = await t.shared(lives.first);
    const { sent } = books.about(requirement);
    if (sent.some(({ sent: { row }, gains }) => gains && (row.movesNothing || !nothingMoved(gains)))) return;
    facts.led();
    inconclusive('no life gets that far');
  });
