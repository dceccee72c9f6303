import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendHistory, readHistory } from '../../reports/history.ts';
import { check, conformance, requirement } from './record-builder.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'history-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const night = (day: number, name = 'sample') =>
  conformance([requirement('cards.get.shape', [check(day % 2 ? 'passed' : 'failed')])], {
    target: { name },
    run: { startedAt: new Date(Date.UTC(2025, 0, day)).toISOString() },
  });

test('the last thirty runs of a target are kept, the earliest first, each once', () => {
  for (let day = 40; day > 0; day--) appendHistory(night(day), dir);
  appendHistory(night(40), dir);
  const history = readHistory('sample', dir);
  expect(history).toHaveLength(30);
  expect(history.map(({ startedAt }) => startedAt)).toEqual(history.map(({ startedAt }) => startedAt).toSorted());
  expect(history.at(-1)).toMatchObject({
    startedAt: '2025-02-09T00:00:00.000Z',
    summary: { verdict: 'nonconformant' },
  });
  expect(readdirSync(dir)).toEqual(['sample.ndjson']);
});

test('each target has a file in the directory, whatever its name', () => {
  const names = ['sample', '../evil', '..', 'a/b', 'a b', 'a%20b', '', 'x'.repeat(300), '卡'.repeat(100)];
  for (const name of names) appendHistory(night(1, name), dir);
  expect(readdirSync(dir)).toHaveLength(names.length);
  for (const name of names) expect(readHistory(name, dir)).toHaveLength(1);
});

test('what cannot be read is left out', () => {
  appendHistory(night(1), dir);
  appendFileSync(join(dir, 'sample.ndjson'), '{"startedAt":');
  expect(readHistory('sample', dir)).toHaveLength(1);
  expect(readHistory('unknown', dir)).toEqual([]);
});
