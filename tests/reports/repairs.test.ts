import { expect, test } from 'vitest';
import { findings } from '../../reports/causes.ts';
import { repairsInWords } from '../../reports/repairs.ts';
import { answer, check, conformance, exchange, judged, requirement } from './record-builder.ts';

const ids = [
  'cards.get.required-only',
  'users.get.identifier',
  'cards.suspend.not-active',
  'token.issue.shape',
] as const;
const [refused, another, suspended, shape] = ids;
const HIDDEN = ['cards.get.identifier', 'cards.get.active', 'cards.get.filters'] as const;

/** The causes of a run in which one hides three requirements. */
const before = () => {
  const failed = ids.map((id, index) =>
    judged(id, 'failed', { message: `${id} fails`, exchanges: [`x0000${index + 1}`], shownBy: `x0000${index + 1}` }),
  );
  const hidden = HIDDEN.map((id) => judged(id, 'inconclusive', { exchanges: ['x00001'] }));
  const record = conformance([...failed, ...hidden]);
  const exchanges = [exchange(1, { response: answer(400, {}) }), exchange(2), exchange(3), exchange(4)];
  const { failures } = findings(record, new Map(exchanges.map((one) => [one.id, one])));
  return { startedAt: record.run.startedAt, causes: failures };
};

test('of each cause is said whether it is repaired or still there, and what became of what it hid', () => {
  const after = conformance([
    judged(refused, 'passed'),
    judged(another, 'failed'),
    judged(suspended, 'inconclusive'),
    judged(shape, 'notApplicable'),
    judged(HIDDEN[0], 'passed'),
    judged(HIDDEN[1], 'failed'),
    judged(HIDDEN[2], 'inconclusive'),
    judged('cards.close.foreign', 'failed'),
    judged('cards.close.shape', 'failed', {}, { level: 'should' }),
  ]);
  const [first, ...lines] = repairsInWords(before(), after);
  expect(first).toBe('Of 4 causes in the run of 2025-01-01 03:00 UTC, 2 are repaired');
  expect(lines.toSorted()).toEqual(
    [
      `  repaired     ${refused}; of what it hid, ${HIDDEN[0]} passes, ${HIDDEN[1]} fails, ${HIDDEN[2]} not judged yet`,
      `  still there  ${another}`,
      `  not seen     ${suspended}: it is inconclusive`,
      `  repaired     ${shape}`,
      '  fails now    cards.close.foreign',
    ].toSorted(),
  );
});

test('what passes in other forms than the one that failed is not called repaired', () => {
  const checks = [check('passed'), check('inconclusive', { name: 'what failed in an earlier run', exchanges: [] })];
  const lines = repairsInWords(before(), conformance([requirement(another, checks)]));
  expect(lines).toContain(
    `  not seen     ${another}: it passes, but not in the form that failed, which was not tried again`,
  );
});

test('a cause is repaired only where everything that it broke is kept', () => {
  const causes = before()
    .causes.slice(0, 1)
    .map((cause) => ({ ...cause, requirements: ids.map((id) => judged(id, 'failed')) }));
  const stateWith = (last: 'passed' | 'failed' | 'skipped') => {
    const after = conformance([...ids.slice(1).map((id) => judged(id, 'passed')), judged(refused, last)]);
    return repairsInWords({ startedAt: '2025-01-01T03:00:00.000Z', causes }, after)[1]!.trim().split(/ {2,}/)[0];
  };
  expect([stateWith('passed'), stateWith('failed'), stateWith('skipped')]).toEqual([
    'repaired',
    'still there',
    'not seen',
  ]);
});

test('where all is repaired the rest is left to be tried', () => {
  const after = conformance([...ids, ...HIDDEN].map((id) => judged(id, 'passed')));
  expect(repairsInWords(before(), after).at(-1)).toBe('npm start tries the rest again, and other forms');
});
