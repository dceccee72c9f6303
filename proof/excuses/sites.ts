/** The excuses of the suite: where a check ends without a verdict for a reason of the target's, rather than because something was not to be tried. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childrenOf, parsed } from '../mutation/instrument.ts';
import type { Node } from '../mutation/operators.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files in which checks end. */
const FILES = '{suites,helpers/engine}/**/*.ts';
const ENDINGS = ['inconclusive', 'notApplicable'];

export interface Excuse {
  /** Path of the file from the root of the project. */
  file: string;
  /** The reason as it stands in the source, in one line and without quotes. */
  reason: string;
  /** Position of the call in the source. */
  at: number;
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const [, child] of childrenOf(node)) yield* nodesOf(child);
}

const isEnding = ({ type, callee }: Node): boolean =>
  type === 'CallExpression' && ENDINGS.includes(String((callee as Node).name));

/** All excuses, in the order of files and lines. */
export const excuses = (): Excuse[] =>
  globSync(FILES, { cwd: ROOT })
    .sort()
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      return [...nodesOf(parsed(source))].filter(isEnding).map((call) => {
        const [reason] = call.arguments as [Node];
        return {
          file,
          reason: source
            .slice(reason.start, reason.end)
            .replaceAll(/^['"`]|['"`]$/g, '')
            .replaceAll(/\s+/g, ' '),
          at: call.start,
        };
      });
    });
