/** The imports run one way: no circles between files, and no import that runs back up between rooms. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';

/** The rooms, lowest first: a file imports from its own room and from those before it. A room is a folder without its sub-folders, or named files. */
const ROOMS: Record<string, readonly (readonly string[])[]> = {
  helpers: [
    ['helpers/json.ts', 'helpers/manifest.ts', 'helpers/answer.ts', 'helpers/verdict.ts', 'helpers/eventually.ts'],
    ['helpers/configuration'],
    ['helpers/evidence'],
    ['helpers/contract-rules'],
    ['helpers/cards'],
    ['helpers/budget.ts', 'helpers/call.ts', 'helpers/quiet.ts', 'helpers/settling.ts'],
    ['helpers/changes'],
    ['helpers/client/http'],
    ['helpers/client'],
    ['helpers/run.ts'],
    ['helpers'],
    ['helpers/engine', 'helpers/engine/forms'],
    ['helpers/runner'],
  ],
  redaction: [['redaction']],
  doctor: [['doctor']],
  witness: [['witness']],
  sandbox: [
    ['sandbox'],
    ['sandbox/seed'],
    ['sandbox/state'],
    ['sandbox/call.ts', 'sandbox/members.ts'],
    ['sandbox/v1', 'sandbox/v3'],
    ['sandbox/http'],
    ['sandbox/unserved.ts'],
    ['sandbox/index.ts'],
  ],
  suites: [
    ['suites/declare.ts', 'suites/shared'],
    [
      'suites/v1/scenarios',
      'suites/v1/cip/person.ts',
      'suites/v1/orders/base-orders.ts',
      'suites/v1/orders/bodies.ts',
      'suites/v1/orders/identifiers.ts',
      'suites/v1/orders/kinds.ts',
      'suites/v1/orders/repetitions.ts',
      'suites/v3/cards/money',
      'suites/v3/cards/scenarios',
      'suites/v3/cards/states',
      'suites/v3/listings',
    ],
    ['suites/v1/cip', 'suites/v1/orders', 'suites/v3/cards', 'suites/v3/users'],
    ['suites/v1/every-operation', 'suites/v3/every-operation', 'suites/v3/token', 'suites/every-operation'],
    ['suites/v1'],
    ['suites'],
  ],
};

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => name.endsWith('.ts'));

/** The files that one imports, for their types alone, too. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s(?:[^;']*?from\s)?'(\.[^']+)'/gm);
  return Array.from(statements, ([, specifier]) => relative(ROOT, join(ROOT, dirname(file), specifier!)));
}

const files = Object.keys(ROOMS).flatMap(filesOf);
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** Ways by which imports lead from a file back to itself. */
function circles(): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    else if (!done.has(file)) for (const next of imports.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}

test('no circle of files', () => {
  expect(circles()).toEqual([]);
});

test.each(Object.keys(ROOMS))('no import runs back up in %s', (top) => {
  const rooms = ROOMS[top]!;
  const levelOf = (file: string): number => {
    const byName = rooms.findIndex((names) => names.includes(file));
    if (byName >= 0) return byName;
    const level = rooms.findIndex((names) => names.includes(dirname(file)));
    expect(level, `${file} stands in no room`).toBeGreaterThanOrEqual(0);
    return level;
  };
  const backUp = filesOf(top).flatMap((file) =>
    imports
      .get(file)!
      .filter((imported) => imported.startsWith(`${top}/`) && levelOf(imported) > levelOf(file))
      .map((imported) => `${file} -> ${imported}`),
  );
  expect(backUp).toEqual([]);
});
