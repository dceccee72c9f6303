/**
 * Where checks of the suite end without a verdict: by excuses, for a reason of the target's, rather than because something was not to be tried; and by
 * referrals, for what another requirement accuses.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childrenOf, parsed } from '../mutation/instrument.ts';
import type { Node } from '../mutation/operators.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files in which checks end. */
const FILES = '{suites,helpers/engine}/**/*.ts';

/** A call that ends a check. */
export interface Ending {
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

/** All calls of some functions, in the order of files and lines. */
const endingsBy = (...functions: readonly string[]): Ending[] =>
  globSync(FILES, { cwd: ROOT })
    .sort()
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const isEnding = ({ type, callee }: Node) =>
        type === 'CallExpression' && functions.includes(String((callee as Node).name));
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

export const excuses = (): Ending[] => endingsBy('inconclusive', 'notApplicable');
export const referrals = (): Ending[] => endingsBy('refer');
