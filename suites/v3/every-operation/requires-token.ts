/** Every users and cards operation needs a good token (readings 17 and 31): each with the requests that a good one makes succeed, where there are any. */
import { operation as operationById, operations } from '../../../contracts/operations.ts';
import { requirementById } from '../../../contracts/requirements/index.ts';
import { bodyOf, type Input, isObject, memberOf, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import { isSelected, operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectChallenged, expectGuarded, type Guarded, guardedBy } from '../../../helpers/engine/guard.ts';
import { outcomeInWords } from '../../../helpers/engine/observed.ts';
import { attempt, values } from '../../../helpers/engine/step.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { Inconclusive, inconclusive, Skipped } from '../../../helpers/verdict.ts';
import { callWithBadTokens, type GoodCall, onInvented } from '../../shared/bad-tokens.ts';
import { perOperation } from '../../shared/per-operation.ts';
import { inventedInput, readingInput } from '../../shared/requests.ts';
import { shownByBooks } from '../cards/money/bookkeeping.ts';
import { transfers } from '../cards/money/transfers.ts';
import { effectOfRefused, type TransitionSource } from '../cards/scenarios/transition.ts';
import { TRANSITIONS } from '../cards/scenarios/transitions.ts';
import {
  type BodyFacts,
  type WalletFacts,
  walletAgain,
  walletPinReissue,
} from '../cards/scenarios/wallet-pin-reissue.ts';
import { permissionChanges, permissionsAsTheyAre, writableCustomer } from '../users/set-permissions.ts';
import { callOtherFormsWithoutToken, OTHER_FORMS } from './other-forms.ts';

const { check, afterwards, suite } = defineSuite();
export const requiresTokenSuite = suite;

const OF_V3 = operations.filter((o) => o.interface === 'v3');
const LISTED = OF_V3.filter((o) => o.listedOnly);

// ---- reading -------------------------------------------------------------------------------------------------------

/** Shown operations that change nothing. */
export const readingOperations: readonly string[] = OF_V3.filter((o) => o.risk === 'safe' && !o.listedOnly).map(
  ({ id }) => id,
);

/** Whether a request with the token of the run is accepted. */
const goodReading = perOperation(
  (operation) => `${operation} with a good token`,
  async (t, operation) => succeeded(await t.call(operation, await readingInput(t, operation))),
);

const ofReading = perOperation(
  (operation) => `${operation} with bad tokens`,
  async (t, operation): Promise<Guarded> => ({
    probes: await callWithBadTokens(t, operation, await readingInput(t, operation)),
    isAccepted: () => t.shared(goodReading(operation)),
  }),
);

for (const operation of Object.keys(OTHER_FORMS))
  check(`${operation}.requires-token`, 'in its other forms', async (t) => {
    await t.shared(goodReading(operation));
    for (const guarded of await callOtherFormsWithoutToken(t, operation)) await expectGuarded(guarded);
  });

// In HTTP the scheme is case-insensitive (RFC 9110 section 11.1); the document writes Bearer.
afterwards('users.list', async (t) => {
  const { value } = await t.run.client.tokens.current();
  for (const scheme of rotated(t.run, 'users.list: spelling of Bearer', ['bearer', 'BEARER'])) {
    const authorisation = { authorization: `${scheme} ${value}` };
    const answer = await t.call('users.list', { query: { max: 1 } }, { intent: 'refusable', authorisation });
    t.observe('users.list', `the scheme written as ${scheme}`, outcomeInWords(answer));
  }
});

// ---- listed only: those that may change something are never called with a good token on anything that exists --------

/** A cardholder from the listing, if that has the shape of other listings: the document shows none. */
const aCardholder = scenario('a cardholder', async (t) => {
  if (!operationInScope(t.run.configuration, 'cardholders.list')) return undefined;
  const body = bodyOf(await t.call('cardholders.list', {}, { intent: 'refusable' }));
  const holders = [body, ...(isObject(body) ? Object.values(body) : [])].find(Array.isArray) ?? [];
  return holders.map((holder: unknown) => memberOf(holder, 'identifier')).find((one) => typeof one === 'string');
});

async function inputOfListed(t: Context, operation: string): Promise<Input> {
  const isOfCardholder = operation.startsWith('cardholders.') && operation !== 'cardholders.list';
  const identifier =
    isOfCardholder && operationById(operation).risk === 'safe' ? await t.shared(aCardholder) : undefined;
  return identifier === undefined ? inventedInput(t, operation) : { path: { identifier } };
}

/** Sends a request that the operation accepts, as far as is known, with a good token. */
export const goodCall = perOperation(
  (operation) => `${operation} with a good token`,
  async (t, operation): Promise<GoodCall> => {
    const input = await inputOfListed(t, operation);
    const good = await t.call(operation, input, { intent: 'refusable' });
    const isReading = operationById(operation).risk === 'safe';
    t.observe(operation, isReading ? 'a good token' : 'an invented identifier', outcomeInWords(good));
    return { input, good };
  },
);

const ofListed = perOperation(
  (operation) => `${operation} with bad tokens`,
  async (t, operation) => {
    t.prioritise();
    const { input, good } = await t.shared(goodCall(operation));
    const kinds = operationById(operation).risk === 'safe' ? undefined : 1;
    return guardedBy(await callWithBadTokens(t, operation, input, kinds), good);
  },
);

// The authorisation address: the authorizationCode flow needs a person.
afterwards('token.authorize', async (t) => {
  const { configuration } = t.run;
  const isAsked = isSelected(configuration, requirementById('token.issue.status'));
  if (!isAsked || !operationInScope(configuration, 'token.authorize')) return;
  const answer = await t.call('token.authorize', {}, { intent: 'refusable' });
  t.observe('token.authorize', 'a request without parameters', outcomeInWords(answer));
});

// ---- changing: on what a good token changes --------------------------------------------------------------------------

const ofPermissions = scenario('users.setPermissions with bad tokens', async (t): Promise<Guarded | undefined> => {
  const identifier = writableCustomer(t);
  if (identifier === undefined) return undefined;
  return {
    probes: await callWithBadTokens(t, 'users.setPermissions', permissionsAsTheyAre(t, identifier)),
    isAccepted: async () => (await t.shared(permissionChanges)).nothing.some(succeeded),
  };
});

const ofTransition =
  (transition: TransitionSource) =>
  async (t: Context): Promise<Guarded> => {
    const { badly, answer } = await transition.first(t);
    const effect = () => effectOfRefused(t, transition);
    return { probes: badly(), effect, isAccepted: () => succeeded(answer()) };
  };

const ofBody = ({ badly, answer }: Pick<BodyFacts, 'badly' | 'answer'>): Guarded => ({
  probes: badly(),
  isAccepted: () => succeeded(answer()),
});

async function ofTransfer(t: Context): Promise<Guarded> {
  const { facts } = await t.shared(transfers.first);
  const effect = async () => (await shownByBooks(t, transfers, 'cards.transfer.requires-token'))?.message;
  return { probes: facts.badly, effect, isAccepted: () => facts.plain !== undefined };
}

async function ofWallet(t: Context): Promise<Guarded> {
  const { wallet } = await t.shared(walletPinReissue);
  const isProvisioned = ({ before, untouched }: WalletFacts) => before !== true && untouched() === true;
  const effect = async () => {
    if (!isProvisioned(wallet)) return undefined;
    const again = await attempt(async () => isProvisioned((await t.shared(walletAgain)).wallet));
    if (values([again]).includes(false)) inconclusive('one card became provisioned, but a second one did not');
    return 'the card is provisioned';
  };
  return { ...ofBody(wallet), effect };
}

/** Where a good token changes something; each gives undefined, or is skipped, where the risk or the fixtures permit only an invented identifier. */
const changing: Record<string, (t: Context) => Promise<Guarded | undefined>> = {
  'users.setPermissions': (t) => t.shared(ofPermissions),
  'cards.transfer': ofTransfer,
  ...Object.fromEntries(Object.entries(TRANSITIONS).map(([id, transition]) => [id, ofTransition(transition)])),
  'cards.setPin': async (t) => ofBody((await t.shared(walletPinReissue)).setPin),
  'cards.reissue': async (t) => ofBody((await t.shared(walletPinReissue)).reissue),
  'cards.markWalletProvisioned': ofWallet,
};

const ofChanging =
  (operation: string) =>
  async (t: Context): Promise<Guarded> => {
    const isAllowed = operation.startsWith('users.') || t.allows(operationById(operation).risk);
    const step = await attempt(async () => (isAllowed ? changing[operation]!(t) : undefined));
    try {
      return step() ?? (await t.shared(onInvented(operation)));
    } catch (error) {
      if (error instanceof Skipped || error instanceof Inconclusive) return t.shared(onInvented(operation));
      throw error;
    }
  };

// ---- the table -------------------------------------------------------------------------------------------------------

const GUARDS = [
  ...readingOperations.map((id) => ({ id, guardedOf: (t: Context) => t.shared(ofReading(id)) })),
  ...Object.keys(changing).map((id) => ({ id, guardedOf: ofChanging(id) })),
  ...LISTED.map(({ id }) => ({ id, guardedOf: (t: Context) => t.shared(ofListed(id)), phase: 'end' as const })),
];

for (const { id, guardedOf, ...options } of GUARDS) {
  check(`${id}.requires-token`, 'bad tokens', options, async (t) => expectGuarded(await guardedOf(t)));
  check(`${id}.challenge`, 'to bad tokens', options, async (t) => expectChallenged((await guardedOf(t)).probes));
}
