/** Whether a wrong answer in the wake of bad credentials is a lock, or a fault (reading 51). */
import { expect, test } from 'vitest';
import { proveVariant } from '../../proof/selfcheck/prove.ts';
import { lockVariants } from '../../proof/variants/locks.ts';

test.each(lockVariants.filter(({ name }) => /wrong one|login for 1.2 s/.test(name)))(
  '$name: accuses nobody',
  async (variant) => {
    const { accused, blocked } = await proveVariant(variant);
    expect([...accused, ...blocked]).toEqual([]);
  },
);
