import { describe, expect, test } from 'vitest';
import type { RequirementResult, Verdict } from '../../contracts/record.ts';
import { VERDICTS } from '../../contracts/record.ts';
import { exitCode, requirementVerdict, summarise } from '../../reports/verdicts.ts';
import { check, conformance, everyVerdict, requirement } from './record-builder.ts';

const must = (verdict: Verdict, over: Partial<RequirementResult> = {}) =>
  requirement(`cards.get.${verdict}`, [check(verdict)], over);
const should = (verdict: Verdict) => must(verdict, { level: 'should' });

describe('the verdict of a requirement', () => {
  test.each(VERDICTS.flatMap((worse, i) => VERDICTS.slice(i).map((better) => [worse, better] as const)))(
    'is %s when the other check is %s',
    (worse, better) => {
      const checks = [check(better, { exchanges: ['x00001'] }), check(worse, { exchanges: ['x00001'] })];
      expect(requirementVerdict(checks)).toBe(worse);
      expect(requirementVerdict(checks.reverse())).toBe(worse);
    },
  );
  test('is skipped without a check', () => expect(requirementVerdict([])).toBe('skipped'));
  test('is inconclusive when no exchange was seen', () =>
    expect(requirementVerdict([check('passed', { exchanges: [] })])).toBe('inconclusive'));
  test('is passed when one of its checks saw an exchange', () =>
    expect(requirementVerdict([check('passed', { exchanges: [] }), check('passed')])).toBe('passed'));
});

describe('the summary', () => {
  test('counts each requirement once', () => {
    const summary = summarise(everyVerdict());
    expect(summary).toEqual({
      verdict: 'nonconformant',
      partial: true,
      must: {
        passed: 3,
        failed: 2,
        knownFailed: 1,
        skipped: 2,
        inconclusive: 1,
        blocked: 1,
        notApplicable: 0,
        outOfScope: 1,
      },
      should: {
        passed: 1,
        failed: 1,
        knownFailed: 0,
        skipped: 0,
        inconclusive: 0,
        blocked: 0,
        notApplicable: 0,
        outOfScope: 0,
      },
    });
  });
  test.each<[string, RequirementResult[], string, boolean]>([
    ['all passed', [must('passed')], 'conformant', false],
    ['a should failed', [must('passed'), should('failed')], 'conformant', false],
    ['a should skipped', [must('passed'), should('skipped')], 'conformant', false],
    ['a known failure', [must('failed', { known: { reason: 'r', state: 'known' } })], 'nonconformant', false],
    ['skipped beside passed', [must('passed'), must('skipped')], 'conformant', true],
    ['inconclusive beside passed', [must('passed'), must('inconclusive')], 'conformant', true],
    ['not applicable beside passed', [must('passed'), must('notApplicable')], 'conformant', false],
    ['only not applicable', [must('notApplicable')], 'incomplete', false],
    ['blocked beside passed', [must('passed'), must('blocked')], 'incomplete', false],
    ['failed beside blocked', [must('failed'), must('blocked')], 'nonconformant', false],
    ['not selected', [must('passed'), must('skipped', { leftOut: 'selection' })], 'conformant', false],
    ['another shard', [must('passed'), must('skipped', { leftOut: 'shard' })], 'conformant', false],
    ['out of scope', [must('passed'), must('failed', { inScope: false })], 'conformant', false],
    ['nothing', [], 'incomplete', false],
  ])('of %s', (_, requirements, verdict, partial) => {
    expect(summarise(requirements)).toMatchObject({ verdict, partial });
  });
  test('is incomplete when the run was', () => expect(summarise([must('passed')], false).verdict).toBe('incomplete'));
});

describe('the exit code', () => {
  const known = (state: 'known' | 'stale' | 'expired') => ({ known: { reason: 'r', state } });
  const cut = { complete: false, incompleteBecause: 'the time was up (RUN_MAX_MINUTES)' };
  const interrupted = { complete: false, interrupted: true, incompleteBecause: 'interrupted by SIGINT' };
  test.each<[string, number, RequirementResult[], object?]>([
    ['passed', 0, [must('passed')]],
    ['passed and skipped', 0, [must('passed'), must('skipped')]],
    ['passed and inconclusive', 0, [must('passed'), must('inconclusive')]],
    ['passed, a should failed', 0, [must('passed'), should('failed')]],
    ['passed, a should blocked', 0, [must('passed'), should('blocked')]],
    ['passed, a known failure', 0, [must('passed'), must('failed', known('known'))]],
    ['passed, an out of scope failure', 0, [must('passed'), must('failed', { inScope: false })]],
    ['passed and not applicable', 0, [must('passed'), must('notApplicable')]],
    ['only not applicable', 3, [must('notApplicable')]],
    ['failed', 1, [must('failed'), must('passed')]],
    ['failed and blocked', 1, [must('failed'), must('blocked')]],
    ['failed, the time up', 1, [must('failed')], cut],
    ['stale', 1, [must('passed', known('stale'))]],
    ['expired', 1, [must('failed', known('expired')), must('passed')]],
    ['nothing selected', 2, []],
    ['all skipped', 2, [must('skipped'), should('skipped')]],
    ['all out of scope', 2, [must('passed', { inScope: false })]],
    ['blocked', 3, [must('blocked'), must('passed')]],
    ['only inconclusive', 3, [must('inconclusive')]],
    ['only a known failure', 3, [must('failed', known('known'))]],
    ['only a should passed', 3, [should('passed'), must('skipped')]],
    ['passed, the time up', 3, [must('passed')], cut],
    ['interrupted', 130, [must('failed')], interrupted],
    ['interrupted at once', 130, [must('skipped')], interrupted],
  ])('of %s is %i', (_, code, requirements, run = {}) => {
    expect(exitCode(conformance(requirements, { run }))).toBe(code);
  });
});
