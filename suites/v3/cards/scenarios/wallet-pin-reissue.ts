import { succeeded } from '../../../../helpers/answer.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import * as Scope from '../../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../../helpers/configuration/types.ts';
import { tryWrongBodies } from '../../../../helpers/engine/bodies.ts';
import * as Forms from '../../../../helpers/engine/forms/index.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { attempt } from '../../../../helpers/verdict.ts';
import * as BadTokens from '../../../shared/bad-tokens.ts';
import * as UnknownNames from '../../../shared/unknown-names.ts';
import * as Around from './around.ts';
import { isProvisioned, provision } from './provisioning.ts';
import * as Steps from './steps.ts';

/** Whether the run may give cards a PIN and provision them to a wallet. */
export const maySpend = (configuration: Configuration): boolean =>
  Scope.isIrreversible(configuration) && (configuration.fixtures.cards?.disposable?.length ?? 0) > 0;

/** What the wallet and the PIN of a card are about. */
const OF_GIFTS = ['cards.markWalletProvisioned', 'cards.setPin'].flatMap(Steps.idsOf);

/** Number of disposable cards of which one with a balance can be spared. */
const MANY = 4;

/** Provisions a disposable card, gives it a PIN and reissues it. @throws Skipped, Inconclusive without such a card; see Context.lease */
export const first = scenario('a card provisioned, given a PIN and reissued', async (t) => {
  // Whether its balance is left alone shows where it has one, which a small pool has better uses for.
  const least = (t.fixtures.cards?.disposable?.length ?? 0) < MANY ? 0 : Around.LEAST;
  const prefers = (one: LeasedCard) => isProvisioned(one.record) !== true && (one.balance ?? 0) >= least;
  const [[card]] = (await t.lease({ pool: 'disposable', prefers })) as [[LeasedCard]];
  const { identifier } = card;
  const path = { identifier };
  const pins = Steps.somePins();
  const externalIdentifier = String(Date.now()).slice(-12);

  if (t.needs('cards.markWalletProvisioned.requires-token', 'cards.markWalletProvisioned.challenge'))
    await attempt(() => BadTokens.tryAll(t, 'cards.markWalletProvisioned', { path }));
  await tryWrong(t, 'cards.setPin', identifier, { pin: pins[0] });
  const before = isProvisioned(card.record);
  const untouched = await Steps.whenNeeded(t, OF_GIFTS, async () => {
    await t.settle();
    const read = () => t.state(identifier);
    return t.confirmed(read, ({ record }) => isProvisioned(record) === before);
  });
  const bodies = {
    'cards.markWalletProvisioned': undefined,
    'cards.setPin': { pin: pins[0] },
    'cards.reissue': { externalIdentifier },
  };
  const name = ([operation]: [string, unknown]) => operation;
  for (const [operation, json] of t.rotated('cards: operations on misnamed cards', Object.entries(bodies), { name }))
    if (t.needs(`${operation}.unknown-identifier`))
      await attempt(() => UnknownNames.tryAll(t, operation, identifier, { json }));

  const watch = () => Around.watching(t, 'cards.setPin', identifier, card);
  const nothingElse = ['cards.setPin.nothing-else', 'cards.markWalletProvisioned.nothing-else'];
  const watched = await Steps.whenNeeded(t, nothingElse, watch);
  const provisioned = await provision(t, card);
  // The second may be refused as too easy to guess, but must not cause an error: it begins with a zero.
  for (const pin of t.needsOperation('cards.setPin') ? [pins[0], `0${pins[0].slice(1)}`] : [])
    await attempt(() => Steps.setSomePin(t, identifier, [pin, pins[1]]));
  const elsewhere = await attempt(() => watched.get()());
  const ofSuspended = ['cards.suspend.not-active', 'cards.markWalletProvisioned.provisioned'];
  await Steps.whenNeeded(t, ofSuspended, () => suspendedMeanwhile(t, identifier));
  const held = await Steps.whenNeeded(t, ['cards.reissue.nothing-else'], () => t.balance(identifier));
  // Last, because a target may accept an identifier of another type, and a reissued card may be out of use.
  await tryWrong(t, 'cards.reissue', identifier, { externalIdentifier });
  if (t.needsOperation('cards.reissue'))
    await attempt(() => Steps.ask(t, 'cards.reissue', identifier, { externalIdentifier }));
  const lostByReissue = await attempt(async () => {
    const most = held.get();
    await t.settle();
    return Around.balanceOf(most, await t.balance(identifier));
  });
  const unusual: [operation: string, what: string, json: Record<string, string>][] = [
    ['cards.setPin', 'an object without members', {}],
    ['cards.setPin', 'a PIN of letters', { pin: 'pqrs' }],
    ['cards.reissue', 'an object without members', {}],
    ['cards.reissue', 'a long text of odd characters', { externalIdentifier: Forms.ALL_ODD.padEnd(300, 'x') }],
  ];
  for (const [operation, what, json] of unusual.filter(([operation]) => t.needsOperation(operation)))
    await attempt(async () => t.observe(operation, what, await Steps.ask(t, operation, identifier, json)));
  const wallet = {
    ...provisioned,
    before,
    untouched,
    isDoneAlready: () => isProvisioned(untouched.get().record) === true,
  };
  return { wallet, elsewhere, lostByReissue };
});
export const again = Steps.onceMore(first);

/** Tries bad tokens, and a number and an array in the place of text. They go first: an accepted request may change what the card accepts. */
export async function tryWrong(t: Context, operation: string, identifier: string, body: Record<string, string>) {
  const path = { identifier };
  if (t.needs(`${operation}.requires-token`, `${operation}.challenge`))
    await attempt(() => BadTokens.tryAll(t, operation, { path, json: body }));
  const wrong = Object.entries(body).flatMap(([name, text]) =>
    [Number(text), [text]].map((value) => ({ json: { [name]: value } })),
  );
  await attempt(() => tryWrongBodies(t, operation, path, wrong));
}

/** Suspends the card and gives it a wallet and a PIN then: neither ends the suspension. @throws Inconclusive when it cannot be suspended */
async function suspendedMeanwhile(t: Context, identifier: string): Promise<void> {
  Steps.requireUnsuspendInScope(t);
  requireAccepted(await t.eventually(() => Steps.ask(t, 'cards.suspend', identifier), succeeded), 'the suspension');
  await t.settle();
  await attempt(() => Steps.ask(t, 'cards.markWalletProvisioned', identifier));
  await attempt(() => Steps.setSomePin(t, identifier));
  await t.confirmed(() => t.state(identifier), Steps.isNotActive);
  await t.eventually(() => Steps.ask(t, 'cards.unsuspend', identifier), succeeded);
  if (t.needs('cards.markWalletProvisioned.provisioned')) await t.call('cards.get', { path: { identifier } });
}
