import { expect, test } from 'vitest';
import type { Context } from '../../helpers/context.ts';
import { judgeLives, leadLives, Unexpected } from '../../helpers/engine/life.ts';
import { Blocked, Inconclusive } from '../../helpers/verdict.ts';

const NOT_ACTIVE = 'cards.suspend.not-active';
const LIFE = [...'cabcbac'];

/**
 * Leads lives whose step `a` fails where it comes after two `b`, on a target that does so as often as it may.
 * @param failures how often it fails
 */
function led(
  lives: readonly (readonly string[])[],
  { failures = 100, mostRequests = 500, error = undefined as unknown } = {},
) {
  const t = { exchanges: [] as string[], run: { configuration: { run: { seed: 7, thorough: false } } } };
  let failed = 0;
  const lived = leadLives<string>(
    t as unknown as Context,
    lives,
    async (kept) => {
      const trace: string[] = [];
      return {
        trace,
        finish: async () => {},
        take: async (step) => {
          t.exchanges.push(`x${t.exchanges.length + 1}`);
          trace.push(step);
          if (step === 'c') kept.add('cards.unsuspend.active');
          if (step === 'e' && error) throw error;
          if (step === 'a' && trace.filter((one) => one === 'b').length === 2 && failed++ < failures)
            throw new Unexpected(NOT_ACTIVE, 'the card is Active', 'not Active', 'Active');
        },
      };
    },
    mostRequests,
  );
  return { t: t as unknown as Context, lived };
}

test('a life that fails is shortened to the steps that matter, whose exchanges alone are evidence', async () => {
  const { t, lived } = led([['c'], LIFE]);
  const found = await lived;
  expect(found.broken?.trace).toEqual(['b', 'b', 'a']);
  expect(() => judgeLives(t, found, NOT_ACTIVE)).toThrow(
    'the card is Active; the shortest life that shows it: b, b, a (--seed 7)',
  );
  expect(t.exchanges).toHaveLength(3);
});

test('a life that fails once accuses nobody', async () => {
  const { t, lived } = led([LIFE], { failures: 1 });
  const found = await lived;
  expect(found.broken).toBeUndefined();
  expect(() => judgeLives(t, found, NOT_ACTIVE)).toThrow(Inconclusive);
  expect(() => judgeLives(t, found, 'cards.unsuspend.active')).not.toThrow();
});

test('shortening is limited in requests', async () => {
  const { t, lived } = led([LIFE], { mostRequests: 0 });
  expect((await lived).broken?.times).toBe(2);
  expect(t.exchanges).toHaveLength(12);
});

test('a life says nothing of one requirement that another one broke, and names that', async () => {
  const { t, lived } = led([LIFE]);
  const found = await lived;
  expect(() => judgeLives(t, found, 'cards.unsuspend.pays-again')).toThrow(NOT_ACTIVE);
});

test('a life that cannot go on leaves the others; what blocks, blocks', async () => {
  const { lived } = led([['e'], LIFE], { error: new Inconclusive('a step is refused') });
  expect(await lived).toMatchObject({ broken: { trace: ['b', 'b', 'a'] }, ended: { message: 'a step is refused' } });
  await expect(led([['e'], LIFE], { error: new Blocked('unavailable') }).lived).rejects.toThrow(Blocked);
  await expect(led([['e'], LIFE], { error: new TypeError('a mistake') }).lived).rejects.toThrow(TypeError);
});
