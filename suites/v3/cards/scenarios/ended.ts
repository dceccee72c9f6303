/** Disposable cards that are brought to an end, of whose payments books are kept. */
import type { CardRequest, LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import type { Life } from '../../../../helpers/engine/life.ts';
import { attempt, inconclusive } from '../../../../helpers/verdict.ts';
import type { Books } from '../money/books.ts';
import { keptLifeOfSpentCards } from '../money/kept-life.ts';

/** A card that is brought to an end. */
export interface Ended {
  books: Books;
  card: LeasedCard;
  /** An active card to pay, and to be paid by; undefined where no payment is judged, or none is left. */
  other: LeasedCard | undefined;
}

export const activeOf = ({ other }: Ended): string =>
  other?.identifier ?? inconclusive('there is no active card to pay');

/** The books of the payments of a disposable card that is brought to an end. @param payments those that are made again, where one is suspected */
export const booksOfEnded = (
  name: string,
  preferring: (t: Context, life: Life<Ended>) => CardRequest['prefers'],
  isPaid: (t: Context, life: Life<Ended>) => boolean,
  payments: readonly string[],
) =>
  keptLifeOfSpentCards<Ended>(
    name,
    async (t, _, made) => {
      const disposable = { pool: 'disposable', prefers: preferring(t, made) } as const;
      const both = isPaid(t, made) ? await attempt(() => t.lease(disposable, { pool: 'active' })) : undefined;
      return (both?.value ?? (await t.lease(disposable))).flat();
    },
    (books, [card, other]) => ({ books, card: card!, other }),
    payments,
  );
