/** Sixty nights of three targets in shards, each night in a clone that starts empty but for what the last one kept. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { matrix } from '../../cli/matrix.ts';
import { merge } from '../../cli/merge.ts';
import type { RequirementResult } from '../../contracts/record.ts';
import { HOLDER } from '../../files/hold.ts';
import type { Delta } from '../../reports/delta.ts';
import { readHistory } from '../../reports/history.ts';
import { readRecord } from '../../reports/record.ts';
import { check, conformance, exchange, requirement, writeRecord } from './record-builder.ts';

const NIGHTS = 60;
/** Seen in both shards, as what every exchange shows. */
const SHARED = 'cards.get.shape';
const MONEY = 'cards.transfer.moves-amount';
const FLIPPING = 'users.list.pagination-ends';
const KNOWN = 'cards.list.max-accepted';
const OTHERWISE = 'portal.login.wrong-password';
const IDS = [SHARED, MONEY, FLIPPING, KNOWN, OTHERWISE, 'token.issue.status', 'cards.suspend.not-active'];

interface Night {
  /** What fails, and how. */
  failing: Record<string, string>;
  blocked?: string[];
  version: string;
}

interface Target {
  name: string;
  night(number: number): Night;
  /** Options of the merge beside baseline and history. */
  options?: string[];
  /** Whether each night's report goes where the last one stands. */
  overwrites?: boolean;
}

const within = (number: number, from: number, to: number) => number >= from && number <= to;

/** Faults that come and go; one that flips while the version stays; one that is known until the 40th night. */
const targets: Target[] = [
  {
    name: 'alpha',
    options: ['--known-failures', 'known.yaml'],
    night: (number) => ({
      version: `1.${Math.floor(number / 20)}`,
      failing: {
        ...(within(number, 11, 20) && { [MONEY]: 'the balance is wrong' }),
        ...(within(number, 33, 34) && { [SHARED]: 'the body is empty' }),
        ...(within(number, 41, 55) && number % 3 === 0 && { [FLIPPING]: 'page 3 comes twice' }),
        ...(within(number, 5, 45) && { [KNOWN]: 'max=7 is refused' }),
      },
    }),
  },
  {
    name: 'beta',
    night: (number) => ({
      version: '7',
      failing: {},
      ...(number === 30 && { blocked: ['cards.suspend.not-active'] }),
    }),
  },
  {
    name: 'gamma',
    options: ['--fail-on', 'regressions'],
    overwrites: true,
    night: (number) => ({
      version: '',
      failing: {
        ...(number >= 3 && { [OTHERWISE]: number < 40 ? 'answered 200' : 'answered 500' }),
        ...(number === 50 && { [MONEY]: 'the balance is wrong' }),
      },
    }),
  },
];

const KNOWN_UNTIL = '2026-02-09';
const dateOf = (number: number) => new Date(Date.UTC(2026, 0, number, 2));

let dir: string;
const text: string[] = [];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'nights-'));
  vi.spyOn(console, 'log').mockImplementation((line: string) => void text.push(line));
  for (const name of ['RUN_BASELINE', 'RUN_HISTORY', 'RUN_KNOWN_FAILURES', 'RUN_FAIL_ON', 'GITHUB_STEP_SUMMARY'])
    vi.stubEnv(name, undefined);
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

/** Writes what the two shards of a night leave. */
function shards(target: Target, number: number, clone: string): string[] {
  const { failing, blocked = [], version } = target.night(number);
  const resultOf = (id: string, shard: number): RequirementResult => {
    const isHere = id === SHARED || IDS.indexOf(id) % 2 === shard - 1;
    if (!isHere) return requirement(id, [], { reason: `not in this shard (${shard}/2)` });
    if (blocked.includes(id)) return requirement(id, [check('blocked', { message: 'the target is unavailable' })]);
    const message = failing[id];
    // What every exchange shows, one shard alone may see broken.
    const fails = message !== undefined && (id !== SHARED || shard === 2);
    return requirement(id, [fails ? check('failed', { message }) : check('passed')]);
  };
  return [1, 2].map((shard) =>
    writeRecord(
      join(clone, `shard-${shard}`),
      conformance(
        IDS.map((id) => resultOf(id, shard)),
        {
          target: { name: target.name, version },
          run: {
            selection: `shard ${shard}/2`,
            startedAt: dateOf(number).toISOString(),
            finishedAt: dateOf(number).toISOString(),
          },
        },
      ),
      [exchange(1)],
    ),
  );
}

interface Outcome {
  code: number;
  said: string;
  report: string;
}

/** One night of a target in a fresh clone: restores what was kept, merges, keeps. */
async function spend(target: Target, number: number): Promise<Outcome> {
  const clone = join(dir, `clone-${target.name}-${number}`);
  const kept = join(dir, 'kept', target.name);
  mkdirSync(clone, { recursive: true });
  const [report, history] = [join(clone, 'merged'), join(clone, 'history')];
  const baseline = target.overwrites ? report : join(clone, 'baseline');
  if (existsSync(kept)) {
    cpSync(join(kept, 'history'), history, { recursive: true });
    cpSync(join(kept, 'report'), baseline, { recursive: true });
  }
  writeFileSync(join(clone, 'known.yaml'), `- { id: ${KNOWN}, reason: being repaired, expires: ${KNOWN_UNTIL} }\n`);
  const options = (target.options ?? []).map((one) => (one === 'known.yaml' ? join(clone, one) : one));
  text.length = 0;
  const code = await merge([
    ...shards(target, number, clone),
    ...['--out', report, '--history', history],
    ...(existsSync(kept) ? ['--baseline', baseline] : []),
    ...options,
  ]);
  rmSync(kept, { recursive: true, force: true });
  cpSync(history, join(kept, 'history'), { recursive: true });
  // All nights are of one process here, which holds what it once wrote to.
  cpSync(report, join(kept, 'report'), { recursive: true, filter: (path) => basename(path) !== HOLDER });
  return { code, said: text.join('\n'), report };
}

/** The exit code that a whole run of the night would have had. */
function expectedCode(target: Target, number: number): number {
  const now = Object.keys(target.night(number).failing);
  const before = number > 1 ? Object.keys(target.night(number - 1).failing) : [];
  const blocked = target.night(number).blocked ?? [];
  if (target.options?.includes('regressions') && number > 1) {
    const blockedBefore = target.night(number - 1).blocked ?? [];
    const regressed = [...now, ...blocked].filter((id) => !before.includes(id) && !blockedBefore.includes(id));
    return regressed.length > 0 ? 1 : 0;
  }
  const isKnown = target.name === 'alpha';
  const expired = dateOf(number).toISOString().slice(0, 10) > KNOWN_UNTIL;
  const failures = now.filter((id) => !(isKnown && id === KNOWN && !expired));
  const isStale = isKnown && !now.includes(KNOWN);
  return failures.length > 0 || isStale ? 1 : blocked.length > 0 ? 3 : 0;
}

describe.each(targets)('$name', (target) => {
  test('each night ends, says and shows what the model says', async () => {
    for (let number = 1; number <= NIGHTS; number++) {
      const { code, said, report } = await spend(target, number);
      const now = target.night(number);
      const where = `night ${number}`;
      expect(code, where).toBe(expectedCode(target, number));
      expect(said, where).toContain(Object.keys(now.failing).length > 0 ? 'NONCONFORMANT' : target.name);
      if (number === 1) {
        expect(said, where).not.toContain('Since the baseline');
        expect(existsSync(join(report, 'delta.json')), where).toBe(false);
        continue;
      }
      const then = target.night(number - 1);
      const appeared = Object.keys(now.failing).filter((id) => !(id in then.failing));
      const fixed = Object.keys(then.failing).filter((id) => !(id in now.failing));
      const otherwise = Object.keys(now.failing).filter(
        (id) => id in then.failing && then.failing[id] !== now.failing[id],
      );
      const delta = JSON.parse(readFileSync(join(report, 'delta.json'), 'utf8')) as Delta;
      const ids = (list: { id: string }[]) => list.map(({ id }) => id).toSorted();
      expect(ids(delta.new), where).toEqual(appeared.toSorted());
      expect(ids(delta.fixed), where).toEqual(fixed.toSorted());
      expect(ids(delta.failingOtherwise), where).toEqual(otherwise);
      expect(ids(delta.noLongerSeen), where).toEqual(now.blocked ?? []);
      for (const id of appeared) expect(said, where).toMatch(new RegExp(`NEW +${id}`));
      for (const id of fixed) expect(said, where).toMatch(new RegExp(`FIXED +${id}`));
      const page = readFileSync(join(report, 'index.html'), 'utf8');
      expect(page, where).toContain(
        `Since ${dateOf(number - 1)
          .toISOString()
          .slice(0, 10)}`,
      );
      expect(page, where).toContain('id="nights"');
      if (appeared.length > 0) expect(page, where).toContain('<b class="change">new</b>');
    }
  });
});

test('the history of sixty nights says since when, how often and what is unstable', () => {
  const alpha = readHistory('alpha', join(dir, 'kept/alpha/history'));
  expect(alpha.runs).toHaveLength(NIGHTS);
  expect(alpha.courses.get(MONEY)).toMatchObject({
    firstSeen: dateOf(11).toISOString(),
    failingSince: undefined,
    lastPassed: dateOf(60).toISOString(),
    flips: 0,
  });
  expect(alpha.courses.get(FLIPPING)).toMatchObject({ flips: 10, unstable: true });
  const gamma = readHistory('gamma', join(dir, 'kept/gamma/history'));
  expect(gamma.courses.get(OTHERWISE)).toMatchObject({ failingSince: dateOf(3).toISOString(), flips: 0 });
  expect(readHistory('beta', join(dir, 'kept/beta/history')).courses.size).toBe(0);
});

test('the morning page has all three targets, with links into their reports', async () => {
  const out = join(dir, 'kept/matrix.html');
  expect(await matrix([...targets.map(({ name }) => join(dir, 'kept', name, 'report')), '--out', out])).toBe(0);
  const page = readFileSync(out, 'utf8');
  expect(page).toContain('Conformance of 3 targets');
  expect(page).toContain(`href="gamma/report/index.html#f-${OTHERWISE}"`);
  expect(readRecord(join(dir, 'kept/gamma/report')).conformance.summary.verdict).toBe('nonconformant');
});
