/**
 * Operations that are listed without details: they need a token like all others (readings 17 and 31). Those that may change something are
 * never called with a good token on anything that exists.
 */
import { operations } from '../../../contracts/operations.ts';
import { requirementById } from '../../../contracts/requirements/index.ts';
import { bodyOf, type Input, isObject, memberOf } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import { isSelected, operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { outcomeInWords } from '../../../helpers/engine/observed.ts';
import { callWithBadTokens, expectChallenged, expectUnlikeGoodToken, type GoodCall } from '../../shared/bad-tokens.ts';
import { perOperation } from '../../shared/per-operation.ts';
import { inventedInput } from '../../shared/requests.ts';

const { check, afterwards, suite } = defineSuite();
export const requiresTokenListedSuite = suite;

const listed = operations.filter((o) => o.interface === 'v3' && o.listedOnly);
const changing = new Set(listed.filter(({ risk }) => risk !== 'safe').map(({ id }) => id));

/** A cardholder from the listing, if that has the shape of other listings: the document shows none. */
const aCardholder = scenario('a cardholder', async (t) => {
  if (!operationInScope(t.run.configuration, 'cardholders.list')) return undefined;
  const body = bodyOf(await t.call('cardholders.list', {}, { intent: 'refusable' }));
  const holders = [body, ...(isObject(body) ? Object.values(body) : [])].find(Array.isArray) ?? [];
  return holders.map((holder: unknown) => memberOf(holder, 'identifier')).find((one) => typeof one === 'string');
});

async function inputFor(t: Context, operation: string): Promise<Input> {
  const takesCardholder = operation.startsWith('cardholders.') && operation !== 'cardholders.list';
  const identifier = takesCardholder && !changing.has(operation) ? await t.shared(aCardholder) : undefined;
  return identifier === undefined ? inventedInput(t, operation) : { path: { identifier } };
}

/** Sends a request that the operation accepts, as far as is known, with a good token. */
export const goodCall = perOperation(
  (operation) => `${operation} with a good token`,
  async (t, operation): Promise<GoodCall> => {
    const input = await inputFor(t, operation);
    const good = await t.call(operation, input, { intent: 'refusable' });
    t.observe(operation, changing.has(operation) ? 'an invented identifier' : 'a good token', outcomeInWords(good));
    return { input, good };
  },
);

const probes = perOperation(
  (operation) => `${operation} with bad tokens`,
  async (t, operation) => {
    t.prioritise();
    const { input, good } = await t.shared(goodCall(operation));
    return { bad: await callWithBadTokens(t, operation, input), good };
  },
);

for (const { id } of listed) {
  check(`${id}.requires-token`, 'told from a good token', { phase: 'end' }, async (t) => {
    const { bad, good } = await t.shared(probes(id));
    for (const probe of bad) expectUnlikeGoodToken(probe, good);
  });

  check(`${id}.challenge`, 'to bad tokens', { phase: 'end' }, async (t) =>
    expectChallenged((await t.shared(probes(id))).bad),
  );
}

/** Observes the authorisation address: the authorizationCode flow needs a person. */
afterwards('token.authorize', async (t) => {
  const { configuration } = t.run;
  const isAsked = isSelected(configuration, requirementById('token.issue.status'));
  if (!isAsked || !operationInScope(configuration, 'token.authorize')) return;
  const answer = await t.call('token.authorize', {}, { intent: 'refusable' });
  t.observe('token.authorize', 'a request without parameters', outcomeInWords(answer));
});
