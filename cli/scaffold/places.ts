/** What is written for something new, and where: what is left to fill in is marked with {@link MARK}. */

/** Stands wherever something is to be filled in. */
export const MARK = 'FILL IN';

/** A piece of text in a file. */
export interface Place {
  /** Path from the project's root. */
  file: string;
  /** The text that it is written in front of, or behind; without either, the end of the file, or a new file. */
  before?: string;
  after?: string;
  text: string;
}

/** What can be made anew: from a name, the places that need it. @throws Error when the name is none for that */
export const KINDS: Record<string, { argument: string; placesOf: (name: string) => Place[] }> = {
  operation: { argument: 'the id of an operation that reads one card, such as cards.getLimits', placesOf: operation },
  requirement: { argument: 'the id of a must requirement, such as cards.get.limits', placesOf: requirement },
  fault: { argument: 'the id of the requirement that condemns it, such as cards.get.shape', placesOf: fault },
  freedom: { argument: 'what a sound target does otherwise, such as "cards have limits"', placesOf: freedom },
  report: { argument: 'the file of a report of every run, such as limits.txt', placesOf: report },
};

/** `getLimits` as a path (`/limits`), a noun (`limits`), and a name of a shape (`limits`). */
const nounOf = (name: string) => name.replace(/^(get|list)/, '').replace(/^./, (letter) => letter.toLowerCase());
const pathOf = (name: string) => nounOf(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function operation(id: string): Place[] {
  const [, name] = /^cards\.([a-z][A-Za-z]*)$/.exec(id) ?? [];
  if (name === undefined)
    throw new Error(`${id} is no id of an operation that reads one card, such as cards.getLimits`);
  const [noun, path] = [nounOf(name), pathOf(name)];
  const stub = (what: string) => `\n/** GET /cards/{identifier}/${path} */\nexport function ${name}${what}\n`;
  return [
    {
      file: 'contracts/v3/cards.ts',
      before: 'const customFields = z',
      text: `const ${noun} = z.object({ value: number }).meta({ id: '${noun}' }); // ${MARK}: the members\n\n`,
    },
    {
      file: 'contracts/v3/cards.ts',
      before: "  onCard('listRelated', {",
      text: `  onCard('${name}', {
    title: 'Read the ${noun} of a card',
    method: 'GET',
    path: '/${path}',
    success: ok(${noun}),
    risk: 'safe',
  }),
`,
    },
    {
      file: 'contracts/v3/cards.ts',
      before: '  updatePin: { source: otherShapes',
      text: `  ${noun}: { source: otherShapes, example: { value: 500 } }, // ${MARK}: an example\n`,
    },
    {
      file: 'contracts/statements/v3.ts',
      before: "      {\n        row: 'GET .../related',",
      text: `      {
        row: 'GET .../${path}',
        text: 'The ${noun}, 200', // ${MARK}: what the document says
        judged: ['${id}.status', '${id}.required-only'],
      },
`,
    },
    {
      file: 'contracts/statements/v3.ts',
      before: "      { row: 'balance', text: 'balance is a number'",
      text: `      { row: '${noun}', text: 'value is a number', judged: ['${id}.shape'] }, // ${MARK}: its members\n`,
    },
    { file: 'sandbox/operations.ts', before: "  | 'cards.listRelated'", text: `  | '${id}'\n` },
    {
      file: 'sandbox/operations.ts',
      before: "  v3('cards.listRelated'",
      text: `  v3('${id}', 'GET', \`\${card}/${path}\`),\n`,
    },
    { file: 'sandbox/http/handlers.ts', before: "  'cards.listRelated': listRelated", text: `  '${id}': ${name},\n` },
    { file: 'sandbox/http/handlers.ts', before: 'listRelated } from', text: `${name}, ` },
    {
      file: 'sandbox/v3/cards.ts',
      text: stub(`(call: Call): unknown {\n  findCard(call);\n  return { value: 500 }; // ${MARK}: the answer\n}`),
    },
    {
      file: 'proof/second-target/operation-ids.ts',
      before: "  'cards.listRelated'",
      text: `  '${id}': \`GET \${cards}/{identifier}/${path}\`,\n`,
    },
    {
      file: 'proof/second-target/operations/cards.ts',
      text: stub(
        `(x: Exchange): () => Reply {\n  cardOfPath(x);\n  return () => ok({ value: 500 }); // ${MARK}: the answer\n}`,
      ),
    },
    {
      file: 'proof/third-target/core/routes.ts',
      after: "add('v3', 'GET', all, 'cards.list', cards.list);\n",
      text: `add('v3', 'GET', \`\${one}/${path}\`, '${id}', cards.${name});\n`,
    },
    {
      file: 'proof/third-target/operations/cards.ts',
      text: stub(
        `(world: World, call: Call): Answer {\n  found(world, call);\n  return { status: 200, body: { value: 500 } }; // ${MARK}: the answer\n}`,
      ),
    },
  ];
}

/** Where the requirements of an interface, their statements, checks and faults are. */
interface Area {
  catalogue: string;
  statements: string;
  /** Begin of the row in front of which a statement is written. */
  row: string;
  suite: string;
  faults: { file: string; list: string };
}

const READING_FAULTS = { file: 'v3-reading', list: 'const shown: readonly Fault[] = [\n' };
const AREAS: Record<string, Area> = {
  cards: {
    catalogue: 'cards',
    statements: 'v3',
    row: "      {\n        row: 'GET .../related',",
    suite: 'v3/cards',
    faults: READING_FAULTS,
  },
  users: {
    catalogue: 'users',
    statements: 'v3',
    row: "      {\n        row: 'PUT .../permissions',",
    suite: 'v3/users',
    faults: READING_FAULTS,
  },
  portal: {
    catalogue: 'portal',
    statements: 'v1',
    row: "      {\n        row: 'getShippingFeeTypes',",
    suite: 'v1',
    faults: { file: 'portal-lookups', list: 'export const portalLookupFaults: readonly Fault[] = [\n' },
  },
};

function areaOf(id: string) {
  const [, area, operation, slug] = /^(cards|users|portal)\.([A-Za-z]+)\.([a-z0-9-]+)$/.exec(id) ?? [];
  if (area === undefined) throw new Error(`${id} is no id of a requirement, such as cards.get.limits`);
  return { ...AREAS[area]!, operation: `${area}.${operation}`, slug: slug! };
}

function requirement(id: string): Place[] {
  const { catalogue, statements, row, suite, operation: of, slug } = areaOf(id);
  const up = '../'.repeat(suite.split('/').length + 1);
  return [
    {
      file: `contracts/requirements/${catalogue}.ts`,
      after: 'Statements: Record<string, Statement> = {\n',
      text: `  '${id}': {
    text: '${MARK}: the sentence, in plain present tense',
    readings: [],
    group: 'effects', // ${MARK}
  },
`,
    },
    {
      file: `contracts/statements/${statements}.ts`,
      before: row,
      text: `      {
        row: '${MARK}: the row, or move it to its own',
        text: '${MARK}: what the document says',
        judged: ['${id}'],
      },
`,
    },
    {
      file: `suites/${suite}/${slug}.ts`,
      text: `/** ${MARK}: what is judged, and its readings. */
import { fail } from '${up}helpers/verdict.ts';
import { check } from '${up}suites/declare.ts';

check('${id}', '${MARK}: what is looked at', async (t) => {
  const answer = await t.call('${of}', {}); // ${MARK}: a right request
  if (answer.status !== 200) fail('${MARK}: what contradicts', 'expected', String(answer.status), { in: answer });
});
`,
    },
    { file: 'suites/index.ts', before: "import './v3/token/lifetime.ts';", text: `import './${suite}/${slug}.ts';\n` },
    ...fault(id),
  ];
}

function fault(id: string): Place[] {
  const { faults, operation: of } = areaOf(id);
  return [
    {
      file: `proof/faults/${faults.file}.ts`,
      after: faults.list,
      text: `  // ${MARK}: what is wrong, in words, and how the target does it
  fault('${MARK}: wrong', '${id}', replacing('${of}', () => ({ body: {} }))),
`,
    },
  ];
}

function freedom(name: string): Place[] {
  return [
    {
      file: 'proof/variants/general.ts',
      before: "  configured('no test clock'",
      text: `  ruled('${name}', {}), // ${MARK}: the rule of the sandbox, or answered(...) or implemented(...)\n`,
    },
  ];
}

function report(file: string): Place[] {
  const [, name] = /^([a-z][a-z-]*)\.[a-z]+$/.exec(file) ?? [];
  if (name === undefined) throw new Error(`${file} is no file name of a report, such as limits.txt`);
  const writer = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [
    {
      file: `reports/${name}.ts`,
      text: `/** ${MARK}: what it tells whom. */
import type { View } from './view.ts';

/** @returns the text of \`${file}\` */
export const ${writer} = ({ conformance }: View): string => \`\${conformance.target.name}\\n\`; // ${MARK}
`,
    },
    { file: 'reports/all.ts', before: "  { file: 'summary.md'", text: `  { file: '${file}', textOf: ${writer} },\n` },
    {
      file: 'reports/all.ts',
      before: 'import { PAGE, type RunRecord',
      text: `import { ${writer} } from './${name}.ts';\n`,
    },
    { file: 'README.md', before: 'and with a baseline `comparison.json`', text: `\`${file}\`, ` },
  ];
}
