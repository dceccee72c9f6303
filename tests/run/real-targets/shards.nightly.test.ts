import { join } from 'node:path';
import { expect, test } from 'vitest';
import { merge } from '../../../cli/merge.ts';
import type { Conformance } from '../../../contracts/record.ts';
import { readConformance } from '../../../proof/hostile/run.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { inProcess } from '../../tools/in-process.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';
import { accusations, conductedOn } from './runs.ts';

const verdictsOf = ({ requirements }: Conformance): Record<string, string> =>
  Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));

test('the merged shards equal the whole run, requirement by requirement', async () => {
  const whole = readConformance((await runHere({}, ['--seed', '1'])).reports);
  const shards: string[] = [];
  for (const index of [1, 2, 3]) shards.push((await runHere({}, ['--seed', '1', '--shard', `${index}/3`])).reports);
  const out = join(temporaryDirectory(), 'merged');
  expect(await inProcess(merge, ['--out', out, ...shards])).toMatchObject({ code: 0 });
  const merged = readConformance(out);
  expect(verdictsOf(merged)).toEqual(verdictsOf(whole));
  expect(merged.summary.must).toEqual(whole.summary.must);
  expect(merged.run.selection).toBe('all');
  for (const shard of shards) expect(readConformance(shard).run.requests).toBeLessThan(whole.run.requests);
});

test('shards that run at once on one target, one of which moves its clock, accuse it of nothing', async () => {
  const sandbox = await sandboxFor();
  const shards = await Promise.all([1, 2, 3, 4].map((index) => conductedOn(sandbox, {}, { shard: `${index}/4` })));
  const failed = shards.flatMap(({ outcomes }) => outcomes.filter(({ verdict }) => verdict === 'failed'));
  expect(accusations(failed)).toEqual([]);
});
