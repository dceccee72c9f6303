import { expect, test } from 'vitest';
import type { Conformance, Exchange, Verdict } from '../../contracts/record.ts';
import { merge, refuseShard, writeMerged } from '../../reports/merge.ts';
import { type RunRecord, readRecord } from '../../reports/record.ts';
import { selectionText, shardOf } from '../../reports/selection.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import {
  check,
  compareRuns,
  conformance,
  everyVerdict,
  exchange,
  judged,
  recordOf,
  requirement,
} from './record-builder.ts';

type Given = Parameters<typeof conformance>;

const elsewhere = (id: string) => requirement(id, [], { leftOut: 'shard' });
const shard = (index: number, count: number, requirements: Given[0], over: Given[1] = {}): RunRecord =>
  recordOf(conformance(requirements, { ...over, run: { selection: `shard ${index}/${count}`, ...over.run } }));

test('what the record says of the selection can be read again', () => {
  const part = { index: 2, count: 3 };
  expect([selectionText([]), shardOf('all')]).toEqual(['all', undefined]);
  expect(shardOf(selectionText([], part))).toEqual({ shard: part, whole: 'all' });
  const whole = 'only cards.*,users.list';
  expect(shardOf(selectionText(['cards.*', 'users.list'], part))).toEqual({ shard: part, whole });
});

test('a record split over three shards merges to the unsplit one', () => {
  const all = everyVerdict().map((one) => ({ ...one, known: null }));
  const everywhere = ['token.issue.status', 'cards.get.shape'];
  const shards = [1, 2, 3].map((index) => {
    const isHere = (id: string, place: number) => place % 3 === index - 1 || everywhere.includes(id);
    const own = all.map((one, place) => (isHere(one.id, place) || !one.inScope ? one : elsewhere(one.id)));
    return shard(index, 3, own);
  });
  const merged = merge(shards);
  const whole = conformance(all, { run: { requests: 9 } });
  expect(merged.summary).toEqual(whole.summary);
  expect(merged.run).toMatchObject({ selection: 'all', requests: 9, complete: true });
  const told = ({ requirements }: Conformance) =>
    requirements.map(({ id, verdict, reason, known, inScope }) => ({ id, verdict, reason, known, inScope }));
  expect(told(merged)).toEqual(told(whole));
  expect(compareRuns(recordOf(whole), recordOf(merged)).unchanged).toBe(true);
});

const contract = (verdict?: Verdict) => requirement('cards.get.shape', verdict ? [check(verdict)] : []);
test.each([
  ['failed', 'passed', 'failed'],
  ['passed', undefined, 'passed'],
  ['passed', 'blocked', 'blocked'],
  ['passed', 'inconclusive', 'passed'],
  ['passed', 'notApplicable', 'passed'],
  ['notApplicable', 'inconclusive', 'notApplicable'],
  ['inconclusive', undefined, 'inconclusive'],
  [undefined, undefined, 'skipped'],
] as const)('a requirement of every shard %s and %s is %s', (one, other, expected) => {
  const both = [shard(2, 2, [contract(other)]), shard(1, 2, [contract(one)])];
  const turned = [shard(2, 2, [contract(one)]), shard(1, 2, [contract(other)])];
  expect([both, turned].map((shards) => merge(shards).requirements[0]?.verdict)).toEqual([expected, expected]);
});

test('a requirement of every shard joins the evidence of its checks', () => {
  const tried = (id: string) => ({
    tries: 1,
    shown: 1,
    controls: 0,
    control: id,
    exchanges: [id],
    once: [id],
  });
  const further = (example: string) => [{ message: 'the answer has no identifier', times: 1, example }];
  const shown = (id: string) => ({ shownBy: id, retrial: tried(id), further: further(id) });
  const broken = judged('cards.get.shape', 'failed', shown('x00001'), { retrial: tried('x00001') });
  const [merged] = merge([shard(1, 2, [contract('passed')]), shard(2, 2, [broken])]).requirements;
  const both = { durationMs: 24, exchanges: ['s1x00001', 's2x00001'] };
  expect(merged?.checks).toEqual([check('failed', { ...both, ...shown('s2x00001') })]);
  expect(merged?.retrial).toEqual(tried('s2x00001'));
});

test('a requirement that --only chose keeps the reason of the shard that had it', () => {
  const reason = 'needs cards.foreign in the fixtures file';
  const left = requirement('cards.get.foreign', [], { reason: 'not selected by --only', leftOut: 'selection' });
  const merged = merge([shard(1, 2, [left]), shard(2, 2, [requirement('cards.get.foreign', [], { reason })])]);
  expect(merged.requirements[0]?.reason).toBe(reason);
});

test('evidence stays apart and is written in the order of the shards', () => {
  const change = {
    id: 'c00001',
    at: '',
    event: 'answered' as const,
    operation: 'cards.suspend',
    exchange: 'x00001',
  };
  const having = (of: RunRecord, ...sent: Exchange[]) => ({ ...of, exchanges: () => sent, changes: () => [change] });
  const inSession = [exchange(1, { gives: 'credential 1' }), exchange(2, { credential: 'credential 1' })];
  const one = having(shard(1, 2, [judged('cards.get.shape', 'passed')]), ...inSession);
  const two = having(shard(2, 2, [elsewhere('cards.get.shape')]), exchange(1, { operation: 'users.list' }));
  const out = temporaryDirectory();
  const merged = merge([two, one]);
  writeMerged([two, one], merged, out);
  const read = readRecord(out);
  expect(read.conformance).toEqual(merged);
  expect([...read.exchanges()]).toMatchObject([
    { id: 's1x00001', operation: 'cards.get', gives: 's1credential 1' },
    { id: 's1x00002', operation: 'cards.get', credential: 's1credential 1' },
    { id: 's2x00001', operation: 'users.list' },
  ]);
  const changes = [...read.changes()].map(({ id, exchange }) => `${id} by ${exchange}`);
  expect(changes).toEqual(['s1c00001 by s1x00001', 's2c00001 by s2x00001']);
  expect(() => refuseShard([one, two], `${one.path}/`)).toThrow(/is a shard, so the merged record cannot be written/);
});

test('what the run says of itself adds up', () => {
  const pool = { pool: 'disposable', given: 2, spentBefore: 1, used: 1, left: 0 };
  const observed = (value: string) => [{ id: 'a', operation: 'cards.get', subject: 's', value }];
  const at = (second: string) => `2025-01-01T03:00:${second}.000Z`;
  const notes = ['throttled', 'the shards ran with different seeds: 1, 2'];
  const first = { startedAt: at('00'), finishedAt: at('10'), notes: ['throttled'], seed: 1, pools: [pool] };
  const spent = [{ ...pool, spentBefore: 2, used: 0 }];
  const second = { startedAt: at('01'), finishedAt: at('11'), notes: ['throttled'], seed: 2, pools: spent };
  const cut = { complete: false, incompleteBecause: 'the time was up' };
  const merged = merge([
    shard(1, 2, [], { run: first, observations: observed('401') }),
    shard(2, 2, [], { run: { ...second, ...cut }, observations: observed('403') }),
  ]);
  expect(merged.run).toMatchObject({ ...cut, durationMs: 11_000, pools: [pool], notes });
  expect(merged.observations).toEqual(observed('401; 403'));
});

const some = [judged('cards.get.shape', 'passed')];
const second = (over: Given[1]) => shard(2, 2, some, over);
const none = [elsewhere('cards.get.shape')];
const suite = { name: 'prepaid-card-conformance', version: '0.1.0', catalogueDigest: 'd2' };
const selection = 'only cards.get, shard 2/2';
test.each<[string, RunRecord[], RegExp]>([
  ['one is missing', [], /shard 2\/2 is missing/],
  ['one came twice', [shard(1, 2, some)], /is shard 1, and so is/],
  ['no shard', [recordOf(conformance(some))], /is not the record of a shard/],
  ['another target', [second({ target: { name: 'other' } })], /has another target than/],
  ['another build', [second({ target: { version: '2' } })], /has another version of the target than/],
  ['another catalogue', [second({ suite })], /has another catalogue than/],
  ['another number of shards', [shard(2, 3, some)], /has another number of shards than/],
  ['another selection', [second({ run: { selection } })], /has another selection than/],
  ['another risk', [second({ run: { risk: 'reversible' } })], /has another risk than/],
])('what is not all the shards of one run is refused: %s', (_, others, message) => {
  expect(() => merge([shard(1, 2, some), ...others])).toThrow(message);
});

test('a requirement in none of the shards is refused', () => {
  expect(() => merge([shard(1, 2, none), shard(2, 2, none)])).toThrow(/cards\.get\.shape is in none of the shards/);
});

test('of what rotates the merged run has tried and suspected what any shard has, and left what none tried', () => {
  const of = (tried: string[], left: string[], failed: string[]) => ({
    subject: 'users.list: names',
    forms: 5,
    tried,
    left,
    suspected: [{ form: 'a', failed }],
  });
  const shards = [of(['a'], ['b', 'c'], ['users.list.shape']), of(['a', 'b'], [], ['users.list.status'])];
  const merged = merge(
    shards.map((one, place) => shard(place + 1, 2, [contract('passed')], { run: { rotated: [one] } })),
  );
  expect(merged.run.rotated).toEqual([of(['a', 'b'], ['c'], ['users.list.shape', 'users.list.status'])]);
});

test('what shards suspected is kept with their exchanges, and the readings that they made are added', () => {
  const of = (index: number) =>
    shard(index, 2, [], {
      run: {
        suspected: [{ requirement: 'cards.get.shape', check: `check ${index}`, exchanges: ['x00007'] }],
        readings: [{ operation: 'cards.get', asked: 10 * index, refused: index }],
      },
    });
  const { suspected, readings } = merge([of(1), of(2)]).run;
  expect(suspected?.map(({ check, exchanges }) => [check, ...exchanges])).toEqual([
    ['check 1', 's1x00007'],
    ['check 2', 's2x00007'],
  ]);
  expect(readings).toEqual([{ operation: 'cards.get', asked: 30, refused: 3 }]);
});
