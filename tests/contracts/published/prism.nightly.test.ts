/** What is published, held against the suite and the sandbox by Prism: as a mock made from it, and as a judge that uses it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../contracts/operations.ts';
import { readConformance } from '../../../proof/hostile/run.ts';
import type { SandboxOptions } from '../../../sandbox/index.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { program } from '../../tools/installed.ts';
import { ROOT } from '../../tools/root.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';

const directory = temporaryDirectory(afterAll);

/** The published OpenAPI documents leave out what the server variables hold: here the tenant. */
const TOKEN_PATH = '/B2C_1_signupandsignin/oauth2/v2.0/token';

/** Prism on a published document. @param upstream the target to stand before; a mock answers by itself */
async function prismOf(at: 'token' | 'v3' | 'v1', upstream?: string) {
  const document = join(ROOT, `contracts/published/openapi-${at}.json`);
  const args = upstream ? ['proxy', document, upstream] : ['mock', document];
  const child = spawn(process.execPath, [program('prism'), ...args, '--port', '0'], { env: { NO_COLOR: '1' } });
  const listening = Promise.withResolvers<string>();
  /** Everything that it prints: its sl-violations header is cut on long lists, this is not. */
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += stripVTControlCharacters(chunk.toString());
      const address = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(printed)?.[1];
      if (address) listening.resolve(address);
    });
  const ended = once(child, 'exit').then(() => listening.reject(new Error(`Prism ended: ${printed}`)));
  onTestFinished(() => {
    child.kill();
    return ended;
  });
  return { url: await listening.promise, printed: () => printed };
}

/** A run of the suite against Prism on each of the documents. */
async function runThrough(environment: Record<string, string>, fixtures: unknown, args: string[], upstream?: string) {
  const prisms = await Promise.all((['token', 'v3', 'v1'] as const).map((at) => prismOf(at, upstream)));
  const [TARGET_AUTH_URL, TARGET_BASE_URL, TARGET_PORTAL_URL] = prisms.map(({ url }) => url);
  const file = join(directory, 'fixtures.json');
  writeFileSync(file, JSON.stringify(fixtures));
  const addresses = {
    TARGET_AUTH_URL: TARGET_AUTH_URL!,
    TARGET_BASE_URL: TARGET_BASE_URL!,
    TARGET_PORTAL_URL: TARGET_PORTAL_URL!,
  };
  const files = { TARGET_FIXTURES: file, RUN_REPORT_DIR: join(directory, 'report') };
  const { reports, stderr } = await runHere({ ...environment, ...addresses, ...files }, args);
  expect(stderr).not.toContain('could not be carried out');
  return { record: readConformance(reports), printed: prisms.map((one) => one.printed()) };
}

async function runBeforeSandbox(options: SandboxOptions, args: string[] = []) {
  const sandbox = await sandboxFor({ ...options, paths: { auth: '', base: '', portal: '', token: TOKEN_PATH } });
  return runThrough(sandbox.environment, sandbox.fixtures, args, sandbox.url);
}

/** What Prism finds wrong of answers; of requests it finds much, since the suite sends wrong ones on purpose. */
const violations = (printed: string[]) => [...new Set(printed.join('\n').match(/Violation: response.*/g))];

test('a mock made from the published documents keeps every shape that the suite checks', async () => {
  const cards = (pool: string) => Array.from({ length: 8 }, (_, index) => `card-${pool}-${index}`);
  const environment = {
    TARGET_TOKEN_PATH: TOKEN_PATH,
    TARGET_CLIENT_ID: 'client',
    TARGET_CLIENT_SECRET: 'invented-secret',
    TARGET_PORTAL_LOGIN_ID: 'ada.example',
    TARGET_PORTAL_PASSWORD: 'invented-password',
    RUN_RISK: 'irreversible',
    RUN_SETTLE_MS: '0',
  };
  const fixtures = {
    users: { customerIdentifier: 'customer-0001', writableCustomerIdentifier: 'customer-0001' },
    cards: {
      active: cards('a'),
      disposable: cards('d'),
      unused: cards('u'),
      fraud: cards('f'),
      withRelated: 'card',
    },
    portal: { customerId: 4711, programs: { personalized: 815 } },
  };
  // A mock has no state: the shapes are judged, on calls with what is required alone.
  const { record } = await runThrough(environment, fixtures, ['--only', '*.shape,*.status,*.required-only']);
  const shapes = record.requirements.filter(({ id }) => /\.(shape|status)$/.test(id));
  expect(shapes.length).toBe(2 * operations.filter(({ listedOnly }) => !listedOnly).length);
  // All cards of a mock are Active: none is left that could be activated.
  const seen = shapes.filter(({ id }) => !id.startsWith('cards.activate.'));
  expect(seen.filter(({ verdict }) => verdict !== 'passed').map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});

test('a validating proxy before the sandbox sees no wrong answer in a full run', async () => {
  const { record, printed } = await runBeforeSandbox({});
  expect(record.summary.verdict).toBe('conformant');
  expect(record.run.requests).toBeGreaterThan(500);
  expect(printed.every((text) => text.includes('Violation: request'))).toBe(true);
  expect(violations(printed)).toEqual([]);
  const ajv = new Ajv2020({ strict: true });
  formats.default(ajv);
  for (const [file, schema] of [
    ['report/conformance.json', 'conformance'],
    ['report/exchanges.ndjson', 'exchange'],
    ['report/changes.ndjson', 'change'],
    ['fixtures.json', 'fixtures'],
  ]) {
    const published = readFileSync(join(ROOT, `contracts/published/schemas/run/${schema}.json`), 'utf8');
    const validate = ajv.compile(JSON.parse(published));
    const text = readFileSync(join(directory, file!), 'utf8').trim();
    const values = file!.endsWith('.ndjson') ? text.split('\n') : [text];
    expect(values.filter((value) => !validate(JSON.parse(value)))).toEqual([]);
  }
});

test('and sees one that is broken', async () => {
  const rules = { money: (cents: number) => String(cents) };
  const { printed } = await runBeforeSandbox({ rules }, ['--only', 'cards.getBalance']);
  expect(violations(printed).join('\n')).toMatch(/response\.body\.balance/);
});
