/** Irreversible transitions: cards marked lost, and freed of reported fraud; and what is asked of cards that are not Active. */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { succeeded } from '../../../../helpers/answer.ts';
import { type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import type { Life } from '../../../../helpers/engine/life.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { type Fact, inconclusive } from '../../../../helpers/verdict.ts';
import { life } from '../../../declare.ts';
import * as Requests from '../../../shared/requests.ts';
import * as Payments from '../money/payments.ts';
import * as Phases from '../states/phases.ts';
import * as Ended from './ended.ts';
import * as Steps from './steps.ts';
import { type OfCard, plainEnding, transition, transitionOf } from './transition.ts';

/** Operations that return something for a card and change nothing of it. */
export const GIVING = ['cards.createToken', 'cards.encryptForVde', 'cards.listRelated', 'cards.getBalance'];
/** How many of several operations are asked of a card in a state: one, two where a run may change everything. */
const SEVERAL = { amply: 2 };

/** Calls operations that may be refused in the card's state, and observes the outcome. */
export async function askOf(
  t: Context,
  operations: readonly string[],
  identifier: string,
  state: string,
): Promise<void> {
  for (const operation of operations) {
    if (!t.isInScope(operation)) continue;
    const input = Requests.named(t, operation, identifier, identifier);
    const answer = await t.call(operation, input, { intent: 'refusable' });
    t.observe(operation, `on a card that is ${state}`, answer);
  }
}

/** Calls operations that do not apply to the card in its state, and reads the card once an effect would show. */
export async function askElsewhere(
  t: Context,
  operations: readonly string[],
  identifier: string,
  state: string,
  before?: CardState,
): Promise<CardState> {
  const hasItsNumber = (one: CardState) => isActive(one) && one.statusNumber === before?.statusNumber;
  // With the status number of Active cards, the record may be out of date: it is read again after a refresh.
  if (before?.statusNumber !== undefined && [...t.run.states.values()].some(hasItsNumber)) {
    await t.settle();
    await t.state(identifier);
  }
  await askOf(t, operations, identifier, state);
  await t.settle();
  return t.confirmed(() => t.state(identifier), Steps.isNotActive);
}

/** Operations that give something for a card, or give it something, asked of a card that is not Active yet. */
export const giveTo =
  (what: string, state: string) =>
  ({ t, card }: OfCard & { t: Context }) =>
    askOf(t, t.rotated(`asked of ${what}`, [...GIVING, ...Phases.GIFTS], SEVERAL), card.identifier, state);

/** Operations to call on a card at an end, by what the step is called; those in one group do not hide each other's effects. */
export type Group = readonly [name: string, operations: (t: Context) => readonly string[]];

/** The steps that try operations on a card that an operation has brought to an end, and that does not leave it. */
export function askedAtItsEnd<Start extends OfCard, F extends Record<string, unknown>>(
  operation: string,
  state: string,
  groups: readonly Group[],
): (life: Life<Start, F>) => Life<Start, F> {
  return (life) => {
    for (const [index, [name, operationsOf]] of groups.entries())
      life.does(`${state}: ${name}`, (on) => {
        const { asked, after } = transitionOf(on, operation);
        const facts = on as unknown as Record<string, Fact<CardState>>;
        const earlier = groups.slice(0, index).map(([one]) => facts[`${state}: ${one}`]!);
        if (!succeeded(asked.get().answer)) inconclusive(`${operation} is refused`);
        if ([after, ...earlier].some(({ value }) => isActive(value))) inconclusive('the card is Active');
        const operations = operationsOf(on.t);
        return operations.length > 0 && askElsewhere(on.t, operations, on.card.identifier, state);
      });
    return life;
  };
}

/** Operations on a lost card on which the documents are silent. */
const OF_LOST = ['cards.markLost', 'cards.reissue', 'cards.suspend', 'cards.setPin', 'cards.close'];
const askedOfLost = (t: Context) => t.rotated('asked of a lost card', OF_LOST);

const PAID = 'a payment to the lost card';
const OTHERS = 'other operations';
const triedOfLost = (t: Context) => t.rotated('tried of a lost card', [PAID, OTHERS]);
/** Whether a run pays a lost card. */
export const paysLost = (t: Context): boolean => triedOfLost(t).includes(PAID);

/** What is asked of a lost card; those in one group do not hide each other's effects. */
const AFTER_LOSS: readonly Group[] = [
  ['unsuspend', () => ['cards.unsuspend']],
  ['activate', () => ['cards.activate']],
  [
    OTHERS,
    (t) =>
      triedOfLost(t).includes(OTHERS)
        ? [
            ...t.rotated('given for a lost card', GIVING),
            ...askedOfLost(t).filter((operation) => operation !== 'cards.close'),
          ]
        : [],
  ],
  ['close', (t) => askedOfLost(t).filter((operation) => operation === 'cards.close')],
];

/** Number of disposable cards of which those with a balance can be spared. */
const MANY = 8;

/** Asks an active card to pay the lost one. */
async function payLost(on: Ended.Ended & { t: Context }): Promise<void> {
  const { t, books, card } = on;
  if (!paysLost(t)) return;
  requireAccepted(transitionOf(on, 'cards.markLost').asked.get().answer, 'marking a card lost');
  await books.restart();
  await books.send({ name: PAID }, () => {
    const { cents, members } = Payments.likeliest(t);
    return [Payments.make(Ended.activeOf(on), card.identifier, cents, members)];
  });
  await books.check({ late: true });
}

/** A disposable card marked lost, preferably one without a balance where there are few, or where nobody asks what becomes of that. */
export const booksOfLoss = Ended.booksOfEnded(
  'a card marked lost',
  (t, made) => {
    const isMany = (t.fixtures.cards?.disposable?.length ?? 0) >= MANY;
    const hasBalance = isMany && made.plays(t, 'cards.markLost: elsewhere');
    return ({ balance = 0 }) => balance > 0 === hasBalance;
  },
  (t, made) => made.plays(t, PAID) && paysLost(t),
  [PAID],
);

/** The same, led through its life. @throws Skipped, Inconclusive without such a card; see Context.lease */
export const loss = booksOfLoss.life
  .with(
    transition('cards.markLost', {
      isShown: Steps.isNotActive,
      ways: ({ t, card }) => Steps.waysOf(t, card.identifier),
    }),
  )
  .does(PAID, payLost, { after: ['cards.markLost: asked'] })
  .with(askedAtItsEnd('cards.markLost', 'lost', AFTER_LOSS));

/** An unused card closed, which nobody has activated, and activated then. @throws Skipped, Inconclusive without such a card; see Context.lease */
export const closedUnused = life('an unused card closed', async (t) => {
  const [[card]] = (await t.lease({ pool: 'unused' })) as [[LeasedCard]];
  return { card };
})
  .with(plainEnding('cards.close'))
  .with(askedAtItsEnd('cards.close', 'closed unused', [['activate', () => ['cards.activate']]]));

/** A card freed of reported fraud. The documents don't show the status of such a card: one that is Active may have been freed before. */
export const fraudUnmarked = life('a card freed of reported fraud', async (t) => {
  const [[card]] = (await t.lease({ pool: 'fraud', prefers: Steps.isNotActive })) as [[LeasedCard]];
  if (!isActive(card)) t.run.pools.retire('fraud', ACTIVE);
  const isKnown = card.status !== undefined && !isActive(card);
  return { card, intent: isKnown ? ('valid' as const) : ('refusable' as const) };
})
  .does('gifts while reported as fraud', giveTo('a fraud card', 'reported as fraud'), {
    of: [...GIVING, ...Phases.GIFTS],
  })
  .shows('unsuspended while reported as fraud', ({ t, card, intent }) =>
    intent === 'valid'
      ? askElsewhere(t, ['cards.unsuspend'], card.identifier, 'reported as fraud', card)
      : inconclusive('the card may have been freed before'),
  )
  .shows('before', ({ card, ...facts }) => facts['unsuspended while reported as fraud'].value ?? card)
  .with(transition('cards.unmarkFraud', { isShown: () => true, before: 'before', intent: ({ intent }) => intent }))
  .does(
    'status once freed',
    ({ t, ...facts }) => {
      const { status } = facts['cards.unmarkFraud: after'].get();
      t.observe('cards.unmarkFraud', 'status of the card afterwards', status ?? 'not shown');
    },
    { of: 'cards.unmarkFraud' },
  );
