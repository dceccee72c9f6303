import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readRecord } from '../../reports/record.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { conformance, everyVerdict, exchange, lacking, writeRecord } from './record-builder.ts';

let dir: string;
beforeEach(() => {
  dir = temporaryDirectory();
});

const record = conformance(everyVerdict());

test('a report directory is read whole, its exchanges as often as wanted', () => {
  const exchanges = Array.from({ length: 3000 }, (_, i) => exchange(i + 1, { check: `ünï ${'€'.repeat(i % 50)}` }));
  const change = { id: 'c00001', at: '2025-01-01T03:00:00Z', event: 'sending' as const, operation: 'cards.suspend' };
  writeRecord(dir, record, exchanges, [change]);
  const read = readRecord(dir);
  expect(read.conformance).toEqual(record);
  expect([...read.exchanges()]).toEqual(exchanges);
  expect([...read.exchanges()]).toEqual(exchanges);
  expect([...read.changes()]).toEqual([change]);
});

test('a conformance.json alone is enough', () => {
  const file = join(dir, 'vendor.json');
  writeFileSync(file, JSON.stringify(record));
  const read = readRecord(file);
  expect(read.conformance.target.name).toBe('sample');
  expect([...read.exchanges()]).toEqual([]);
});

test('fields that a later version adds are no fault', () => {
  writeRecord(dir, { ...record, later: 1 } as typeof record);
  expect(readRecord(dir).conformance).toEqual(record);
});

/** An error of one line that names a file and its fault. */
function fault(file: string, what: string) {
  const isLine = (text: string) => !text.includes('\n') && lacking(text, [join(dir, file), what]).length === 0;
  return expect.objectContaining({ name: 'RecordError', message: expect.toSatisfy(isLine) });
}

const whole = JSON.stringify(record);
test.each([
  ['cut off', whole.slice(0, whole.length / 2), 'is not whole JSON; the file seems cut off'],
  ['empty', '', 'is empty'],
  ['foreign', '{"name":"x"}', 'is not the record of a run (no schemaVersion)'],
  ['no object', '"x"', 'is not the record of a run (no schemaVersion)'],
  ['of another version', '{"schemaVersion":0}', 'has schemaVersion 0, this suite reads 1'],
  ['mutilated', whole.replace('"requests":3', '"requests":"3"'), 'not a record that a run wrote, at /run/requests'],
  ['not there', undefined, 'there is no such file'],
])('one line names a file that is %s', (_, text, what) => {
  if (text !== undefined) writeFileSync(join(dir, 'conformance.json'), text);
  expect(() => readRecord(dir)).toThrow(fault('conformance.json', what));
});

test('one line names a file of exchanges that is cut off, and the line', () => {
  writeRecord(dir, record, [exchange(1), exchange(2)]);
  const file = join(dir, 'exchanges.ndjson');
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20));
  const read = readRecord(dir);
  expect(() => [...read.exchanges()]).toThrow(fault('exchanges.ndjson', 'line 2: is not whole JSON'));
});
