/** The table in SECURITY.md: for each promise the number of attempts of the long tests, and what held. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/root.ts';
import { counted, PROMISES, type PromiseName } from './promises.ts';

export const PAGE = join(ROOT, 'SECURITY.md');

const BEGIN = '<!-- attempts: written by the long tests -->';
const END = '<!-- end of attempts -->';

/** The rows that the page has. */
export function rowsOf(page: string) {
  const table = page.slice(page.indexOf(BEGIN), page.indexOf(END));
  const numberOf = (text = '') => Number(text.replaceAll(',', ''));
  return [...table.matchAll(/^\| (.+?) \| ([\d,]+) \| ([\d,]+) \|$/gm)].map(([, promise = '', attempts, held]) => {
    return { promise, attempts: numberOf(attempts), held: numberOf(held) };
  });
}

const inWords = (number: number) => number.toLocaleString('en-US');

/** Writes what the tests of this machine counted; a promise that none of them tried keeps its row. */
export function writeTable(): void {
  if (!existsSync(PAGE)) return;
  const page = readFileSync(PAGE, 'utf8');
  const before = new Map(rowsOf(page).map((row) => [row.promise, row]));
  const counts = counted();
  const lines = Object.entries(PROMISES).map(([name, promise]) => {
    const { attempts, held } = counts.get(name as PromiseName) ?? before.get(promise) ?? { attempts: 0, held: 0 };
    return `| ${promise} | ${inWords(attempts)} | ${inWords(held)} |`;
  });
  const table = ['', '| Promise | Attempts | Held |', '| --- | ---: | ---: |', ...lines, ''].join('\n');
  const start = page.indexOf(BEGIN) + BEGIN.length;
  const text = page.slice(0, start) + table + page.slice(page.indexOf(END));
  if (text !== page) writeFileSync(PAGE, text);
}
