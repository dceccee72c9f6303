/**
 * The catalogue is complete, unambiguous and written in one style; every must requirement is checked. Every statement of
 * the documents has somebody who answers for it, and every requirement a statement.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../contracts/operations.ts';
import { matches } from '../../contracts/pattern.ts';
import { shapesOf } from '../../contracts/publish/json-schema.ts';
import { v1Shapes, v3Shapes } from '../../contracts/publish/shapes.ts';
import { exclusions, requirements, writtenIds } from '../../contracts/requirements/index.ts';
import { documents } from '../../contracts/statements/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { isDone } from '../../helpers/configuration/scope.ts';
import { contractRules } from '../../helpers/contract-rules/index.ts';
import { suite } from '../../suites/index.ts';
import { BASE } from '../helpers/configuration/workspace.ts';
import { ROOT } from '../tools/root.ts';

/** A rule that holds, since nothing breaks it. */
const rule = (name: string, breaking: () => readonly unknown[]) =>
  test(name, () => expect([...new Set(breaking())]).toEqual([]));

const twice = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index);
const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1);
/** The sources of some files, as one text. */
const sources = (...patterns: string[]) =>
  globSync(patterns, { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');

/** Readings of the documents are numbered from 1 to this. */
const READINGS = 52;
/** Those about how an accusation is earned: they hold for all requirements, and none cites them. */
const ACCUSATION = 46;
const ids = requirements.map(({ id }) => id);
const excludedIds = exclusions.map(({ id }) => id);
const entries = [...requirements, ...exclusions];
const cited = new Set(entries.flatMap(({ readings }) => readings));
/** Requirements with a check; the last one is judged by the credentials of the run. */
const checked = [...suite.checks, ...suite.rules, ...contractRules]
  .map(({ requirement }) => requirement)
  .concat('token.issue.usable-until-expiry');

describe('the catalogue', () => {
  rule('uses no id twice, exclusions included', () => twice([...ids, ...excludedIds]));
  rule('has ids that are dotted slugs', () =>
    ids.filter((id) => !/^(token|users|cards|cardholders|portal)(\.[A-Za-z0-9]+)?\.[A-Za-z0-9-]+$/.test(id)),
  );
  rule('has ids that begin with an operation that they judge', () =>
    requirements
      .filter(({ id, operations: judged }) => !judged.some((operation) => id.startsWith(`${operation}.`)))
      .filter(({ id }) => !id.startsWith('portal.')),
  );
  const texts = requirements.map(({ text }) => text);
  rule('says each requirement once', () => twice(texts));
  rule('says requirements in plain present tense, in at most 180 characters, without a full stop', () =>
    texts.filter(
      (text) =>
        /\b(should|must|shall|will|may|can|might|could)\b/i.test(text) || text.length > 180 || /[.;]$/.test(text),
    ),
  );
  rule('names operations that exist', () =>
    requirements.flatMap((one) => one.operations).filter((named) => !operations.some(({ id }) => id === named)),
  );
  rule('has a requirement or an exclusion for every operation', () =>
    operations
      .filter(({ id }) => !requirements.some((one) => one.operations.includes(id)))
      .filter(({ id }) => !excludedIds.some((excluded) => excluded.startsWith(`${id}.`))),
  );
});

describe('the trail: one search for the id of a requirement that is written by hand finds it literally', () => {
  test.each([
    ['the catalogue', ['contracts/requirements/*.ts']],
    // The age of a token is judged by what the client met.
    ['its check', ['suites/**/*.ts', 'helpers/run.ts', 'helpers/evidence/incidents.ts']],
    ['the fault that it condemns', ['proof/faults/*.ts', 'proof/operators/*.ts', 'proof/second-target/faults/*.ts']],
  ])('in %s', (_, patterns) => {
    const text = sources(...patterns);
    expect(writtenIds.filter((id) => !text.includes(`'${id}'`))).toEqual([]);
  });
});

describe('the readings', () => {
  const headings = [...sources('docs/readings.md').matchAll(/^### Reading (\d+)$/gm)].map(([, number]) =>
    Number(number),
  );

  rule('are all followed', () => upTo(ACCUSATION - 1).filter((reading) => !cited.has(reading)));
  rule('that the catalogue cites are written down', () => [...cited].filter((reading) => !headings.includes(reading)));
  test('are numbered without gaps', () => {
    expect(headings.toSorted((a, b) => a - b)).toEqual(upTo(READINGS));
  });
});

describe('the suites', () => {
  rule('check every requirement', () => ids.filter((id) => !checked.includes(id)));
  rule('name requirements of the catalogue only', () => checked.filter((id) => !ids.includes(id)));
  rule('name each check of a requirement once', () =>
    twice(suite.checks.map(({ requirement, name }) => `${requirement}: ${name}`)),
  );
  test('check every requirement whatever the run may do, and without a test clock', async () => {
    const configuration = await readConfiguration({ env: BASE, options: {}, cwd: '/', withoutEnvFile: true });
    expect(configuration.run.risk).toBe('safe');
    const [always, sometimes] = [true, false].map((applying) =>
      suite.checks.filter((one) => isDone(one, configuration) === applying).map(({ requirement }) => requirement),
    );
    expect(sometimes!.filter((id) => !always!.includes(id))).toEqual([]);
  });
});

describe('the statements', () => {
  const sections = documents.flatMap(({ title, sections }) =>
    sections.map((section) => ({ ...section, name: `${title}, ${section.heading}` })),
  );
  const statements = sections.flatMap(({ name, statements }) =>
    statements.map((one) => ({ judged: [], excluded: [], ...one, name: `${name}: ${one.row}` })),
  );
  const names = statements.map(({ name }) => name);
  const judged = statements.flatMap((one) => one.judged);
  const excluded = statements.flatMap((one) => one.excluded);

  rule('have a requirement, observation, exclusion or a reason why there is nothing to judge', () =>
    statements.filter((one) => one.judged.length + one.excluded.length === 0 && !one.observed && !one.silent),
  );
  rule('name requirements that exist', () => judged.filter((pattern) => !ids.some((id) => matches(pattern, id))));
  rule('name exclusions that exist', () => excluded.filter((id) => !excludedIds.includes(id)));
  rule('leave no requirement out', () => ids.filter((id) => !judged.some((pattern) => matches(pattern, id))));
  rule('leave no exclusion out', () => excludedIds.filter((id) => !excluded.includes(id)));
  rule('of a section are told apart', () => twice(names));
  rule('have a section for everything that the catalogue cites', () =>
    entries
      .map(({ source }) => `${source.document}, ${source.section}`)
      .filter((section) => !sections.some(({ name }) => name === section)),
  );
  rule('speak of every documented member in the section that shows it', () =>
    (['v3', 'v1'] as const).flatMap((edition, index) =>
      Object.entries(shapesOf(edition)).flatMap(([name, schema]) => {
        const { source } = (v3Shapes[name] ?? v1Shapes[name])!;
        const section = documents[index]!.sections.find(({ heading }) => heading === source.section);
        const text = section?.statements.map((one) => `${one.row} ${one.text}`).join(' ') ?? '';
        return Object.keys((schema.properties ?? {}) as object)
          .filter((member) => !new RegExp(`\\b${member}\\b`).test(text))
          .map((member) => `${source.section}: ${member}`);
      }),
    ),
  );
});
