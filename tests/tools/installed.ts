/** Tools of others, which `npm run tools` installs beside this file: nothing but long tests and the benchmark needs them. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Path of the program that a tool brings. @throws Error when the tools are not installed */
export function program(name: string): string {
  const path = join(import.meta.dirname, 'node_modules/.bin', name);
  if (!existsSync(path)) throw new Error(`${name} is not installed: npm run tools installs it`);
  return path;
}

/** Loads a tool as a library. @throws Error when the tools are not installed */
export const load = createRequire(import.meta.url);
