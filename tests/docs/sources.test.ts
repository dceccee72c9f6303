/** The layout of the sources: imports run one way, without circles and not back up between rooms, and trying again is the engine's. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';

/**
 * The rooms of each folder, lowest first, one after each <: a file imports from its own room and from those before it. A room is folders without
 * their sub-folders (. for the folder itself), or named files.
 */
const ROOMS = {
  helpers: `json.ts manifest.ts once-per.ts waiting.ts answer.ts verdict.ts eventually.ts < configuration < evidence < contract-rules < cards
    < budget.ts call.ts quiet.ts settling.ts < changes < client/http < client < run.ts < . < engine engine/forms < runner`,
  redaction: '.',
  doctor: '.',
  witness: '.',
  sandbox: '. < seed < state < call.ts members.ts < v1 v3 < http < unserved.ts < index.ts',
  suites: `declare.ts shared
    < v1/scenarios v1/cip/persons.ts v1/orders/orders.ts v1/orders/bodies.ts v1/orders/holders.ts v1/orders/identifiers.ts v1/orders/kinds.ts
      v1/orders/repetitions.ts v1/orders/repeats.ts v1/orders/types.ts v3/cards/money v3/cards/scenarios v3/cards/states v3/listings
    < v1/cip v1/orders v3/cards v3/users < v1/every-operation v3/every-operation v3/token every-operation < v1 < .`,
};

/** The files of the folders, with what each imports, for its types alone, too. */
const imports = new Map(
  globSync(
    Object.keys(ROOMS).map((top) => `${top}/**/*.ts`),
    { cwd: ROOT },
  ).map((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const statements = text.matchAll(/^(?:import|export)\s(?:[^;']*?from\s)?'(\.[^']+)'/gm);
    return [file, Array.from(statements, ([, specifier]) => join(dirname(file), specifier!))];
  }),
);

test('no circle of files', () => {
  const left = new Set(imports.keys());
  const isDone = (file: string) => !imports.get(file)!.some((imported) => left.has(imported));
  for (let before = Number.POSITIVE_INFINITY; left.size < before; ) {
    before = left.size;
    for (const file of left) if (isDone(file)) left.delete(file);
  }
  expect([...left], 'they import one another').toEqual([]);
});

test.each(Object.entries(ROOMS))('no import runs back up in %s', (top, order) => {
  const rooms = order.split('<').map((room) => room.trim().split(/\s+/));
  const levelOf = (file: string): number => {
    const name = relative(top, file);
    const byName = rooms.findIndex((names) => names.includes(name));
    const level = byName < 0 ? rooms.findIndex((names) => names.includes(dirname(name))) : byName;
    expect(level, `${file} stands in no room`).toBeGreaterThanOrEqual(0);
    return level;
  };
  const isBelow = (file: string) => file.startsWith(`${top}/`);
  const backUp = [...imports.keys()].filter(isBelow).flatMap((file) => {
    const above = imports.get(file)!.filter((imported) => isBelow(imported) && levelOf(imported) > levelOf(file));
    return above.map((imported) => `${file} -> ${imported}`);
  });
  expect(backUp).toEqual([]);
});

const SUITES = 'suites/**/*.ts';

/** Most names that a file of suites imports. A module that is taken whole is one name. */
const MOST_NAMES = 20;

const IMPORTED = /^import (?:type )?(?:\* as (\w+)|\{([^}]*)\}|(\w+)) from '([^']+)';/gm;

/** The imports of each file of suites: the names that it takes of a module, or the one under which it takes it whole. */
const taken = globSync(SUITES, { cwd: ROOT }).flatMap((file) => {
  const statements = readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORTED);
  return Array.from(statements, ([, whole, some, byDefault = '', module]) => {
    const names = whole ? [whole] : (some ?? byDefault).split(',').map((name) => name.replace(/^\s*type |\s/g, ''));
    return { file, module: join(dirname(file), module!), isWhole: whole !== undefined, names: names.filter(Boolean) };
  });
});

test('files of suites take few names', () => {
  const ofFiles = Map.groupBy(taken, ({ file }) => file);
  const tooMany = [...ofFiles].filter(([, all]) => all.flatMap(({ names }) => names).length > MOST_NAMES);
  expect(tooMany.map(([file]) => file)).toEqual([]);
});

/** How many words and signs a line of code that people read has at the most, on average: more means that lines are packed. */
const MOST_A_LINE = 12.5;

/** Texts, names, numbers, and signs of one or more characters. */
const WORD_OR_SIGN =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|[A-Za-z_$][\w$]*|\d[\w.]*|=>|[=!]==?|\.\.\.|\?\?=?|\?\.|&&|\|\||[^\s\w]/g;

const FOLDERS = ['suites', 'helpers', 'doctor', 'redaction', 'reports', 'cli', 'run', 'witness', 'tests', 'proof'];

/** The files of a folder that are the project's own. */
const filesOf = (folder: string): string[] =>
  globSync(`${folder}/**/*.ts`, { cwd: ROOT, exclude: ['**/node_modules/**'] });

test.each(FOLDERS)('lines of %s are not packed', (folder) => {
  const lines = filesOf(folder).flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
      .split('\n')
      .filter((line) => line.trim() !== '' && !/^\s*import\b/.test(line)),
  );
  expect(lines.join('\n').match(WORD_OR_SIGN)!.length / lines.length).toBeLessThanOrEqual(MOST_A_LINE);
});

test.each([...FOLDERS, 'contracts', 'files', 'sandbox'])('nothing in %s spreads a literal', (folder) => {
  const files = filesOf(folder);
  const literal = /\.\.\.(?:\{[^{}()]*\}|\[[^[\]()]*\])(?![.[])/;
  expect(files.filter((file) => literal.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

test('all files of suites take a module in one way: whole, under the name of its file, or by names', () => {
  const ofModules = Map.groupBy(taken, ({ module }) => module);
  const inTwoWays = [...ofModules].filter(([, all]) => new Set(all.map(({ isWhole }) => isWhole)).size > 1);
  expect(inTwoWays.map(([module]) => module)).toEqual([]);
  const nameOf = (module: string) =>
    (basename(module) === 'index.ts' ? basename(dirname(module)) : basename(module, '.ts')).replaceAll('-', '');
  const misnamed = taken.filter(({ isWhole, names, module }) => isWhole && names[0]!.toLowerCase() !== nameOf(module));
  expect(misnamed.map(({ file, names }) => `${file}: ${names}`)).toEqual([]);
});
const TABLES = 'suites/{v1/cip/{requests,values},v1/orders/{requests,table},every-operation/parameters}.ts';
const RESEMBLING = /\baltered\(|endedOtherwise|\.slice\(0, -1\)/;

test.each([
  // The age of a token is judged with tokens of its own, until tokens are led through their lives by the engine.
  ['no suite tries again by itself', SUITES, /betweenAccepted|untilQuiet|Quiet\b/, 'suites/v3/token/ages.ts'],
  // A part of a name is to find it: the filter takes what the name contains.
  ['no suite makes what resembles a value by itself', SUITES, RESEMBLING, 'suites/v3/listings/names.ts'],
  ['the client judges nothing', 'helpers/client/**/*.ts', /\bLedger\b|\.keep\(|requirement:/, ''],
  ['a monitor sends nothing', 'suites/**/*monitors.ts', /\bContext\b|\bt\.|\bawait\b/, ''],
  [
    'a table neither waits, nor judges an answer',
    TABLES,
    /settle|eventually|expectRefused|inconclusive\(|\bfail\(/,
    '',
  ],
])('%s', (_, pattern, words, byHand) => {
  const files = globSync(pattern, { cwd: ROOT });
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => words.test(readFileSync(join(ROOT, file), 'utf8'))).join()).toBe(byHand);
});
