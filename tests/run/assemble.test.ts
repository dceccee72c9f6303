import { expect, test } from 'vitest';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { assemble } from '../../run/assemble.ts';
import { nothingYet } from '../../run/unfinished.ts';
import { workspace } from '../helpers/configuration/workspace.ts';
import { check } from '../reports/record-builder.ts';

test('the record does not depend on which check ended first', async () => {
  const configuration = await workspace().read({}, { seed: '1' });
  const recordOf = (outcomes: Outcome[]) => assemble(configuration, { ...nothingYet(new Date(0)), outcomes });
  const [one, other] = ['as a proxy', 'of another form'].map(
    (name) =>
      ({
        ...check('inconclusive', { name, message: `about ${name}` }),
        requirement: 'cards.get.unknown-identifier',
      }) as Outcome,
  ) as [Outcome, Outcome];
  expect(recordOf([other, one])).toEqual(recordOf([one, other]));
});
