/** The instrumented copies of the targets: below the root, so that their imports of contracts and packages lead where they led. */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Started } from '../proof/run-suite.ts';
import { instrument, type Mutant } from './instrument.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Where the copies are made; ignored by git. */
const COPIES = join(ROOT, '.mutants');

/** A target whose source is mutated. */
export interface Subject {
  name: 'sandbox' | 'second-target';
  /** Starts the target of a module that has its index as `index.ts`. */
  // biome-ignore lint/suspicious/noExplicitAny: the module is made when it is asked for
  start(index: any): Promise<Started>;
  /** Its folder, from the root of the project. */
  folder: string;
  /** Files that implement what the documents say; seeds, transport and hooks for faults implement nothing of them. */
  mutated: readonly string[];
  /** What its switches for faults and freedoms look like in the source. */
  switches: RegExp;
}

export const subjects: readonly Subject[] = [
  {
    name: 'sandbox',
    start: ({ startSandbox }) => startSandbox(),
    folder: 'sandbox',
    mutated: ['v1/*.ts', 'v3/*.ts', 'state/*.ts'],
    switches:
      /^(call\.|this\.#)?rules\.\w+$|(rules\.\w+|tokenReuse|tokenFormat|duplicateOrders|sessionId|style) [!=]== '/,
  },
  {
    name: 'second-target',
    start: async ({ startSecondTarget }) => {
      const { env, fixtures, close } = await startSecondTarget();
      return { environment: { ...env, RUN_RISK: 'irreversible', RUN_SETTLE_MS: '0' }, fixtures, close };
    },
    folder: 'tests/second-target',
    mutated: ['operations/*.ts', 'choices.ts', 'world.ts'],
    switches: /^(x\.)?choices\.\w+$/,
  },
];

/** Instruments a target's copy. @returns every mutant in it, numbered from 1 */
export function build({ folder, mutated, switches }: Subject): Mutant[] {
  const copy = join(COPIES, folder);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(COPIES, { recursive: true });
  cpSync(join(ROOT, folder), copy, { recursive: true });
  rmSync(join(COPIES, 'contracts'), { force: true });
  symlinkSync(join(ROOT, 'contracts'), join(COPIES, 'contracts'));
  const mutants: Mutant[] = [];
  for (const file of globSync([...mutated], { cwd: join(ROOT, folder) }).toSorted()) {
    const { code, mutants: found } = instrument(
      file,
      readFileSync(join(ROOT, folder, file), 'utf8'),
      1 + mutants.length,
      switches,
    );
    writeFileSync(join(copy, file), code);
    mutants.push(...found);
  }
  return mutants;
}

/** Starts the instrumented copy of a target. */
export const startCopy = async ({ folder, start }: Subject): Promise<Started> =>
  start(await import(join(COPIES, folder, 'index.ts')));
