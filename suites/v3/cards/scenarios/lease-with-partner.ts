/** A card to use up, and one that pays it or is paid by it. */
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/context.ts';

/**
 * Leases a disposable card and an active one, or the disposable one alone where no active one is to spare.
 * @param prefers what the disposable card is where the pool has such a one
 * @throws Skipped, Inconclusive; see Context.lease
 */
export async function leaseWithPartner(
  t: Context,
  prefers: (card: LeasedCard) => boolean,
): Promise<{ card: LeasedCard; partner: LeasedCard | undefined }> {
  const disposable = { pool: 'disposable', prefers } as const;
  const [cards, partners = []] = await t.lease(disposable, { pool: 'active' }).catch(() => t.lease(disposable));
  return { card: cards![0]!, partner: partners[0] };
}
