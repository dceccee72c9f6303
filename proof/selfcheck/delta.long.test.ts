/** Nights of a target that does not change: whatever else each tries, the delta has nothing new and nothing fixed (reading 52). */
import { expect, test } from 'vitest';
import type { Conformance } from '../../contracts/record.ts';
import { compare, earlierOf } from '../../reports/compare.ts';
import { deltaInWords, deltaOf } from '../../reports/delta.ts';
import { readHistory, remember } from '../../reports/history.ts';
import { assemble } from '../../run/assemble.ts';
import { recordOf } from '../../tests/reports/record-builder.ts';
import { temporaryDirectory } from '../../tests/tools/directory.ts';
import { faults } from '../faults/index.ts';
import { together } from '../variants/together.ts';
import { conductNights } from './nights.ts';
import { conduct, sandboxOf } from './prove.ts';
import type { Conducted } from './unwritten-run.ts';

const NIGHTS = 5;

/** Faults that few of the forms show which rotate, and that one target can have at the same time. */
const NAMES = [
  'portal: a zip is read into 32 bits',
  'cards: a value that continues a customerIdentifier finds its cards',
  'canSearchSpends alone is not given',
  'a client_id is taken for a pattern',
  'a comment of digits is answered as a number',
];
const chosen = faults.filter(({ name }) => NAMES.includes(name));
const broken = {
  ...together(chosen).sandbox,
  middleware: chosen.flatMap(({ sandbox: { middleware = [] } }) => middleware),
};

function recorded({ run, outcomes }: Conducted, night: number): Conformance {
  const startedAt = new Date(Date.UTC(2026, 0, night));
  return assemble(run.configuration, {
    startedAt,
    finishedAt: startedAt,
    outcomes,
    facts: run.facts(),
    reachability: { reached: [], blocked: new Map() },
  });
}

test('five nights of a target with five faults', { timeout: 300_000 }, async () => {
  expect(chosen.map(({ name }) => name).sort()).toEqual(NAMES.toSorted());
  const nights = await conductNights(NIGHTS, 1, (_, configure) => conduct(sandboxOf(broken), { only: [] }, configure));
  const records = nights.map((one, index) => recorded(one, index + 1));
  const directory = temporaryDirectory();
  const deltas = records.map((record, index) => {
    remember(record, directory);
    const before = records[index - 1];
    if (!before) return undefined;
    const history = readHistory(record.target.name, directory);
    return deltaOf(compare(earlierOf(recordOf(before)), recordOf(record)), history);
  });
  for (const delta of deltas.slice(1)) {
    const { advice } = delta!;
    const changed = [delta!, advice].flatMap((lists) => [...lists.new, ...lists.failingOtherwise, ...lists.fixed]);
    expect(changed, deltaInWords(delta!)).toEqual([]);
  }
  // What was never tried before may fail any night, and stays.
  expect(records.at(-1)!.summary.must.failed).toBeGreaterThanOrEqual(chosen.length);
});
