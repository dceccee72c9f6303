import { expect, test } from 'vitest';
import { type Conformance, type RequirementResult, VERDICTS, type Verdict } from '../../../contracts/record.ts';
import { exitCode } from '../../../reports/verdicts.ts';
import { reasonsNotCarriedOut } from '../../../run/vitest/carried-out.ts';
import { conformance, judged } from '../../reports/record-builder.ts';

const of = (verdict: Verdict, over: Partial<RequirementResult> = {}) =>
  judged(`cards.get.${verdict}-${over.level}`, verdict, {}, over);
const known = { known: { reason: 'r', state: 'known' } } as const;
const notSelected = { leftOut: 'selection' } as const;

/** A requirement of every kind that counts differently. */
const KINDS = [
  ...VERDICTS.flatMap((verdict) => [of(verdict), of(verdict, { level: 'should' })]),
  of('failed', known),
  of('skipped', notSelected),
  of('blocked', { inScope: false }),
];
const RUNS: Partial<Conformance['run']>[] = [
  {},
  { complete: false, incompleteBecause: 'out of time (RUN_MAX_MINUTES=1)' },
  { complete: false, incompleteBecause: 'a bug of the suite' },
  { complete: false, incompleteBecause: 'interrupted', interrupted: true },
  { outOfReach: ['nobody answers'] },
];

test('there is a reason exactly where a run would end with 2 or 3', () => {
  const pairs = KINDS.flatMap((one) => [[one], ...KINDS.map((other) => [one, other])]);
  for (const requirements of [[], ...pairs])
    for (const run of RUNS) {
      const record = conformance(requirements, { run });
      const reasons = reasonsNotCarriedOut(record, false);
      const what = `${requirements.map(({ id }) => id)} ${JSON.stringify(run)}: ${reasons}`;
      expect(reasons.length > 0, what).toBe([2, 3].includes(exitCode(record)));
    }
});

const reasonsOf = (requirements: RequirementResult[], run = {}) =>
  reasonsNotCarriedOut(conformance([...requirements, of('skipped', notSelected)], { run }), true);

test.each([
  ['a should passed', [of('passed', { level: 'should' })]],
  ['advice', [of('failed', { level: 'should' })]],
  ['a known failure', [of('failed', known)]],
])('where a test runner has left out all others, one judgement is enough: %s', (_, requirements) => {
  expect(reasonsOf(requirements)).toEqual([]);
});

test.each([
  ['blocked', [of('blocked')], ['could not be tried: 1 requirement, since it is blocked']],
  ['skipped', [of('skipped')], ['every requirement was skipped', 'skipped: it is skipped']],
  [
    'inconclusive',
    [of('inconclusive')],
    ['no selected requirement could be judged', 'inconclusive: it is inconclusive'],
  ],
  ['none', [], ['no requirement is selected']],
])('where it has left out all others, what is left has to be judged: %s', (_, requirements, reasons) => {
  expect(reasonsOf(requirements)).toEqual(reasons);
});
