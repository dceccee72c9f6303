/** Lives of cards: one of every run and one drawn by its seed (readings 10, 27 and 28). */
import fc from 'fast-check';
import { entries } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import { operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import type { Context } from '../../../helpers/context.ts';
import { judgeLives, leadLives } from '../../../helpers/engine/life.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { identifiersOf } from '../../shared/identifiers.ts';
import { firstCards, listedOn } from '../../shared/target-data.ts';
import { Balances } from './money/balances.ts';
import { hasMany } from './money/transfers.ts';
import { CardLeader, type LivingCard, type Place, type Step } from './scenarios/card-lives.ts';
import { spareCard } from './scenarios/sandbox-cards.ts';
import { recordIsLeftBehind } from './scenarios/suspension.ts';

const { check, suite } = defineSuite();
export const livesSuite = suite;

/** Number of lives that `--thorough` draws. */
const THOROUGH = 10;
const MOST_STEPS = 5;
/** Plain amounts to draw from, the first ones: a card of the pool holds at least 10.00. */
const AMOUNTS = 4;
/** Requests that shortening may cost; a life costs about twenty. */
const SHORTENING_REQUESTS = 150;

/** Documented optional members of a transfer, in any combination. */
const members = fc.record(
  {
    comment: fc.stringMatching(/^[a-z][a-z0-9]{1,18}[a-z]$/),
    customFields: fc
      .subarray(['customField1', 'customField2', 'customField3', 'customField4', 'customField5'], { minLength: 1 })
      .map((names) => Object.fromEntries(names.map((name) => [name, `value of ${name}`]))),
  },
  { requiredKeys: [] },
);

const pay = (from: Place, to: Place, nth: number): Step => ({ do: 'pay', from, to, nth, members: {} });

/**
 * The life of every run: the first card is suspended twice and unsuspended twice, and pays a different card. Then it
 * is suspended by two simultaneous requests, followed by the second card, asked to pay the third and the second card, and
 * unsuspended by two simultaneous requests.
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
  { do: 'suspend', card: 'first', atOnce: true },
  { do: 'suspend', card: 'second' },
  pay('first', 'third', 0),
  pay('first', 'second', 0),
  { do: 'unsuspend', card: 'first', atOnce: true },
];
/** The life on the sandbox: also the whole life of a card, and one that is closed with money on it. */
const alwaysWithSpares: readonly Step[] = [
  ...always,
  { do: 'activate', card: 'unused' },
  { do: 'suspend', card: 'unused' },
  { do: 'unsuspend', card: 'unused' },
  { do: 'close', card: 'unused' },
  { do: 'close', card: 'spare' },
  pay('spare', 'third', 0),
];

/** Requirements that are judged by the stored record. */
const BY_RECORD = /\.(active|not-active)$/;
/** Requirements that are judged by balances. */
const BY_MONEY = /\.(moves-amount|stops-payments|pays-again)$/;

const REVERSIBLE = [
  'cards.suspend.required-only',
  'cards.suspend.not-active',
  'cards.suspend.stops-payments',
  'cards.unsuspend.required-only',
  'cards.unsuspend.active',
  'cards.unsuspend.pays-again',
  'cards.transfer.moves-amount',
];
const IRREVERSIBLE = [
  'cards.activate.required-only',
  'cards.activate.active',
  'cards.close.not-active',
  'cards.close.stops-payments',
];
/** Steps in any order, some of them twice; the leader skips those on which the documents are silent. */
function drawnSteps(places: readonly Place[]): fc.Arbitrary<Step[]> {
  const card = fc.constantFrom(...places);
  const payment = { from: card, to: card, nth: fc.nat({ max: AMOUNTS - 1 }), members };
  const spare = { card: fc.constantFrom('unused' as const, 'spare' as const) };
  const twice = (one: fc.Arbitrary<Step>) => fc.tuple(one, fc.boolean()).map(([s, again]) => (again ? [s, s] : [s]));
  const some: fc.Arbitrary<Step[]> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), ...payment }).map((s) => [s]) },
    { weight: 3, arbitrary: twice(fc.record({ do: fc.constant('suspend' as const), card })) },
    { weight: 2, arbitrary: twice(fc.record({ do: fc.constant('unsuspend' as const), card })) },
    ...(places.includes('spare')
      ? [
          { weight: 3, arbitrary: fc.record({ do: fc.constant('activate' as const), ...spare }).map((s) => [s]) },
          { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), ...spare }).map((s) => [s]) },
        ]
      : []),
  );
  const drawn = fc.array(some, { minLength: 1, maxLength: MOST_STEPS, size: 'max' });
  return fc.noBias(drawn).map((steps) => steps.flat());
}

/** Whether a life may use cards up: only on the sandbox, which has many. */
const mayUseUp = ({ target, run }: Configuration) => target.embedded && run.risk === 'irreversible';

const lives = scenario('lives of cards', async (t) => {
  t.prioritiseAboveAll();
  const { configuration } = t.run;
  const useUp = mayUseUp(configuration);
  const [leased] = await t.lease({
    pool: 'active',
    count: hasMany(configuration) ? 3 : 2,
    first: await ofOneCustomer(t),
  });
  const cards = leased!.map(({ identifier }) => identifier);
  const places = (['first', 'second', 'third'] as const).slice(0, cards.length);
  const balances = new Balances(t, cards);
  const inScope = (operation: string) => operationInScope(configuration, operation);
  const isUsable = ({ do: action }: Step) =>
    (action !== 'pay' || t.needs(...[...REVERSIBLE, ...IRREVERSIBLE].filter((id) => BY_MONEY.test(id)))) &&
    (action === 'pay'
      ? inScope('cards.transfer')
      : [action, ...(action === 'suspend' ? ['unsuspend'] : [])].every((one) => inScope(`cards.${one}`)));
  const { seed, thorough } = configuration.run;
  const drawn = fc.sample(drawnSteps(useUp ? [...places, 'unused', 'spare'] : places), {
    seed,
    numRuns: thorough ? THOROUGH : 1,
  });
  const all = [useUp ? alwaysWithSpares : always, ...drawn].map((steps) => steps.filter(isUsable));
  const lived = await leadLives(t, all, (kept) => begin(t, places, cards, { kept, useUp }), SHORTENING_REQUESTS);
  const drifts = lived.broken !== undefined && (await balances.drifts());
  return { ...lived, drifts };
});

/** Makes the leased cards Active, and takes fresh spare ones as long as the sandbox has some. */
async function begin(
  t: Context,
  places: readonly Place[],
  identifiers: readonly string[],
  { kept, useUp }: { kept: Set<string>; useUp: boolean },
): Promise<CardLeader> {
  const unused = useUp ? await spareCard(t, 'Unused') : undefined;
  const spare = useUp ? await spareCard(t, 'Active') : undefined;
  const cards = await Promise.all(identifiers.map((identifier) => livingCard(t, identifier)));
  return new CardLeader(
    t,
    {
      ...Object.fromEntries(places.map((place, index) => [place, cards[index]])),
      ...(unused ? { unused: { identifier: unused, state: 'unused' } } : {}),
      ...(spare ? { spare: await livingCard(t, spare) } : {}),
    },
    kept,
  );
}

/** A card at the beginning of a life. One that an earlier life left suspended is made Active again. */
async function livingCard(t: Context, identifier: string): Promise<LivingCard> {
  const known = t.run.states.get(identifier);
  if (known?.status !== undefined && !isActive(known)) {
    await t.call('cards.unsuspend', { path: { identifier } }, { intent: 'refusable' });
    if (!isActive(await t.shown(() => t.state(identifier), isActive)))
      inconclusive('a card cannot be made Active again for the next life');
  }
  return { identifier, state: 'active' };
}

/** Customers whose cards are searched for two free ones. */
const MOST_CUSTOMERS = 2;

/** Two free cards of the pool that belong to the same customer; empty where none are found. */
async function ofOneCustomer(t: Context): Promise<string[]> {
  const ofPool = (cards: readonly Record<string, unknown>[]) => {
    const free = t.run.pools.free('active');
    return cards.filter(({ identifier }) => free.includes(String(identifier)));
  };
  const owners = ofPool(await listedOn(t, firstCards)).map((card) => card.customerIdentifier);
  for (const customerIdentifier of [...new Set(owners)].slice(0, MOST_CUSTOMERS)) {
    if (typeof customerIdentifier !== 'string') continue;
    const query = { max: 50, customerIdentifier };
    const theirs = identifiersOf(ofPool(entries(await t.call('cards.list', { query }, { intent: 'refusable' }))));
    if (theirs.length > 1) return theirs.slice(0, 2);
  }
  return [];
}

for (const requirement of [...REVERSIBLE, ...IRREVERSIBLE])
  check(requirement, 'in lives of cards', REVERSIBLE.includes(requirement) ? {} : { applies: mayUseUp }, async (t) => {
    const lived = await t.shared(lives);
    const isBroken = lived.broken?.shown.requirement === requirement;
    if (isBroken && BY_RECORD.test(requirement) && (await recordIsLeftBehind(t)))
      inconclusive('the stored record does not follow the status of a card');
    if (isBroken && BY_MONEY.test(requirement) && lived.drifts)
      inconclusive('the balances of the cards change without a request');
    judgeLives(t, lived, requirement);
  });
