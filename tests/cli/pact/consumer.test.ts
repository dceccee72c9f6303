import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MatchersV3 as M } from '@pact-foundation/pact';
import { afterAll, describe, expect, test } from 'vitest';
import { play } from '../../../cli/pact/consumer.ts';
import { interactions } from '../../../cli/pact/interactions.ts';
import { pactFile } from '../../../cli/pact/published.ts';
import { suppliers } from '../../../cli/pact/states.ts';
import { operations } from '../../../contracts/operations.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { ROOT } from '../../tools/root.ts';

const directory = temporaryDirectory(afterAll);
const reports = () => mkdtempSync(join(directory, 'run-'));

describe.each(['v3', 'v1'] as const)('%s', (edition) => {
  test.each(interactions[edition].map((interaction) => [interaction.description, interaction] as const))(
    "the suite's client makes %s",
    async (_, interaction) => {
      await play(edition, interaction, directory, reports());
      const pact = JSON.parse(readFileSync(join(directory, pactFile(edition)), 'utf8'));
      const [written] = pact.interactions.filter((of: { description: string }) => of.description === _);
      expect(written.response.status).toBe(
        interaction.refused ?? operations.find(({ id }) => id === interaction.operation)!.success!.status,
      );
      expect(pact.metadata.pactSpecification.version).toBe('4.0');
    },
  );
});

const all = Object.values(interactions).flat();

test('every shown operation has an interaction that succeeds', () => {
  const successes = new Set(all.filter(({ refused }) => !refused).map(({ operation }) => operation));
  expect([...successes].sort()).toEqual(
    operations
      .filter(({ listedOnly }) => !listedOnly)
      .map(({ id }) => id)
      .sort(),
  );
});

test('every provider state can be supplied, and each is needed', () => {
  expect([...new Set(all.flatMap(({ states }) => states))].sort()).toEqual(Object.keys(suppliers).sort());
});

test('the published pacts hold no optional member', () => {
  const pact = JSON.parse(readFileSync(join(ROOT, 'contracts/published/pacts', pactFile('v3')), 'utf8'));
  const bodies = pact.interactions.map((of: { description: string; response: { body?: { content: unknown } } }) => [
    of.description,
    of.response.body?.content,
  ]);
  expect(Object.fromEntries(bodies)).toMatchObject({
    'a request to retrieve one card': {},
    'a request for a token': { access_token: 'invented-access-token' },
    'a transfer between two cards': {},
    'a suspension of a card': '',
  });
  const card = bodies.find(([description]: [string]) => description === 'a request to retrieve one card')[1];
  expect(Object.keys(card)).toEqual([]);
});

const balance = all.find(({ operation }) => operation === 'cards.getBalance')!;

test("a request that differs from the interaction's fails, on the mock server's word", async () => {
  const other = { ...balance, operation: 'users.list', query: { max: 1 }, path: {} };
  await play('v3', other, reports(), reports());
  const unlike = { ...other, query: { max: { supplied: 'max', example: '' } } };
  await expect(play('v3', unlike, reports(), reports())).rejects.toThrow('Mock server failed');
});

test("an answer that breaks the contracts fails, on the suite's word", async () => {
  const broken = { ...balance, guaranteed: { balance: M.string('25.5') } };
  await expect(play('v3', broken, reports(), reports())).rejects.toThrow('cards.getBalance.shape');
});
