import { expect, test } from 'vitest';
import { unverified, verifySandbox } from './sandboxes.ts';

test('a broken answer fails its interaction and says where', async () => {
  const results = await verifySandbox({ rules: { money: (cents) => String(cents) } }, 'cards.getBalance');
  expect(results.map(({ verdict }) => verdict)).toEqual(['failed']);
  expect(results[0]!.message).toContain('$.balance');
  expect(results[0]!.exchanges.length).toBeGreaterThan(0);
});

test('a token in an answer of the wrong kind stays unsaid', async () => {
  const secret = 'token-that-nobody-may-see';
  const results = await verifySandbox(
    {
      middleware: [
        (answer, { operation }) =>
          operation === 'token.issue' ? { ...answer, status: 201, body: { access_token: secret } } : undefined,
      ],
    },
    'token.issue',
  );
  expect(results.map(({ verdict }) => verdict)).toEqual(['failed']);
  expect(JSON.stringify(results)).not.toContain(secret);
});

test('a media type that is only advised against is no failure', async () => {
  const results = await verifySandbox(
    { middleware: [(answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' } })] },
    'cards.getBalance',
  );
  expect(unverified(results)).toEqual([]);
});

test('a target that is unavailable blocks, and a CIP check with returnCode 0 tells nothing', async () => {
  const busy = await verifySandbox(
    {
      rules: {
        unavailable: ({ operation }) =>
          operation === 'cards.listRelated' ? { status: 504, headers: {}, body: undefined } : undefined,
      },
    },
    'cards.listRelated',
  );
  expect(busy.map(({ verdict }) => verdict)).toEqual(['blocked']);
  const down = await verifySandbox(
    {
      middleware: [
        (answer, { operation }) =>
          operation === 'portal.getCIPCheck' && answer.status === 200
            ? { ...answer, body: { returnCode: 0 } }
            : undefined,
      ],
    },
    'portal.getCIPCheck',
  );
  expect(new Set(down.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive', 'passed']));
});

test('a leased card is given back as it was', async () => {
  const results = await verifySandbox({ pools: { active: 1 } }, 'cards.suspend', 'cards.unsuspend');
  expect(results).toHaveLength(2);
  expect(unverified(results)).toEqual([]);
});

test('a pool that is empty skips, with its key', async () => {
  const results = await verifySandbox({ pools: { disposable: 0 } }, 'cards.setPin');
  expect(unverified(results)).toEqual([expect.stringMatching(/^skipped a PIN for a card: .*cards\.disposable/)]);
});
