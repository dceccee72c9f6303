/** No sound target is accused from what a run exchanged with it, whoever made the recording. */
import { expect, test } from 'vitest';
import { variants } from '../variants/index.ts';
import { packsOf, together } from '../variants/together.ts';
import { applyVariant } from '../variants/variant.ts';
import { conductAgainst, conductAgainstServed } from './prove.ts';
import { judgeRecorded } from './recorded.ts';
import { judgeForms, packs as packsOfFreedoms } from './second-target.ts';

const packs = packsOf(variants).map((pack) => together(pack));

/** Time limit of one variant, or pack of variants, in milliseconds. */
const LIMIT_MS = 120_000;

test.each(packs)(
  '$name',
  async (variant) => {
    const conduct = variant.served ? conductAgainstServed : conductAgainst;
    const { run, exchanges } = await conduct(variant.sandbox, [], (configuration) =>
      applyVariant(variant, configuration),
    );
    for (const isOwn of [true, false]) {
      const { failed } = await judgeRecorded(run.configuration, exchanges, isOwn);
      expect(failed.filter(({ isMust }) => isMust)).toEqual([]);
    }
  },
  LIMIT_MS,
);

test('the second target, with its freedoms', async () => {
  const judged = await judgeForms(packsOfFreedoms().map((form) => ({ ...form, recording: true })));
  expect(judged.filter(({ failed, broke }) => failed.length > 0 || broke !== undefined)).toEqual([]);
});
