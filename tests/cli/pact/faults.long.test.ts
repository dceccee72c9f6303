/** Pact's Verifier passes sound targets and fails broken ones. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { operation as operationById } from '../../../contracts/operations.ts';
import type { AnswerFilter, OperationId, SandboxOptions } from '../../../sandbox/index.ts';
import { unverified, verifySandbox } from './sandboxes.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Leaves out of every success what its shape makes optional, save lists and outcomes that the states guarantee. */
const minimalBodies: AnswerFilter = (answer, { operation, refusal }) => {
  const shape = operationById(operation).success?.body;
  if (refusal || !(shape instanceof z.ZodObject) || !isObject(answer.body)) return undefined;
  const kept = Object.entries(answer.body).filter(
    ([name]) => ['results', 'data'].includes(name) || !(shape.shape[name] instanceof z.ZodOptional),
  );
  const bare = ([name, value]: [string, unknown]) => [name, name === 'results' ? (value as []).map(() => ({})) : value];
  return { ...answer, body: Object.fromEntries(kept.map(bare)) };
};

test('a sound target with the least bodies verifies', async () => {
  // Without records of its own a target cannot show which of its cards are Active: the pools hold what they promise.
  const results = await verifySandbox({ middleware: [minimalBodies] });
  expect(results.length).toBeGreaterThan(50);
  expect(unverified(results)).toEqual([]);
});

/** Changes successes of one operation. */
const success =
  (of: OperationId, change: Parameters<typeof Object.assign>[1]): AnswerFilter =>
  (answer, { operation, refusal }) =>
    operation === of && !refusal ? { ...answer, ...change } : undefined;

const faults: Record<string, [OperationId, SandboxOptions]> = {
  'a token without access_token': [
    'token.issue',
    { middleware: [success('token.issue', { body: { token_type: 'Bearer' } })] },
  ],
  'a max that is no number is accepted': [
    'users.list',
    { rules: { enforces: ({ kind, name }) => !(kind === 'parameter-type' && name === 'max') } },
  ],
  'errors that are no array': ['cards.list', { rules: { refusalBody: () => ({ errorCode: 'bad' }) } }],
  'a balance that is a text': ['cards.getBalance', { rules: { money: (cents) => String(cents / 100) } }],
  'a status that is a text': ['cards.getStatus', { rules: { statusNumber: () => 'Active' } }],
  'a temporary token answered with 200': ['cards.createToken', { rules: { successStatus: () => 200 } }],
  'a suspension with a body': ['cards.suspend', { middleware: [success('cards.suspend', { body: {} })] }],
  'a login without sessionId': ['portal.login', { middleware: [success('portal.login', { body: { customerId: 1 } })] }],
  'an unknown login answered with 401': ['portal.login', { rules: { refusalStatus: () => 401 } }],
  'a logout of an invented session that succeeds': [
    'portal.logout',
    { rules: { enforces: ({ operation, kind }) => !(operation === 'portal.logout' && kind === 'session') } },
  ],
  'a person who is located is answered with Fail': [
    'portal.getCIPCheck',
    {
      middleware: [
        (answer) => {
          if (!isObject(answer.body) || !isObject(answer.body.data)) return undefined;
          if (answer.body.data.summaryResult === 'Pass') answer.body.data.summaryResult = 'Fail';
          return answer;
        },
      ],
    },
  ],
  'an address of 41 characters is accepted': ['portal.getCIPCheck', { rules: { cipAddressLimit: 41 } }],
};

test.each(Object.entries(faults))('%s fails', async (_, [operation, sandbox]) => {
  const results = await verifySandbox(sandbox, operation);
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  expect(
    failed.map((result) => result.operation),
    unverified(results).join('\n'),
  ).toContain(operation);
});
