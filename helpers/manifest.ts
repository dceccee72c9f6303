/** The name and version of the suite, as its package has them. */
import { readFileSync } from 'node:fs';

export const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  name: string;
  version: string;
};
