/** Makes instrumented copies of the targets, below the project's root so that their imports still resolve. */
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { UnservedTarget } from '../second-target/index.ts';
import { NOWHERE } from '../selfcheck/direct.ts';
import type { Given } from '../selfcheck/run-suite.ts';
import { instrument, type Mutant } from './instrument.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The folder of the copies; ignored by git. */
const COPIES = join(ROOT, '.mutants');

/** A target whose source is to be mutated. */
export interface Subject {
  name: 'sandbox' | 'second-target';
  /** The module that makes it. */
  module: string;
  /** Makes the target. @param module what {@link module} exports */
  // biome-ignore lint/suspicious/noExplicitAny: the module is made when it is asked for
  make(module: any): Given;
  /** Its folder, from the root of the project. */
  folder: string;
  /** Files that implement the documents, not seeds, transport and hooks for faults. */
  mutated: readonly string[];
  /** Matches the source of its switches for faults and freedoms. */
  switches: RegExp;
}

/** The file of the recorded run against a target. */
export const recordingOf = ({ name }: Subject): string => join(COPIES, `${name}.requests`);
/** The file of what was found of a target's mutants: a digest of the sources that it depends on, and a line for each. */
export const trialsOf = ({ name }: Subject): string => join(COPIES, `${name}.ndjson`);

/** A digest of what runs, and of the mutants. */
export function digestOfSources(): string {
  const digest = createHash('sha256');
  const files = globSync('{contracts,files,helpers,suites,sandbox,proof/{second-target,selfcheck,mutation}}/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', 'proof/mutation/{survivors,score,section}.ts'],
  });
  for (const file of files.sort()) digest.update(readFileSync(join(ROOT, file)));
  return digest.digest('hex');
}

export const subjects: readonly Subject[] = [
  {
    name: 'sandbox',
    module: 'unserved.ts',
    make: ({ makeSandbox }) => {
      const { responder, environmentAt, fixtures } = makeSandbox({});
      return { environment: environmentAt(NOWHERE), fixtures, unserved: responder };
    },
    folder: 'sandbox',
    mutated: ['state/{backend,session-store,temporary-tokens,token-store}.ts', 'v1/*.ts', 'v3/*.ts'],
    switches:
      /^(call\.|this\.#)?rules\.\w+$|(rules\.\w+|tokenReuse|tokenFormat|duplicateOrders|sessionId|style) [!=]== '/,
  },
  {
    name: 'second-target',
    module: 'index.ts',
    make: ({ makeSecondTarget }) => {
      const target: UnservedTarget = makeSecondTarget();
      const environment = { ...target.envAt(NOWHERE), RUN_RISK: 'irreversible', RUN_SETTLE_MS: '0' };
      return { environment, fixtures: target.fixtures, unserved: target };
    },
    folder: 'proof/second-target',
    mutated: ['{choices,world}.ts', 'operations/*.ts'],
    switches: /^(x\.)?choices\.\w+$/,
  },
];

/** Makes and instruments the copy of a target. @returns its mutants, numbered from 1 */
export function build({ folder, mutated, switches }: Subject): Mutant[] {
  const copy = join(COPIES, folder);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(COPIES, { recursive: true });
  cpSync(join(ROOT, folder), copy, { recursive: true });
  rmSync(join(COPIES, 'contracts'), { force: true });
  symlinkSync(join(ROOT, 'contracts'), join(COPIES, 'contracts'));
  const mutants: Mutant[] = [];
  for (const file of globSync([...mutated], { cwd: copy }).sort()) {
    const source = readFileSync(join(copy, file), 'utf8');
    const { code, mutants: found } = instrument(file, source, 1 + mutants.length, switches);
    writeFileSync(join(copy, file), code);
    mutants.push(...found);
  }
  return mutants;
}

let loading = 0;
registerHooks({
  resolve(specifier, context, next) {
    const isOfCopies = (url = '') => url.startsWith(pathToFileURL(COPIES).href);
    if (specifier === 'node:crypto' && isOfCopies(context.parentURL))
      return next(new URL('chance.ts', import.meta.url).href, context);
    const resolved = next(specifier, context);
    return isOfCopies(resolved.url) ? { ...resolved, url: `${resolved.url}?${loading}` } : resolved;
  },
});

/**
 * Loads the instrumented copy of a target.
 * @param load number of the load: a mutant that takes effect at load needs freshly loaded modules
 * @returns a function that makes the target
 */
export async function loadCopy({ folder, module, make }: Subject, load = 0): Promise<() => Given> {
  loading = load;
  const loaded = await import(join(COPIES, folder, module));
  return () => make(loaded);
}
