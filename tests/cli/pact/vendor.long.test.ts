/** A pact verified as a vendor does: by Pact's Verifier alone, with state handlers as docs/artefacts.md tells. */
import { join } from 'node:path';
import { Verifier } from '@pact-foundation/pact';
import { expect, test } from 'vitest';
import { pactFile } from '../../../cli/pact/published.ts';
import { signedIn } from '../../sandbox/client.ts';
import { ROOT } from '../../tools/root.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';

// biome-ignore lint/suspicious/noExplicitAny: requests of the Verifier's proxy have no types here
const requestFilter = (req: any, _res: unknown, next: () => void) => {
  if (req.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    req.body = Buffer.from(new URLSearchParams(req.body).toString());
  next();
};

test('the pact of the token, users and cards interface', async () => {
  const sandbox = await sandboxFor({ paths: { auth: '', base: '', portal: '/portal' }, pools: { active: 20 } });
  const { environment: env } = sandbox;
  // biome-ignore lint/suspicious/noExplicitAny: the sandbox fills every key
  const { users, cards } = structuredClone(sandbox.fixtures) as any;
  const { token: accessToken } = await signedIn(sandbox);
  const authorised = { headers: { authorization: `Bearer ${accessToken}` } };
  const disposable = async (wants: (balance: number) => boolean) => {
    for (const [index, card] of cards.disposable.entries()) {
      const answer = await fetch(`${sandbox.url}/cards/cards/${card}/balance`, authorised);
      if (wants(((await answer.json()) as { balance: number }).balance))
        return { card: cards.disposable.splice(index, 1)[0] };
    }
    throw new Error('the sandbox has no such card left');
  };
  let unique = 0;
  const output = await new Verifier({
    provider: 'token-users-cards-v3',
    providerBaseUrl: sandbox.url,
    pactUrls: [join(ROOT, 'contracts/published/pacts', pactFile('v3'))],
    logLevel: 'error',
    requestFilter,
    stateHandlers: {
      'the client is registered': async () => ({
        tenantPath: env.TARGET_TENANT_PATH!,
        grantType: 'client_credentials',
        scope: env.TARGET_SCOPE!,
        clientId: env.TARGET_CLIENT_ID!,
        clientSecret: env.TARGET_CLIENT_SECRET!,
      }),
      'the access token is valid': async () => ({ accessToken, unique: `unique-${++unique}` }),
      'the customer exists': async () => ({ customer: users.customerIdentifier }),
      'the permissions of the customer may be changed': async () => ({
        customer: users.writableCustomerIdentifier,
        ...users.writableCustomerPermissions,
      }),
      'the card is Active': async () => ({ card: cards.active.shift() }),
      'two cards are Active and the first has a balance': async () => {
        const [card, otherCard] = cards.active;
        return { card, otherCard };
      },
      'the card is Active and may be changed for good': () => disposable((balance) => balance > 0),
      'the card is Active without a balance and may be changed for good': () => disposable((balance) => balance === 0),
      'the card is suspended': async () => {
        const card = cards.active.shift();
        await fetch(`${sandbox.url}/cards/cards/${card}/suspend`, { method: 'POST', ...authorised });
        return { card };
      },
      'the card is unused': async () => ({ card: cards.unused.shift() }),
      'the card has reported fraud': async () => ({ card: cards.fraud.shift() }),
      'the card has a related card': async () => ({ card: cards.withRelated }),
      'the card has a proxy': async () => ({ ...cards.byProxy, isDigital: String(cards.byProxy.isDigital) }),
    },
  }).verifyProvider();
  const { interactionResults } = JSON.parse(output) as { interactionResults: { result: string }[] };
  expect(interactionResults.length).toBeGreaterThan(20);
  expect(interactionResults.filter(({ result }) => result !== 'OK')).toEqual([]);
});
