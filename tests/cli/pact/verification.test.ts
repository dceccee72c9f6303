import { expect, test } from 'vitest';
import type { AnswerFilter, Rules } from '../../../sandbox/index.ts';
import { success, unverified, verdictsOf, verifySandbox } from './sandboxes.ts';

test('a broken answer fails its interaction and says where', async () => {
  const results = await verifySandbox({ rules: { money: (cents) => String(cents) } }, 'cards.getBalance');
  expect(verdictsOf(results)).toEqual(['failed']);
  expect(results[0]!.message).toContain('$.balance');
  expect(results[0]!.exchanges.length).toBeGreaterThan(0);
});

test('a token in an answer of the wrong kind stays unsaid', async () => {
  const access_token = 'token-that-nobody-may-see';
  const wrongKind = success('token.issue', { status: 201, body: { access_token } });
  const results = await verifySandbox({ middleware: [wrongKind] }, 'token.issue');
  expect(verdictsOf(results)).toEqual(['failed']);
  expect(JSON.stringify(results)).not.toContain(access_token);
});

test('a media type that is only advised against is no failure', async () => {
  const plain: AnswerFilter = (answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' } });
  expect(unverified(await verifySandbox({ middleware: [plain] }, 'cards.getBalance'))).toEqual([]);
});

test('a target that is unavailable blocks, and a CIP check with returnCode 0 tells nothing', async () => {
  const busy: Rules['unavailable'] = ({ operation }) =>
    operation === 'cards.listRelated' ? { status: 504, headers: {}, body: undefined } : undefined;
  const blocked = await verifySandbox({ rules: { unavailable: busy } }, 'cards.listRelated');
  expect(verdictsOf(blocked)).toEqual(['blocked']);
  const down = success('portal.getCIPCheck', { body: { returnCode: 0 } });
  const verdicts = verdictsOf(await verifySandbox({ middleware: [down] }, 'portal.getCIPCheck'));
  expect(new Set(verdicts)).toEqual(new Set(['inconclusive', 'passed']));
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
