/**
 * Writes JUnit XML for build servers, as Jenkins' xUnit schema (junit-10) has it: a suite per operation, a case per
 * requirement. The first suite has the changes since the baseline as properties.
 */
import type { RequirementResult } from '../contracts/record.ts';
import { detailsOf, type Outcome, outcomeOf } from './build-outcome.ts';
import type { Comparison } from './compare.ts';
import { beforeInWords, deltaInWords, deltaOf, listsOf } from './delta.ts';
import { visible } from './text.ts';
import type { View } from './view.ts';

/** Requirements by their operation, which is a suite to build servers. */
const suitesOf = ({ conformance }: View): Map<string, RequirementResult[]> =>
  Map.groupBy(conformance.requirements, ({ id }) => id.split('.').slice(0, 2).join('.'));

/** The record as JUnit XML. */
export const junit = (view: View): string => documentOf(suitesOf(view), view);

/** The record as one JUnit document for each suite, by the name that readers expect of its file. */
export const junitFiles = (view: View): Map<string, string> =>
  new Map(
    [...suitesOf(view)].map(([operation, group]) => [
      `TEST-${operation.replace(/[^\w.-]/g, '_')}.xml`,
      documentOf(new Map([[operation, group]]), view),
    ]),
  );

function documentOf(suites: ReadonlyMap<string, RequirementResult[]>, view: View): string {
  const { conformance, comparison } = view;
  const { suite, target, run } = conformance;
  const name = `${suite.name}: ${target.name} ${target.version}`.trim();
  const { skipped: _, ...counted } = totals([...suites.values()].flat());
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
  const details = detailsOf(requirement, view);
  if (requirement.verdict === 'failed') details.push(`rerun: ${visible(view.rerun([requirement]))}`);
  const start = `      <${element}${attributes(element === 'skipped' ? { message } : { type, message })}`;
  return details.length === 0 ? [`${start}/>`] : [`${start}>`, ...details.map(xml), `      </${element}>`];
}

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
