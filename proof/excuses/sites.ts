/** The excuses of the suite: where a check ends without a verdict for a reason of the target's, rather than because something was not to be tried. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';

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

interface Node {
  type: string;
  start: number;
  end: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node).flat()) if (isNode(value)) yield* nodesOf(value);
}

const isEnding = (node: Node): node is Node & { arguments: Node[] } =>
  node.type === 'CallExpression' &&
  ENDINGS.includes((node as unknown as { callee: { name?: string } }).callee.name ?? '');

/** All excuses, in the order of files and lines. */
export const excuses = (): Excuse[] =>
  globSync(FILES, { cwd: ROOT })
    .sort()
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const { program } = parse(source, {
        sourceType: 'module',
        plugins: ['typescript', 'explicitResourceManagement'],
      });
      return [...nodesOf(program as Node)].filter(isEnding).map(({ start, arguments: [reason] }) => ({
        file,
        reason: source
          .slice(reason!.start, reason!.end)
          .replaceAll(/^['"`]|['"`]$/g, '')
          .replaceAll(/\s+/g, ' '),
        at: start,
      }));
    });
