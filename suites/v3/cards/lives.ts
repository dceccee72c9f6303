/** Lives of cards: one of every run and one drawn by its seed (readings 10, 27 and 28). */
import fc from 'fast-check';
import { entries } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { judgeLives, leadLives } from '../../../helpers/engine/life.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { identifiersOf } from '../../shared/identifiers.ts';
import { firstCards, listedOn } from '../../shared/requests.ts';
import { Balances } from './money/balances.ts';
import { hasMany } from './money/transfers.ts';
import { CardLeader, type LivingCard, PLACES, type Place, type Step } from './scenarios/card-lives.ts';

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
/** What lives show of money. */
const ABOUT = ['cards.transfer.moves-amount', 'cards.suspend.stops-payments'];

/** Steps in any order, some of them twice; the leader skips those on which the documents are silent. */
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

/** Leads cards through lives. What their records show is judged by what is read of them, the payments by the books. */
export const lives = scenario('lives of cards', async (t) => {
  t.prioritiseAboveAll();
  const { configuration } = t.run;
  const [leased] = await t.lease({
    pool: 'active',
    count: hasMany(configuration) ? 3 : 2,
    first: await ofOneCustomer(t),
  });
  const cards = leased!.map(({ identifier }) => identifier);
  const places = PLACES.slice(0, cards.length);
  const balances = new Balances(t, cards);
  const isUsable = ({ do: action }: Step) =>
    action === 'pay'
      ? t.needs(...ABOUT) && t.isInScope('cards.transfer')
      : ['cards.suspend', 'cards.unsuspend'].every((operation) => t.isInScope(operation));
  const { seed, thorough } = configuration.run;
  const drawn = fc.sample(drawnSteps(places), {
    seed,
    numRuns: thorough ? THOROUGH : 1,
  });
  const all = [always, ...drawn].map((steps) => steps.filter(isUsable));
  const lived = await leadLives(t, all, (kept) => begin(t, places, cards, kept), SHORTENING_REQUESTS);
  const drifts = lived.broken !== undefined && (await balances.drifts());
  return { ...lived, drifts };
});

/** Makes the leased cards Active. */
async function begin(t: Context, places: readonly Place[], identifiers: readonly string[], kept: Set<string>) {
  const cards = await Promise.all(identifiers.map((identifier) => livingCard(t, identifier)));
  return new CardLeader(t, Object.fromEntries(places.map((place, index) => [place, cards[index]])), kept);
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

for (const requirement of ABOUT)
  check(requirement, 'in lives of cards', async (t) => {
    const lived = await t.shared(lives);
    if (lived.drifts && lived.broken?.shown.requirement === requirement)
      inconclusive('the balances of the cards change without a request');
    judgeLives(t, lived, requirement);
  });
