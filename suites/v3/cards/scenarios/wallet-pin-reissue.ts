/** A disposable card provisioned to a wallet, given a PIN and reissued (readings 7, 26 and 30). */
import { succeeded } from '../../../../helpers/answer.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import * as Scope from '../../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../../helpers/configuration/types.ts';
import { tryWrongBodies } from '../../../../helpers/engine/bodies.ts';
import * as Forms from '../../../../helpers/engine/forms/index.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { attempt } from '../../../../helpers/verdict.ts';
import { life } from '../../../declare.ts';
import * as BadTokens from '../../../shared/bad-tokens.ts';
import * as UnknownNames from '../../../shared/unknown-names.ts';
import * as Around from './around.ts';
import { isProvisioned, mark, read, seenIn } from './provisioning.ts';
import * as Steps from './steps.ts';

const WALLET = 'cards.markWalletProvisioned';
const PIN = 'cards.setPin';
const REISSUE = 'cards.reissue';

/** Whether the run may give cards a PIN and provision them to a wallet. */
export const maySpend = (configuration: Configuration): boolean =>
  Scope.isIrreversible(configuration) && (configuration.fixtures.cards?.disposable?.length ?? 0) > 0;

/** Number of disposable cards of which one with a balance can be spared. */
const MANY = 4;

/** @throws Skipped, Inconclusive without such a card; see Context.lease */
async function begin(t: Context) {
  // Whether its balance is left alone shows where it has one, which a small pool has better uses for.
  const least = (t.fixtures.cards?.disposable?.length ?? 0) < MANY ? 0 : Around.LEAST;
  const prefers = (one: LeasedCard) => isProvisioned(one.record) !== true && (one.balance ?? 0) >= least;
  const [[card]] = (await t.lease({ pool: 'disposable', prefers })) as [[LeasedCard]];
  const { identifier, record } = card;
  const ask = (operation: string, json?: unknown) => Steps.ask(t, operation, identifier, json);
  const pins = Steps.somePins();
  const bodies: Readonly<Record<string, Record<string, string> | undefined>> = {
    [WALLET]: undefined,
    [PIN]: { pin: pins[0] },
    [REISSUE]: { externalIdentifier: String(Date.now()).slice(-12) },
  };
  return { card, identifier, path: { identifier }, before: isProvisioned(record), ask, pins, bodies };
}
type Begun = Awaited<ReturnType<typeof begin>> & { t: Context };
/** The card, and what the operations are given in their bodies. */
type Asked = Pick<Begun, 't' | 'path' | 'bodies'>;

const withBadTokens = (operation: string) => (on: Asked) =>
  BadTokens.tryAll(on.t, operation, { path: on.path, json: on.bodies[operation] });

const withWrongBodies = (operation: string) => (on: Asked) => {
  const wrong = Object.entries(on.bodies[operation]!).flatMap(([name, text]) =>
    [Number(text), [text]].map((value) => ({ json: { [name]: value } })),
  );
  const bodies = [...wrong, ...Object.values(Forms.ODD_BODIES)];
  const name = (body: object) => JSON.stringify(body);
  return tryWrongBodies(
    on.t,
    operation,
    on.path,
    on.t.rotated(`${operation}: wrong bodies`, bodies, { count: 2, name }),
  );
};

/** One of the operations, which rotates. */
const onMisnamed = (operation: string) => async (on: Begun) => {
  const tried = on.t.rotated('cards: operations on misnamed cards', Object.keys(on.bodies));
  if (tried.includes(operation))
    await UnknownNames.tryAll(on.t, operation, on.identifier, { json: on.bodies[operation] });
};

const unusual = (operation: string, what: string, json: Record<string, string>) => async (on: Begun) =>
  on.t.observe(operation, what, await on.ask(operation, json));

/** Asks with odd texts for a member, which rotate. */
const withOddTexts =
  (operation: string, member: string, more: readonly { name: string; text: string }[] = []) =>
  async ({ t, ask }: Begun) => {
    for (const { name, text } of t.rotated(`${operation}: odd texts`, [...more, ...Forms.oddTextsOf('json')]))
      await attempt(async () => t.observe(operation, `${member} ${name}`, await ask(operation, { [member]: text })));
  };

export const gifts = life('a card provisioned, given a PIN and reissued', begin)
  // What is refused goes first: an accepted request may change what the card accepts.
  .does(`bad tokens: ${WALLET}`, withBadTokens(WALLET))
  .does(`bad tokens: ${PIN}`, withBadTokens(PIN))
  .does(`wrong bodies: ${PIN}`, withWrongBodies(PIN))
  .shows('untouched', async ({ t, identifier, before }) => {
    await t.settle();
    return t.confirmed(
      () => t.state(identifier),
      ({ record }) => isProvisioned(record) === before,
    );
  })
  .does(`misnamed: ${WALLET}`, onMisnamed(WALLET))
  .does(`misnamed: ${PIN}`, onMisnamed(PIN))
  .does(`misnamed: ${REISSUE}`, onMisnamed(REISSUE))
  .shows('watched', ({ t, identifier, card }) => Around.watching(t, PIN, identifier, card))
  .shows('marked', ({ t, card }) => mark(t, card), { of: WALLET })
  .shows('record', ({ t, identifier, marked }) => read(t, identifier, marked), { of: WALLET })
  .shows('seen', ({ t, identifier, record }) => seenIn(t, identifier, record), { after: ['record'] })
  .does('a PIN', ({ t, identifier, pins }) => Steps.setSomePin(t, identifier, pins), { of: PIN })
  // It may be refused as too easy to guess, but must not cause an error.
  .does(
    'a PIN that begins with a zero',
    ({ t, identifier, pins: [four, six] }) => Steps.setSomePin(t, identifier, [`0${four.slice(1)}`, six]),
    { of: PIN },
  )
  .shows('elsewhere', ({ watched }) => watched.get()(), { after: ['watched', 'marked', 'a PIN'] })
  .does('gifts while suspended', ({ t, identifier }) => giveSuspended(t, identifier))
  .does('the record after a suspension', ({ ask }) => ask('cards.get'), { after: ['gifts while suspended'] })
  .shows('held', ({ t, identifier }) => t.balance(identifier))
  // Last, because a target may accept an identifier of another type, and a reissued card may be out of use.
  .does(`bad tokens: ${REISSUE}`, withBadTokens(REISSUE))
  .does(`wrong bodies: ${REISSUE}`, withWrongBodies(REISSUE))
  .does('a reissue', ({ ask, bodies }) => ask(REISSUE, bodies[REISSUE]), { of: REISSUE })
  .shows(
    'lostByReissue',
    async ({ t, identifier, held }) => {
      const most = held.get();
      await t.settle();
      return Around.balanceOf(most, await t.balance(identifier));
    },
    { after: ['held', 'a reissue'] },
  )
  .does('a PIN: no members', unusual(PIN, 'an object without members', {}), { of: PIN })
  .does('a PIN: odd texts', withOddTexts(PIN, 'pin', [{ name: 'of letters', text: 'pqrs' }]), { of: PIN })
  .does('a reissue: no members', unusual(REISSUE, 'an object without members', {}), { of: REISSUE })
  .does('a reissue: odd texts', withOddTexts(REISSUE, 'externalIdentifier'), { of: REISSUE });

/** Suspends the card and gives it a wallet and a PIN then: neither ends the suspension. @throws Inconclusive when it cannot be suspended */
async function giveSuspended(t: Context, identifier: string): Promise<void> {
  Steps.requireUnsuspendInScope(t);
  requireAccepted(await t.eventually(() => Steps.ask(t, 'cards.suspend', identifier), succeeded), 'the suspension');
  await t.settle();
  await attempt(() => Steps.ask(t, WALLET, identifier));
  await attempt(() => Steps.setSomePin(t, identifier));
  await t.confirmed(() => t.state(identifier), Steps.isNotActive);
  await t.eventually(() => Steps.ask(t, 'cards.unsuspend', identifier), succeeded);
}

/** What a card is asked with a PIN before it is given one. */
export async function tryWrongPins(t: Context, identifier: string, pin: string): Promise<void> {
  const on: Asked = { t, path: { identifier }, bodies: { [PIN]: { pin } } };
  await attempt(() => withBadTokens(PIN)(on));
  await attempt(() => withWrongBodies(PIN)(on));
}
