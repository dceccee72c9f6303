/** Nights of a target in shards, with a baseline, known failures and a history: what is said each night, and the exit code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { merge } from '../../cli/merge.ts';
import type { Verdict } from '../../contracts/record.ts';
import { readHistory } from '../../reports/history.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { conformance, judged, requirement, writeRecord } from './record-builder.ts';

let dir: string;
beforeEach(() => {
  dir = temporaryDirectory();
});

const IDS = ['cards.get.same-card', 'cards.close.not-active', 'users.get.same-customer'] as const;
const CARD = { [IDS[0]]: 'failed' } as const;

/** Writes two shards of a night, each with some of the requirements, and merges them; what is not named has passed. */
async function night(day: number, verdicts: Partial<Record<(typeof IDS)[number], Verdict>>, ...options: string[]) {
  const shards = [1, 2].map((index) => {
    const requirements = IDS.map((id, place) =>
      place % 2 === index - 1
        ? judged(id, verdicts[id] ?? 'passed')
        : requirement(id, [], { reason: `not in this shard (${index}/2)` }),
    );
    const startedAt = new Date(Date.UTC(2026, 4, day, 2)).toISOString();
    const record = conformance(requirements, { run: { startedAt, selection: `shard ${index}/2` } });
    return writeRecord(join(dir, `shard-${index}`), record);
  });
  const out = join(dir, 'merged');
  const ended = await inProcess(merge, [...shards, '--out', out, '--history', join(dir, 'history'), ...options]);
  const text = (name: string) => readFileSync(join(out, name), 'utf8');
  return { ...ended, text, delta: () => JSON.parse(text('delta.json')) as unknown };
}

test('nights: a failure comes, stays, changes and goes; the merged directory is its own baseline', async () => {
  const baseline = ['--baseline', join(dir, 'merged')];
  const byRegressions = [...baseline, '--fail-on', 'regressions'];
  expect(await night(1, {})).toMatchObject({ code: 0 });

  const broken = await night(2, CARD, ...baseline);
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(
    /NONCONFORMANT.*baseline of 2026-05-01 02:00[^\n]*: 1 new\n +NEW +cards\.get\.same-card/s,
  );
  expect(broken.stdout).toContain('FAILED (new) cards.get.same-card');
  expect(broken.stdout).toContain('failing since 2026-05-02, last passed 2026-05-01');
  const turned = { before: { verdict: 'conformant' }, now: { verdict: 'nonconformant' } };
  expect(broken.delta()).toMatchObject({ ...turned, new: [{ id: 'cards.get.same-card' }], stillFailing: 0 });
  expect(broken.text('delta.md')).toContain('1 new');

  const still = await night(3, CARD, ...baseline);
  expect(still.code).toBe(1);
  expect(still.delta()).toMatchObject({ new: [], stillFailing: 1 });
  expect((await night(4, CARD, ...byRegressions)).code).toBe(0);

  const another = await night(5, { ...CARD, 'users.get.same-customer': 'inconclusive' }, ...byRegressions);
  expect(another.code).toBe(1);
  expect(another.delta()).toMatchObject({ noLongerSeen: [{ id: 'users.get.same-customer' }] });

  const fixed = await night(6, {}, ...baseline);
  expect(fixed.code).toBe(0);
  expect(fixed.delta()).toMatchObject({ fixed: [{ id: 'cards.get.same-card' }] });

  const { runs, courses } = readHistory('sample', join(dir, 'history'));
  expect(runs).toHaveLength(6);
  expect(courses.get('cards.get.same-card')).toMatchObject({ failingSince: undefined, flips: 2 });
});

test('known failures are judged by the merge: known, stale, unmatched', async () => {
  const file = join(dir, 'known.yaml');
  writeFileSync(file, '- { id: cards.*, reason: fixed in May }\n');
  const known = await night(1, CARD, '--known-failures', file);
  expect(known.code).toBe(0);
  expect(known.stdout).toContain('Known failures\n  cards.get.same-card: fixed in May');
  const stale = await night(2, {}, '--known-failures', file);
  expect(stale.code).toBe(1);
  expect(stale.stdout).toMatch(/Known failures to remove from the list[\s\S]*cards\.close\.not-active: passes now/);
  writeFileSync(file, '- { id: cards.gte, reason: none }\n');
  const { code, stderr } = await night(3, {}, '--known-failures', file);
  expect(code).toBe(2);
  expect(stderr).toContain('"cards.gte" matches no requirement; the nearest is cards.get');
});

test('a merged run ends as the whole run: blocked 3, nothing tried 2', async () => {
  expect((await night(1, { 'cards.get.same-card': 'blocked' })).code).toBe(3);
  expect((await night(2, Object.fromEntries(IDS.map((id) => [id, 'skipped' as const])))).code).toBe(2);
});
