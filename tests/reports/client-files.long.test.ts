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

test.each(['portal.orderCards.duplicate-order', 'portal.logout.ends-session'])('%s', async (id) => {
  const folder = temporaryDirectory();
  const fault = faults.find(({ condemns: [first], configure }) => first === id && !configure)!;
  await using faulty = await startSandbox(fault.sandbox);
  const { reports } = await runHere(pointedAt(faulty.url, faulty), ['--only', id, '--seed', '20260']);
  const record = readRecord(reports);
  const collection = join(folder, 'collection.json');
  writePostman(record, collection, id);
  const reproductions = reproductionsOf(record);
  const reproduction = reproductions.of(...reproductions.failureOf(id));
  await using sound = await startSandbox();
  const statusesOf = async (target: Sandbox) => {
    target.reset();
    const values = await valuesFor(reproduction, target);
    const asked = reproduction.variables.filter(({ name }) => values[name] !== undefined);
    writeFileSync(collection, readFileSync(collection, 'utf8').replaceAll(faulty.url, target.url));
    const out = join(folder, 'out.json');
    const variables = asked.flatMap(({ name }) => ['--env-var', `${name}=${values[name]}`]);
    await promisify(execFile)(program('newman'), [
      'run',
      collection,
      '-r',
      'json',
      '--reporter-json-export',
      out,
      ...variables,
    ]);
    writeFileSync(collection, readFileSync(collection, 'utf8').replaceAll(target.url, faulty.url));
    const { run } = JSON.parse(readFileSync(out, 'utf8')) as {
      run: { executions: { response: { code: number } }[] };
    };
    return run.executions.map(({ response }) => response.code);
  };
  const recorded = reproduction.steps.map(({ exchange }) => exchange.response!.status);
  expect(await statusesOf(faulty)).toEqual(recorded);
  expect(await statusesOf(sound)).not.toEqual(recorded);
  const http = join(folder, 'requests.http');
  writeHttpFile(record, http, id);
  const requests = readFileSync(http, 'utf8').match(/^### x\d+ .*$/gm);
  expect(requests).toHaveLength(reproduction.steps.length);
});
