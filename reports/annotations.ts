/** Annotations for GitHub Actions: workflow commands printed to a job's log. */
import { beforeInWords, deltaInWords, deltaOf } from './delta.ts';
import { count, cut, some, visible } from './text.ts';
import type { View } from './view.ts';

/** GitHub shows at most ten errors of a step. */
const MOST = 10;

/**
 * With a baseline, first the changes as a `::notice`. Then one `::error` line for each finding that makes the exit code
 * 1, and one for all outdated known failures. Beyond ten lines, the last one counts the rest.
 */
export function annotations({ findings: { failures, outdated }, changes, comparison }: View): string[] {
  const errors = failures.map(({ requirements, message, difference }) => {
    const ids = requirements.map(({ id }) => id);
    const text = [`${requirements[0]!.text}: ${message}`];
    if (difference) text.push(`expected ${difference.expected}`, `actual ${difference.actual}`);
    const change = ids.map((id) => changes.get(id)).find(Boolean);
    return error(`${change ? `${change}: ` : ''}${some(ids, 5)}`, ...text);
  });
  if (comparison) {
    const delta = deltaOf(comparison);
    errors.unshift(notice('Since the baseline', `${deltaInWords(delta)} (${beforeInWords(delta)})`));
    const gone = delta.noLongerSeen.map(({ id }) => id);
    if (gone.length > 0) errors.splice(1, 0, error('no longer seen', some(gone, 20)));
  }
  if (outdated.length > 0) {
    const ids = outdated.map(({ id }) => id);
    errors.push(error('Known failures to remove from the list', some(ids, 20)));
  }
  if (errors.length <= MOST) return errors;
  return [
    ...errors.slice(0, MOST - 1),
    error('More findings', `${count(errors.length - MOST + 1, 'more finding')} in the summary`),
  ];
}

const error = (title: string, ...lines: string[]): string => command('error', title, lines);
const notice = (title: string, ...lines: string[]): string => command('notice', title, lines);

function command(name: string, title: string, lines: string[]): string {
  const message = lines.map((line) => data(cut(visible(line), 500))).join('%0A');
  return `::${name} title=${property(cut(visible(title), 200))}::${message}`;
}

/** Escapes the message of a workflow command; line ends have already been made visible. */
const data = (text: string): string => text.replaceAll('%', '%25');

/** Escapes a property of a workflow command. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
