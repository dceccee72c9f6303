import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Conformance } from '../../contracts/record.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { conducted, configurationOf, npmStart, temporaryDirectory } from './runs.ts';

const MAIN = join(import.meta.dirname, '../../cli/start.js');

const verdictsOf = ({ requirements }: Conformance): Record<string, string> =>
  Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));

test('the merged shards equal the whole run, requirement by requirement', async () => {
  const whole = await npmStart({}, undefined, '--seed', '1');
  const shards = await Promise.all(
    [1, 2, 3].map((index) => npmStart({}, undefined, '--seed', '1', '--shard', `${index}/3`)),
  );
  const out = join(temporaryDirectory(), 'merged');
  await promisify(execFile)(process.execPath, [
    MAIN,
    'merge',
    '--out',
    out,
    ...shards.map(({ directory }) => directory),
  ]);
  const merged = JSON.parse(readFileSync(join(out, 'conformance.json'), 'utf8')) as Conformance;
  expect(verdictsOf(merged)).toEqual(verdictsOf(whole.conformance));
  expect(merged.summary.must).toEqual(whole.conformance.summary.must);
  expect(merged.run.selection).toBe('all');
  for (const { conformance } of shards) expect(conformance.run.requests).toBeLessThan(whole.conformance.run.requests);
}, 300_000);

test('shards that run at once on one target, one of which moves its clock, accuse it of nothing', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const shards = await Promise.all(
    [1, 2, 3, 4].map(async (index) => {
      const configuration = await configurationOf(sandbox.environment, sandbox.fixtures, { shard: `${index}/4` });
      return conducted(configuration);
    }),
  );
  const accused = shards.flatMap(({ outcomes }) => outcomes.filter(({ verdict }) => verdict === 'failed'));
  expect(accused.map(({ requirement, message }) => `${requirement}: ${message}`)).toEqual([]);
});
