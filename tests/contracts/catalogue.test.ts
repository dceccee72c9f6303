/** The catalogue is complete, unambiguous and written in one style; every must requirement is checked. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../contracts/operations.ts';
import { exclusions, requirements, writtenIds } from '../../contracts/requirements/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { contractRules } from '../../helpers/contract-rules/index.ts';
import { suite } from '../../suites/index.ts';
import { ROOT } from '../tools/root.ts';

/** Readings of the documents are numbered from 1 to this. */
const READINGS = 52;
/** Those about how an accusation is earned: they hold for all requirements, and none cites them. */
const ACCUSATION = 46;
const ids = requirements.map(({ id }) => id);
const checked = new Set([
  ...suite.checks.map(({ requirement }) => requirement),
  ...suite.rules.map(({ requirement }) => requirement),
  ...contractRules.map(({ requirement }) => requirement),
  // judged by the credentials of the run
  'token.issue.usable-until-expiry',
]);

describe('the catalogue', () => {
  it('uses no id twice, exclusions included', () => {
    const all = [...ids, ...exclusions.map(({ id }) => id)];
    expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([]);
  });

  it('has ids that are dotted slugs and begin with an operation', () => {
    for (const id of ids)
      expect(id).toMatch(/^(token|users|cards|cardholders|portal)(\.[A-Za-z0-9]+)?\.[A-Za-z0-9-]+$/);
    for (const { id, operations: judged } of requirements)
      expect(judged.some((operation) => id.startsWith(`${operation}.`)) || id.startsWith('portal.')).toBe(true);
  });

  it('says each requirement once, in plain present tense', () => {
    const texts = requirements.map(({ text }) => text);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
    expect(texts.filter((text) => /\b(should|must|shall|will|may|can|might|could)\b/i.test(text))).toEqual([]);
    expect(texts.filter((text) => text.length > 180 || /[.;]$/.test(text))).toEqual([]);
  });

  it('names operations that exist', () => {
    const known = new Set(operations.map(({ id }) => id));
    expect(requirements.flatMap((r) => r.operations).filter((id) => !known.has(id))).toEqual([]);
  });

  it('has a requirement or an exclusion for every operation', () => {
    const judged = new Set(requirements.flatMap((r) => r.operations));
    const excluded = exclusions.map(({ id }) => id);
    expect(
      operations
        .filter(({ id }) => !judged.has(id) && !excluded.some((e) => e.startsWith(`${id}.`)))
        .map(({ id }) => id),
    ).toEqual([]);
  });

  it('follows every reading', () => {
    const followed = new Set([...requirements, ...exclusions].flatMap((r) => r.readings));
    const missing = Array.from({ length: ACCUSATION - 1 }, (_, index) => index + 1).filter(
      (reading) => !followed.has(reading),
    );
    expect(missing).toEqual([]);
  });
});

/** The sources below some folders, as one text. */
const sources = (...patterns: string[]) =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');

describe('the trail: one search for the id of a requirement that is written by hand finds it literally', () => {
  const literal = (text: string) => writtenIds.filter((id) => !text.includes(`'${id}'`));

  it('in the catalogue', () => {
    expect(literal(sources('contracts/requirements/*.ts'))).toEqual([]);
  });

  it('in its check', () => {
    // the age of a token is judged by what the client met
    expect(literal(sources('suites/**/*.ts', 'helpers/run.ts', 'helpers/evidence/incidents.ts'))).toEqual([]);
  });

  it('in the fault that it condemns', () => {
    expect(literal(sources('proof/faults/*.ts', 'proof/operators/*.ts', 'proof/second-target/faults/*.ts'))).toEqual(
      [],
    );
  });
});

describe('the readings', () => {
  const headings = [...sources('docs/readings.md').matchAll(/^### Reading (\d+)$/gm)].map(([, number]) =>
    Number(number),
  );

  it('that the catalogue cites are written down', () => {
    const cited = new Set([...requirements, ...exclusions].flatMap((r) => r.readings));
    expect([...cited].filter((reading) => !headings.includes(reading))).toEqual([]);
  });

  it('are numbered without gaps', () => {
    expect(headings.toSorted((a, b) => a - b)).toEqual(Array.from({ length: READINGS }, (_, index) => index + 1));
  });
});

describe('the suites', () => {
  it('check every requirement', () => {
    expect(ids.filter((id) => !checked.has(id))).toEqual([]);
  });

  it('check every requirement whatever the run may do, and without a test clock', async () => {
    const env = { TARGET_BASE_URL: 'http://localhost:9/v3', TARGET_ACCESS_TOKEN: 'token' };
    const configuration = await readConfiguration({ env, options: {}, cwd: '/', withoutEnvFile: true });
    expect(configuration.run.risk).toBe('safe');
    const always = new Set(suite.checks.filter(({ applies }) => applies(configuration)).map((c) => c.requirement));
    const sometimes = suite.checks.map((c) => c.requirement).filter((id) => !always.has(id));
    expect([...new Set(sometimes)]).toEqual([]);
  });

  it('name requirements of the catalogue only', () => {
    expect([...checked].filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('name each check of a requirement once', () => {
    const names = suite.checks.map(({ requirement, name }) => `${requirement}: ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
