/** Lives: the steps that a run plays are those that its checks read. */
import { expect, test } from 'vitest';
import { declaredLives } from '../../suites/declare.ts';
import '../../suites/index.ts';

test('each step of each life is read by a check, or is a trial of an operation', () => {
  expect(declaredLives.length).toBeGreaterThan(0);
  expect(declaredLives.flatMap((life) => life.unread().map((step) => `${life.name}: ${step}`))).toEqual([]);
});
