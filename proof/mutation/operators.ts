/** Mutation operators: replacements of a syntax node that imitate mistakes of implementers. */

/** A node of Babel's syntax tree, with the members used here. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** An operator, and the source that it puts in place of a node. */
export type Replacement = readonly [operator: string, text: string];

/** Returns the source of a node. */
type Text = (node: Node) => string;

const NEGATED = new Map(Object.entries({ '===': '!==', '!==': '===' }));
const WEAKENED = new Map(Object.entries({ '<': '<=', '<=': '<', '>': '>=', '>=': '>' }));
const ARITHMETIC = new Map(Object.entries({ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }));
/** Methods whose calls are dropped, leaving their object unchanged. */
const DROPPED_CALLS = ['filter', 'trim', 'toLowerCase', 'toUpperCase', 'toSorted', 'slice', 'normalize'];
/** Methods whose calls become calls of another method. */
const SWAPPED_CALLS = new Map([
  ...Object.entries({ some: 'every', every: 'some', startsWith: 'includes', endsWith: 'includes' }),
  ...Object.entries({ find: 'findLast', min: 'max', max: 'min', round: 'floor' }),
]);
/** Methods whose calls are restricted to the first element of a list, or to all but the last. */
const LISTS = ['some', 'every', 'find', 'filter', 'map', 'flatMap', 'includes'];

/** All replacements of an expression. */
export function mutateExpression(node: Node, text: Text): Replacement[] {
  const sourceOf = (member: string) => text(node[member] as Node);
  switch (node.type) {
    case 'LogicalExpression':
      return [
        ['right operand dropped', sourceOf('left')],
        ['left operand dropped', sourceOf('right')],
      ];
    case 'BinaryExpression':
      return mutateBinary(node, text);
    case 'UnaryExpression':
      return node.operator === '!' ? [['negation dropped', sourceOf('argument')]] : [];
    case 'ConditionalExpression':
      return [
        ['condition always true', sourceOf('consequent')],
        ['condition always false', sourceOf('alternate')],
      ];
    case 'AwaitExpression':
      return [['await skipped', sourceOf('argument')]];
    case 'BooleanLiteral':
      return [['flag flipped', String(!node.value)]];
    case 'NumericLiteral':
      return [['off by one', String((node.value as number) + 1)]];
    case 'RegExpLiteral':
      return mutateRegExp(node);
    case 'CallExpression':
      return mutateCall(node, text);
    default:
      return [];
  }
}

/** Replacements of a comparison or calculation. Equality of texts is also weakened as implementers get secrets, filters and identifiers wrong. */
function mutateBinary(node: Node, text: Text): Replacement[] {
  const operator = node.operator as string;
  const [left, right] = [node.left as Node, node.right as Node];
  const withOperator = (other: string) => `${text(left)} ${other} ${text(right)}`;
  const negated = NEGATED.get(operator);
  if (negated) {
    const ways = operator === '===' && ![left, right].some(isNoText) ? ['prefix', 'case', 'trim'] : [];
    const loose = (way: string) => `globalThis.__loosely(${JSON.stringify(way)}, ${text(left)}, ${text(right)})`;
    return [
      ['comparison negated', withOperator(negated)],
      ...ways.map((way): Replacement => [`compared by ${way}`, loose(way)]),
    ];
  }
  const weakened = WEAKENED.get(operator);
  if (weakened) return [['boundary shifted', withOperator(weakened)]];
  const other = ARITHMETIC.get(operator);
  const isText = [left, right].some(({ type }) => type === 'StringLiteral' || type === 'TemplateLiteral');
  return other && !isText ? [['arithmetic turned', withOperator(other)]] : [];
}

const isNoText = ({ type, name, operator }: Node) =>
  type.endsWith('Literal') || name === 'undefined' || operator === 'typeof';

function mutateRegExp(node: Node): Replacement[] {
  const { pattern, flags } = node as unknown as { pattern: string; flags: string };
  const loosened = [pattern.replace(/^\^/, ''), pattern.replace(/(?<!\\)\$$/, '')].filter((other) => other !== pattern);
  return loosened.map((other) => ['anchor dropped', `/${other}/${flags}`]);
}

function mutateCall(node: Node, text: Text): Replacement[] {
  const callee = node.callee as Node;
  const given = node.arguments as Node[];
  const replacements: Replacement[] = [];
  const [first, second, ...others] = given;
  if (first && second && isPlain(first) && isPlain(second))
    replacements.push(['parameters swapped', `${text(callee)}(${[second, first, ...others].map(text).join(', ')})`]);
  if (callee.type !== 'MemberExpression' || callee.computed) return replacements;
  const method = (callee.property as Node).name as string;
  const on = text(callee.object as Node);
  const args = given.map(text).join(', ');
  if (DROPPED_CALLS.includes(method)) replacements.push([`${method} forgotten`, on]);
  const swapped = SWAPPED_CALLS.get(method);
  if (swapped) replacements.push([`${swapped} for ${method}`, `${on}.${swapped}(${args})`]);
  if (LISTS.includes(method)) {
    replacements.push(['first element only', `${on}.slice(0, 1).${method}(${args})`]);
    replacements.push(['last element left out', `${on}.slice(0, -1).${method}(${args})`]);
  }
  if (method === 'has') replacements.push(['always there', 'true']);
  return replacements;
}

const isPlain = ({ type }: Node) => type === 'Identifier' || type === 'MemberExpression';

/** Whether a statement may be dropped: a write, or a call for its effect. */
export function isDroppable(node: Node): boolean {
  if (node.type !== 'ExpressionStatement') return false;
  const { type } = node.expression as Node;
  return ['AssignmentExpression', 'CallExpression', 'UpdateExpression', 'AwaitExpression'].includes(type);
}
