/** Every users and cards operation needs a good token (readings 17 and 31): each with the requests that a good one makes succeed, where there are any. */
import { operation as operationById, operations } from '../../../contracts/operations.ts';
import { bodyOf, type Input, isObject, memberOf } from '../../../helpers/answer.ts';
import { type Context, perOperation, scenario } from '../../../helpers/check.ts';
import { allows } from '../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import { challenges, refusesBadCredentials } from '../../../helpers/engine/guard.ts';
import { shownByAnother } from '../../../helpers/engine/retrial.ts';
import { attempt, fail, skip } from '../../../helpers/verdict.ts';
import { afterwards, check, monitored } from '../../declare.ts';
import { NO_TOKEN, onInvented, tryBadTokens } from '../../shared/bad-tokens.ts';
import { inventedInput, readingInput } from '../../shared/requests.ts';
import { shownByBooks } from '../cards/money/bookkeeping.ts';
import { transfers } from '../cards/money/transfers.ts';
import { effectOfRefused } from '../cards/scenarios/transition.ts';
import { TRANSITIONS } from '../cards/scenarios/transitions.ts';
import { walletAgain, walletPinReissue } from '../cards/scenarios/wallet-pin-reissue.ts';
import { permissionChanges, permissionsAsTheyAre, writableCustomer } from '../users/set-permissions.ts';
import { OTHER_FORMS, tryOtherFormsWithoutToken } from './other-forms.ts';

const OF_V3 = operations.filter((o) => o.interface === 'v3');
const LISTED = OF_V3.filter((o) => o.listedOnly);

// ---- reading -------------------------------------------------------------------------------------------------------

/** Shown operations that change nothing. */
export const readingOperations: readonly string[] = OF_V3.filter((o) => o.risk === 'safe' && !o.listedOnly).map(
  ({ id }) => id,
);

/** Where nothing changes. */
const ofReading = perOperation(
  (operation) => `${operation} with bad tokens`,
  async (t, operation) => {
    const input = await readingInput(t, operation);
    await tryBadTokens(t, operation, input, { good: () => t.call(operation, input) });
  },
);

// In HTTP the scheme is case-insensitive (RFC 9110 section 11.1); the document writes Bearer.
afterwards('users.list', async (t) => {
  const { value } = await t.run.client.tokens.current();
  for (const scheme of t.rotated('users.list: spelling of Bearer', ['bearer', 'BEARER'])) {
    const authorisation = { authorization: `${scheme} ${value}` };
    const answer = await t.call('users.list', { query: { max: 1 } }, { intent: 'refusable', authorisation });
    t.observe('users.list', `the scheme written as ${scheme}`, answer);
  }
});

// ---- listed only: those that may change something are never called with a good token on anything that exists --------

/** A cardholder from the listing, if that has the shape of other listings: the document shows none. */
const aCardholder = scenario('a cardholder', async (t) => {
  if (!t.isInScope('cardholders.list')) return undefined;
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
  async (t, operation): Promise<Input> => {
    const input = await inputOfListed(t, operation);
    const isReading = operationById(operation).risk === 'safe';
    const good = await t.call(operation, input, { intent: 'refusable' });
    t.observe(operation, isReading ? 'a good token' : 'an invented identifier', good);
    return input;
  },
);

const ofListed = perOperation(
  (operation) => `${operation} with bad tokens`,
  async (t, operation) => {
    t.prioritise();
    const most = operationById(operation).risk === 'safe' ? undefined : 1;
    await tryBadTokens(t, operation, await t.shared(goodCall(operation)), { most });
  },
);

// The authorisation address: the authorizationCode flow needs a person.
afterwards('token.authorize', async (t) => {
  if (!t.needs('token.issue.status') || !t.isInScope('token.authorize')) return;
  const answer = await t.call('token.authorize', {}, { intent: 'refusable' });
  t.observe('token.authorize', 'a request without parameters', answer);
});

// ---- changing: on what a good token changes --------------------------------------------------------------------------

const ofPermissions = scenario('users.setPermissions with bad tokens', async (t) => {
  const identifier = writableCustomer(t) ?? skip('needs users.writableCustomerIdentifier in the fixtures file');
  const good = () => t.shared(permissionChanges);
  await tryBadTokens(t, 'users.setPermissions', permissionsAsTheyAre(t, identifier), { good });
});

/** The scenarios in which a good token changes something, by operation; each tries bad ones before. */
const changing: Record<string, (t: Context) => Promise<unknown>> = {
  'users.setPermissions': (t) => t.shared(ofPermissions),
  'cards.transfer': (t) => t.shared(transfers.first),
  ...Object.fromEntries(Object.entries(TRANSITIONS).map(([id, transition]) => [id, transition.first])),
  'cards.setPin': (t) => t.shared(walletPinReissue),
  'cards.reissue': (t) => t.shared(walletPinReissue),
  'cards.markWalletProvisioned': (t) => t.shared(walletPinReissue),
};

/** On an invented identifier, where the risk or the fixtures permit no other. */
const ofChanging =
  (operation: string) =>
  async (t: Context): Promise<void> => {
    const isAllowed = operation.startsWith('users.') || t.allows(operationById(operation).risk);
    if (isAllowed) await attempt(() => changing[operation]!(t));
    const isTried = t.run.answers.some(
      (answer) =>
        answer.operation.id === operation &&
        answer.wrong?.what === NO_TOKEN.name &&
        t.exchanges.includes(answer.exchange),
    );
    if (!isTried) await t.shared(onInvented(operation));
  };

async function provisionedByRefused(t: Context): Promise<string | undefined> {
  const isDone = async (played: typeof walletPinReissue) => {
    const { before, isDoneAlready } = (await t.shared(played)).wallet;
    return before !== true && isDoneAlready();
  };
  if (!(await isDone(walletPinReissue))) return undefined;
  const effect = 'the card is provisioned';
  await shownByAnother(t, effect, () => isDone(walletAgain));
  return effect;
}

/** What refused requests have done, in words. */
const EFFECTS: Record<string, (t: Context) => Promise<string | undefined>> = {
  'cards.transfer': async (t) => (await shownByBooks(t, transfers, 'cards.transfer.requires-token'))?.message,
  'cards.markWalletProvisioned': provisionedByRefused,
  ...Object.fromEntries(
    Object.entries(TRANSITIONS).map(([id, transition]) => [id, (t: Context) => effectOfRefused(t, transition)]),
  ),
};

for (const [id, effectOf] of Object.entries(EFFECTS)) {
  const applies = ({ run }: Configuration) => allows(run.risk, operationById(id).risk);
  check(`${id}.requires-token`, 'what is refused has no effect', { applies }, async (t) => {
    const effect = await effectOf(t);
    if (effect) fail(`requests with bad tokens are refused but have an effect: ${effect}`);
  });
}

// ---- the table -------------------------------------------------------------------------------------------------------

const GUARDS = [
  ...readingOperations.map((id) => ({ id, drive: (t: Context) => t.shared(ofReading(id)) })),
  ...Object.keys(changing).map((id) => ({ id, drive: ofChanging(id) })),
  ...LISTED.map(({ id }) => ({ id, drive: (t: Context) => t.shared(ofListed(id)), phase: 'end' as const })),
];

for (const { id, drive, ...options } of GUARDS) {
  const refuses = monitored(`${id}.requires-token`, refusesBadCredentials(id));
  refuses('bad tokens', options, drive);
  if (id in OTHER_FORMS) refuses('in its other forms', {}, (t) => tryOtherFormsWithoutToken(t, id));
  monitored(`${id}.challenge`, challenges(id))('to bad tokens', options, drive);
}
