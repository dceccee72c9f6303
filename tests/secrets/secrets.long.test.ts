/** A target that gives back nothing but what it is sent. */
import { expect, test } from 'vitest';
import { readConformance, startRun } from '../hostile/run.ts';
import { canaryTarget } from './canaries.ts';
import { echoing } from './echoes.ts';
import { leaks } from './leaks.ts';

test('a target that answers nothing but what it was sent, in every place of an answer', async () => {
  const target = await canaryTarget(echoing);
  const ended = await startRun(target.environment).ended;
  expect(leaks(target, ended)).toEqual([]);
  expect(readConformance(ended.reports).run.requests).toBeGreaterThan(100);
});
