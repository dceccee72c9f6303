/** Reproductions as files of API clients: newman sends the collection of a failure, which shows the contradiction on the faulty target alone. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { faults } from '../../proof/faults/index.ts';
import { pointedAt } from '../../proof/hostile/target.ts';
import { writeHttpFile, writePostman } from '../../reports/client-files.ts';
import { readRecord } from '../../reports/record.ts';
import { reproductionsOf } from '../../reports/reproductions.ts';
import { type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { program } from '../tools/installed.ts';
import { runHere } from '../tools/run-in-process.ts';
import { valuesFor } from './page/pasted.ts';

test.each(['portal.orderCards.duplicate-order', 'portal.getCustomerHierarchy.requires-session'])('%s', async (id) => {
  const folder = temporaryDirectory();
  const fault = faults.find(({ condemns: [first], configure }) => first === id && !configure)!;
  await using faulty = await startSandbox(fault.sandbox);
  await using sound = await startSandbox();
  const { reports } = await runHere(pointedAt(faulty.url, faulty), ['--only', id, '--seed', '20260']);
  const record = readRecord(reports);
  const [collection, requests, sent] = ['collection.json', 'requests.http', 'sent.json'].map((name) =>
    join(folder, name),
  );
  writePostman(record, collection!, id);
  const postman = readFileSync(collection!, 'utf8');
  const reproductions = reproductionsOf(record);
  const { variables, steps } = reproductions.of(...reproductions.failureOf(id));
  const sentTo = async (target: Sandbox) => {
    target.reset();
    const values = await valuesFor({ variables, steps }, target);
    writeFileSync(collection!, postman.replaceAll(faulty.url, target.url));
    const known = variables.filter(({ name }) => values[name] !== undefined);
    const given = known.flatMap(({ name }) => ['--env-var', `${name}=${values[name]}`]);
    const report = ['-r', 'json', '--reporter-json-export', sent!];
    // It ends with 1 where a test fails.
    const { code = 0 } = await promisify(execFile)(program('newman'), ['run', collection!, ...report, ...given]).then(
      () => ({ code: 0 }),
      (error: { code?: number }) => error,
    );
    type Report = { run: { executions: { response: { code: number } }[]; failures: unknown[] } };
    const { run } = JSON.parse(readFileSync(sent!, 'utf8')) as Report;
    expect(code).toBe(run.failures.length > 0 ? 1 : 0);
    return { statuses: run.executions.map(({ response }) => response.code), isGreen: code === 0 };
  };
  const recorded = steps.map(({ exchange }) => exchange.response!.status);
  const [atFaulty, atSound] = [await sentTo(faulty), await sentTo(sound)];
  expect(atFaulty.statuses).toEqual(recorded);
  expect(atSound.statuses).not.toEqual(recorded);
  expect(atSound.isGreen).toBe(true);
  // Of an order that is made twice, one answer alone does not show whether that is repaired.
  expect(postman.includes('is repaired')).toBe(id.endsWith('.requires-session'));
  expect(atFaulty.isGreen).toBe(!postman.includes('is repaired'));
  writeHttpFile(record, requests!, id);
  expect(readFileSync(requests!, 'utf8').match(/^### Request \d+: x\d+ .*$/gm)).toHaveLength(steps.length);
});
