import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../helpers/context.ts';
import { Blocked, fail, Inconclusive, Skipped } from '../../helpers/verdict.ts';
import { search } from '../../suites/property-based/search.ts';
import { Broken, judgeSequences, trySequences } from '../../suites/property-based/sequence.ts';

/** As much of a context as generated input looks at; each try notes one exchange. */
function contextWith(run: { seed?: number; thorough?: boolean } = {}) {
  const exchanges: string[] = [];
  const settings = { seed: 7, thorough: false, ...run };
  const t = { exchanges, run: { configuration: { run: settings } } } as unknown as Context;
  return { t, request: () => exchanges.push(`x${exchanges.length + 1}`) };
}

async function drawnBy(seed: number, thorough = false): Promise<number[]> {
  const { t, request } = contextWith({ seed, thorough });
  const drawn: number[] = [];
  await search(t, fc.nat(), { inputs: 5 }, async (value) => {
    request();
    drawn.push(value);
  });
  return drawn;
}

test('inputs are the same for the same seed, others for another, and ten times as many when thorough', async () => {
  expect(await drawnBy(1)).toEqual(await drawnBy(1));
  expect(await drawnBy(1)).not.toEqual(await drawnBy(2));
  expect((await drawnBy(1)).length).toBeLessThanOrEqual(5);
  expect((await drawnBy(1, true)).length).toBeGreaterThan(20);
});

test('a failing input is shrunk to the smallest, whose exchanges alone are evidence', async () => {
  const { t, request } = contextWith({ seed: 42 });
  const found = await search(t, fc.integer({ min: 0, max: 1000 }), { inputs: 50 }, async (value) => {
    request();
    if (value > 0) fail('the value is accepted');
  });
  expect(found).toMatchObject({ value: 1, contradiction: { message: 'the value is accepted' } });
  expect(found?.exchanges).toHaveLength(1);
});

test('inputs that cannot tell are inconclusive when none tells; what blocks, blocks', async () => {
  const { t } = contextWith();
  const always = (error: Error) =>
    search(t, fc.nat(), { inputs: 3 }, async () => {
      throw error;
    });
  await expect(always(new Inconclusive('no way to tell'))).rejects.toThrow(Inconclusive);
  await expect(always(new Skipped('needs more'))).rejects.toThrow(Skipped);
  await expect(always(new Blocked('unavailable'))).rejects.toThrow(Blocked);
  await expect(always(new TypeError('a mistake'))).rejects.toThrow(TypeError);
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
