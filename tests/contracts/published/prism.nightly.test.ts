/** What is published, held against the suite and the sandbox by others' tools: a mock made from it, and a judge that uses it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../contracts/operations.ts';
import type { Conformance } from '../../../contracts/record.ts';
import { readConformance } from '../../../proof/hostile/run.ts';
import type { SandboxOptions } from '../../../sandbox/index.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { ROOT } from '../../tools/root.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';
import { type Prism, startPrism } from './prism.ts';

const directory = temporaryDirectory(afterAll);

/** The published OpenAPI documents leave out what the server variables hold: here the tenant. */
const TOKEN_PATH = '/B2C_1_signupandsignin/oauth2/v2.0/token';

async function prism(at: 'token' | 'v3' | 'v1', upstream?: string): Promise<Prism> {
  const started = await startPrism(at, upstream);
  onTestFinished(() => started.close());
  return started;
}

/** Runs the suite. @returns its record */
async function run(environment: Record<string, string>, fixtures: unknown, args: string[] = []): Promise<Conformance> {
  const file = join(directory, 'fixtures.json');
  writeFileSync(file, JSON.stringify(fixtures));
  const { reports, stderr } = await runHere(
    { ...environment, TARGET_FIXTURES: file, RUN_REPORT_DIR: join(directory, 'report') },
    args,
  );
  expect(stderr).not.toContain('could not be carried out');
  return readConformance(reports);
}

const cards = (pool: string) => Array.from({ length: 8 }, (_, index) => `card-${pool}-${index}`);

test('a mock made from the published documents keeps every shape that the suite checks', async () => {
  const [token, v3, v1] = await Promise.all([prism('token'), prism('v3'), prism('v1')]);
  const { requirements } = await run(
    {
      TARGET_AUTH_URL: token.url,
      TARGET_BASE_URL: v3.url,
      TARGET_TOKEN_PATH: TOKEN_PATH,
      TARGET_CLIENT_ID: 'client',
      TARGET_CLIENT_SECRET: 'invented-secret',
      TARGET_PORTAL_URL: v1.url,
      TARGET_PORTAL_LOGIN_ID: 'ada.example',
      TARGET_PORTAL_PASSWORD: 'invented-password',
      RUN_RISK: 'irreversible',
      RUN_SETTLE_MS: '0',
    },
    {
      users: { customerIdentifier: 'customer-0001', writableCustomerIdentifier: 'customer-0001' },
      cards: { active: cards('a'), disposable: cards('d'), unused: cards('u'), fraud: cards('f'), withRelated: 'card' },
      portal: { customerId: 4711, programs: { personalized: 815 } },
    },
    // A mock has no state: the shapes are judged, on calls with what is required alone.
    ['--only', '*.shape,*.status,*.required-only'],
  );
  const shapes = requirements.filter(({ id }) => /\.(shape|status)$/.test(id));
  expect(shapes.length).toBe(2 * operations.filter(({ listedOnly }) => !listedOnly).length);
  // All cards of a mock are Active: none is left that could be activated.
  const seen = shapes.filter(({ id }) => !id.startsWith('cards.activate.'));
  expect(seen.filter(({ verdict }) => verdict !== 'passed').map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});

/** What Prism finds wrong of answers; of requests it finds much, since the suite sends wrong ones on purpose. */
const violations = (prisms: Prism[]) =>
  prisms.flatMap((one) => [...new Set(one.printed().match(/Violation: response.*/g) ?? [])]);

/** What a run writes, and the published schema of its lines or its whole. */
const RUN_FILES = {
  'conformance.json': 'conformance',
  'exchanges.ndjson': 'exchange',
  'changes.ndjson': 'change',
  '../fixtures.json': 'fixtures',
};

function compile(schema: string) {
  const ajv = new Ajv2020({ strict: true });
  formats.default(ajv);
  const file = join(ROOT, 'contracts/published/schemas/run', `${schema}.json`);
  return ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
}

const ROOT_PATHS = { auth: '', base: '', portal: '', token: TOKEN_PATH };

/** A run of the suite through Prism against the sandbox. */
async function through(options: SandboxOptions, args: string[] = []) {
  const sandbox = await sandboxFor({ ...options, paths: ROOT_PATHS });
  const documents = ['token', 'v3', 'v1'] as const;
  const prisms = await Promise.all(documents.map((at) => prism(at, sandbox.url)));
  const [token, v3, v1] = prisms as [Prism, Prism, Prism];
  const record = await run(
    {
      ...sandbox.environment,
      TARGET_AUTH_URL: token.url,
      TARGET_BASE_URL: v3.url,
      TARGET_PORTAL_URL: v1.url,
    },
    sandbox.fixtures,
    args,
  );
  return { record, prisms };
}

test('a validating proxy before the sandbox sees no wrong answer in a full run', async () => {
  const { record, prisms } = await through({});
  expect(record.summary.verdict).toBe('conformant');
  expect(record.run.requests).toBeGreaterThan(500);
  expect(prisms.every((one) => one.printed().includes('Violation: request'))).toBe(true);
  expect(violations(prisms)).toEqual([]);
  for (const [file, schema] of Object.entries(RUN_FILES)) {
    const validate = compile(schema);
    const lines = readFileSync(join(directory, 'report', file), 'utf8').trim();
    const values = file.endsWith('.ndjson') ? lines.split('\n') : [lines];
    expect(values.filter((text) => !validate(JSON.parse(text)))).toEqual([]);
  }
});

test('and sees one that is broken', async () => {
  const { prisms } = await through({ rules: { money: (cents) => String(cents) } }, ['--only', 'cards.getBalance']);
  expect(violations(prisms).join('\n')).toMatch(/response\.body\.balance/);
});
