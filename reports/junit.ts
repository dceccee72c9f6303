/**
 * Writes JUnit XML for build servers, as Jenkins' xUnit schema (junit-10) has it: a suite per operation, a case per
 * requirement. The first suite has the changes since the baseline as properties.
 *
 * What makes the exit code 1 is a `failure`, what could not be tried an `error`. Everything else that did not pass
 * (skipped, inconclusive, out of scope, known failures, failed shoulds) is `skipped`, with the verdict in its message.
 */
import type { CheckResult, RequirementResult } from '../contracts/record.ts';
import type { Comparison } from './compare.ts';
import { decidingExchange } from './deciding.ts';
import { beforeInWords, deltaInWords, deltaOf, listsOf } from './delta.ts';
import { exchangeInWords } from './exchange-text.ts';
import { saidOf, withSaid } from './said.ts';
import { count, cut, visible } from './text.ts';
import { isKnownFailure } from './verdicts.ts';
import type { View } from './view.ts';

/** Maximum length of a target's text in a case, in characters. */
const LONGEST = 2000;

/** The record as JUnit XML. */
export function junit(view: View): string {
  const { conformance, comparison } = view;
  const { suite, target, run, requirements } = conformance;
  const suites = Map.groupBy(requirements, ({ id }) => id.split('.').slice(0, 2).join('.'));
  const name = `${suite.name}: ${target.name} ${target.version}`.trim();
  const { skipped: _, ...counted } = totals(requirements);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...counted, time: seconds(run.durationMs) })}>`,
    ...[...suites].flatMap(([operation, group], index) => [
      `  <testsuite${attributes({ name: operation, ...totals(group), time: time(group), timestamp: run.startedAt })}>`,
      ...(comparison && index === 0 ? changeProperties({ ...view, comparison }) : []),
      ...group.flatMap((requirement) => testcase(operation, requirement, view)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

/** The changes since the baseline, as properties of a suite. */
function changeProperties({ comparison, history }: View & { comparison: Comparison }): string[] {
  const delta = deltaOf(comparison, history);
  const properties = { baseline: beforeInWords(delta), change: deltaInWords(delta) };
  const lists = listsOf(delta).map(([name, list]) => [name, list.map(({ id }) => id).join(' ')] as const);
  return [
    '    <properties>',
    ...[...Object.entries(properties), ...lists.filter(([, list]) => list !== '')].map(
      ([name, value]) => `      <property${attributes({ name, value })}/>`,
    ),
    '    </properties>',
  ];
}

interface Outcome {
  element: 'failure' | 'error' | 'skipped';
  type: string;
  message: string;
}

function testcase(operation: string, requirement: RequirementResult, view: View): string[] {
  const { id, level, text, source, known } = requirement;
  const change = view.changes.get(id);
  const facts = {
    requirement: id,
    level,
    document: source.document,
    section: source.section,
    operations: requirement.operations.join(' '),
    ...(known && { known: `${known.state}: ${known.reason}` }),
    ...(known?.link && { link: known.link }),
    ...(change && { change }),
  };
  return [
    `    <testcase${attributes({ name: `${id}: ${text}`, classname: operation, time: time([requirement]) })}>`,
    ...outcomeLines(requirement, view),
    `      <system-out>${Object.entries(facts).map(inXml).join('\n')}</system-out>`,
    '    </testcase>',
  ];
}

function outcomeLines(requirement: RequirementResult, view: View): string[] {
  const change = view.changes.get(requirement.id);
  const outcome = outcomeOf(requirement);
  if (outcome === undefined) return [];
  const { element, type } = outcome;
  const message = change ? `${change}: ${outcome.message}` : outcome.message;
  const shown = requirement.checks.filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked');
  const details = shown.map((check) => detail(requirement, check, view));
  if (requirement.verdict === 'failed') details.push(`rerun: ${visible(view.rerun([requirement]))}`);
  const start = `      <${element}${attributes(element === 'skipped' ? { message } : { type, message })}`;
  return details.length === 0 ? [`${start}/>`] : [`${start}>`, ...details.map(xml), `      </${element}>`];
}

/** The outcome of a requirement for a build server; undefined if it passed. */
function outcomeOf(requirement: RequirementResult): Outcome | undefined {
  const { verdict, level, inScope, known } = requirement;
  const reason = cut(requirement.reason, LONGEST);
  const skipped = (type: string, why = reason): Outcome => ({
    element: 'skipped',
    type,
    message: why === '' ? type : `${type}: ${why}`,
  });
  if (!inScope) return skipped('out of scope');
  if (isKnownFailure(requirement)) return skipped('known failure', `${known?.reason}`);
  if (level === 'must' && known && verdict === 'passed') {
    const message = `the known failure passes now; remove it from the list (its reason was: ${known.reason})`;
    return { element: 'failure', type: 'stale known failure', message };
  }
  if (verdict === 'passed') return undefined;
  if (level === 'should') return skipped(verdict === 'failed' ? 'advice, a should that failed' : verdict);
  if (verdict === 'failed') return { element: 'failure', type: 'nonconformant', message: reason };
  if (verdict === 'blocked') return { element: 'error', type: 'blocked', message: reason };
  return skipped(verdict);
}

function detail(requirement: RequirementResult, check: CheckResult, { evidence }: View): string {
  const { name, message, difference, exchanges, retrial, further = [] } = check;
  const deciding = check.verdict === 'failed' ? decidingExchange(requirement, check, evidence) : undefined;
  const said = saidOf(requirement, check, deciding, evidence);
  const parts = [`${name}: ${withSaid(message, said)}`, ...compared(difference)];
  for (const one of further)
    parts.push(
      `also: ${one.message} (${count(one.times, 'exchange')}, such as ${one.example})`,
      ...compared(one.difference),
    );
  if (deciding)
    for (const [label, text] of exchangeInWords(deciding, difference?.pointer))
      parts.push(label ? `${label}: ${text}` : text);
  const showing = [...new Set([...(retrial?.once ?? []), ...exchanges])];
  if (showing.length > 0) parts.push(`exchanges ${showing.join(' ')}`);
  return parts.map((part) => visible(cut(part, LONGEST))).join('\n');
}

/** Expected and actual as lines of a diff, below the member that they are about. */
const compared = (difference: CheckResult['difference']): string[] =>
  difference
    ? [
        ...(difference.pointer ? [difference.pointer] : []),
        `- expected ${difference.expected}`,
        `+ actual   ${difference.actual}`,
      ]
    : [];

function totals(requirements: readonly RequirementResult[]) {
  const elements = requirements.map((requirement) => outcomeOf(requirement)?.element);
  const number = (element: Outcome['element']) => elements.filter((one) => one === element).length;
  return { tests: elements.length, failures: number('failure'), errors: number('error'), skipped: number('skipped') };
}

const time = (requirements: readonly RequirementResult[]): string =>
  seconds(requirements.flatMap(({ checks }) => checks).reduce((sum, { durationMs }) => sum + durationMs, 0));

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(visible(String(value)))}"`)
    .join('');

const inXml = ([name, value]: [string, string]): string => xml(`${name}: ${visible(value)}`);

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Escapes text for XML; characters that XML does not allow have already been made visible. */
const xml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
