import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { digested } from '../../contracts/past.ts';
import type { Conformance, Rotated, Verdict } from '../../contracts/record.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { courseInWords, isRemembered, noteBegin, readHistory, readPast, remember } from '../../reports/history.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { conformance, exchange, judged } from './record-builder.ts';

let dir: string;
beforeEach(() => {
  dir = temporaryDirectory();
});

const ID = 'cards.get.shape';

const at = (day: number) => new Date(Date.UTC(2025, 0, day)).toISOString();
const night = (day: number, verdict: Verdict = 'passed', target: Partial<Conformance['target']> = {}) =>
  conformance([judged(ID, verdict), judged('cards.get.identifier', 'passed')], { target, run: { startedAt: at(day) } });

/** The course of a requirement that passed (p), failed (f) or was not seen (-) night by night. */
function courseOf(nights: string, version = (_day: number) => '1') {
  const verdicts: Record<string, Verdict> = { p: 'passed', f: 'failed', '-': 'blocked' };
  for (const [index, letter] of [...nights].entries())
    remember(night(index + 1, verdicts[letter]!, { version: version(index + 1) }), dir);
  return readHistory('sample', dir).courses.get(ID);
}

test('a run is remembered with how soon the target answered, where that was measured', () => {
  remember(night(1), dir, () => [exchange(1, { durationMs: 12.5 })]);
  remember(night(2), dir);
  expect(readHistory('sample', dir).runs.map(({ medianMs }) => medianMs)).toEqual([12.5, undefined]);
});

test('the course of a requirement says since when it fails, when it last passed and when it was first seen failing', () => {
  const times = { firstSeen: at(3), failingSince: at(7), lastPassed: at(5) };
  expect(courseOf('ppfpp-ff-f', String)).toEqual({
    id: ID,
    ...times,
    passedAgain: undefined,
    flips: 3,
    isFlaky: false,
  });
});

test.each([
  ['pp-p', 'is none for what never failed', undefined],
  ['pfpf', 'is flaky where it fails, passes and fails again though the version stays', { flips: 3, isFlaky: true }],
  ['pfppf', 'is flaky where it does so within five nights', { flips: 3, isFlaky: true }],
  ['pfppppf', 'is not flaky where it takes more nights', { flips: 3, isFlaky: false }],
  ['ppffp', 'is not flaky where it was broken and mended', { flips: 2, isFlaky: false }],
  ['pppff', 'is not flaky where it fails once and goes on', { flips: 1, isFlaky: false }],
  [`pfp${'p'.repeat(40)}`, 'counts flips of the last 30 nights alone', { flips: 0, isFlaky: false }],
])('the course %s %s', (nights, _, expected) => {
  const { flips, isFlaky } = courseOf(nights) ?? {};
  expect(flips === undefined ? undefined : { flips, isFlaky }).toEqual(expected);
});

test('the course of a requirement in words', () => {
  expect(courseInWords(courseOf('ppfpff')!)).toBe(
    'failing since 2025-01-05, last passed 2025-01-04, first seen failing 2025-01-03, 3 flips in the last 30 nights, ' +
      'flaky: it failed, passed and failed again in the same forms while the version of the target stayed the same',
  );
});

test('runs of two branches are merged by keeping the lines of both', () => {
  const [one, other] = [join(dir, 'one'), join(dir, 'other')];
  for (const day of [1, 2]) for (const branch of [one, other]) remember(night(day), branch);
  remember(night(3, 'failed'), one);
  remember(night(4), other);
  const both = [other, one].map((branch) => readFileSync(join(branch, 'sample.ndjson'), 'utf8')).join('');
  writeFileSync(join(dir, 'sample.ndjson'), both);
  expect(readHistory('sample', dir).runs.map(({ startedAt }) => startedAt)).toEqual([1, 2, 3, 4].map(at));
  expect(readFileSync(join(one, '.gitattributes'), 'utf8')).toBe('*.ndjson merge=union\n');
});

test('old nights in which nothing changed are thinned out, so that the file stays bounded', () => {
  const file = join(dir, 'sample.ndjson');
  const [one, hundredth] = [night(1), night(100, 'failed')];
  remember(one, dir);
  const line = readFileSync(file, 'utf8');
  for (let day = 2; day < 400; day++) if (day !== 100) appendFileSync(file, line.replace(one.run.startedAt, at(day)));
  remember(hundredth, dir);
  for (let day = 400; day <= 410; day++) remember(night(day), dir);
  const { runs, courses } = readHistory('sample', dir);
  expect(runs.length).toBeLessThan(200);
  expect(runs.at(-1)?.startedAt).toBe(at(410));
  expect(courses.get(ID)?.firstSeen).toBe(at(100));
});

test('a shard is not remembered, a selected and a merged run are', () => {
  const selections = ['all', 'only cards.get', 'shard 1/2', 'only cards.get, shard 2/3'];
  const remembered = selections.filter((selection) => isRemembered(conformance([], { run: { selection } })));
  expect(remembered).toEqual(['all', 'only cards.get']);
});

test('a run that begins beside others is told how many, until they are remembered or too old', () => {
  const began = () => noteBegin('sample', dir);
  expect([began(), began(), began()]).toEqual([0, 1, 2]);
  const ended = (after = 0): void => {
    const { run, ...record } = night(1);
    remember({ ...record, run: { ...run, startedAt: new Date(Date.now() + after).toISOString() } }, dir);
  };
  ended();
  expect(began()).toBe(2);
  for (const after of [10, 20, 30]) ended(after);
  expect(began()).toBe(0);
  const file = join(dir, 'sample.ndjson');
  writeFileSync(file, '{"startedAt":"2025-01-01T02:00:00.000Z","begun":"killed"}\n');
  expect(began()).toBe(0);
  remember(night(1), dir);
  expect(readHistory('sample', dir).runs).toHaveLength(1);
  expect(readPast('sample', conformance([]).suite, dir)).toMatchObject({ seed: 42 });
  expect(noteBegin('sample', file), 'where nothing can be written').toBe(0);
});

test('each target has a file in the directory, whatever its name', () => {
  const names = ['sample', '../evil', '..', 'a/b', 'a b', 'a%20b', '', 'x'.repeat(300), '卡'.repeat(100)];
  for (const name of names) remember(night(1, 'passed', { name }), dir);
  expect(readdirSync(dir)).toHaveLength(names.length + 1);
  for (const name of names) expect(readHistory(name, dir).runs).toHaveLength(1);
});

test('what cannot be read is left out, and hides nothing that comes after it', () => {
  remember(night(1), dir);
  appendFileSync(join(dir, 'sample.ndjson'), '{"startedAt":');
  remember(night(2), dir);
  expect(readHistory('sample', dir).runs).toHaveLength(2);
  expect(readHistory('unknown', dir).runs).toEqual([]);
});

describe('what was tried of what rotates', () => {
  const rotated = (tried: string[], more: Partial<Rotated> = {}): Rotated => ({
    subject: 'users.list: names',
    tried,
    forms: 12,
    ...more,
  });
  const trying = (day: number, of: Rotated[], { suite, ...run }: { suite?: string; seed?: number } = {}) => {
    const record = night(day);
    return {
      ...record,
      suite: { ...record.suite, ...(suite && { catalogueDigest: suite }) },
      run: { ...record.run, rotated: of, ...run },
    };
  };
  const { suite } = night(1);
  const pastOf = (of = suite) => readPast('sample', of, dir).past;

  test('is remembered with the run, the latest first, and with what failed, was suspected and was left', () => {
    const first = rotated(['in capitals', 'with a blank'], {
      suspected: [
        { form: 'in capitals', failed: ['users.list.status', 'users.list.shape'] },
        { form: 'with a blank', failed: [] },
      ],
      left: ['with a quote'],
    });
    const second = rotated(['twice']);
    remember(trying(1, [first]), dir);
    remember(trying(2, [second]), dir);
    remember(night(3), dir);
    expect(pastOf()).toEqual([[digested(second)], [digested(first)]]);
    expect(readPast('unknown', suite, dir)).toEqual({ past: [], seed: undefined });
  });

  test('under another catalogue is tried again, but not missed', () => {
    remember(trying(1, [rotated(['a'], { suspected: [{ form: 'a', failed: ['users.list.status'] }] })]), dir);
    expect(pastOf({ ...suite, catalogueDigest: 'another' })).toEqual([
      [digested(rotated(['a'], { suspected: [{ form: 'a', failed: [] }] }))],
    ]);
  });

  test('is read as far as it can be, where lines are torn, or of an older suite', () => {
    const file = join(dir, 'sample.ndjson');
    remember(trying(1, [rotated(['a'])]), dir);
    const [line = ''] = readFileSync(file, 'utf8').split('\n');
    appendFileSync(file, `${line.slice(0, line.length / 2)}\n{"rotated":{"x":7}}\n`);
    const { rotated: _, seed: __, ...older } = JSON.parse(line);
    appendFileSync(file, `${JSON.stringify({ ...older, startedAt: at(2) })}\n`);
    expect(pastOf()).toHaveLength(1);
    expect(readHistory('sample', dir).runs).toHaveLength(2);
  });

  test('tells the last seed', () => {
    const seed = () => readPast('sample', suite, dir).seed;
    expect(seed()).toBeUndefined();
    remember(trying(2, [], { seed: 8 }), dir);
    remember(trying(1, [], { seed: 5 }), dir);
    expect(seed()).toBe(8);
    const { run, ...recording } = trying(3, [rotated(['a'])], { seed: 1 });
    remember({ ...recording, run: { ...run, source: 'recording' } }, dir);
    expect(seed()).toBe(8);
  });

  test('of a year of nights fits into 5 MB', () => {
    const file = join(dir, 'sample.ndjson');
    const verdicts = requirements.map(({ id }, place) => judged(id, place % 20 === 0 ? 'failed' : 'passed'));
    // As many subjects and forms as a run of everything tries.
    const subjects = Array.from({ length: 350 }, (_, place) => ({
      subject: `subject ${place}`,
      tried: [`form ${place}`, `form ${place + 1}`],
      forms: 5,
      suspected: place % 20 === 0 ? [{ form: `form ${place}`, failed: ['portal.getCustomerProgramList.status'] }] : [],
    }));
    const of = (day: number) => conformance(verdicts, { run: { startedAt: at(day), rotated: subjects } });
    remember(of(1), dir);
    const line = readFileSync(file, 'utf8');
    appendFileSync(file, Array.from({ length: 364 }, (_, day) => line.replace(at(1), at(day + 2))).join(''));
    remember(of(366), dir);
    expect(statSync(file).size).toBeLessThan(5e6);
    expect(readHistory('sample', dir).runs).toHaveLength(366);
    expect(pastOf()[0]).toHaveLength(subjects.length);
  });
});
