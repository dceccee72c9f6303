import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Conformance, RequirementResult } from '../../contracts/record.ts';
import { compare, earlierOf } from '../../reports/compare.ts';
import { merge, refuseShard, writeMerged } from '../../reports/merge.ts';
import { readRecord } from '../../reports/record.ts';
import { selectionText, shardOf } from '../../reports/selection.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { check, conformance, everyVerdict, exchange, requirement, writeRecord } from './record-builder.ts';

const dir = temporaryDirectory(afterAll);
let written = 0;
const record = (conformance: Conformance, ...rest: unknown[]) =>
  readRecord(writeRecord(join(dir, `run-${++written}`), conformance, ...(rest as [])));

const elsewhere = (id: string) => requirement(id, [], { leftOut: 'shard' });
const shard = (
  index: number,
  count: number,
  requirements: RequirementResult[],
  over: Parameters<typeof conformance>[1] = {},
) => conformance(requirements, { ...over, run: { selection: selectionText([], { index, count }), ...over.run } });

test('what the record says of the selection can be read again', () => {
  const part = { index: 2, count: 3 };
  expect(selectionText([])).toBe('all');
  expect(shardOf('all')).toBeUndefined();
  expect(shardOf(selectionText([], part))).toEqual({ shard: part, whole: 'all' });
  expect(shardOf(selectionText(['cards.*', 'users.list'], part))).toEqual({
    shard: part,
    whole: 'only cards.*,users.list',
  });
});

test('a record split over three shards merges to the unsplit one', () => {
  const all = everyVerdict().map((one) => ({ ...one, known: null }));
  const contracts = ['token.issue.status', 'cards.get.shape'];
  const shards = [1, 2, 3].map((index) =>
    shard(
      index,
      3,
      all.map((one, i) =>
        i % 3 === index - 1 || contracts.includes(one.id) || !one.inScope ? one : elsewhere(one.id),
      ),
    ),
  );
  const merged = merge(shards.map((one) => record(one)));
  const whole = conformance(all, { run: { requests: 9 } });
  expect(merged.summary).toEqual(whole.summary);
  expect(merged.run).toMatchObject({ selection: 'all', requests: 9, complete: true });
  expect(
    merged.requirements.map(({ id, verdict, reason, known, inScope }) => ({ id, verdict, reason, known, inScope })),
  ).toEqual(all.map(({ id, verdict, reason, known, inScope }) => ({ id, verdict, reason, known, inScope })));
  expect(compare(earlierOf(record(whole)), record(merged)).unchanged).toBe(true);
});

describe('a requirement of every shard', () => {
  const contract = (verdict?: Parameters<typeof check>[0]) =>
    requirement('cards.get.shape', verdict ? [check(verdict)] : [], {
      reason: verdict ? '' : 'cards.get was not called',
    });
  test.each([
    ['failed', 'passed', 'failed'],
    ['passed', 'failed', 'failed'],
    ['passed', undefined, 'passed'],
    [undefined, 'passed', 'passed'],
    ['passed', 'passed', 'passed'],
    ['passed', 'blocked', 'blocked'],
    ['passed', 'inconclusive', 'passed'],
    ['passed', 'notApplicable', 'passed'],
    ['notApplicable', 'inconclusive', 'notApplicable'],
    ['inconclusive', undefined, 'inconclusive'],
    [undefined, undefined, 'skipped'],
  ] as const)('%s and %s is %s', (one, other, expected) => {
    const merged = merge([record(shard(2, 2, [contract(other)])), record(shard(1, 2, [contract(one)]))]);
    expect(merged.requirements[0]?.verdict).toBe(expected);
  });

  test('joins the evidence of its checks', () => {
    const tried = (id: string) => ({ tries: 1, shown: 1, controls: 0, control: id, exchanges: [id], once: [id] });
    const further = (example: string) => [{ message: 'the answer has no identifier', times: 1, example }];
    const found = { shownBy: 'x00001', retrial: tried('x00001'), further: further('x00001') };
    const broken = requirement('cards.get.shape', [check('failed', found)], { retrial: tried('x00001') });
    const merged = merge([record(shard(1, 2, [contract('passed')])), record(shard(2, 2, [broken]))]);
    expect(merged.requirements[0]?.checks).toEqual([
      check('failed', {
        durationMs: 24,
        exchanges: ['s1x00001', 's2x00001'],
        shownBy: 's2x00001',
        retrial: tried('s2x00001'),
        further: further('s2x00001'),
      }),
    ]);
    expect(merged.requirements[0]?.retrial).toEqual(tried('s2x00001'));
  });
});

test('evidence stays apart and is written in the order of the shards', () => {
  const change = { id: 'c00001', at: '', event: 'answered' as const, operation: 'cards.suspend', exchange: 'x00001' };
  const one = record(
    shard(1, 2, [requirement('cards.get.shape', [check('passed')])]),
    [exchange(1, { gives: 'credential 1' }), exchange(2, { credential: 'credential 1' })],
    [change],
  );
  const two = record(shard(2, 2, [elsewhere('cards.get.shape')]), [exchange(1, { operation: 'users.list' })], [change]);
  const out = join(dir, 'merged');
  const merged = merge([two, one]);
  writeMerged([two, one], merged, out);
  const read = readRecord(out);
  expect(read.conformance).toEqual(merged);
  expect(
    [...read.exchanges()].map(({ id, operation, credential, gives }) => [id, operation, credential, gives]),
  ).toEqual([
    ['s1x00001', 'cards.get', undefined, 's1credential 1'],
    ['s1x00002', 'cards.get', 's1credential 1', undefined],
    ['s2x00001', 'users.list', undefined, undefined],
  ]);
  expect([...read.changes()].map(({ id, exchange }) => [id, exchange])).toEqual([
    ['s1c00001', 's1x00001'],
    ['s2c00001', 's2x00001'],
  ]);
  expect(() => refuseShard([one, two], `${one.path}/`)).toThrow(
    /is a shard, so the merged record cannot be written there/,
  );
});

test('what the run says of itself adds up', () => {
  const pool = { pool: 'disposable', given: 2, spentBefore: 1, used: 1, left: 0 };
  const observed = (value: string) => [{ id: 'a', operation: 'cards.get', subject: 's', value }];
  const one = shard(1, 2, [], {
    run: {
      seed: 1,
      pools: [pool],
      notes: ['throttled'],
      startedAt: '2025-01-01T03:00:00.000Z',
      finishedAt: '2025-01-01T03:00:09.000Z',
    },
    observations: observed('401'),
  });
  const two = shard(2, 2, [], {
    run: {
      seed: 2,
      pools: [{ ...pool, spentBefore: 2, used: 0 }],
      notes: ['throttled'],
      startedAt: '2025-01-01T03:00:01.000Z',
      finishedAt: '2025-01-01T03:00:11.000Z',
      complete: false,
      incompleteBecause: 'the time was up',
    },
    observations: observed('403'),
  });
  const merged = merge([record(one), record(two)]);
  expect(merged.run).toMatchObject({
    durationMs: 11_000,
    complete: false,
    incompleteBecause: 'the time was up',
    pools: [{ pool: 'disposable', given: 2, spentBefore: 1, used: 1, left: 0 }],
    notes: ['throttled', 'the shards ran with different seeds: 1, 2'],
  });
  expect(merged.observations).toEqual(observed('401; 403'));
});

describe('what is not all the shards of one run is refused', () => {
  const some = [requirement('cards.get.shape', [check('passed')])];
  const good = () => record(shard(1, 2, some));
  test.each<[string, () => Conformance | undefined, RegExp]>([
    ['one is missing', () => undefined, /shard 2\/2 is missing/],
    ['one came twice', () => shard(1, 2, some), /is shard 1, and so is/],
    ['no shard', () => conformance(some), /is not the record of a shard/],
    ['another target', () => shard(2, 2, some, { target: { name: 'other' } }), /has another target than/],
    ['another build', () => shard(2, 2, some, { target: { version: '2' } }), /has another version of the target than/],
    [
      'another catalogue',
      () => shard(2, 2, some, { suite: { name: 'prepaid-card-conformance', version: '0.1.0', catalogueDigest: 'd2' } }),
      /has another catalogue than/,
    ],
    ['another number of shards', () => shard(2, 3, some), /has another number of shards than/],
    [
      'another selection',
      () => conformance(some, { run: { selection: selectionText(['cards.get'], { index: 2, count: 2 }) } }),
      /has another selection than/,
    ],
    [
      'another risk',
      () => shard(2, 2, some, { run: { selection: 'shard 2/2', risk: 'reversible' } }),
      /has another risk than/,
    ],
  ])('%s', (_, make, message) => {
    const second = make();
    expect(() => merge(second ? [good(), record(second)] : [good()])).toThrow(message);
  });

  test('a requirement in none of them', () => {
    const none = [elsewhere('cards.get.shape')];
    expect(() => merge([record(shard(1, 2, none)), record(shard(2, 2, none))])).toThrow(
      /cards\.get\.shape is in none of the shards/,
    );
  });
});

test('a requirement that --only chose keeps the reason of the shard that had it', () => {
  const requirements = (reason: string, leftOut?: 'selection') => [
    requirement('cards.get.foreign', [], { reason, ...(leftOut && { leftOut }) }),
  ];
  const merged = merge([
    record(shard(1, 2, requirements('not selected by --only', 'selection'))),
    record(shard(2, 2, requirements('needs cards.foreign in the fixtures file'))),
  ]);
  expect(merged.requirements[0]?.reason).toBe('needs cards.foreign in the fixtures file');
});
