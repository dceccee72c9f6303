import { expect, test } from 'vitest';
import { type Conformance, type RequirementResult, VERDICTS, type Verdict } from '../../contracts/record.ts';
import { exitCode, requirementVerdict, summarise } from '../../reports/verdicts.ts';
import { check, conformance, everyVerdict, judged } from './record-builder.ts';

const must = (verdict: Verdict, over: Partial<RequirementResult> = {}) =>
  judged(`cards.get.${verdict}`, verdict, {}, over);
const should = (verdict: Verdict) => must(verdict, { level: 'should' });
const known = (state: 'known' | 'stale' | 'expired') => ({ known: { reason: 'r', state } });

const PAIRS = VERDICTS.flatMap((worse, place) => VERDICTS.slice(place).map((better) => [worse, better] as const));
test.each(PAIRS)('the verdict of a requirement is %s when the other check is %s', (worse, better) => {
  const checks = [check(better, { exchanges: ['x00001'] }), check(worse, { exchanges: ['x00001'] })];
  expect(requirementVerdict(checks)).toBe(worse);
  expect(requirementVerdict(checks.reverse())).toBe(worse);
});

test('the verdict of a requirement is skipped without a check, and passed only where one of its checks saw an exchange', () => {
  const blind = check('passed', { exchanges: [] });
  expect(requirementVerdict([])).toBe('skipped');
  expect(requirementVerdict([blind])).toBe('inconclusive');
  expect(requirementVerdict([blind, check('passed')])).toBe('passed');
});

test('the summary counts each requirement once', () => {
  const none = { knownFailed: 0, skipped: 0, inconclusive: 0, blocked: 0, notApplicable: 0, outOfScope: 0 };
  const seen = {
    passed: 3,
    failed: 2,
    knownFailed: 1,
    skipped: 2,
    inconclusive: 1,
    blocked: 1,
    outOfScope: 1,
  };
  expect(summarise(everyVerdict())).toEqual({
    verdict: 'nonconformant',
    partial: true,
    must: { ...none, ...seen },
    should: { ...none, passed: 1, failed: 1 },
  });
});

const cut = { complete: false, incompleteBecause: 'the time was up (RUN_MAX_MINUTES)' };
const interrupted = { complete: false, interrupted: true, incompleteBecause: 'interrupted by SIGINT' };

test.each<[string, RequirementResult[], [string, number], Partial<Conformance['run']>?]>([
  ['passed, no should', [must('passed'), should('failed'), should('blocked'), should('skipped')], ['conformant', 0]],
  ['passed and skipped', [must('passed'), must('skipped')], ['conformant, partial', 0]],
  ['passed and inconclusive', [must('passed'), must('inconclusive')], ['conformant, partial', 0]],
  ['passed and not applicable', [must('passed'), must('notApplicable')], ['conformant', 0]],
  ['passed, others not selected', [must('passed'), must('skipped', { leftOut: 'selection' })], ['conformant', 0]],
  ['passed, others in another shard', [must('passed'), must('skipped', { leftOut: 'shard' })], ['conformant', 0]],
  ['passed, an out of scope failure', [must('passed'), must('failed', { inScope: false })], ['conformant', 0]],
  ['passed, a known failure', [must('passed'), must('failed', known('known'))], ['nonconformant', 0]],
  ['passed, known as failing', [must('passed', known('stale'))], ['conformant', 1]],
  ['failed, known until yesterday', [must('failed', known('expired')), must('passed')], ['nonconformant', 1]],
  ['failed and blocked', [must('failed'), must('blocked')], ['nonconformant', 1]],
  ['failed, the time up', [must('failed')], ['nonconformant', 1], cut],
  ['nothing selected', [], ['incomplete', 2]],
  ['all skipped', [must('skipped'), should('skipped')], ['incomplete, partial', 2]],
  ['all out of scope', [must('passed', { inScope: false })], ['incomplete', 2]],
  ['blocked and passed', [must('blocked'), must('passed')], ['incomplete', 3]],
  ['only not applicable', [must('notApplicable')], ['incomplete', 3]],
  ['only inconclusive', [must('inconclusive')], ['incomplete, partial', 3]],
  ['only a known failure', [must('failed', known('known'))], ['nonconformant', 3]],
  ['only a should passed', [should('passed'), must('skipped')], ['incomplete, partial', 3]],
  ['passed, the time up', [must('passed')], ['incomplete', 3], cut],
  ['interrupted', [must('failed')], ['nonconformant', 130], interrupted],
  ['interrupted at once', [must('skipped')], ['incomplete, partial', 130], interrupted],
])('summary and exit code of a run: %s', (_, requirements, expected, run = {}) => {
  const record = conformance(requirements, { run });
  const { verdict, partial } = record.summary;
  expect([partial ? `${verdict}, partial` : verdict, exitCode(record)]).toEqual(expected);
});
