/**
 * Lives of cards: one of every run and one drawn by its seed (readings 10, 27 and 28). What their records show is judged by the monitor of
 * states, what they pay by the books.
 */
import fc from 'fast-check';
import type { LeasedCard } from '../../../helpers/cards/pools.ts';
import type { Context } from '../../../helpers/check.ts';
import { inconclusive, optional } from '../../../helpers/verdict.ts';
import * as Amounts from '../../shared/amounts.ts';
import * as Requests from '../../shared/requests.ts';
import type { Books } from './money/books.ts';
import type * as Contradictions from './money/contradictions.ts';
import * as Effects from './money/effects.ts';
import { keptLife } from './money/kept-life.ts';
import * as Payments from './money/payments.ts';
import * as Transfers from './money/transfers.ts';
import * as Commands from './scenarios/commands.ts';

const pay = (from: Commands.Place, to: Commands.Place, nth: number): Commands.Step => ({
  do: 'pay',
  from,
  to,
  nth,
});

/** Numbers of lives that a run draws, and of steps of each at the most. */
const DRAWN = { usual: { lives: 1, steps: 2 }, thorough: { lives: 10, steps: 5 } };
/** Plain amounts to draw from, the first ones: a card of the pool holds at least 10.00. */
const AMOUNTS = 4;

const comment = fc.stringMatching(/^[a-z][a-z0-9]{1,18}[a-z]$/);
const customFields = fc
  .subarray(['customField1', 'customField2', 'customField3', 'customField4', 'customField5'], { minLength: 1 })
  .map((names) => Object.fromEntries(names.map((name, place) => [name, String(place)])));

/** Documented optional members of a transfer, in any combination. */
const members = fc.record({ comment, customFields }, { requiredKeys: [] });

/** The life of every run. */
const always: readonly Commands.Step[] = [
  pay('first', 'second', 1),
  { do: 'suspend', card: 'first' },
  { do: 'suspend', card: 'first' },
  pay('first', 'second', 0),
  { do: 'unsuspend', card: 'first' },
  { do: 'unsuspend', card: 'first' },
  pay('first', 'second', 2),
  pay('second', 'first', 3),
  pay('first', 'third', 1),
  { do: 'suspend', card: 'first', atOnce: true, isUnread: true },
  { do: 'suspend', card: 'second', isUnread: true },
  pay('second', 'third', 0),
  pay('first', 'third', 1),
  pay('first', 'second', 2),
  { do: 'unsuspend', card: 'first', atOnce: true },
];

/** Steps in any order, some of them twice; those on which the documents are silent are left out when it is their turn. */
function drawnSteps(places: readonly Commands.Place[], maxLength: number): fc.Arbitrary<Commands.Step[]> {
  const card = fc.constantFrom(...places);
  const payment = { from: card, to: card, nth: fc.nat({ max: AMOUNTS - 1 }), members };
  const twice = (one: fc.Arbitrary<Commands.Step>) =>
    fc.tuple(one, fc.boolean()).map(([step, again]) => (again ? [step, step] : [step]));
  const some: fc.Arbitrary<Commands.Step[]> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), ...payment }).map((step) => [step]) },
    { weight: 3, arbitrary: twice(fc.record({ do: fc.constant('suspend' as const), card })) },
    { weight: 2, arbitrary: twice(fc.record({ do: fc.constant('unsuspend' as const), card })) },
  );
  const drawn = fc.array(some, { minLength: 1, maxLength, size: 'max' });
  return fc.noBias(drawn).map((steps) => steps.flat());
}

/** The lives of a run, by their names; those that are drawn are further ways to what that of every run shows. */
function livesOf(t: Context): ReadonlyMap<string, readonly Commands.Step[]> {
  const { seed, thorough } = t.run.configuration.run;
  const places = Commands.PLACES.slice(0, Transfers.hasMany(t.run.configuration) ? 3 : 2);
  const { lives, steps } = DRAWN[thorough ? 'thorough' : 'usual'];
  const life = drawnSteps(places, steps);
  const seeds = t.seedsOf('lives of cards', { isFurther: true });
  const drawn = seeds.flatMap((one) => fc.sample(life, { seed: one, numRuns: lives }));
  const nameOf = (index: number) => `life ${index + 1} of --seed ${seed}${thorough ? ' --thorough' : ''}`;
  return new Map([always, ...drawn].map((steps, index) => [nameOf(index), steps]));
}

const { ofActive, ofSuspended } = Commands.PAYMENTS;
/** What changes of a card's state show where it should be as before. */
const STATES = { suspend: 'states while suspended', unsuspend: 'states once unsuspended' } as const;

/** The cards that lives need: those that are only paid are not needed where nothing is. */
function placesOf(t: Context, isPaid: boolean): readonly Commands.Place[] {
  const steps = [...livesOf(t).values()].flat();
  const places = Commands.PLACES.slice(0, Transfers.hasMany(t.run.configuration) ? 3 : 2);
  return isPaid ? places : places.filter((place) => steps.some((step) => step.do !== 'pay' && step.card === place));
}

interface Start {
  books: Books;
  leased: readonly LeasedCard[];
  /** What is shown in this play. */
  shown: Set<string>;
}

/** The books of what cards pay in lives. */
export const booksOfLives = keptLife<Start>(
  'lives of cards',
  async (t, avoiding, life) => {
    const isPaid = life.plays(t, ofActive, ofSuspended);
    // Cards of one customer, which pay each other, are leased together, as far as these are known.
    if (isPaid) await optional(t.known(Requests.firstCards));
    return Payments.leaseActive(t, placesOf(t, isPaid).length, avoiding, { isUnpaid: !isPaid });
  },
  (books, leased) => ({ books, leased, shown: new Set() }),
);

/** The commands of a life, up to the last that shows something. */
function commandsOf(
  { t, shown }: Start & { t: Context },
  steps: readonly Commands.Step[],
  cards: Commands.Real['cards'],
): Commands.Command[] {
  const isPaid = shown.has(ofActive) || shown.has(ofSuspended);
  const mayChange = ['cards.suspend', 'cards.unsuspend'].every((operation) => t.isInScope(operation));
  const suspended = new Set<Commands.Place>();
  const commands: Commands.Command[] = [];
  let end = 0;
  for (const [index, step] of steps.entries())
    if (step.do === 'pay') {
      const isShown = shown.has(suspended.has(step.from) ? ofSuspended : ofActive);
      if (!isShown || !cards[step.from] || !cards[step.to]) continue;
      commands.push(new Commands.Pay(step, index + 1, (round) => Amounts.plain(Amounts.ruleOf(t), step.nth + round)));
      end = commands.length;
    } else if (mayChange && cards[step.card]) {
      const isShown = shown.has(STATES[step.do]);
      const isNew = suspended.has(step.card) !== (step.do === 'suspend');
      if (!isShown && !isPaid && !isNew) continue;
      commands.push(new Commands.Change({ ...step, isUnread: step.isUnread && isPaid }, isShown || isPaid));
      if (isShown) end = commands.length;
      if (step.do === 'suspend') suspended.add(step.card);
      else suspended.delete(step.card);
    }
  return commands.slice(0, end);
}

/** Leads the cards through all lives. @throws Inconclusive when one cannot go on */
async function lead(on: Start & { t: Context }): Promise<void> {
  const { t, books, leased } = on;
  const isPaid = on.shown.has(ofActive) || on.shown.has(ofSuspended);
  const cards = Object.fromEntries(placesOf(t, isPaid).map((place, index) => [place, leased[index]!.identifier]));
  for (const [name, steps] of livesOf(t)) {
    const model: Commands.Model = { suspended: new Set(), unread: new Set(), changes: [] };
    const real: Commands.Real = { t, books, cards, name };
    await fc.asyncModelRun(() => ({ model, real }), commandsOf(on, steps, cards));
    for (const card of [...model.suspended])
      await new Commands.Change({ do: 'unsuspend', card }, true).run(model, real);
    await books.check({ late: true });
  }
}

/** Cards led through lives: what is to be shown, then the lives. */
export const lives = booksOfLives.life
  .does(STATES.suspend, ({ shown }) => shown.add(STATES.suspend))
  .does(STATES.unsuspend, ({ shown }) => shown.add(STATES.unsuspend))
  .does(ofActive, ({ shown }) => shown.add(ofActive))
  .does(ofSuspended, ({ shown }) => shown.add(ofSuspended))
  .shows('led', lead);

/** Declares a check of what cards pay in lives. @param step the payments that it judges */
export const checkInLives = (requirement: string, step: string, contradiction: Contradictions.Contradiction): void =>
  booksOfLives.check(requirement, 'in lives of cards', {
    steps: [step],
    contradiction,
    reads: ['led'],
    afterwards: (t) => requireShown(t, step),
  });

/** Requires that a payment showed something: moved money or, where it must not, was made. @throws what ended the lives early */
async function requireShown(t: Context, step: string): Promise<void> {
  const { books, led } = await lives.first(t);
  const isShown = books
    .rowsOf([step])
    .sent.some(({ sent: { row }, gains }) => gains && (row.movesNothing || !Effects.nothingMoved(gains)));
  if (isShown) return;
  led.get();
  inconclusive('no life gets that far');
}
