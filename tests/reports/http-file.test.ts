import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeHttpFile } from '../../reports/client-files.ts';
import { httpFileOf } from '../../reports/http-file.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { anyText } from './any-text.ts';
import { BEGINNINGS, FAILED, hostileRecord } from './hostile-record.ts';

const BASE = 'http://127.0.0.1:9';

/** Lines that such a file may consist of. */
const LINE =
  /^(?:|### Request \d+: .*|# @name request\d+|# (?:Reproduces|Note:|To set:|Its body) .*|@TARGET_\w+ = .*|[A-Z]+ https?:\S+|[A-Za-z\d][^\s:]*: .*|["{[\w\\].*)$/;

/** The lines of a text, whatever a reader takes for the end of one. */
const linesOf = (text: string) => text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);

test('a record that others made writes no line of another kind, and no variable of its own', () => {
  const file = join(temporaryDirectory(), 'x.http');
  writeHttpFile(hostileRecord(BASE), file, FAILED);
  const text = readFileSync(file, 'utf8');
  const lines = linesOf(text);
  expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
  const requests = lines.filter((line) => /^[A-Z]+ http/.test(line));
  expect(requests.length).toBeGreaterThanOrEqual(BEGINNINGS.length / 2);
  expect(lines.filter((line) => line.startsWith('###'))).toHaveLength(requests.length);
  expect(requests.filter((line) => /unsent|POST \S+\/stolen/.test(line))).toEqual([]);
  for (const [, name] of text.matchAll(/\{\{([^}]*)/g))
    expect(name).toMatch(/^%?TARGET_\w+$|^request\d+\.response\.body\.\$\.\w+$/);
});

test('whatever a text is, each place of the format keeps it on its line', () => {
  const hostile = fc.oneof(
    anyText,
    fc.constantFrom(...BEGINNINGS),
    fc.string({ unit: fc.constantFrom(...'<>{}#@/?=\n\r\u2028 %x') }),
  );
  fc.assert(
    fc.property(hostile, hostile, hostile, fc.boolean(), (one, two, body, isForm) => {
      const request = {
        title: one,
        method: 'GET',
        url: `${BASE}/${two.replaceAll(/[\s\p{C}]/gu, '')}`,
        headers: [['x-a', two]] as const,
        body,
        isForm,
        keeps: undefined,
      };
      const text = httpFileOf({
        title: `Reproduces ${one}`,
        note: two,
        variables: [{ name: 'TARGET_A', what: one, value: two }],
        requests: [request],
      });
      expect(
        linesOf(text).filter((line) => !LINE.test(line) && line.trim() !== '' && line !== linesOf(text).at(-2)),
      ).toEqual([]);
      expect(linesOf(text).filter((line) => /^\s*(?:###|[<>?@]|# *@)/.test(line))).toEqual([
        '@TARGET_A = '.concat(
          linesOf(text)
            .find((line) => line.startsWith('@'))!
            .slice(12),
        ),
        expect.stringMatching(/^### Request 1: /),
      ]);
    }),
    { numRuns: 300, seed: 7 },
  );
});
