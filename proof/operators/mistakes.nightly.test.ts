/** Each mistake, applied to the comparisons of each kind of value on both targets, is condemned by a run of these checks with `--thorough`. */
import { describe, expect, test } from 'vitest';
import { MISTAKES, type Mistake } from '../../helpers/engine/forms/mistakes.ts';
import { failedIn } from '../selfcheck/prove.ts';
import { SEED } from '../selfcheck/run-suite.ts';
import { type Comparison, comparisonsByKind, isShown, mistaken } from './mistakes.ts';
import { acceptedBy, conductBroken, targetNames } from './prove.ts';

const mistakes = Object.keys(MISTAKES) as Mistake[];
const nameOf = ({ operation, condemns }: Comparison) => `${operation}: ${condemns}`;

describe.each(targetNames)('on the %s', (target) => {
  describe.each([...comparisonsByKind])('of the kind %s', (_, comparisons) => {
    test.each(mistakes)('%s', async (mistake) => {
      const { broken, known, made } = mistaken(mistake, comparisons, await acceptedBy(target));
      const only = [...new Set(comparisons.map(({ condemns }) => condemns))];
      const { outcomes } = await conductBroken(target, broken, { only, thorough: true });
      const failed = failedIn(outcomes);
      const shown = comparisons.filter((one) => isShown(one, mistake, known, SEED));
      expect(shown.filter((one) => !made.has(one)).map(nameOf), 'not tried').toEqual([]);
      expect(shown.filter(({ condemns }) => !failed.includes(condemns)).map(nameOf), 'not condemned').toEqual([]);
    });
  });
});
