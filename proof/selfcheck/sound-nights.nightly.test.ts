/** Later nights send other forms than the first: no sound implementation is accused by them, either. */
import { expect, test } from 'vitest';
import { requirementById } from '../../contracts/requirements/index.ts';
import { variants } from '../variants/index.ts';
import { packsOf, together } from '../variants/together.ts';
import { conductNights } from './nights.ts';
import { conductVariant, failedIn } from './prove.ts';
import { SEED } from './run-suite.ts';
import { accusedOf, judgeForms, packs } from './second-target.ts';

const NIGHTS = 3;

test.each(packsOf(variants).map((pack) => together(pack)))('variant $name', async (variant) => {
  const nights = await conductNights(NIGHTS, SEED, (_, configure) => conductVariant(variant, configure));
  const musts = nights.map(({ outcomes }) => failedIn(outcomes).filter((id) => requirementById(id).level === 'must'));
  expect(musts.flat()).toEqual([]);
});

test('packs of freedoms of the second target', { timeout: 3_600_000 }, async () => {
  const judged = await judgeForms(packs().map((form) => ({ ...form, nights: NIGHTS })));
  expect(accusedOf(judged)).toEqual([]);
});
