import { expect, test } from 'vitest';
import { readRecord } from '../../reports/record.ts';
import { viewOf } from '../../reports/view.ts';
import { replay, requestsOf } from '../../run/replay.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { pointedAt } from '../hostile/target.ts';
import { configurationOf } from '../real-targets/runs.ts';
import { runHere } from '../run-in-process.ts';

test('the requests of a failure are sent again with fresh credentials, and no riskier than is allowed', async () => {
  const sandbox = await startSandbox({ rules: { enforces: ({ kind }) => kind !== 'unknown' } });
  try {
    const { environment: env, fixtures } = sandbox;
    const ended = await runHere(pointedAt(sandbox.url, sandbox), ['--only', 'cards.getBalance.unknown-identifier']);
    const record = readRecord(ended.reports);
    const view = viewOf(record.conformance, { exchanges: record.exchanges() });
    const requests = requestsOf(view, 'cards.getBalance.unknown-identifier');
    const configuration = await configurationOf(env, fixtures, { risk: 'safe' });
    const results = await replay(configuration, requests);
    expect(results.length).toBeGreaterThan(0);
    for (const { before, now } of results) expect(now).toBe(before);
    expect(() => requestsOf(view, 'cards.get.shape')).toThrow('did not fail in that run');
    const risky = { ...requests[0]!, operation: 'cards.close' };
    await expect(replay(configuration, [risky])).rejects.toThrow('RUN_RISK: cards.close needs irreversible');
  } finally {
    await sandbox.close();
  }
});
