/** Annotations for GitHub Actions: workflow commands printed to a job's log. */
import { wearInWords } from './cards-left.ts';
import { beforeInWords, changeGroups, deltaInWords, deltaOf } from './delta.ts';
import { hindrances, sandboxInWords } from './headline.ts';
import { anchor } from './page/verdicts.ts';
import { capital, count, cut, some, visible } from './text.ts';
import type { View } from './view.ts';

/** GitHub shows at most ten errors of a step. */
const MOST = 10;

/**
 * First, as a `::notice` each, that the embedded sandbox was judged, and with a baseline the changes. Then `::error` lines: what prevented the run, each finding that
 * makes the exit code 1, what is no longer seen, all outdated known failures; and a `::warning` where cards wear
 * out. Beyond ten lines, the last one counts the rest.
 */
export function annotations(view: View): string[] {
  const { conformance, findings, changes, comparison, page } = view;
  const lines = hindrances(conformance).map(([name, why]) => error(capital(name), why));
  const wear = wearInWords(conformance);
  if (wear.length > 0) lines.push(command('warning', 'Cards', wear));
  for (const { requirements, message, difference } of findings.failures) {
    const ids = requirements.map(({ id }) => id);
    const change = ids.map((id) => changes.get(id)).find(Boolean);
    lines.push(
      error(
        `${change ? `${change}: ` : ''}${message}`,
        ...(difference ? [`expected ${difference.expected}`, `actual ${difference.actual}`] : []),
        some(ids, 5),
        ...(page === undefined ? [] : [`${page}#${anchor('f', ids[0]!)}`]),
      ),
    );
  }
  if (comparison) {
    const delta = deltaOf(comparison, view.history);
    lines.unshift(notice('Since the baseline', `${deltaInWords(delta)} (${beforeInWords(delta)})`));
    for (const { change, level, what, requirements } of changeGroups(view))
      if (change === 'no longer seen' && level === 'must')
        lines.push(error(`${change}: ${what}`, some(requirements, 5)));
  }
  const sandbox = sandboxInWords(conformance);
  if (sandbox) lines.unshift(notice('Embedded sandbox', sandbox));
  if (findings.outdated.length > 0) {
    const ids = findings.outdated.map(({ id }) => id);
    lines.push(error('Known failures to remove from the list', some(ids, 20)));
  }
  if (lines.length <= MOST) return lines;
  return [
    ...lines.slice(0, MOST - 1),
    error('More findings', `${count(lines.length - MOST + 1, 'more finding')} in the summary`),
  ];
}

/** Why a run could not be carried out. */
export const faultAnnotations = (faults: readonly string[]): string[] =>
  faults.slice(0, MOST).map((fault) => error('Could not be carried out', fault));

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
