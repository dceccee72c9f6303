/** What stands below the verdict: one line a cause, and how to go on. */
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import { callAlone, callOf } from './call-of.ts';
import type { Cause } from './causes.ts';
import { againCommand, replayCommand } from './rerun.ts';
import { symptomOf } from './symptom.ts';
import { count, cut, visible } from './text.ts';

/** Number of words of a line. */
export const MOST_WORDS = 25;
/** Characters of what contradicts: a target may answer one long word. */
const LONGEST = 120;

/** A cause in one line: the requirement, what contradicts it, and how many others that explains or hides. */
export function causeInWords({ requirements, rests, message, unseen }: Cause): string {
  const { id } = requirements[0]!;
  const more = [
    ...(requirements.length > 1 ? [`explains ${requirements.length} failures`] : []),
    ...(unseen.length > 0 ? [`hides ${count(unseen.length, 'requirement')}`] : []),
  ].join(', ');
  const after = more === '' ? '' : ` (${more})`;
  const room = MOST_WORDS - wordsIn(after).length - 1;
  const text = visible(rests?.message ?? withoutPlace(message, requirements[0]!));
  return `${visible(id)}: ${withinWords(atWord(text), room)}${after}`;
}

/** A message without the name of the check that found it, which follows in parentheses. */
function withoutPlace(message: string, { checks }: RequirementResult): string {
  const place = checks.map(({ name }) => ` (${name})`).find((name) => message.endsWith(name));
  return place === undefined ? message : message.slice(0, -place.length);
}

/** A text that is cut between words, where it has any. */
function atWord(text: string): string {
  const end = text.lastIndexOf(' ', LONGEST);
  return text.length > LONGEST && end > 0 ? `${text.slice(0, end)} …` : cut(text, LONGEST);
}

const wordsIn = (text: string): string[] => text.split(' ').filter(Boolean);

/** The beginning of a text, of so many words. */
const withinWords = (text: string, most: number): string =>
  wordsIn(text).length <= most
    ? text
    : `${wordsIn(text)
        .slice(0, most - 1)
        .join(' ')} …`;

/** What to do next about the first failure, else about what could not be tried: the commands, and what each does. */
export function waysOn(
  { run, summary }: Pick<Conformance, 'run' | 'summary'>,
  directory: string,
  [first]: readonly Cause[],
): [string, string][] {
  const isOwn = (run.source ?? 'target') === 'target';
  const isBlocked = isOwn && run.complete && summary.must.blocked > 0;
  if (!first)
    return isBlocked ? [[callAlone('doctor'), 'says what the target answers, and which settings to change']] : [];
  const { id } = first.requirements[0]!;
  return [
    [`${callOf('explain')} ${visible(id)}`, 'says what the document promises, and what fails it'],
    [visible(replayCommand(run, directory, id)), 'sends the requests of this failure again'],
    ...(isOwn
      ? [
          [visible(againCommand(run, directory)), 'tries what failed or was hidden again, after a repair'] as [
            string,
            string,
          ],
        ]
      : []),
  ];
}

/** Notes that differ only in numbers and names as one, with how many there are. */
export function foldedNotes({ run: { notes = [] } }: Pick<Conformance, 'run'>): string[] {
  return [...Map.groupBy(notes, symptomOf).values()].map(([first, ...others]) =>
    others.length === 0 ? visible(first!) : `${visible(first!)} (and ${count(others.length, 'note')} like it)`,
  );
}
