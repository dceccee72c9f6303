/** Every statement of the documents has somebody who answers for it, and every requirement a statement. */
import { expect, it } from 'vitest';
import { shapesOf } from '../../contracts/publish/json-schema.ts';
import { v1Shapes, v3Shapes } from '../../contracts/publish/shapes.ts';
import { exclusions, requirements } from '../../contracts/requirements/index.ts';
import { documents } from '../../contracts/statements/index.ts';
import { matches } from '../../helpers/configuration/pattern.ts';

const statements = documents.flatMap(({ title, sections }) =>
  sections.flatMap(({ heading, statements }) =>
    statements.map((statement) => ({ ...statement, name: `${title}, ${heading}: ${statement.row}` })),
  ),
);

it('names no statement without requirement, observation, exclusion or a reason why there is nothing to judge', () => {
  const without = statements.filter(
    ({ judged = [], excluded = [], observed, silent }) => judged.length + excluded.length === 0 && !observed && !silent,
  );
  expect(without.map(({ name }) => name)).toEqual([]);
});

it('names requirements and exclusions that exist', () => {
  const unknown = statements.flatMap(({ name, judged = [], excluded = [] }) => [
    ...judged.filter((pattern) => !requirements.some(({ id }) => matches(pattern, id))).map((id) => `${name}: ${id}`),
    ...excluded.filter((id) => !exclusions.some((one) => one.id === id)).map((id) => `${name}: ${id}`),
  ]);
  expect(unknown).toEqual([]);
});

it('leaves no requirement and no exclusion without a statement', () => {
  const judged = statements.flatMap((one) => one.judged ?? []);
  const excluded = statements.flatMap((one) => one.excluded ?? []);
  expect(requirements.filter(({ id }) => !judged.some((pattern) => matches(pattern, id))).map(({ id }) => id)).toEqual(
    [],
  );
  expect(exclusions.filter(({ id }) => !excluded.includes(id)).map(({ id }) => id)).toEqual([]);
});

it('has a section for everything that the catalogue cites', () => {
  const headings = new Set(
    documents.flatMap(({ title, sections }) => sections.map(({ heading }) => `${title}, ${heading}`)),
  );
  const cited = [...requirements, ...exclusions].map(({ source }) => `${source.document}, ${source.section}`);
  expect([...new Set(cited)].filter((section) => !headings.has(section))).toEqual([]);
});

it('tells the statements of a section apart', () => {
  const names = statements.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('speaks of every documented member in the section that shows it', () => {
  const silent = (['v3', 'v1'] as const).flatMap((edition, index) =>
    Object.entries(shapesOf(edition)).flatMap(([name, schema]) => {
      const note = (v3Shapes[name] ?? v1Shapes[name])!;
      const section = documents[index]!.sections.find(({ heading }) => heading === note.source.section);
      const text = section?.statements.map((one) => `${one.row} ${one.text}`).join(' ') ?? '';
      return Object.keys((schema.properties ?? {}) as object)
        .filter((member) => !new RegExp(`\\b${member}\\b`).test(text))
        .map((member) => `${note.source.section}: ${member}`);
    }),
  );
  expect(silent).toEqual([]);
});
