/** `explain ID`: explains requirements of the catalogue, without a run. */
import { Command } from 'commander';
import { exclusions, type Requirement, requirements } from '../contracts/requirements/index.ts';
import { documents } from '../contracts/statements/index.ts';
import { matchesNone } from '../helpers/configuration/nearest.ts';
import { matches } from '../helpers/configuration/pattern.ts';
import { program } from './command.ts';
import { type Place, readTrails, type Trail } from './trail.ts';

const command = new Command()
  .description('Explains requirements of the catalogue: statement, source, level, needs, checks and faults.')
  .argument('<id>', 'a requirement, a prefix that ends at a dot (cards.get), or a pattern with * (*.requires-token)');

/** Explains the requirements that an id, prefix or pattern matches; exits with 2 if there are none. */
export const explain = program('explain', command, async () => {
  const pattern = command.args[0]!;
  const trails = await readTrails();
  const chosen = requirements.filter(({ id }) => matches(pattern, id));
  const excluded = exclusions.filter(({ id }) => matches(pattern, id));
  if (chosen.length + excluded.length === 0) throw unknownId(pattern);
  const pages = [
    ...chosen.map((requirement) => requirementInWords(requirement, trails.get(requirement.id)!)),
    ...excluded.map(({ id, text, reason, source, readings }) =>
      lines(`${id}  (excluded)`, [
        text,
        `source    ${source.document}, "${source.section}"`,
        `reason    ${reason}`,
        `readings  ${readings.join(', ')} (docs/readings.md)`,
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

function requirementInWords(requirement: Requirement, { checks, faults }: Trail): string {
  const { id, level, text, source, operations, readings } = requirement;
  return lines(`${id}  (${level})`, [
    text,
    `source    ${source.document}, "${source.section}"`,
    ...statementsOf(id).map((statement) => `says      ${statement}`),
    `judges    ${operations.join(', ')}`,
    `needs     ${needsInWords(requirement)}`,
    `readings  ${readings.join(', ')} (docs/readings.md)`,
    ...places('checks', checks),
    ...(faults ? places('faults', faults) : []),
  ]);
}

/** The documents' statements, in the project's words, that a requirement answers for. */
const statementsOf = (id: string): string[] =>
  documents.flatMap(({ sections }) =>
    sections.flatMap(({ heading, statements }) =>
      statements
        .filter(({ judged = [] }) => judged.some((pattern) => matches(pattern, id)))
        .map(({ row, text }) => `${heading}, ${row}: ${text}`),
    ),
  );

const places = (title: string, all: readonly Place[]): string[] => [
  `${title}    ${all.length === 0 ? 'none' : ''}`.trimEnd(),
  ...all.map(({ name, file, line }) => `  ${file}${line === undefined ? '' : `:${line}`}  ${name}`),
];

const lines = (title: string, below: readonly string[]): string =>
  [title, ...below.map((line) => `  ${line}`)].join('\n');
