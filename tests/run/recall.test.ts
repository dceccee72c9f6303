import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { digested } from '../../contracts/past.ts';
import type { Rotated } from '../../contracts/record.ts';
import { type ConfigurationError, readConfiguration } from '../../helpers/configuration/index.ts';
import type { Options } from '../../helpers/configuration/settings.ts';
import { remember } from '../../reports/history.ts';
import { SUITE } from '../../run/assemble.ts';
import { begin, recall } from '../../run/recall.ts';
import { conformance, judged } from '../reports/record-builder.ts';
import { temporaryDirectory } from '../tools/directory.ts';

let cwd: string;
beforeEach(() => {
  cwd = temporaryDirectory();
});

const rotatedOf = (tried: string): Rotated => ({ subject: 'users.list: names', tried: [tried], forms: 12 });
const pastOf = (...tried: string[]) => tried.map((one) => [digested(rotatedOf(one))]);

/** The record of a run on the target of these tests. */
const recordOf = (tried: string, seed: number, requirements = [judged('cards.get.shape', 'passed')]) => ({
  ...conformance(requirements, {
    target: { name: 'embedded sandbox' },
    run: { seed, startedAt: new Date(Date.UTC(2025, 0, seed)).toISOString(), rotated: [rotatedOf(tried)] },
  }),
  suite: SUITE,
});

/** Writes a record into a report directory. */
function writeRecord(directory: string, record: ReturnType<typeof recordOf>): void {
  mkdirSync(join(cwd, directory), { recursive: true });
  writeFileSync(join(cwd, directory, 'conformance.json'), JSON.stringify(record));
}

const recalled = async (options: Options = {}) =>
  recall(await readConfiguration({ env: {}, options, cwd, withoutEnvFile: true })).run;

const inHistory = (...records: ReturnType<typeof recordOf>[]) => {
  for (const record of records) remember(record, join(cwd, 'reports/history'));
};

test('the seed is the one after the last in the history, unless one is given; commands repeat it', async () => {
  inHistory(recordOf('a', 7), recordOf('b', 8));
  expect(await recalled()).toMatchObject({ seed: 9, repeated: { seed: '9' }, past: pastOf('b', 'a') });
  expect(await recalled({ seed: '3' })).toMatchObject({ seed: 3, past: pastOf('b', 'a') });
});

test('a run that begins beside another takes the next seed; one that repeats a record, or a shard, is beside none', async () => {
  inHistory(recordOf('a', 7));
  writeRecord('reports/latest', recordOf('a', 7));
  const began = async (options: Options = {}) =>
    recall(begin(await readConfiguration({ env: {}, options, cwd, withoutEnvFile: true }))).run;
  expect([(await began()).seed, (await began()).seed]).toEqual([8, 9]);
  for (const options of [{ as: 'reports/latest' }, { shard: '2/3' }])
    expect(await began(options)).toMatchObject({ beside: 0 });
});

test('the greatest seed is followed by 0', async () => {
  const { run, ...record } = recordOf('a', 7);
  inHistory({ ...record, run: { ...run, seed: 2 ** 31 - 1 } });
  expect((await recalled()).seed).toBe(0);
});

test('without a history the baseline says what was tried, and the seed is drawn', async () => {
  writeRecord('monday', recordOf('a', 7));
  expect((await recalled({ baseline: 'monday' })).past).toEqual(pastOf('a'));
  writeFileSync(join(cwd, 'torn.json'), '{"schemaVersion":');
  expect((await recalled({ baseline: 'torn.json' })).past).toEqual([]);
  expect((await recalled()).past).toEqual([]);
});

test('--as takes what was tried and the seed from a record, whatever the history says', async () => {
  inHistory(recordOf('b', 20));
  writeRecord('reports/latest', recordOf('a', 7));
  const as = join(cwd, 'reports/latest');
  expect(await recalled({ as: 'reports/latest' })).toMatchObject({ as, seed: 7, past: pastOf('a') });
  expect((await recalled({ as: 'reports/latest', seed: '3' })).seed).toBe(3);
});

test('--last-failed selects what failed, was suspected or was hidden, in the same forms', async () => {
  const record = recordOf('a', 7, [
    judged('cards.get.shape', 'failed'),
    judged('cards.get.status', 'passed'),
    judged('cards.close.not-active', 'inconclusive', { exchanges: ['x00009'] }),
    judged('cards.list.status', 'inconclusive', { exchanges: [] }),
  ]);
  writeRecord('reports/latest', record);
  writeRecord('monday', record);
  const only = ['cards.get.shape', 'cards.close.not-active'];
  expect(await recalled({ 'last-failed': 'true' })).toMatchObject({ only, seed: 7, past: pastOf('a') });
  expect((await recalled({ 'last-failed': 'monday' })).only).toEqual(only);
  expect((await recalled({ 'last-failed': 'monday', only: 'cards.get' })).only).toEqual(['cards.get.shape']);
  await expect(recalled({ 'last-failed': 'monday', only: 'users' })).rejects.toThrow('nothing to check again');
});

test('a record to repeat has to be there', async () => {
  const faultsOf = (options: Options) => recalled(options).catch(({ faults }: ConfigurationError) => faults);
  expect(await faultsOf({ as: 'nowhere' })).toEqual([`--as: no such file or directory: ${join(cwd, 'nowhere')}`]);
  expect(await faultsOf({ 'last-failed': 'true' })).toEqual([
    `--last-failed: no such file or directory: ${join(cwd, 'reports/latest')}`,
  ]);
});
