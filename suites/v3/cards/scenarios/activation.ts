/** Unused cards that are activated, and then brought to an end (readings 28, 29 and 50). */
import { succeeded } from '../../../../helpers/answer.ts';
import { type Call, isActive, readState } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { type Context, onceMore, scenario } from '../../../../helpers/check.ts';
import * as Cells from '../../../../helpers/engine/cells.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { type Fact, inconclusive, optional } from '../../../../helpers/verdict.ts';
import { lifeOf } from '../../../declare.ts';
import * as Phases from '../states/phases.ts';
import * as Endings from './endings.ts';
import * as Steps from './steps.ts';
import { type OfCard, transition, transitionOf } from './transition.ts';

/** Whether the activation was accepted, and no read shows another status than Active. */
function isActivated(facts: object): boolean {
  const { asked, after } = transitionOf(facts, 'cards.activate');
  return succeeded(asked.value?.answer) && (after.value?.status === undefined || isActive(after.value));
}

/** Reads the disposable cards: what status used-up ones have shows in them. */
export const readDisposable = scenario('disposable cards that may be used up', async (t) => {
  const call: Call = (operation, input) => t.call(operation, input);
  await Promise.all((t.fixtures.cards?.disposable ?? []).map((identifier) => readState(call, identifier)));
});

/** A card of the pool that none of some facts is about, nor another one in the state of one of these. */
async function leaseUnused(t: Context, tried: readonly OfCard[]): Promise<OfCard> {
  const wants = ({ status }: LeasedCard) =>
    tried.every(({ card }) => card.status !== undefined && card.status !== status);
  const [[card]] = (await t.lease({ pool: 'unused', ...(tried.length > 0 && { wants }) })) as [[LeasedCard]];
  return { card };
}

/**
 * Plays the activation of a card. Cards that an earlier run activated and ended are not Active either: if a card does not become Active, one
 * with another status is tried.
 */
async function activateAny<Facts extends OfCard>(
  t: Context,
  name: string,
  play: (t: Context, start: OfCard) => Promise<Facts>,
): Promise<Facts> {
  const tried: Facts[] = [];
  const activateOne = () => t.shared(scenario(name, async (own) => play(own, await leaseUnused(own, tried))));
  tried.push(await activateOne());
  while (!isActivated(tried.at(-1)!)) {
    const next = await optional(activateOne());
    if (!next) {
      await optional(t.known(readDisposable));
      return tried[0]!;
    }
    tried.push(next);
  }
  const activated = tried.pop()!;
  for (const { card } of tried) t.run.pools.retire('unused', card.status);
  return activated;
}

/** What an activated card is given, and how it is brought to its end: what leads there may leave some cards out. It has rarely been given money yet. */
const ENDS = Cells.cellsOf({
  given: ['nothing', 'a wallet and a PIN', 'a reissue'],
  state: ['Active', 'suspended'],
  end: ['cards.close', 'cards.markLost'],
} as const);
type End = (typeof ENDS)[number];

type Give = (t: Context, card: string) => Promise<unknown>;

/** By operation, how it gives an Active card something, which it need not take. */
const GIVES: Readonly<Record<End['given'], Readonly<Record<string, Give>>>> = {
  nothing: {},
  'a wallet and a PIN': {
    'cards.markWalletProvisioned': (t, card) => Steps.ask(t, 'cards.markWalletProvisioned', card),
    'cards.setPin': (t, card) => Steps.setSomePin(t, card),
  },
  'a reissue': {
    'cards.reissue': (t, card) => Steps.ask(t, 'cards.reissue', card, { externalIdentifier: t.unique('reissue') }),
  },
};

/** Number of disposable cards from which on a run marks one lost and closes another. */
const BOTH_ENDED = 2;

/** Suspends and unsuspends an Active card, gives it something, and brings it to an end. @throws Inconclusive when a step is refused */
async function bringToItsEnd({ t, card: { identifier } }: OfCard & { t: Context }): Promise<void> {
  // Only as disposable cards are ended, too: by their statuses a later run recognises which cards of the pool `unused` are used up.
  const areEnded = (t.fixtures.cards?.disposable?.length ?? 0) >= BOTH_ENDED;
  const isInScope = ({ given, end }: End) => [end, ...Object.keys(GIVES[given])].every((id) => t.isInScope(id));
  const ends = areEnded ? ENDS.filter(isInScope) : [];
  if (ends.length === 0)
    inconclusive('the activated card stays Active: a later run could not tell an ended one from an unused one');
  const { given, state, end } = t.oneOf('what ends an activated card', ends, { name: Cells.nameOf });
  const lead = async (operation: string) => {
    requireAccepted(await Steps.ask(t, operation, identifier), operation);
    await t.settle();
    if (operation !== 'cards.unsuspend') await t.confirmed(() => t.state(identifier), Steps.isNotActive);
  };
  for (const operation of ['cards.suspend', 'cards.unsuspend']) await lead(operation);
  for (const give of Object.values(GIVES[given])) await optional(give(t, identifier));
  for (const operation of state === 'suspended' ? ['cards.suspend', end] : [end]) await lead(operation);
}

type Ended = OfCard & { t: Context; ended: Fact<unknown> };

/** What is asked of a card at its end: what activate makes of a lost one is open. @throws the verdict for which it is not there */
async function askAtItsEnd({ t, card: { identifier }, ended }: Ended, operation: 'cards.unsuspend' | 'cards.activate') {
  ended.get();
  if (operation === 'cards.activate' && t.run.history.timesAccepted('cards.close', identifier) === 0) return;
  await Endings.askElsewhere(t, [operation], identifier, 'at its end');
}

/** An unused card activated, then suspended and ended. @throws Skipped, Inconclusive without such a card; see Context.lease */
export const activation = lifeOf<OfCard>('an unused card activated', (made) => {
  const first = scenario(made.name, (t) => activateAny(t, made.name, (own, start) => made.play(own, start)));
  const again = onceMore(first);
  return { first: (t) => t.shared(first), again: (t) => t.shared(again) };
})
  .does('gifts while unused', Endings.giveTo('an unused card', 'unused'), { of: [...Endings.GIVING, ...Phases.GIFTS] })
  .shows('unsuspended while unused', ({ t, card }) =>
    Endings.askElsewhere(t, ['cards.unsuspend'], card.identifier, 'unused', card),
  )
  .shows('before', ({ card, ...facts }) => facts['unsuspended while unused'].value ?? card)
  .with(
    transition('cards.activate', {
      isShown: isActive,
      before: 'before',
      ways: ({ t, card }) => [Steps.withPin(t, card.identifier)],
    }),
  )
  // Neither reading the balance nor a second activation changes the card.
  .does(
    'activated again',
    (on) => isActivated(on) && Endings.askOf(on.t, ['cards.activate'], on.card.identifier, 'Active'),
    {
      of: 'cards.activate',
    },
  )
  .does('balance once activated', (on) => isActivated(on) && on.t.balance(on.card.identifier), { of: 'cards.activate' })
  .does(
    'read once activated',
    (on) => isActivated(on) && on.t.confirmed(() => on.t.state(on.card.identifier), isActive),
    { of: 'cards.activate' },
  )
  .shows('ended', async (on) => {
    if (!isActivated(on)) inconclusive('the card is not activated');
    await bringToItsEnd(on);
  })
  .does('unsuspended at its end', (on) => askAtItsEnd(on, 'cards.unsuspend'), { after: ['ended'] })
  .does('activated at its end', (on) => askAtItsEnd(on, 'cards.activate'), { after: ['ended'] });
