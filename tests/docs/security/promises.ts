/** What the long tests count for the table in SECURITY.md: of how many attempts on a promise how many it held against. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/root.ts';

const COUNTS = join(ROOT, 'reports/promises');

/** The promises, as SECURITY.md lists them. */
export const PROMISES = {
  secrets: 'No secret is written, in any encoding and any place of an exchange',
  'secrets in a run':
    'Nothing that a whole run writes or prints holds a secret, though the target gives back all that it is sent',
  'secrets by name': 'A secret that only its name or its look gives away is not written',
  reproduction: 'A pasted reproduction runs nothing that the target sent, and sends no secret that it names',
  pages: 'No text of a target runs or loads anything in a page',
  views: 'No text of a target is markup in Markdown, JUnit, annotations or a terminal',
  'one run': 'One run at a time has a report directory; a second one touches nothing',
  undone: 'What an interrupted or killed run changed is undone, or kept for a cleanup',
  proxy: 'Requests to loopback never pass a proxy',
  machine: 'What this machine lacks accuses no target',
  hostile: 'Whatever a target answers, a run ends in order and within its memory',
  disk: 'A disk that is full or not writable loses no verdict and no undoing',
  foreign: 'Report directories of others make no command run, hang or write elsewhere',
} as const;

export type PromiseName = keyof typeof PROMISES;

interface Counted {
  attempts: number;
  held: number;
}

/** Notes what came of attempts on a promise; the table is made from the notes of all tests. */
export function promise(of: PromiseName, test: string, counted: Counted): void {
  mkdirSync(COUNTS, { recursive: true });
  const file = join(COUNTS, `${of}.${test}`.replaceAll(/[^\w.]/g, '-'));
  writeFileSync(`${file}.json`, JSON.stringify({ of, ...counted }));
}

/** The counts of all tests by promise. */
export function counted(): Map<PromiseName, Counted> {
  const sums = new Map<PromiseName, Counted>();
  for (const name of existsSync(COUNTS) ? readdirSync(COUNTS).sort() : []) {
    const { of, ...more } = JSON.parse(readFileSync(join(COUNTS, name), 'utf8')) as Counted & { of: PromiseName };
    const { attempts, held } = sums.get(of) ?? { attempts: 0, held: 0 };
    sums.set(of, { attempts: attempts + more.attempts, held: held + more.held });
  }
  return sums;
}
