import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CheckResult, type Conformance, EVERY_EXCHANGE } from '../../contracts/record.ts';
import { rerunsOf } from '../../reports/rerun.ts';
import { conformance, exchange, judged } from './record-builder.ts';

type Run = Partial<Conformance['run']>;

/** The command for a failure of a check of its own. */
const ownRerun = (run: Run = {}, over: Partial<CheckResult> = {}) => {
  const failed = judged('cards.get.identifier', 'failed', over);
  return rerunsOf(conformance([failed], { run }))([failed]);
};
/** The command for a failure that one of all exchanges shows, which the check of another requirement made. */
const foundRerun = (run: Run = {}) => {
  const shape = judged('cards.get.shape', 'failed', { name: EVERY_EXCHANGE, exchanges: ['x00007', 'x00008'] });
  const maker = judged('cards.suspend.state', 'passed', { exchanges: ['x00006', 'x00007'] });
  return rerunsOf(conformance([maker, shape], { run }))([shape]);
};

test('a failure of an exchange runs what made the exchange that decided', () => {
  expect(foundRerun()).toContain('--only cards.get.shape,cards.suspend.state ');
});

test('a failure of an exchange that several checks share runs all of the operation: one of them alone may not make it', () => {
  const failed = judged('cards.transfer.status', 'failed', { name: EVERY_EXCHANGE, exchanges: ['x00007'] });
  const readers = ['requires-token', 'moves-amount'].map((name) =>
    judged(`cards.transfer.${name}`, 'passed', { exchanges: ['x00007'] }),
  );
  const ran = (by: string) => {
    const evidence = exchange(7, { operation: 'cards.transfer', check: by });
    return rerunsOf(conformance([failed, ...readers]), new Map([['x00007', evidence]]))([failed]);
  };
  expect(ran('transfers between two active cards')).toContain('--only cards.transfer.status,cards.transfer ');
  expect(ran('cards.transfer.moves-amount: one by one')).toContain(
    '--only cards.transfer.status,cards.transfer.moves-amount ',
  );
});

test('options of the run are repeated, as a shell takes them', () => {
  const options = { 'env-file': 'my target.env', thorough: 'true', risk: 'reversible', seed: '7' };
  expect(foundRerun({ options })).toContain("--risk reversible --seed 7 --env-file 'my target.env' --thorough ");
});

test('the same forms are tried again as in the record, where it says which, by its directory as one would type it', () => {
  const rotated = [{ subject: 'users.list: names', tried: ['a'], forms: 12 }];
  const rerunIn = (directory: string, run: Run) => {
    const failed = judged('cards.get.identifier', 'failed');
    return rerunsOf(conformance([failed], { run }), new Map(), directory)([failed]);
  };
  expect(rerunIn(join(process.cwd(), 'reports/latest'), { rotated })).toContain(' --as reports/latest --report-dir ');
  expect(rerunIn('/elsewhere/report', { rotated, options: { as: 'stale' } })).toContain(' --as /elsewhere/report ');
  expect(rerunIn('reports/latest', {})).not.toContain('--as');
});

test('a record of somebody else names no option of its own, and leaves no quotes', () => {
  const options = { 'seed 1;id;': 'x', 'fixtures-command': 'id', risk: '$(id)' };
  expect(ownRerun({ options, startedAt: '2025-01-01T03:00:00`id`' })).toBe(
    "npm start -- --only cards.get.identifier --risk '$(id)' --report-dir 'reports/rerun/20250101-030000`id`/cards.get.identifier'",
  );
});

test('of a merged run the options are those of the shard that saw it', () => {
  const shards = ['1', '2'].map((seed) => ({ risk: 'safe', seed }));
  expect(ownRerun({ shards }, { exchanges: ['s2x00003'] })).toContain('--seed 2 ');
});

test.each(['recording', 'proxy'] as const)(
  'what others made (%s) is tried again at the risk that it needs',
  (source) => {
    const rerun = (...ids: string[]) => {
      const failed = ids.map((id) => judged(id, 'failed', { name: EVERY_EXCHANGE }));
      return rerunsOf(conformance(failed, { run: { source, risk: 'safe', options: {} } }))(failed);
    };
    expect(rerun('cards.get.shape')).toContain('--only cards.get.shape --risk safe --report-dir');
    expect(rerun('cards.get.shape', 'cards.suspend.not-active')).toContain('--risk reversible --report-dir');
    expect(rerun('cards.suspend.not-active', 'cards.close.not-active')).toContain('--risk irreversible --report-dir');
    expect(rerun('no.such-requirement')).toContain('--risk safe --report-dir');
  },
);
