/** What a lost answer, and money that goes missing, do to the verdict of a requirement. */
import { expect, test } from 'vitest';
import { concluded, type Outcome } from '../../helpers/runner/outcome.ts';
import { asRedacted } from '../../redaction/types.ts';

const outcome = (name: string, verdict: Outcome['verdict'], more: Partial<Outcome> = {}): Outcome => ({
  requirement: 'portal.orderCards.duplicate-order',
  name,
  verdict,
  message: asRedacted('the connection was closed'),
  durationMs: 0,
  exchanges: [],
  ...more,
});
const lost = outcome('two at the same moment', 'blocked', { isLost: true });

const verdictsOf = (outcomes: readonly Outcome[]) => concluded(outcomes).map(({ verdict }) => verdict);

test.each([
  ['where another check has seen it kept', outcome('again', 'passed'), 'notApplicable'],
  ['where another check has seen it broken', outcome('again', 'failed'), 'notApplicable'],
  ['not where the other one saw nothing', outcome('again', 'inconclusive'), 'blocked'],
  ['not where the other one is of another requirement', { ...outcome('again', 'passed'), requirement: 'x' }, 'blocked'],
])('a check that an answer was lost to is left out %s', (_, other, verdict) => {
  expect(verdictsOf([lost, other])).toEqual([verdict, other.verdict]);
});

test('a check that is blocked for another reason blocks its requirement', () => {
  expect(verdictsOf([outcome('first', 'blocked'), outcome('again', 'passed')])).toEqual(['blocked', 'passed']);
});

test.each([
  ['where what judges that is inconclusive', ['inconclusive', 'passed'], 'inconclusive'],
  ['where it sees money conserved', ['passed'], 'inconclusive'],
  ['not where it accuses', ['failed', 'inconclusive'], 'blocked'],
  ['not where it is blocked, too', ['blocked', 'inconclusive'], 'blocked'],
  ['not where it was not tried', [], 'blocked'],
] as const)('what was not sent since money goes missing is inconclusive %s', (_, conserves, verdict) => {
  const judged = conserves.map((one) => ({ ...outcome(one, one), requirement: 'cards.transfer.conserves-money' }));
  expect(verdictsOf([outcome('unmoved', 'blocked', { isUnmoved: true }), ...judged])[0]).toBe(verdict);
});
