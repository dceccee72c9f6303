/** No sound target is accused from what a run exchanged with it, whoever made the recording. */
import { expect, test } from 'vitest';
import { variants } from '../variants/index.ts';
import { packsOf, together } from '../variants/together.ts';
import { conductVariant } from './prove.ts';
import { judgeRecorded } from './recorded.ts';
import { accusedOf, judgeForms, packs as packsOfFreedoms } from './second-target.ts';

test.each(packsOf(variants).map(together))('$name', async (variant) => {
  const { run, exchanges } = await conductVariant(variant);
  for (const isOwn of [true, false]) {
    const { failed } = await judgeRecorded(run.configuration, exchanges, isOwn);
    expect(failed.filter(({ isMust }) => isMust)).toEqual([]);
  }
});

test('the second target, with its freedoms', async () => {
  const judged = await judgeForms(packsOfFreedoms().map((form) => ({ ...form, recording: true })));
  expect(accusedOf(judged)).toEqual([]);
});
