/** Runs that a program starts share a directory no more than others do. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DirectoryInUse } from '../../../files/hold.ts';
import { type ConformanceOptions, conformance } from '../../../run/conformance.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { suspending } from './held.ts';

test('one at a time has a directory, in the same process too, and what is open there is set aside', async () => {
  const reportDir = temporaryDirectory();
  const change = suspending('c00001', 'card');
  writeFileSync(join(reportDir, 'changes.ndjson'), `${JSON.stringify(change)}\n`);
  const options: ConformanceOptions = { reportDir, only: ['users.get.shape'], risk: 'safe' };
  const first = conformance(options);
  await expect(conformance(options)).rejects.toThrow(DirectoryInUse);
  const record = await first;
  expect(record.summary.must.passed).toBe(1);
  expect(record.run.notes?.join()).toContain(join(reportDir, 'unfinished-1'));
  expect(JSON.parse(readFileSync(join(reportDir, 'unfinished-1/changes.ndjson'), 'utf8'))).toEqual(change);
  await conformance(options);
});
