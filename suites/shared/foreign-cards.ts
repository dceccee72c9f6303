/** Cards that the credentials of the run must not reach (reading 13). */
import type { Context } from '../../helpers/context.ts';
import { rotated } from '../../helpers/rotation.ts';
import { skip } from '../../helpers/verdict.ts';

/** Foreign cards that every changing operation is tried on: enough to see one that opens, others in each run. @throws Skipped where the fixtures file names none */
export function foreignCards(t: Context): string[] {
  const foreign = t.fixtures.cards?.foreign ?? [];
  return foreign.length > 0
    ? rotated(t.run, 'foreign cards', foreign, 2)
    : skip('needs cards.foreign in the fixtures file');
}
