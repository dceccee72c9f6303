/** What names nothing is refused, by every operation that names something (reading 11). */
import { operations } from '../../../contracts/operations.ts';
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import type { LeasedCard } from '../../../helpers/cards/pools.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { fail, Inconclusive, inconclusive, Skipped } from '../../../helpers/verdict.ts';
import { perOperation } from '../../scenarios.ts';
import { inventedIdentifier, namedInput } from '../../shared/requests.ts';
import { invented } from '../../shared/target-data.ts';

const { check, suite } = defineSuite();
export const unknownIdentifiersSuite = suite;

/** Requests for what does not exist: named like something that does, and like nothing at all. */
const unknownProbes = perOperation(
  (operation) => `${operation} for what does not exist`,
  async (t, operation): Promise<{ likeOthers: Answer; likeNothing: Answer }> => {
    const likeOthers = await inventedIdentifier(t, operation);
    const target = operation === 'cards.transfer' ? await anActiveCard(t) : undefined;
    const call = (identifier: string) =>
      t.call(operation, namedInput(operation, identifier, target ?? likeOthers), { intent: 'unknown' });
    return { likeOthers: await call(likeOthers), likeNothing: await call(t.unique('no-such-identifier')) };
  },
);

/** A card that could be paid, so that nothing but the unknown source is wrong with a transfer; undefined where there is none. */
async function anActiveCard(t: Context): Promise<string | undefined> {
  try {
    const [[card]] = (await t.lease({ pool: 'active' })) as [[LeasedCard]];
    return card.identifier;
  } catch (error) {
    if (error instanceof Skipped || error instanceof Inconclusive) return undefined;
    throw error;
  }
}

const named = operations.filter((o) => o.interface === 'v3' && !o.listedOnly && o.pathParameters.length > 0);

for (const { id } of named) {
  check(`${id}.unknown-identifier`, 'of the form of others, and of none', async (t) => {
    const { likeOthers, likeNothing } = await t.shared(unknownProbes(id));
    expectRefused(likeOthers, 'an invented identifier');
    expectRefused(likeNothing, 'an identifier of no known form');
  });

  check(`${id}.unknown-identifier-404`, 'of the form of others', async (t) => {
    const { likeOthers } = await t.shared(unknownProbes(id));
    if (succeeded(likeOthers)) inconclusive('an invented identifier is accepted');
    if (likeOthers.status !== 404)
      fail(`an invented identifier is answered with status ${likeOthers.status}`, {
        expected: '404',
        actual: String(likeOthers.status),
      });
  });
}

check('cards.get.unknown-identifier', 'as a temporary token, and as a proxy', async (t) => {
  const byToken = { path: { identifier: t.unique('no-such-token') }, query: { byToken: true } };
  expectRefused(await t.call('cards.get', byToken, { intent: 'unknown' }), 'an invented temporary token');
  const { proxyNumber, programIdentifier = 'no-such-program', isDigital = false } = t.fixtures.cards?.byProxy ?? {};
  const path = { identifier: invented(proxyNumber ?? '0') };
  const byProxy = { path, query: { byProxy: true, programIdentifier, isDigital } };
  expectRefused(await t.call('cards.get', byProxy, { intent: 'unknown' }), 'an invented proxy');
});
