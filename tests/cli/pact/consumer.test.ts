import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MatchersV3 as M } from '@pact-foundation/pact';
import { afterAll, describe, expect, test } from 'vitest';
import { play } from '../../../cli/pact/consumer.ts';
import { interactions } from '../../../cli/pact/interactions.ts';
import { pactFile } from '../../../cli/pact/published.ts';
import { suppliers } from '../../../cli/pact/states.ts';
import { operation as operationById, operations } from '../../../contracts/operations.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { readPact } from './sandboxes.ts';

interface Written {
  description: string;
  response: { status: number; body?: { content: unknown } };
}

const directory = temporaryDirectory(afterAll);
const reports = () => mkdtempSync(join(directory, 'run-'));

describe.each(['v3', 'v1'] as const)('%s', (edition) => {
  test.each(interactions[edition])("the suite's client makes $description", async (interaction) => {
    await play(edition, interaction, directory, reports());
    const pact = JSON.parse(readFileSync(join(directory, pactFile(edition)), 'utf8'));
    const written = pact.interactions.find(({ description }: Written) => description === interaction.description);
    const status = interaction.refused ?? operationById(interaction.operation).success!.status;
    expect(written.response.status).toBe(status);
    expect(pact.metadata.pactSpecification.version).toBe('4.0');
  });
});

const all = Object.values(interactions).flat();

test('every shown operation has an interaction that succeeds', () => {
  const successes = new Set<string>(all.filter(({ refused }) => !refused).map(({ operation }) => operation));
  expect(successes).toEqual(new Set(operations.filter(({ listedOnly }) => !listedOnly).map(({ id }) => id)));
});

test('every provider state can be supplied, and each is needed', () => {
  expect(new Set<string>(all.flatMap(({ states }) => states))).toEqual(new Set(Object.keys(suppliers)));
});

test('the published pacts hold no optional member', () => {
  const { interactions: published } = readPact('v3') as { interactions: Written[] };
  const bodies = Object.fromEntries(
    published.map(({ description, response }) => [description, response.body?.content]),
  );
  expect(bodies).toMatchObject({
    'a request for a token': { access_token: 'invented-access-token' },
    'a transfer between two cards': {},
    'a suspension of a card': '',
  });
  expect(bodies['a request to retrieve one card']).toEqual({});
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
