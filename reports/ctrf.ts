/** Writes CTRF, the Common Test Report Format (ctrf.io), which actions, bots and dashboards read: a test for each requirement. */
import type { RequirementResult, Verdict } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { detailsOf, type Outcome, outcomeOf } from './build-outcome.ts';
import { visible } from './text.ts';
import type { View } from './view.ts';

/** Statuses of the format. `other` is what could not be tried. */
const STATUSES = { failure: 'failed', error: 'other', skipped: 'skipped' } as const satisfies Record<
  Outcome['element'],
  string
>;

/** The record as CTRF. */
export function ctrf(view: View): string {
  const { suite, target, run, requirements } = view.conformance;
  const tests = requirements.map((requirement) => testOf(requirement, view));
  const number = (status: string) => tests.filter((test) => test.status === status).length;
  const [start, stop] = [run.startedAt, run.finishedAt].map((time) => Date.parse(time)) as [number, number];
  const counts = { passed: number('passed'), failed: number('failed'), skipped: number('skipped'), pending: 0 };
  const summary = { tests: tests.length, ...counts, other: number('other'), start, stop, duration: run.durationMs };
  const appName = visible(target.name);
  return `${writeFileJson(
    {
      reportFormat: 'CTRF',
      specVersion: '0.0.0',
      timestamp: run.finishedAt,
      generatedBy: suite.name,
      results: {
        tool: { name: suite.name, version: suite.version },
        summary,
        tests,
        environment: { appName, ...(target.version && { appVersion: visible(target.version) }) },
      },
    },
    1,
  )}\n`;
}

function testOf(requirement: RequirementResult, view: View) {
  const { id, text, level, checks, verdict } = requirement;
  const outcome = outcomeOf(requirement);
  const trace = detailsOf(requirement, view).join('\n\n');
  return {
    name: `${id}: ${text}`,
    status: outcome ? STATUSES[outcome.element] : 'passed',
    duration: Math.round(checks.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    suite: [id.split('.').slice(0, 2).join('.')],
    rawStatus: requirement.inScope ? (verdict satisfies Verdict) : 'out of scope',
    tags: [level],
    ...(outcome && { message: visible(outcome.message) }),
    ...(trace && { trace }),
  };
}
