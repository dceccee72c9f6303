/** The trail from a requirement to its checks and to the faults that they condemn, read from the modules that declare them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { requirements } from '../contracts/requirements/index.ts';
import type { Suite } from '../helpers/check.ts';
import { contractRules } from '../helpers/contract-rules/index.ts';
import type { Fault } from '../tests/faults/fault.ts';

const ROOT = join(import.meta.dirname, '..');
/** `.ts` in a clone, `.js` in the built package. */
const EXTENSION = extname(import.meta.filename);

/** A declaration: what it is called, and where it stands below the root of the project. */
export interface Place {
  name: string;
  file: string;
  /** Undefined where the id is composed. */
  line: number | undefined;
}

/** Where a requirement is checked, and which faults its checks find. */
export interface Trail {
  checks: Place[];
  /** Undefined where the faults are not at hand: outside of a clone. */
  faults: Place[] | undefined;
}

/** The trails of all requirements, by id. */
export async function readTrails(): Promise<ReadonlyMap<string, Trail>> {
  const hasFaults = existsSync(join(ROOT, `tests/faults/index${EXTENSION}`));
  const trails = new Map<string, Trail>(
    requirements.map(({ id }) => [id, { checks: [], faults: hasFaults ? [] : undefined }]),
  );
  for (const { requirement } of contractRules) trails.get(requirement)!.checks.push(contractRule(requirement));
  for (const [file, exported] of await modules('suites')) {
    if (!isSuite(exported)) continue;
    for (const { requirement, name } of exported.checks)
      trails.get(requirement)?.checks.push(place(name, file, requirement));
    for (const { requirement } of exported.rules)
      trails.get(requirement)?.checks.push(place('every exchange', file, requirement));
  }
  for (const [id, { checks }] of trails) if (checks.length === 0) checks.push(...inHelpers(id));
  if (hasFaults)
    for (const fault of await declaredFaults())
      for (const id of fault.condemns) trails.get(id)?.faults?.push(place(fault.name, fault.file, id));
  return trails;
}

/** What judges a requirement outside of the suites: the age of a token where tokens are renewed. */
const inHelpers = (id: string): Place[] =>
  modulesIn('helpers')
    .filter((file) => textOf(file).includes(`'${id}'`))
    .map((file) => place('every exchange', file, id));

/** Every fault with the file that declares it, once: index files only gather. */
async function declaredFaults(): Promise<(Fault & { file: string })[]> {
  const found = new Map<string, Fault & { file: string }>();
  for (const [file, exported] of await modules('tests/faults'))
    if (Array.isArray(exported))
      for (const fault of exported as Fault[]) {
        const known = found.get(fault.name);
        if (!known || gathers(known.file)) found.set(fault.name, { ...fault, file });
      }
  return [...found.values()];
}

/** Whether a file only gathers what others declare. */
const gathers = (file: string) => !/condemns|broken\(/.test(textOf(file));

/** What the modules export, each with its file: the suites that only gather others come without checks of their own. */
async function modules(folder: string): Promise<[string, unknown][]> {
  const files = modulesIn(folder).filter((file) => file !== `suites/index${EXTENSION}`);
  const loaded = await Promise.all(
    files.map(async (file) => [file, await import(pathToFileURL(join(ROOT, file)).href)] as const),
  );
  return loaded.flatMap(([file, exports]) =>
    Object.values(exports as object).map((exported): [string, unknown] => [file, exported]),
  );
}

/** The modules in a folder and below it. */
const modulesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .map((file) => `${folder}/${String(file).replaceAll(sep, '/')}`)
    .filter((file) => file.endsWith(EXTENSION) && !/\.test\.|\.d\.ts$/.test(file))
    .sort();

const isSuite = (exported: unknown): exported is Suite =>
  typeof exported === 'object' && exported !== null && 'checks' in exported && 'rules' in exported;

/** The rule of every operation that a requirement of its contract is judged by. */
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

/** A declaration in a file, with the line on which its name stands, else its id, else the last part of a composed id. */
function place(name: string, file: string, id: string): Place {
  const lines = textOf(file).split('\n');
  const last = id.slice(id.lastIndexOf('.') + 1);
  const at = [`'${name}'`, `"${name}"`, `'${id}'`, `.${last}\``, `'${last}'`]
    .map((text) => lines.findIndex((line) => line.includes(text)))
    .find((index) => index >= 0);
  return { name, file, line: at === undefined ? undefined : at + 1 };
}
