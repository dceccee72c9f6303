/** What code was reached by processes that wrote their coverage to a folder (NODE_V8_COVERAGE). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Ending } from './sites.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}

interface Script {
  url: string;
  functions: { ranges: Range[] }[];
}

/** Whether a script was run at a position: the smallest range around it was. Types are blanked out when it is loaded, so that positions stay. */
function isReached({ functions }: Script, at: number): boolean {
  const around = functions
    .flatMap(({ ranges }) => ranges)
    .filter(({ startOffset, endOffset }) => startOffset <= at && at < endOffset);
  const lengthOf = ({ startOffset, endOffset }: Range) => endOffset - startOffset;
  const [smallest] = around.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  return (smallest?.count ?? 0) > 0;
}

/** The endings that no process reached. @param folder of the coverage, with a file for each process */
export function unreached(folder: string, endings: readonly Ending[]): Ending[] {
  const left = new Set(endings);
  for (const file of globSync('coverage-*.json', { cwd: folder })) {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: Script[] };
    const scripts = new Map(result.map((script) => [script.url, script]));
    for (const ending of left) {
      const script = scripts.get(pathToFileURL(join(ROOT, ending.file)).href);
      if (script && isReached(script, ending.at)) left.delete(ending);
    }
  }
  return [...left];
}
