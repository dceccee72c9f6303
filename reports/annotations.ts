/** Annotations of GitHub Actions: workflow commands that a job prints to its log. */
import type { Conformance } from '../contracts/record.ts';
import { findings } from './causes.ts';
import { count, cut, some, visible } from './text.ts';

/** GitHub shows no more than ten errors of a step. */
const MOST = 10;

/**
 * One `::error` line for each finding that makes the exit code 1, and one for all known failures that are out of date.
 * Past ten, the last line says how many more there are.
 */
export function annotations(conformance: Conformance): string[] {
  const { failures, outdated } = findings(conformance);
  const errors = failures.map(({ requirements, message, difference }) => {
    const ids = requirements.map(({ id }) => id);
    const text = [`${requirements[0]!.text}: ${message}`];
    if (difference) text.push(`expected ${difference.expected}`, `actual ${difference.actual}`);
    return error(some(ids, 5), ...text);
  });
  if (outdated.length > 0) {
    const ids = outdated.map(({ id }) => id);
    errors.push(error('Known failures to take off the list', some(ids, 20)));
  }
  if (errors.length <= MOST) return errors;
  return [
    ...errors.slice(0, MOST - 1),
    error('More findings', `${count(errors.length - MOST + 1, 'more finding')} in the summary`),
  ];
}

function error(title: string, ...lines: string[]): string {
  const message = lines.map((line) => data(cut(visible(line), 500))).join('%0A');
  return `::error title=${property(cut(visible(title), 200))}::${message}`;
}

/** Escapes the message of a workflow command; line ends have been made visible before. */
const data = (text: string): string => text.replaceAll('%', '%25');

/** Escapes a property of a workflow command. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
