/**
 * `npm run publish:catalogue`: writes docs/catalogue.md, which leads from the documents' statements to checks and
 * faults.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { matches } from '../contracts/pattern.ts';
import { exclusions, type Requirement, requirementById, requirements } from '../contracts/requirements/index.ts';
import { documents, type Section, type Statement } from '../contracts/statements/index.ts';
import { count } from '../reports/text.ts';
import { readTrails, type Trail } from './trail.ts';

/** Path of the page, below the project's root. */
export const CATALOGUE = 'docs/catalogue.md';

/** Number of faults that are named per requirement; the others are only counted. */
const MOST_FAULTS = 3;

type Trails = ReadonlyMap<string, Trail>;

/** The page; deterministic for the same catalogue, suites and faults. */
export async function cataloguePage(): Promise<string> {
  const trails = await readTrails();
  return [
    '# Catalogue',
    '',
    'Written by `npm run publish:catalogue`: what the two documents say, section by section in the words of this project, and what answers for it:',
    'requirements with their level, [readings](readings.md), checks and the faults that they condemn; observations; exclusions with their reason.',
    'A `*` stands for every operation that a requirement applies to. `npm run explain -- --faults ID` prints one requirement with all of its checks and faults.',
    ...documents.flatMap(({ title, sections }) => [
      '',
      `## ${title}`,
      ...sections.flatMap((section) => sectionLines(section, trails)),
    ]),
    '',
  ].join('\n');
}

const sectionLines = ({ heading, statements }: Section, trails: Trails): string[] => [
  '',
  `### ${heading}`,
  ...statements.flatMap((statement) => [
    '',
    `**${statement.row}.** ${statement.text}.`,
    '',
    ...answers(statement, trails),
  ]),
];

const answers = ({ judged = [], excluded = [], observed, silent }: Statement, trails: Trails): string[] => [
  ...judged.map((pattern) => (pattern.includes('*') ? familyLine(pattern, trails) : requirementLine(pattern, trails))),
  ...(observed ? [`- observed: ${observed}`] : []),
  ...excluded.map((id) => `- excluded, \`${id}\`: ${exclusions.find((one) => one.id === id)!.reason}`),
  ...(silent ? [`- nothing to judge: ${silent}`] : []),
];

function requirementLine(id: string, trails: Trails): string {
  const requirement = requirementById(id);
  return line(`\`${id}\` (${requirement.level})`, requirement.text, [requirement], trails);
}

/** One line for all requirements that a pattern matches: they say the same of different operations. */
function familyLine(pattern: string, trails: Trails): string {
  const family = requirements.filter(({ id }) => matches(pattern, id));
  const [first] = family as [Requirement, ...Requirement[]];
  const levels = [...new Set(family.map(({ level }) => level))].join(' or ');
  const text = first.text.replaceAll(first.operations[0]!, 'the operation').replace(/^the/, 'The');
  return line(`\`${pattern}\` (${levels}, ${count(family.length, 'operation')})`, text, family, trails);
}

function line(name: string, text: string, family: readonly Requirement[], trails: Trails): string {
  const readings = [...new Set(family.flatMap((one) => one.readings))].map((n) => `[${n}](readings.md#reading-${n})`);
  const found = family.map(({ id }) => trails.get(id)!);
  const files = [...new Set(found.flatMap(({ checks }) => checks.map(({ file }) => file)))].sort();
  const faults = [...new Set(found.flatMap((trail) => (trail.faults ?? []).map((fault) => fault.name)))];
  const more = faults.length > MOST_FAULTS ? `, and ${faults.length - MOST_FAULTS} more` : '';
  return [
    `- ${name}: ${text}`,
    `readings ${readings.join(', ')}`,
    `checked in ${files.map((file) => `[${file}](../${file})`).join(', ')}`,
    faults.length === 0 ? 'no fault' : `condemns ${faults.slice(0, MOST_FAULTS).map(quoted).join(', ')}${more}`,
  ].join('; ');
}

const quoted = (name: string): string => `"${name}"`;

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, '..', CATALOGUE), await cataloguePage());
  console.log(CATALOGUE);
}
