/** No variant of the sandbox is accused from what a run exchanged with it, whoever made the recording. */
import { expect, test } from 'vitest';
import { variants } from '../variants/index.ts';
import { packsOf, together } from '../variants/together.ts';
import { applyVariant } from '../variants/variant.ts';
import { conductAgainst, conductAgainstServed } from './prove.ts';
import { judgeRecorded } from './recorded.ts';

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
