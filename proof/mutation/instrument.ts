/** Builds all mutants of a source file into one module; `globalThis.__mutant` switches one on by its number. */
import { parse } from '@babel/parser';
import MagicString from 'magic-string';
import { isDroppable, mutateExpression, type Node, type Replacement } from './operators.ts';

export interface Mutant {
  /** Position in the list of all mutants, from 1; 0 is the unchanged source. */
  number: number;
  file: string;
  line: number;
  operator: string;
  from: string;
  to: string;
  /** Whether it takes effect when its module is loaded, rather than when a function is called. */
  atLoad: boolean;
}

/** The mutant in words. */
export const described = ({ file, line, operator, from, to }: Mutant): string =>
  `${file}:${line} ${operator}: ${from} -> ${to}`;

/** The syntax tree of a source file. */
export const parsed = (source: string): Node =>
  parse(source, { sourceType: 'module', plugins: ['typescript', 'explicitResourceManagement'] })
    .program as unknown as Node;

/** Characters of source shown of a mutant. */
const LONGEST_SHOWN = 90;
const shown = (text: string) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}...` : line;
};

/**
 * Adds all mutants to the source of a file.
 * @param firstNumber number of the file's first mutant
 * @param switches matches the source of switches for faults and freedoms, which implement no rule of the documents
 * @returns the instrumented source, and its mutants
 */
export function instrument(
  file: string,
  source: string,
  firstNumber: number,
  switches: RegExp,
): { code: string; mutants: Mutant[] } {
  const code = new MagicString(source);
  const mutants: Mutant[] = [];
  const text = (node: Node) => {
    const own = source.slice(node.start, node.end);
    return (node.extra as { parenthesized?: boolean } | undefined)?.parenthesized ? `(${own})` : own;
  };
  let functions = 0;

  const add = (node: Node, operator: string, to: string): number => {
    const number = firstNumber + mutants.length;
    const { line } = (node.loc as { start: { line: number } }).start;
    const [from, atLoad] = [shown(text(node)), functions === 0];
    mutants.push({ number, file, line, operator, from, to: shown(to), atLoad });
    return number;
  };

  const wrap = (node: Node, ...replacements: readonly Replacement[]) => {
    for (const [operator, to] of replacements) {
      code.appendRight(node.start, `(globalThis.__active(${add(node, operator, to)}) ? (${to}) : `);
      code.prependLeft(node.end, ')');
    }
  };

  const visit = (node: Node, parent: Node | undefined, role: string) => {
    if (isType(node) || (isComparisonOrFlag(node) && switches.test(text(node)))) return;
    const isCalled = /Function|Method|ClassProperty|ClassPrivateProperty/.test(node.type);
    if (isCalled) functions++;
    if (isDroppable(node)) {
      const number = add(node, 'statement dropped', '');
      code.appendRight(node.start, `{ if (!globalThis.__active(${number})) `);
      code.prependLeft(node.end, ' }');
    }
    if (node.type === 'IfStatement')
      wrap(node.test as Node, ['condition always true', 'true'], ['condition always false', 'false']);
    if (node.type === 'ForOfStatement') {
      const over = node.right as Node;
      const part = (range: string) => `[...${text(over)}].slice(${range})`;
      wrap(over, ['first element only', part('0, 1')], ['last element left out', part('0, -1')]);
    }
    if (node.type === 'AssignmentExpression' && (node.operator === '+=' || node.operator === '-=')) {
      const other = node.operator === '+=' ? '-=' : '+=';
      wrap(node, ['sign turned', `${text(node.left as Node)} ${other} ${text(node.right as Node)}`]);
    }
    if (isReplaceable(node, parent, role)) wrap(node, ...mutateExpression(node, text));
    for (const [key, child] of childrenOf(node)) visit(child, node, key);
    if (isCalled) functions--;
  };

  visit(parsed(source), undefined, 'program');
  return { code: code.toString(), mutants };
}

const isComparisonOrFlag = ({ type }: Node) => type === 'BinaryExpression' || type === 'MemberExpression';

/** Whether a node is a type, which vanishes at run time; an expression with a type assertion is not. */
const isType = ({ type }: Node) =>
  type.startsWith('TS') && !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(type);

/** Whether a node may be replaced: wrapping part of an optional chain would end the chain early, and a key is not a value. */
const isReplaceable = (node: Node, parent: Node | undefined, role: string) =>
  !(parent?.type.startsWith('Optional') && (role === 'object' || role === 'callee')) &&
  !(role === 'key' && parent?.computed !== true) &&
  parent?.type !== 'ImportDeclaration' &&
  node.type !== 'OptionalCallExpression';

/** The nodes within a node, each with the role that it has there. */
export function* childrenOf(node: Node): Iterable<[string, Node]> {
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || /[cC]omments$|^extra$|^tokens$|^errors$/.test(key)) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string')
        yield [key, child as Node];
  }
}
