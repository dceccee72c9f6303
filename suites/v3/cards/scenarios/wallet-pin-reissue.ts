/** A disposable card provisioned to a wallet, given a PIN and reissued (readings 7, 26 and 30). */
import { numbers } from '../../../../contracts/numbers.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import * as Scope from '../../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../../helpers/configuration/types.ts';
import { tryWrongBodies } from '../../../../helpers/engine/bodies.ts';
import * as Forms from '../../../../helpers/engine/forms/index.ts';
import type { Plays } from '../../../../helpers/engine/life.ts';
import { optional } from '../../../../helpers/verdict.ts';
import { life } from '../../../declare.ts';
import * as BadTokens from '../../../shared/bad-tokens.ts';
import * as UnknownNames from '../../../shared/unknown-names.ts';
import * as Around from './around.ts';
import * as GivenPayments from './given-payments.ts';
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
async function begin(t: Context, plays: Plays) {
  // Whether its balance is left alone shows where it has one, which a small pool has better uses for.
  const least = (t.fixtures.cards?.disposable?.length ?? 0) < MANY ? 0 : numbers.leastBalance;
  const prefers = (one: LeasedCard) => isProvisioned(one.record) !== true && (one.balance ?? 0) >= least;
  const wanted = { pool: 'disposable', prefers } as const;
  const [card, other] = await GivenPayments.lease(t, wanted, plays);
  const { identifier, record } = card;
  const ask = (operation: string, json?: unknown) => Steps.ask(t, operation, identifier, json);
  const pins = Steps.somePins();
  const bodies: Readonly<Record<string, Record<string, string> | undefined>> = {
    [WALLET]: undefined,
    [PIN]: { pin: pins[0] },
    [REISSUE]: { externalIdentifier: String(Date.now()).slice(-12) },
  };
  return { card, other, identifier, path: { identifier }, before: isProvisioned(record), ask, pins, bodies };
}
type Begun = Awaited<ReturnType<typeof begin>> & { t: Context };
/** The card, and what the operations are given in their bodies. */
type Asked = Pick<Begun, 't' | 'path' | 'bodies'>;

const tryBadTokens = ({ t, path, bodies }: Asked, operation: string) =>
  BadTokens.tryAll(t, operation, { path, json: bodies[operation] });

/** Tries bodies whose members are numbers and arrays instead of texts. */
function tryWrongTypes({ t, path, bodies }: Asked, operation: string): Promise<void> {
  const wrong = Object.entries(bodies[operation]!).flatMap(([name, text]) =>
    [Number(text), [text]].map((value) => ({ json: { [name]: value } })),
  );
  const tried = t.rotated(`${operation}: wrong bodies`, [...wrong, ...Forms.oddBodies.map(({ input }) => input)], {
    count: 2,
    name: (body) => JSON.stringify(body),
  });
  return tryWrongBodies(t, operation, path, tried);
}

/** Tries a misnamed card with the operation whose turn it is. */
async function tryMisnamed({ t, identifier, bodies }: Begun, operation: string): Promise<void> {
  const tried = t.rotated('cards: operations on misnamed cards', Object.keys(bodies));
  if (tried.includes(operation)) await UnknownNames.tryAll(t, operation, identifier, { json: bodies[operation] });
}

/** Sends a body on which the documents are silent. */
async function observe({ t, ask }: Begun, operation: string, what: string, json: Record<string, string>) {
  t.observe(operation, what, await ask(operation, json));
}

/** Asks with odd texts for a member, which rotate. */
async function askOddly(
  on: Begun,
  operation: string,
  member: string,
  more: ReturnType<typeof Forms.oddTextsOf> = [],
): Promise<void> {
  for (const { name, text } of on.t.rotated(`${operation}: odd texts`, [...more, ...Forms.oddTextsOf('json')]))
    await optional(observe(on, operation, `${member} ${name}`, { [member]: text }));
}

export const gifts = life('a card provisioned, given a PIN and reissued', begin)
  // What is refused goes first: an accepted request may change what the card accepts.
  .does(`bad tokens: ${WALLET}`, (on) => tryBadTokens(on, WALLET))
  .does(`bad tokens: ${PIN}`, (on) => tryBadTokens(on, PIN))
  .does(`wrong bodies: ${PIN}`, (on) => tryWrongTypes(on, PIN))
  .shows('untouched', async ({ t, identifier, before }) => {
    await t.settle();
    return t.confirmed(
      () => t.state(identifier),
      ({ record }) => isProvisioned(record) === before,
    );
  })
  .does(`misnamed: ${WALLET}`, (on) => tryMisnamed(on, WALLET))
  .does(`misnamed: ${PIN}`, (on) => tryMisnamed(on, PIN))
  .does(`misnamed: ${REISSUE}`, (on) => tryMisnamed(on, REISSUE))
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
  .shows('gifts while suspended', ({ t, identifier }) => GivenPayments.giveSuspended(t, identifier))
  .shows(
    GivenPayments.step('a wallet and a PIN'),
    (on) => GivenPayments.payOnceSuspended(on, on['gifts while suspended']),
    {
      after: ['marked', 'a PIN', 'gifts while suspended'],
    },
  )
  .shows('unsuspended', ({ t, identifier }) => Steps.unsuspend(t, identifier), { after: ['gifts while suspended'] })
  .does('the state after a suspension', ({ t, identifier }) => GivenPayments.readUnsuspended(t, identifier), {
    after: ['unsuspended'],
  })
  .shows('held', ({ t, identifier }) => t.balance(identifier))
  // Last, because a target may accept an identifier of another type, and a reissued card may be out of use.
  .does(`bad tokens: ${REISSUE}`, (on) => tryBadTokens(on, REISSUE))
  .does(`wrong bodies: ${REISSUE}`, (on) => tryWrongTypes(on, REISSUE))
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
  .shows(GivenPayments.step('a reissue'), GivenPayments.payOnceReissued, { after: ['a reissue'] })
  .does('a PIN: no members', (on) => observe(on, PIN, 'an object without members', {}), { of: PIN })
  .does('a PIN: odd texts', (on) => askOddly(on, PIN, 'pin', [{ name: 'of letters', text: 'pqrs' }]), { of: PIN })
  .does('a reissue: no members', (on) => observe(on, REISSUE, 'an object without members', {}), { of: REISSUE })
  .does('a reissue: odd texts', (on) => askOddly(on, REISSUE, 'externalIdentifier'), { of: REISSUE });

/** What a card is asked with a PIN before it is given one. */
export async function tryWrongPins(t: Context, identifier: string, pin: string): Promise<void> {
  const on: Asked = { t, path: { identifier }, bodies: { [PIN]: { pin } } };
  await optional(tryBadTokens(on, PIN));
  await optional(tryWrongTypes(on, PIN));
}
