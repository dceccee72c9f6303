/** Targets that give back what they are sent. */
import { expect, test } from 'vitest';
import { everythingOf, readConformance, startRun } from '../../../proof/hostile/run.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { canaryTarget } from './canaries.ts';
import { alsoEchoing, echoing } from './echoes.ts';
import { leaks } from './leaks.ts';

test('a target that answers nothing but what it was sent, in every place of an answer', async () => {
  const target = await canaryTarget(echoing);
  const ended = await startRun(target.environment).ended;
  expect(leaks(target, ended)).toEqual([]);
  expect(readConformance(ended.reports).run.requests).toBeGreaterThan(100);
});

test('a target that gives back its own answers and every request beside them', async () => {
  const target = await canaryTarget(alsoEchoing);
  const ended = await runHere(target.environment);
  expect(leaks(target, ended)).toEqual([]);
  expect(target.canaries().length).toBeGreaterThan(15);
  expect(readConformance(ended.reports).run.requests, ended.stdout + ended.stderr).toBeGreaterThan(500);
  const exchanges = everythingOf(ended).get('exchanges.ndjson')!;
  for (const marker of ['CLIENT_SECRET', 'ACCESS_TOKEN', 'SESSION_ID', 'ENCRYPTED_PAYLOAD', 'PASSWORD'])
    expect(exchanges).toContain(`<REDACTED_${marker}>`);
  expect(exchanges.replaceAll('\\"', '"')).toContain('"pin":"<REDACTED_PIN>"');
});
