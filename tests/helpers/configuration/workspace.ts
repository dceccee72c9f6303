import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigurationError, readConfiguration } from '../../../helpers/configuration/index.ts';
import type { Options } from '../../../helpers/configuration/settings.ts';
import { temporaryDirectory } from '../../tools/directory.ts';

/** An empty directory for one test, with the files given by relative path, and the reading of a configuration in it. */
export function workspace(files: Record<string, string> = {}) {
  const cwd = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const read = (env: Record<string, string> = {}, options: Options = {}) => readConfiguration({ env, options, cwd });
  /** The faults of what cannot be read; none if it can. */
  const faults = async (env: Record<string, string> = {}, options: Options = {}): Promise<string[]> => {
    try {
      await read(env, options);
    } catch (error) {
      if (error instanceof ConfigurationError) return error.faults;
      throw error;
    }
    return [];
  };
  return { cwd, read, faults };
}

/** The least that a run against users and cards needs. */
export const BASE = { TARGET_BASE_URL: 'http://127.0.0.1:8080/v3', TARGET_ACCESS_TOKEN: 'token-obtained-elsewhere' };
