/** Traces a requirement to its checks and the faults that they condemn, by reading the modules that declare them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { requirements } from '../contracts/requirements/index.ts';
import type { Suite } from '../helpers/check.ts';
import { contractRules } from '../helpers/contract-rules/index.ts';
import type { Watched } from '../helpers/evidence/monitor.ts';
import type { Fault } from '../proof/faults/fault.ts';
import { declaredLives } from '../suites/declare.ts';
import { suite } from '../suites/index.ts';
import { placeOfFunction } from './function-place.ts';

const ROOT = join(import.meta.dirname, '..');
/** `.ts` in a clone, `.js` in the built package. */
const EXTENSION = extname(import.meta.filename);

/** A declaration: its name and file, relative to the project's root. */
export interface Place {
  name: string;
  file: string;
  /** Undefined if the id is composed. */
  line: number | undefined;
}

/** Where a requirement is checked, and which faults its checks find. */
export interface Trail {
  checks: Place[];
  /** The monitors and rules that judge what is exchanged. */
  judges: Place[];
  /** Undefined outside a clone, where the faults are missing. */
  faults: Place[] | undefined;
}

type Trails = ReadonlyMap<string, Trail>;
let known: Promise<Trails> | undefined;

/** The trails of all requirements, by id; read once, since a file of the suites declares what it does when it is first evaluated. */
export function readTrails(): Promise<Trails> {
  known ??= findTrails();
  return known;
}

async function findTrails(): Promise<Trails> {
  const hasFaults = existsSync(join(ROOT, `proof/faults/index${EXTENSION}`));
  const trails = new Map<string, Trail>(
    requirements.map(({ id }) => [id, { checks: [], judges: [], faults: hasFaults ? [] : undefined }]),
  );
  for (const { requirement } of contractRules) trails.get(requirement)!.checks.push(contractRule(requirement));
  for (const file of modulesIn('suites').filter((one) => one !== COLLECTION)) {
    const { checks, rules, monitors } = await declaredIn(file);
    for (const { requirement, name } of checks) trails.get(requirement)?.checks.push(place(name, file, requirement));
    for (const { requirement } of rules)
      trails.get(requirement)?.checks.push(place('every exchange', file, requirement));
    for (const { requirement, judge } of [...rules, ...monitors.map(judgeOf)]) {
      const judges = trails.get(requirement)?.judges;
      const found = placeOfFunction(ROOT, judge);
      if (found && !judges?.some((one) => one.file === found.file && one.line === found.line))
        judges?.push({ name: judge.name, ...found });
    }
  }
  for (const [id, { checks }] of trails) if (checks.length === 0) checks.push(...inHelpers(id));
  if (hasFaults)
    for (const fault of await declaredFaults())
      for (const id of fault.condemns) trails.get(id)?.faults?.push(place(fault.name, fault.file, id));
  return trails;
}

/** Holds what all suites declare. */
const COLLECTION = `suites/declare${EXTENSION}`;

/** What a file of the suites declares. All declare into one collection, so that one is evaluated again, and what it adds is taken out. */
async function declaredIn(file: string): Promise<Required<Pick<Suite, 'checks' | 'rules' | 'monitors'>>> {
  const { checks, rules, monitors, observers } = suite;
  const before = [checks, rules, monitors, observers, declaredLives].map(({ length }) => length);
  await import(`${pathToFileURL(join(ROOT, file)).href}?declared`);
  observers.splice(before[3]!);
  declaredLives.splice(before[4]!);
  return {
    checks: checks.splice(before[0]!),
    rules: rules.splice(before[1]!),
    monitors: monitors.splice(before[2]!),
  };
}

const judgeOf = ({ requirement, monitor }: Watched) => ({ requirement, judge: monitor });

/** Where a requirement is judged outside the suites: the age of a token, where tokens are renewed. */
const inHelpers = (id: string): Place[] =>
  modulesIn('helpers')
    .filter((file) => textOf(file).includes(`'${id}'`))
    .map((file) => place('every exchange', file, id));

/** Every fault once, with the file that declares it rather than an index file. */
async function declaredFaults(): Promise<(Fault & { file: string })[]> {
  const found = new Map<string, Fault & { file: string }>();
  const folders = ['proof/faults', 'proof/operators', 'proof/second-target/faults'];
  for (const [file, exported] of (await Promise.all(folders.map(modules))).flat())
    if (Array.isArray(exported))
      for (const fault of (exported as Partial<Fault & { id: string }>[]).filter(isFault)) {
        const { name = fault.id! } = fault;
        const known = found.get(name);
        if (!known || gathers(known.file)) found.set(name, { ...fault, name, file });
      }
  return [...found.values()];
}

const isFault = (one: Partial<Fault & { id: string }>): one is Fault & { id?: string } => Array.isArray(one.condemns);

/** Whether a file only gathers what others declare. */
const gathers = (file: string) => !/condemns|broken\(/.test(textOf(file));

/** The exports of all modules, each with its file. */
async function modules(folder: string): Promise<[string, unknown][]> {
  const loaded = await Promise.all(
    modulesIn(folder).map(async (file) => [file, await import(pathToFileURL(join(ROOT, file)).href)] as const),
  );
  return loaded.flatMap(([file, exports]) =>
    Object.values(exports as object).map((exported): [string, unknown] => [file, exported]),
  );
}

/** The modules in a folder, recursively. */
const modulesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .map((file) => `${folder}/${String(file).replaceAll(sep, '/')}`)
    .filter((file) => file.endsWith(EXTENSION) && !/\.test\.|\.d\.ts$/.test(file))
    .sort();

/** The rule that judges a requirement from an operation's contract. */
function contractRule(id: string): Place {
  const name = id.slice(id.lastIndexOf('.') + 1);
  const file = ['status', 'shape', 'errors', 'members']
    .map((one) => `helpers/contract-rules/${one}${EXTENSION}`)
    .find((path) => textOf(path).includes(`'${name}'`) || textOf(path).includes(`.${name}\``));
  return place('every exchange', file ?? `helpers/contract-rules/index${EXTENSION}`, name);
}

const texts = new Map<string, string>();
function textOf(file: string): string {
  if (!texts.has(file)) texts.set(file, readFileSync(join(ROOT, file), 'utf8'));
  return texts.get(file)!;
}

/** Locates a declaration in a file: the line with its name, else its id, else the last part of a composed id. */
function place(name: string, file: string, id: string): Place {
  const lines = textOf(file).split('\n');
  const last = id.slice(id.lastIndexOf('.') + 1);
  const at = [`'${name}'`, `"${name}"`, `'${id}'`, `.${last}\``, `'${last}'`]
    .map((text) => lines.findIndex((line) => line.includes(text)))
    .find((index) => index >= 0);
  return { name, file, line: at === undefined ? undefined : at + 1 };
}
