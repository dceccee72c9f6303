import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../helpers/context.ts';
import { Blocked, fail, Inconclusive, Nonconformance, Skipped } from '../../helpers/verdict.ts';
import { affordable, forAll } from '../../suites/property-based/search.ts';
import { Broken, judgeSequences, trySequences } from '../../suites/property-based/sequence.ts';

/** As much of a context as generated input looks at; each try notes one exchange. */
function contextWith(run: { seed?: number; thorough?: boolean; maxOrders?: number } = {}) {
  const exchanges: string[] = [];
  const settings = { seed: 7, thorough: false, maxOrders: 60, maxCipChecks: 60, ...run };
  const t = { exchanges, run: { configuration: { run: settings } } } as unknown as Context;
  return { t, request: () => exchanges.push(`x${exchanges.length + 1}`) };
}

async function drawnBy(seed: number, thorough = false): Promise<number[]> {
  const { t, request } = contextWith({ seed, thorough });
  const drawn: number[] = [];
  await forAll(t, fc.nat(), 5, async (value) => {
    request();
    drawn.push(value);
  });
  return drawn;
}

describe('inputs', () => {
  test('are the same for the same seed, and others for another', async () => {
    expect(await drawnBy(1)).toEqual(await drawnBy(1));
    expect(await drawnBy(1)).not.toEqual(await drawnBy(2));
  });

  test('are as many as asked for, ten times as many when thorough, never more than may be', async () => {
    expect((await drawnBy(1)).length).toBeLessThanOrEqual(5);
    expect((await drawnBy(1, true)).length).toBeGreaterThan(20);
    const { t, request } = contextWith({ thorough: true });
    await forAll(t, fc.nat(), 5, async () => void request(), { most: 3 });
    expect(t.exchanges.length).toBeLessThanOrEqual(3);
  });

  test('of each kind are drawn', async () => {
    const { t, request } = contextWith();
    const seen = new Set<string>();
    await forAll(t, [fc.constant('one'), fc.constant('two')], 1, async (value) => {
      request();
      seen.add(value);
    });
    expect(seen).toEqual(new Set(['one', 'two']));
  });
});

describe('a failing input', () => {
  const tooLarge = (limit: number) => async (t: Context, request: () => void) =>
    forAll(t, fc.integer({ min: 0, max: 1000 }), 50, async (value) => {
      request();
      if (value > limit) fail('the value is accepted');
    });

  test('is shrunk to the smallest, and named with the seed', async () => {
    const { t, request } = contextWith({ seed: 42 });
    const failed = tooLarge(0)(t, request);
    await expect(failed).rejects.toThrow(Nonconformance);
    await expect(failed).rejects.toThrow(
      'the value is accepted; the smallest generated input that shows it: 1 (--seed 42)',
    );
  });

  test('leaves the exchanges of the smallest as the only evidence', async () => {
    const { t, request } = contextWith();
    await expect(tooLarge(0)(t, request)).rejects.toThrow(Nonconformance);
    expect(t.exchanges).toHaveLength(1);
  });

  test('costs a limited number of requests to shrink', async () => {
    const { t, request } = contextWith();
    let tries = 0;
    const failed = forAll(
      t,
      fc.string({ minLength: 500, maxLength: 600, size: 'max' }),
      3,
      async () => {
        request();
        tries++;
        fail('any text is accepted');
      },
      { shrinkingRequests: 4 },
    );
    await expect(failed).rejects.toThrow(/any text is accepted.*\.\.\. \(--seed 7\)/);
    expect(tries).toBeLessThanOrEqual(5);
  });
});

describe('inputs that cannot tell', () => {
  test('are passed over when another tells', async () => {
    const { t, request } = contextWith();
    await forAll(t, [fc.constantFrom(1, 2)], 20, async (value) => {
      request();
      if (value === 1) throw new Inconclusive('refused for another reason');
    });
  });

  test('are inconclusive when none tells; what blocks, blocks', async () => {
    const { t } = contextWith();
    const always = (error: Error) =>
      forAll(t, fc.nat(), 3, async () => {
        throw error;
      });
    await expect(always(new Inconclusive('no way to tell'))).rejects.toThrow(Inconclusive);
    await expect(always(new Skipped('needs more'))).rejects.toThrow(Skipped);
    await expect(always(new Blocked('unavailable'))).rejects.toThrow(Blocked);
    await expect(always(new TypeError('a mistake'))).rejects.toThrow(TypeError);
  });
});

test('what costs leaves the other checks their share', () => {
  expect(affordable(contextWith().t, 'RUN_MAX_ORDERS')).toBe(5);
  expect(() => affordable(contextWith({ maxOrders: 50 }).t, 'RUN_MAX_ORDERS')).toThrow(/RUN_MAX_ORDERS above 55/);
});

describe('a sequence', () => {
  const ID = 'cards.suspend.not-active';
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 10, size: 'max' });

  /** Breaks when an `a` comes anywhere after two `b`. */
  function tried(seed: number, shorteningRequests: number) {
    const { t, request } = contextWith({ seed });
    const found = trySequences(t, letters, { inputs: 50, shorteningRequests }, async (seen) => {
      const trace: string[] = [];
      return {
        take: async (step: string) => {
          request();
          trace.push(step);
          const count = trace.filter((one) => one === 'b').length;
          if (step === 'a' && count >= 2) throw new Broken(ID, trace, 'the card is Active', 'not Active', 'Active');
          if (step === 'c') seen.add('cards.unsuspend.active');
        },
      };
    });
    return { t, found };
  }

  test('that breaks the model is shortened to the steps that matter', async () => {
    for (const seed of [1, 2, 3]) {
      const { t, found } = tried(seed, 500);
      const { broken } = await found;
      expect(broken?.contradiction.trace).toEqual(['b', 'b', 'a']);
      expect(() => judgeSequences(t, { broken, seen: new Set() }, ID)).toThrow(`b, b, a (--seed ${seed})`);
      expect(t.exchanges).toHaveLength(3);
    }
  });

  test('is shortened with a limited number of requests', async () => {
    const { t, found } = tried(1, 0);
    const { broken } = await found;
    expect(broken?.exchanges.length).toBe(broken?.contradiction.trace.length);
    expect(t.exchanges.length).toBeLessThan(50 * 10);
  });

  test('tells of one requirement nothing that another one broke', async () => {
    const { t, found } = tried(1, 100);
    const sequences = await found;
    expect(() => judgeSequences(t, sequences, 'cards.unsuspend.pays-again')).toThrow(Inconclusive);
    expect(() => judgeSequences(t, sequences, 'cards.unsuspend.pays-again')).toThrow(ID);
  });
});
