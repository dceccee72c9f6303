/** Puts every mutant of a source file into one build, each switched on by its number in `globalThis.__mutant`. */
import { parse } from '@babel/parser';
import MagicString from 'magic-string';
import { isDroppable, mutateExpression, type Node, type Replacement } from './operators.ts';

export interface Mutant {
  /** Position in the list of all mutants; 0 is the source as it is. */
  number: number;
  file: string;
  line: number;
  /** The innermost named function around it. */
  inside: string;
  operator: string;
  from: string;
  to: string;
  /** Whether it takes effect when its module is loaded, and not when something in it is called. */
  atLoad: boolean;
}

/** The same for a mutant as long as its source stays: what a survivor's reason is kept by. */
export const keyOf = ({ file, inside, operator, from, to }: Mutant): string =>
  `${file} · ${inside} · ${operator} · ${from} -> ${to}`;

const LONGEST_SHOWN = 90;
const shown = (text: string) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}...` : line;
};

/**
 * @param firstNumber of its mutants
 * @param switches what the source of a switch for faults and freedoms looks like: it is no rule of the documents
 * @returns the source with all mutants in it, and what they are
 */
export function instrument(
  file: string,
  source: string,
  firstNumber: number,
  switches: RegExp,
): { code: string; mutants: Mutant[] } {
  const program = parse(source, { sourceType: 'module', plugins: ['typescript', 'explicitResourceManagement'] });
  const code = new MagicString(source);
  const mutants: Mutant[] = [];
  const text = (node: Node) => {
    const own = source.slice(node.start, node.end);
    return (node.extra as { parenthesized?: boolean } | undefined)?.parenthesized ? `(${own})` : own;
  };
  let inside = '';
  let functions = 0;

  const add = (node: Node, operator: string, to: string): number => {
    const number = firstNumber + mutants.length;
    const { line } = (node.loc as { start: { line: number } }).start;
    mutants.push({
      number,
      file,
      line,
      inside,
      operator,
      from: shown(text(node)),
      to: shown(to),
      atLoad: functions === 0,
    });
    return number;
  };

  const wrap = (node: Node, replacements: readonly Replacement[]) => {
    for (const { operator, text: to } of replacements) {
      code.appendRight(node.start, `(globalThis.__active(${add(node, operator, to)}) ? (${to}) : `);
      code.prependLeft(node.end, ')');
    }
  };

  const visit = (node: Node, parent: Node | undefined, role: string) => {
    if (isType(node) || (isComparisonOrFlag(node) && switches.test(text(node)))) return;
    const outer = inside;
    const name = nameOf(node);
    if (name) inside = name;
    const isCalled = /Function|Method|ClassProperty|ClassPrivateProperty/.test(node.type);
    if (isCalled) functions++;
    if (isDroppable(node)) {
      const number = add(node, 'statement dropped', '');
      code.appendRight(node.start, `{ if (!globalThis.__active(${number})) `);
      code.prependLeft(node.end, ' }');
    }
    if (node.type === 'IfStatement') {
      const test = node.test as Node;
      wrap(test, [
        { operator: 'condition always true', text: 'true' },
        { operator: 'condition always false', text: 'false' },
      ]);
    }
    if (node.type === 'ForOfStatement') {
      const over = node.right as Node;
      wrap(over, [
        { operator: 'first element only', text: `[...${text(over)}].slice(0, 1)` },
        { operator: 'last element left out', text: `[...${text(over)}].slice(0, -1)` },
      ]);
    }
    if (node.type === 'AssignmentExpression' && (node.operator === '+=' || node.operator === '-=')) {
      const other = node.operator === '+=' ? '-=' : '+=';
      wrap(node, [
        { operator: 'sign turned', text: `${text(node.left as Node)} ${other} ${text(node.right as Node)}` },
      ]);
    }
    if (isReplaceable(node, parent, role)) wrap(node, mutateExpression(node, text));
    for (const [key, child] of childrenOf(node)) visit(child, node, key);
    if (isCalled) functions--;
    inside = outer;
  };

  visit(program.program as unknown as Node, undefined, 'program');
  return { code: code.toString(), mutants };
}

const isComparisonOrFlag = ({ type }: Node) => type === 'BinaryExpression' || type === 'MemberExpression';

/** Types vanish when the source is run; an expression with a type beside it does not. */
const isType = ({ type }: Node) =>
  type.startsWith('TS') && !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(type);

/** A part of an optional chain that is wrapped would end the chain early, and a key is not a value. */
const isReplaceable = (node: Node, parent: Node | undefined, role: string) =>
  !(parent?.type.startsWith('Optional') && (role === 'object' || role === 'callee')) &&
  !(role === 'key' && parent?.computed !== true) &&
  parent?.type !== 'ImportDeclaration' &&
  node.type !== 'OptionalCallExpression';

function nameOf(node: Node): string | undefined {
  const named = (node.type === 'AssignmentExpression' ? assigned(node.left as Node) : (node.id ?? node.key)) as Node;
  const isNamed = /Function|Method|VariableDeclarator|ObjectProperty|AssignmentExpression/.test(node.type);
  return isNamed && (named?.type === 'Identifier' || named?.type === 'PrivateName')
    ? String(named.name ?? (named.id as Node).name)
    : undefined;
}

/** What is assigned: a name, or the last one of `a.b`. */
const assigned = (left: Node) => (left.type === 'MemberExpression' ? left.property : left) as Node;

function* childrenOf(node: Node): Iterable<[string, Node]> {
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || /[cC]omments$|^extra$|^tokens$|^errors$/.test(key)) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string')
        yield [key, child as Node];
  }
}
