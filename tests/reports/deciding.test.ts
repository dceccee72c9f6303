import { expect, test } from 'vitest';
import { pointedAt } from '../../proof/hostile/target.ts';
import { decidingExchange } from '../../reports/deciding.ts';
import { page } from '../../reports/page/index.ts';
import { readRecord } from '../../reports/record.ts';
import { viewOf } from '../../reports/view.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { runHere } from '../tools/run-in-process.ts';

const MOVES = 'cards.transfer.moves-amount';
/** Only one of the amounts that a run moves, and none of the last. */
const lessACent = (cents: number) => (cents === 1000 ? cents - 1 : cents);

test('a failure shows the exchange that it is about, among those of its trials', async () => {
  await using sandbox = await startSandbox({ rules: { transferDebit: lessACent, transferCredit: lessACent } });
  const { reports } = await runHere(pointedAt(sandbox.url, sandbox), ['--only', MOVES, '--risk', 'irreversible']);
  const record = readRecord(reports);
  const view = viewOf(record.conformance, { exchanges: record.exchanges() });
  const requirement = view.conformance.requirements.find(({ id }) => id === MOVES)!;
  const failed = requirement.checks.find(({ verdict }) => verdict === 'failed')!;
  expect(failed.exchanges.length).toBeLessThan(30);

  const deciding = decidingExchange(requirement, failed, view.evidence)!;
  expect(deciding.operation).toBe('cards.transfer');
  expect(JSON.parse(deciding.request.body!)).toMatchObject({ amount: 10 });

  const [, decisive] = page(view, record.exchanges()).split('class="decisive" id="');
  expect(decisive).toMatch(new RegExp(`^x-?${deciding.id}"`));
});
