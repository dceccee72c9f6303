/** What passes between a sound target and several clients at once accuses nobody. */
import { expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { conduct } from './prove.ts';
import { judgeRecorded } from './recorded.ts';
import type { Conducted } from './unwritten-run.ts';

const at = ({ sentAt = 0 }: Conducted['exchanges'][number]) => sentAt;

test('two runs at once against one sandbox, in one recording', async () => {
  await using sandbox = await startSandbox();
  const conducted = await Promise.all(
    [1, 2].map((seed) => conduct(sandbox, { only: [] }, ({ run }) => Object.assign(run, { seed }))),
  );
  const exchanges = conducted.flatMap((one) => one.exchanges).toSorted((a, b) => at(a) - at(b));
  const { failed } = await judgeRecorded(conducted[0]!.run.configuration, exchanges, false);
  expect(failed.filter(({ isMust }) => isMust)).toEqual([]);
  expect(exchanges.length).toBeGreaterThan(1500);
});
