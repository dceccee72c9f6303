/** Exports of a record that somebody made for it, read by the parsers of their formats: a request stays one request, and a text a text. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Har } from 'har-format';
import { expect, test } from 'vitest';
import { report } from '../../cli/report.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { writeReports } from '../../reports/all.ts';
import { writeHttpFile, writePostman } from '../../reports/client-files.ts';
import { curlScript } from '../../reports/curl.ts';
import { writeHar } from '../../reports/har.ts';
import { reproductionsOf } from '../../reports/reproductions.ts';
import { isSendable } from '../../reports/script.ts';
import { start } from '../sandbox/client.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { load, program } from '../tools/installed.ts';
import { ROOT } from '../tools/root.ts';
import { serve } from '../tools/servers.ts';
import { FAILED, hostileRecord } from './hostile-record.ts';
import { conformance, everyVerdict, exchange, requirement, writeRecord } from './record-builder.ts';

/** What a client sends, by method and path, in the order in which it arrives. */
async function listening() {
  const arrived: { call: string; secret: boolean }[] = [];
  const base = await serve(async (request, response) => {
    const all = `${request.url} ${JSON.stringify(request.headers)} ${await text(request)}`;
    arrived.push({ call: `${request.method} ${request.url!.split(/[/?]/)[1]}`, secret: all.includes('hush-hush') });
    response.end('{}');
  });
  return { base, arrived };
}

/** The calls of the record that HTTP can carry. */
const callsOf = (record: ReturnType<typeof hostileRecord>): string[] =>
  [...record.exchanges()].filter(isSendable).map(({ request }) => `${request.method} ${request.url.split('/')[3]}`);

const SECRETS = { PATH: process.env.PATH, SECRET: 'hush-hush', TARGET_ACCESS_TOKEN: 'token' };

test('httpYac sends the requests of an .http file, and nothing else', async () => {
  const { base, arrived } = await listening();
  const folder = temporaryDirectory();
  const [record, file] = [hostileRecord(base), join(folder, 'x.http')];
  writeHttpFile(record, file, FAILED);
  // What must be set first is, and an address with a variable is one that the REST Client alone can encode.
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replaceAll(/\{\{%?TARGET_\w+\}\}/g, 'set')
      .replaceAll(/^@\w+ = .*$/gm, ''),
  );
  const sending = promisify(execFile)(program('httpyac'), ['send', file, '--all', '--no-color'], {
    cwd: folder,
    env: SECRETS,
  });
  await sending.catch(() => {});
  expect(arrived.map(({ call }) => call)).toEqual(callsOf(record));
  expect(arrived.filter(({ secret }) => secret)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['x.http']);
});

test('Postman reads the requests of a collection, without variables and scripts of the record', () => {
  const base = 'http://127.0.0.1:9';
  const [record, file] = [hostileRecord(base), join(temporaryDirectory(), 'x.json')];
  writePostman(record, file, FAILED);
  const { Collection } = load('postman-collection');
  const collection = new Collection(JSON.parse(readFileSync(file, 'utf8')));
  type Item = {
    request: { method: string; url: { getPath(): string }; toJSON(): object };
    events: { map<T>(of: (one: { script: { exec: string[] } }) => T): T[] };
  };
  const items: Item[] = collection.items.all();
  expect(items.map(({ request }) => `${request.method} ${request.url.getPath().split('/')[1]}`)).toEqual(
    callsOf(record),
  );
  const used = items.flatMap(({ request }) => [...JSON.stringify(request.toJSON()).matchAll(/\{\{([^}]*)/g)]);
  for (const [, name] of used) expect(name).toMatch(/^TARGET_\w+$/);
  const lines = items.flatMap(({ events }) => events.map(({ script }) => script.exec)).flat();
  for (const line of lines)
    expect(line).toMatch(
      /^pm\.collectionVariables\.set\('\w+', (?:encodeURIComponent\(pm\.variables\.get\('\w+'\)\)|pm\.response\.json\(\)\['\w+'\])\);$/,
    );
});

test('an HTTP Archive keeps to the schema of its format, and holds each exchange once', () => {
  const [record, file] = [hostileRecord('http://127.0.0.1:9'), join(temporaryDirectory(), 'x.har')];
  writeHar(record, file);
  const ajv = new Ajv({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  const schemas = Object.values(load('har-schema')) as { $id: string }[];
  for (const { $schema: _, ...schema } of schemas as { $schema?: string; $id: string }[]) ajv.addSchema(schema);
  const har = JSON.parse(readFileSync(file, 'utf8')) as Har;
  const isValid = ajv.getSchema('har.json#')!;
  expect({ valid: isValid(har), errors: isValid.errors }).toEqual({ valid: true, errors: null });
  expect(har.log.entries.map(({ request }) => `${request.method} ${request.url.split('/')[3]}`)).toEqual(
    callsOf(record),
  );
});

test('a shell sends the requests of the commands, and nothing else', async () => {
  const { base, arrived } = await listening();
  const folder = temporaryDirectory();
  const record = hostileRecord(base);
  const reproductions = reproductionsOf(record);
  const script = curlScript(reproductions.of(...reproductions.failureOf(FAILED)));
  const env = { ...SECRETS, TARGET_TEMPORARY_TOKEN: 'x' };
  await promisify(execFile)('sh', ['-c', script], { cwd: folder, env });
  expect(arrived.map(({ call }) => call)).toEqual(callsOf(record));
  expect(arrived.filter(({ secret }) => secret)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(join(folder, 'stolen.txt'))).toBe(false);
});

/** What `report` writes of a record of every verdict, full of a target's text. */
async function exported(option: string, path: string): Promise<string> {
  const folder = temporaryDirectory();
  const directory = writeRecord(
    join(folder, 'run'),
    conformance(everyVerdict()),
    [2, 3].map((number) => exchange(number)),
  );
  const file = join(directory, 'conformance.json');
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), null, 1));
  const { code, stderr } = await inProcess(report, [directory, option, join(folder, path)], {
    RUN_HISTORY: join(folder, 'history'),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return join(folder, path);
}

test('CTRF is valid by the package of its format, and counts each requirement once', async () => {
  const text = readFileSync(await exported('--ctrf', 'x.json'), 'utf8');
  const { parse, validate } = load('ctrf');
  expect(validate(JSON.parse(text))).toMatchObject({ valid: true });
  const { summary, tests } = parse(text).results;
  expect(tests.map(({ name }: { name: string }) => name.split(':')[0])).toEqual(everyVerdict().map(({ id }) => id));
  const { tests: all, passed, failed, skipped, other } = summary;
  expect({ all, sum: passed + failed + skipped + other }).toEqual({ all: tests.length, sum: tests.length });
  // Two failures that nobody knows of, one that is past its date, one that passes now; what was blocked.
  expect({ failed, other }).toEqual({ failed: 3, other: 1 });
});

test('SARIF is valid by the schema of its standard; a result is found at the line of its requirement', async () => {
  const file = await exported('--sarif', 'x.sarif');
  const ajv = new Ajv({ strict: false, validateSchema: false, unicodeRegExp: false });
  addFormats.default(ajv);
  const { id: _, ...schema } = load('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  const isValid = ajv.compile(schema);
  const log = JSON.parse(readFileSync(file, 'utf8'));
  expect({ valid: isValid(log), errors: isValid.errors }).toEqual({ valid: true, errors: null });
  const [{ results }] = log.runs;
  const levels = results.map((one: { ruleId: string; level: string }) => `${one.ruleId} ${one.level}`);
  expect(levels).toEqual([
    'cards.suspend.requires-token error',
    'cards.get.identifier error',
    'cards.get.shape error',
    'cards.list.max-abc error',
    'token.issue.no-store note',
  ]);
  const lines = readFileSync(join(dirname(file), 'run/conformance.json'), 'utf8').split('\n');
  for (const { ruleId, locations, message } of results) {
    const { region, artifactLocation } = locations[0].physicalLocation;
    expect(lines[region.startLine - 1]?.trim()).toBe(`"id": "${ruleId}",`);
    expect(artifactLocation.uri).toMatch(/run\/conformance\.json$/);
    expect(message.text).not.toMatch(/(?<!\\)\[/);
  }
});

test('JUnit files, one for each operation, hold together what the one file of the run does', async () => {
  const folder = await exported('--junit', 'junit');
  const files = readdirSync(folder);
  const operations = new Set(everyVerdict().map(({ id }) => id.split('.').slice(0, 2).join('.')));
  expect(files.toSorted()).toEqual([...operations].map((one) => `TEST-${one}.xml`).toSorted());
  const casesIn = (text: string) => text.match(/<testcase name="[^:]*/g) ?? [];
  const all = casesIn(readFileSync(join(dirname(folder), 'run/junit.xml'), 'utf8'));
  const each = files.flatMap((file) => casesIn(readFileSync(join(folder, file), 'utf8')));
  expect(each.toSorted()).toEqual(all.toSorted());
});

/** A record of traffic that exercised nothing, of a target at an address, and its reports. */
function unexercised(): string {
  const results = requirements.map(({ id, operations }) => requirement(id, [], { operations: [...operations] }));
  const record = conformance(results, { run: { source: 'recording', seen: [] } });
  const directory = writeRecord(join(temporaryDirectory(), 'judged'), record);
  expect(writeReports(directory, { history: join(directory, 'history') }).unwritten).toEqual([]);
  return directory;
}

test('what nothing exercised is sent from the files for editors and for vitest, with the addresses and credentials of the environment', async () => {
  const { sandbox, token, sessionId } = await start();
  const directory = unexercised();
  const env = { ...SECRETS, ...sandbox.environment, TOKEN: token, SESSION_ID: sessionId };
  const options = { cwd: directory, env, maxBuffer: 2 ** 26 };
  const [http, tests] = ['coverage.http', 'coverage.vitest.mjs'].map((name) =>
    readFileSync(join(directory, name), 'utf8'),
  );
  // The readings that name nothing invented succeed at any target.
  const readings = ['users.list', 'cards.list', 'portal.getCustomerList', 'portal.getShippingMethods'];
  copyFileSync(join(directory, 'coverage.vitest.mjs'), join(directory, 'coverage.test.mjs'));
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [
    vitest,
    'run',
    '--root',
    directory,
    '-t',
    `^(${readings.join('|')})$`,
    '--reporter=json',
    '--outputFile=x.json',
  ];
  await promisify(execFile)(process.execPath, args, options).catch(() => {});
  const found = JSON.parse(readFileSync(join(directory, 'x.json'), 'utf8'));
  expect(found).toMatchObject({ numPassedTests: readings.length, numFailedTests: 0 });
  // Last, since one of them is the logout.
  const sent = await promisify(execFile)(
    program('httpyac'),
    ['send', 'coverage.http', '--all', '--no-color'],
    options,
  ).catch((error) => error as { stdout: string });
  const calls = http!.match(/^###/gm)!.length;
  expect(sent.stdout.match(/^HTTP\/1\.1 \d+/gm)).toHaveLength(calls);
  expect(tests!.match(/^test\(/gm)).toHaveLength(calls);
});
