/** Mutation operators: replacements of a syntax node that imitate mistakes of implementers. */

/** A node of Babel's syntax tree, with the members used here. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** The operator's replacement for a node. */
export interface Replacement {
  operator: string;
  text: string;
}

/** Returns the source of a node. */
type Text = (node: Node) => string;

const NEGATED = new Map(Object.entries({ '===': '!==', '!==': '===' }));
const WEAKENED = new Map(Object.entries({ '<': '<=', '<=': '<', '>': '>=', '>=': '>' }));
const ARITHMETIC = new Map(Object.entries({ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }));
/** Methods whose calls are dropped, leaving their object unchanged. */
const DROPPED_CALLS = ['filter', 'trim', 'toLowerCase', 'toUpperCase', 'toSorted', 'slice', 'normalize'];
/** Methods whose calls become calls of another method. */
const SWAPPED_CALLS = new Map(
  Object.entries({
    some: 'every',
    every: 'some',
    startsWith: 'includes',
    endsWith: 'includes',
    find: 'findLast',
    min: 'max',
    max: 'min',
    round: 'floor',
  }),
);
/** Methods whose calls are restricted to the first element of a list, or to all but the last. */
const LISTS = ['some', 'every', 'find', 'filter', 'map', 'flatMap', 'includes'];

/** All replacements of an expression. */
export function mutateExpression(node: Node, text: Text): Replacement[] {
  switch (node.type) {
    case 'LogicalExpression':
      return mutateLogical(node, text);
    case 'BinaryExpression':
      return mutateBinary(node, text);
    case 'UnaryExpression':
      return node.operator === '!' ? [{ operator: 'negation dropped', text: text(node.argument as Node) }] : [];
    case 'ConditionalExpression':
      return [
        { operator: 'condition always true', text: text(node.consequent as Node) },
        { operator: 'condition always false', text: text(node.alternate as Node) },
      ];
    case 'AwaitExpression':
      return [{ operator: 'await skipped', text: text(node.argument as Node) }];
    case 'BooleanLiteral':
      return [{ operator: 'flag flipped', text: String(!node.value) }];
    case 'NumericLiteral':
      return [{ operator: 'off by one', text: String((node.value as number) + 1) }];
    case 'RegExpLiteral':
      return mutateRegExp(node);
    case 'CallExpression':
      return mutateCall(node, text);
    default:
      return [];
  }
}

function mutateLogical(node: Node, text: Text): Replacement[] {
  return [
    { operator: 'right operand dropped', text: text(node.left as Node) },
    { operator: 'left operand dropped', text: text(node.right as Node) },
  ];
}

/** Replacements of a comparison or calculation. Equality of texts is also weakened as implementers get secrets, filters and identifiers wrong. */
function mutateBinary(node: Node, text: Text): Replacement[] {
  const operator = node.operator as string;
  const [left, right] = [node.left as Node, node.right as Node];
  const withOperator = (other: string) => `${text(left)} ${other} ${text(right)}`;
  const negated = NEGATED.get(operator);
  if (negated) {
    const replacements = [{ operator: 'comparison negated', text: withOperator(negated) }];
    if (operator !== '===' || [left, right].some(isNoText)) return replacements;
    const loose = (way: string) => `globalThis.__loosely(${JSON.stringify(way)}, ${text(left)}, ${text(right)})`;
    return [
      ...replacements,
      ...['prefix', 'case', 'trim'].map((way) => ({ operator: `compared by ${way}`, text: loose(way) })),
    ];
  }
  const weakened = WEAKENED.get(operator);
  if (weakened) return [{ operator: 'boundary shifted', text: withOperator(weakened) }];
  const other = ARITHMETIC.get(operator);
  const isText = [left, right].some(({ type }) => type === 'StringLiteral' || type === 'TemplateLiteral');
  return other && !isText ? [{ operator: 'arithmetic turned', text: withOperator(other) }] : [];
}

/** Whether an operand is a constant in the code, rather than text that somebody sent. */
const isNoText = ({ type, name, operator }: Node) =>
  type.endsWith('Literal') || name === 'undefined' || operator === 'typeof';

function mutateRegExp(node: Node): Replacement[] {
  const { pattern, flags } = node as unknown as { pattern: string; flags: string };
  const loosened = [pattern.replace(/^\^/, ''), pattern.replace(/(?<!\\)\$$/, '')].filter((other) => other !== pattern);
  return loosened.map((other) => ({ operator: 'anchor dropped', text: `/${other}/${flags}` }));
}

function mutateCall(node: Node, text: Text): Replacement[] {
  const callee = node.callee as Node;
  const given = node.arguments as Node[];
  const replacements: Replacement[] = [];
  const [first, second] = given;
  if (first && second && isPlain(first) && isPlain(second)) {
    const others = given.slice(2).map(text);
    replacements.push({
      operator: 'parameters swapped',
      text: `${text(callee)}(${[text(second), text(first), ...others].join(', ')})`,
    });
  }
  if (callee.type !== 'MemberExpression' || callee.computed) return replacements;
  const method = (callee.property as Node).name as string;
  const on = text(callee.object as Node);
  const args = given.map(text).join(', ');
  if (DROPPED_CALLS.includes(method)) replacements.push({ operator: `${method} forgotten`, text: on });
  const swapped = SWAPPED_CALLS.get(method);
  if (swapped) replacements.push({ operator: `${swapped} for ${method}`, text: `${on}.${swapped}(${args})` });
  if (LISTS.includes(method))
    for (const [operator, part] of [
      ['first element only', 'slice(0, 1)'],
      ['last element left out', 'slice(0, -1)'],
    ] as const)
      replacements.push({ operator, text: `${on}.${part}.${method}(${args})` });
  if (method === 'has') replacements.push({ operator: 'always there', text: 'true' });
  return replacements;
}

const isPlain = ({ type }: Node) => type === 'Identifier' || type === 'MemberExpression';

/** Whether a statement may be dropped: a write, or a call for its effect. */
export function isDroppable(node: Node): boolean {
  if (node.type !== 'ExpressionStatement') return false;
  const { type } = node.expression as Node;
  return ['AssignmentExpression', 'CallExpression', 'UpdateExpression', 'AwaitExpression'].includes(type);
}
