/** Cards that the credentials of the run must not reach (reading 13). */
import type { Context } from '../../helpers/check.ts';
import { skip } from '../../helpers/verdict.ts';

/** Foreign cards to try operations on: two in each run, chosen by the seed. @throws Skipped where the fixtures file names none */
export function foreignCards(t: Context): string[] {
  const foreign = t.fixtures.cards?.foreign ?? [];
  return foreign.length > 0
    ? t.rotated('foreign cards', foreign, { count: 2 })
    : skip('needs cards.foreign in the fixtures file');
}
