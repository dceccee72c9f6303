/** Requests that name nothing: every operation that takes an identifier refuses them (reading 11). */
import { operation as operationById, operations } from '../../../contracts/operations.ts';
import { type Answer, type Input, member, succeeded } from '../../../helpers/answer.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import { invented } from '../../../helpers/engine/forms/invented.ts';
import { asPattern, lookAlikes } from '../../../helpers/engine/forms/look-alikes.ts';
import { BLANKS } from '../../../helpers/engine/forms/texts.ts';
import { expectKept } from '../../../helpers/engine/monitor.ts';
import type { Nameless } from '../../../helpers/engine/unknown.ts';
import { attempt, fail, notApplicable, values } from '../../../helpers/verdict.ts';
import { check, refusesNameless, watch } from '../../declare.ts';
import { gainsDuring, isNamedAmount } from '../../shared/amounts.ts';
import { isText } from '../../shared/identifiers.ts';
import { aCard, aCustomer, existing, inventedIdentifier, namedInput } from '../../shared/requests.ts';
import { refusesUnknown, tryMisnamed } from '../../shared/unknown-names.ts';
import { expectUnknownRefused } from '../cards/money/claims.ts';
import { readings } from '../cards/scenarios/reading.ts';
import { effectOfRefused } from '../cards/scenarios/transition.ts';
import { TRANSITIONS } from '../cards/scenarios/transitions.ts';
import { walletPinReissue } from '../cards/scenarios/wallet-pin-reissue.ts';
import { permissionChanges, writableCustomer } from '../users/set-permissions.ts';

/** Length of a long identifier: longer than any real one, yet accepted by web servers as one segment of a path (http.sys: 260). */
const LONG = 250;

/** Identifiers that an implementation may mishandle; every JavaScript object has a member with the first name. */
const ODD_IDENTIFIERS = [
  'constructor',
  "no'such",
  'no%such',
  'no"such',
  'no#such',
  'no_such',
  'nö漢such',
  'x'.repeat(LONG),
].map((identifier) => ({ name: `the identifier ${identifier.slice(0, 11)}`, identifier }));

/** Identifiers of things of another kind: a card's where a customer's is expected, and the other way round. */
async function ofAnotherKind(t: Context, operation: string): Promise<{ name: string; identifier: string }[]> {
  const isOfUsers = operation.startsWith('users.');
  const found = values([await attempt(() => (isOfUsers ? t.shared(aCard) : aCustomer(t)))]);
  const v1 = isOfUsers ? t.fixtures.users?.v1Identifier : undefined;
  return [
    ...found.map((identifier) => ({ name: `the identifier of a ${isOfUsers ? 'card' : 'customer'}`, identifier })),
    ...(v1 === undefined ? [] : [{ name: 'a v1Identifier', identifier: v1 }]),
  ];
}

interface UnknownProbes {
  likeOthers: Answer;
  /** What the card gained that transfers from an unknown card name as their target. */
  gains: number[];
}

/**
 * Sends requests for things that don't exist, with identifiers of the form of existing ones, of no known form and, where it only reads, similar
 * to one; changing operations are tried with such where they would succeed.
 */
const unknownProbes = perOperation(
  (operation) => `${operation} for what does not exist`,
  async (t, operation): Promise<UnknownProbes> => {
    const likeOthers = await inventedIdentifier(t, operation);
    // An active card as the target, so that nothing but the unknown source is wrong with a transfer.
    const leased = operation === 'cards.transfer' ? [await attempt(() => t.lease({ pool: 'active' }))] : [];
    const targets = values(leased).flat(2);
    const input = (identifier: string) => namedInput(t, operation, identifier, targets[0]?.identifier ?? likeOthers);
    const call = (identifier: string, what: string) =>
      t.call(operation, input(identifier), { intent: 'unknown', wrong: { what } });
    const known = operationById(operation).risk === 'safe' ? await existing(t, operation) : undefined;
    const ofNoForm = (known && asPattern(known)) ?? t.unique('no-such-identifier');
    const { done, gains } = await gainsDuring(t, targets, async () => {
      const answer = await call(likeOthers, 'an invented identifier');
      await call(ofNoForm, 'an identifier of no known form');
      return answer;
    });
    if (known !== undefined) {
      const others = [...ODD_IDENTIFIERS, ...(await ofAnotherKind(t, operation))];
      await tryMisnamed(t, operation, known, { others });
    }
    return { likeOthers: done, gains };
  },
);

/** The scenario that tries identifiers that resemble that of a thing on which the operation succeeds; transitions of cards have checks of their own. */
async function tryWhereAccepted(t: Context, operation: string): Promise<unknown> {
  if (operation === 'users.setPermissions' && writableCustomer(t) !== undefined) return t.shared(permissionChanges);
  const isTried = ON_DISPOSABLE.includes(operation) && t.allows(operationById(operation).risk);
  return isTried ? t.shared(walletPinReissue) : undefined;
}

const ON_DISPOSABLE = ['cards.markWalletProvisioned', 'cards.setPin', 'cards.reissue'];

const named = operations.filter((o) => o.interface === 'v3' && !o.listedOnly && o.pathParameters.length > 0);

for (const { id } of named) {
  const refuses = refusesUnknown(id, expectUnknownRefused);
  watch({ requirement: `${id}.unknown-identifier`, monitor: refuses, isSuspicion: false });
  check(`${id}.unknown-identifier`, 'of the form of others, and of none', async (t) => {
    const { gains } = await t.shared(unknownProbes(id));
    await attempt(() => tryWhereAccepted(t, id));
    await expectKept(t, refuses);
    if (gains.some((gain) => isNamedAmount(t, gain)))
      fail('a transfer from an unknown card is refused, but its target gains the amount', 'nothing', String(gains[0]));
  });

  check(`${id}.unknown-identifier-404`, 'of the form of others', async (t) => {
    const { likeOthers } = await t.shared(unknownProbes(id));
    if (succeeded(likeOthers)) notApplicable('an invented identifier is accepted');
    if (likeOthers.status !== 404)
      fail(`an invented identifier is answered with status ${likeOthers.status}`, '404', String(likeOthers.status), {
        in: likeOthers,
      });
  });
}

for (const [id, transition] of Object.entries(TRANSITIONS))
  check(`${id}.unknown-identifier`, 'nearly that of a card on which it succeeds', async (t) => {
    await transition.first(t);
    const own = t.run.answers.filter(({ exchange }) => t.exchanges.includes(exchange));
    const isGuarded = own.every((answer) => answer.intent !== 'unauthorised' || !succeeded(answer));
    await expectKept(t, refusesUnknown(id));
    const effect = isGuarded && (await effectOfRefused(t, transition));
    if (effect) fail(`refused requests have an effect: ${effect}`);
  });

/** A request with a blank before or behind the identifier that it names. */
const padded = (name: string, identifier: string, query?: Input['query']): Nameless[] =>
  BLANKS.map((blank) => ({
    name: `${name} ${blank.name}`,
    input: { path: { identifier: blank.of(identifier) }, ...(query ? { query } : {}) },
  }));

refusesNameless('users.get.padded-identifier', 'a blank before or behind it', 'blanks', async (t) =>
  padded('an identifier', await aCustomer(t)),
);

refusesNameless('cards.get.padded-identifier', 'a blank before or behind it', 'blanks', async (t) => {
  const { proxyNumber, programIdentifier, isDigital } = t.fixtures.cards?.byProxy ?? {};
  const byIdentifier = padded('an identifier', await t.shared(aCard));
  if (proxyNumber === undefined) return byIdentifier;
  return [...byIdentifier, ...padded('a proxy', proxyNumber, { byProxy: true, programIdentifier, isDigital })];
});

refusesNameless('cards.get.unknown-identifier', 'as a temporary token', 'unknown temporary tokens', async (t) => {
  const known = values([await attempt(() => knownToken(t))]).filter(isText);
  const byToken = (name: string, identifier: string): Nameless => ({
    name,
    input: { path: { identifier }, query: { byToken: true } },
  });
  return [
    byToken('an invented temporary token', t.unique('no-such-token')),
    ...known
      .flatMap((token) => lookAlikes('temporaryToken', token))
      .map(({ name, text }) => byToken(`a temporary token ${name}`, text)),
  ];
});

/** The temporary token of a card; undefined where the target makes none. */
async function knownToken(t: Context): Promise<unknown> {
  const { plain } = await t.shared(readings);
  const [made] = values([plain['cards.createToken']!]).flat();
  return made && member(made.answer, 'token');
}

refusesNameless('cards.get.unknown-identifier', 'as a proxy', 'unknown proxies', async (t) => {
  const { proxyNumber, programIdentifier = 'no-such-program', isDigital = false } = t.fixtures.cards?.byProxy ?? {};
  const byProxy = (name: string, identifier: string): Nameless => ({
    name,
    input: { path: { identifier }, query: { byProxy: true, programIdentifier, isDigital } },
  });
  const resembling = proxyNumber === undefined ? [] : lookAlikes('proxy', proxyNumber);
  return [
    byProxy('an invented proxy', invented(proxyNumber ?? '0')),
    ...resembling.map(({ name, text }) => byProxy(`a proxy ${name}`, text)),
  ];
});
