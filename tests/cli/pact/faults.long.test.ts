/** Pact's Verifier passes sound targets and fails broken ones. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { operation as operationById } from '../../../contracts/operations.ts';
import type { AnswerFilter, OperationId, SandboxOptions } from '../../../sandbox/index.ts';
import { success, unverified, verdictsOf, verifySandbox } from './sandboxes.ts';

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

const failingPerson: AnswerFilter = ({ body }) => {
  if (isObject(body) && isObject(body.data) && body.data.summaryResult === 'Pass') body.data.summaryResult = 'Fail';
  return undefined;
};

test.each<[string, OperationId, SandboxOptions['rules'] | AnswerFilter]>([
  ['a token without access_token', 'token.issue', success('token.issue', { body: { token_type: 'Bearer' } })],
  [
    'a max that is no number is accepted',
    'users.list',
    { enforces: ({ kind, name }) => !(kind === 'parameter-type' && name === 'max') },
  ],
  ['errors that are no array', 'cards.list', { refusalBody: () => ({ errorCode: 'bad' }) }],
  ['a balance that is a text', 'cards.getBalance', { money: (cents) => String(cents / 100) }],
  ['a status that is a text', 'cards.getStatus', { statusNumber: () => 'Active' }],
  ['a temporary token answered with 200', 'cards.createToken', { successStatus: () => 200 }],
  ['a suspension with a body', 'cards.suspend', success('cards.suspend', { body: {} })],
  ['a login without sessionId', 'portal.login', success('portal.login', { body: { customerId: 1 } })],
  ['an unknown login answered with 401', 'portal.login', { refusalStatus: () => 401 }],
  [
    'a logout of an invented session that succeeds',
    'portal.logout',
    { enforces: ({ operation, kind }) => !(operation === 'portal.logout' && kind === 'session') },
  ],
  ['a person who is located is answered with Fail', 'portal.getCIPCheck', failingPerson],
  ['an address of 41 characters is accepted', 'portal.getCIPCheck', { cipAddressLimit: 41 }],
])('%s fails', async (_, operation, fault) => {
  const results = await verifySandbox(
    typeof fault === 'function' ? { middleware: [fault] } : { rules: fault! },
    operation,
  );
  expect(verdictsOf(results), unverified(results).join('\n')).toContain('failed');
});
