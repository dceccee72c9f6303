/** `explain ID`: explains requirements of the catalogue, without a run. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { GLOSSARY } from '../contracts/glossary.ts';
import { numberInWords, numbersOf } from '../contracts/numbers.ts';
import { matches } from '../contracts/pattern.ts';
import { exclusions, type Requirement, requirements } from '../contracts/requirements/index.ts';
import { documents } from '../contracts/statements/index.ts';
import { matchesNone } from '../helpers/configuration/names.ts';
import { callOf } from '../reports/call-of.ts';
import { word } from '../reports/shell.ts';
import { program } from './command.ts';
import { type Place, readTrails, type Trail } from './trail.ts';

const command = new Command()
  .description(
    'Explains requirements of the catalogue: statement, source, level, readings, needs, and what fails them.',
  )
  .argument(
    '<id...>',
    `a requirement, a prefix that ends at a dot (cards.get), or a pattern with * (*.requires-token); or a word of the reports: ${Object.keys(GLOSSARY).join(', ')}`,
  )
  .option('--faults', 'name every check and every fault that it finds, with where they are declared');

/** Explains the requirements that an id, prefix or pattern matches; exits with 2 if there are none. */
export const explain = program('explain', command, async () => {
  const pattern = command.args.join(' ');
  const meaning = GLOSSARY[pattern.toLowerCase()];
  if (meaning !== undefined) {
    console.log(`${pattern.toLowerCase()}: ${meaning}`);
    return 0;
  }
  const { faults = false } = command.opts<{ faults?: boolean }>();
  const trails = await readTrails();
  const chosen = requirements.filter(({ id }) => matches(pattern, id));
  const excluded = exclusions.filter(({ id }) => matches(pattern, id));
  if (chosen.length + excluded.length === 0) throw unknownId(pattern);
  const pages = [
    ...chosen.map((requirement) => requirementInWords(requirement, trails.get(requirement.id)!, faults)),
    ...excluded.map(({ id, text, reason, source, readings }) =>
      lines(`${id}  (excluded)`, [
        text,
        `source    ${source.document}, "${source.section}"`,
        `reason    ${reason}`,
        ...readings.map(readingInWords),
      ]),
    ),
  ];
  console.log(pages.join('\n\n'));
  return 0;
});

/** The error for a pattern that matches nothing; names the nearest id. */
export function unknownId(pattern: string): Error {
  const ids = [...requirements, ...exclusions].map(({ id }) => id);
  return new Error(matchesNone(pattern, 'requirement', ids));
}

/** The needs of a requirement besides an address: risk and fixtures. */
export const needsInWords = ({ risk, needs }: Requirement): string =>
  [`risk ${risk}`, ...needs.map((key) => `fixture ${key}`)].join(', ');

/** Number of names of checks and faults in a short explanation. */
const NAMED = 3;
/** Characters of a reading after which no further sentence of it is shown. */
const ENOUGH = 150;

function requirementInWords(requirement: Requirement, { checks, judges, faults }: Trail, isWhole: boolean): string {
  const { id, level, text, source, operations, readings } = requirement;
  const statements = statementsOf(id);
  const shown = isWhole ? statements : statements.slice(0, 1);
  const others = operations.filter((operation) => !id.startsWith(`${operation}.`));
  return lines(`${id}  (${level})`, [
    text,
    `source    ${source.document}, "${source.section}"`,
    ...shown.map((statement) => `says      ${statement}`),
    ...readings.slice(0, isWhole ? undefined : 2).map(readingInWords),
    ...decidingNumbers(readings, isWhole),
    ...(others.length > 0 ? [`also of   ${others.join(', ')}`] : []),
    `needs     ${needsInWords(requirement)}`,
    ...(isWhole
      ? [...places('checks', checks), ...places('judged', judges), ...(faults ? places('faults', faults) : [])]
      : [
          `tries     ${namesOf(checks)} (${[filesOf(checks), ...(judges.length > 0 ? [`judged in ${filesOf(judges)}`] : [])].join('; ')})`,
          ...(faults?.length
            ? [`fails if  ${namesOf(faults)}${faults.length > NAMED ? ' (--faults names them)' : ''}`]
            : []),
        ]),
    `run       ${callOf('run')} --only ${word(id)}`,
  ]);
}

/** The numbers by which readings decide: each, or the first of them in one line; none where there are none. */
function decidingNumbers(readings: readonly number[], isWhole: boolean): string[] {
  const inWords = readings.flatMap(numbersOf).map(numberInWords);
  const said = isWhole || inWords.length === 0 ? inWords : [firstOf(inWords)];
  return said.map((text) => `by        ${text}`);
}

/** The first names of checks or faults, and how many more there are. */
const namesOf = (places: readonly Place[]): string => firstOf([...new Set(places.map(({ name }) => name))]);

const firstOf = (all: readonly string[]): string =>
  all.slice(0, NAMED).join('; ') + (all.length > NAMED ? `; and ${all.length - NAMED} more` : '');

/** The first sentences of a reading. */
function readingInWords(number: number): string {
  const page = readFileSync(new URL('../docs/readings.md', import.meta.url), 'utf8');
  const [, text = ''] = new RegExp(`^### Reading ${number}\\n\\n([^]*?)\\n(?:\\n|$)`, 'm').exec(page) ?? [];
  const sentences = sentencesOf(text.replaceAll('**', '').replaceAll(/\s+/g, ' '));
  let shown = '';
  while (sentences.length > 0 && shown.length < ENOUGH) shown += sentences.shift();
  return `reading   ${number}  ${shown.trim()}${sentences.length > 0 ? ' …' : ''}`;
}

const sentencesOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text), ({ segment }) => segment);

/** The documents' statements, in the project's words, that a requirement answers for. */
const statementsOf = (id: string): string[] =>
  documents.flatMap(({ sections }) =>
    sections.flatMap(({ heading, statements }) =>
      statements
        .filter(({ judged = [] }) => judged.some((pattern) => matches(pattern, id)))
        .map(({ row, text }) => `${heading}, ${row}: ${text}`),
    ),
  );

/** The files in which checks or judgements stand, with the line of the first in each. */
function filesOf(all: readonly Place[]): string {
  const firsts = all.filter(({ file }, index) => all.findIndex((one) => one.file === file) === index);
  const named = firsts.slice(0, NAMED).map(({ file, line }) => (line === undefined ? file : `${file}:${line}`));
  return named.join(', ') + (firsts.length > NAMED ? ` and ${firsts.length - NAMED} more` : '');
}

const places = (title: string, all: readonly Place[]): string[] => [
  `${title}    ${all.length === 0 ? 'none' : ''}`.trimEnd(),
  ...all.map(({ name, file, line }) => `  ${file}${line === undefined ? '' : `:${line}`}  ${name}`.trimEnd()),
];

const lines = (title: string, below: readonly string[]): string =>
  [title, ...below.map((line) => `  ${line}`)].join('\n');
