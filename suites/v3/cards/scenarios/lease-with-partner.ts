/** A card to use up, with a partner that it pays or is paid by. */
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import { Inconclusive, Skipped } from '../../../../helpers/verdict.ts';

/**
 * Leases a disposable card and an active one, or the disposable one alone where no active one is left.
 * @param prefers whether a disposable card is to be preferred to others of its pool
 * @throws Skipped, Inconclusive without a disposable card; see Context.lease
 */
export async function leaseWithPartner(
  t: Context,
  prefers: (card: LeasedCard) => boolean,
): Promise<{ card: LeasedCard; partner: LeasedCard | undefined }> {
  const disposable = { pool: 'disposable', prefers } as const;
  const [cards, partners = []] = await t.lease(disposable, { pool: 'active' }).catch((error: unknown) => {
    if (error instanceof Skipped || error instanceof Inconclusive) return t.lease(disposable);
    throw error;
  });
  return { card: cards![0]!, partner: partners[0] };
}
