/** Lives of cards of which books are kept: what is suspected of their payments is tried again. */
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { type Context, onceMore, type Scenario, scenario } from '../../../../helpers/check.ts';
import type { Life } from '../../../../helpers/engine/life.ts';
import { lifeOf } from '../../../declare.ts';
import { type Bookkeeping, bookkeeping, type Kept, keepBooks, shownTwice } from './bookkeeping.ts';
import type { Books } from './books.ts';

/** What such a life begins with. */
interface WithBooks {
  books: Books;
}

interface KeptLife<Start extends WithBooks> {
  life: Life<Start>;
  kept: Bookkeeping<Start>;
}

/** Leases its cards, others than some where there are others; it may ask which steps are played. */
type Lease<Start extends WithBooks> = (
  t: Context,
  avoiding: readonly string[],
  life: Life<Start>,
) => Promise<LeasedCard[]>;

/** A life of cards, and the books of it. What is suspected of a payment is tried again in the same life of other cards. */
export function keptLife<Start extends WithBooks>(
  name: string,
  lease: Lease<Start>,
  begin: (books: Books, cards: readonly LeasedCard[]) => Start,
): KeptLife<Start> {
  return withBooks(name, (life) => {
    const kept = bookkeeping(
      name,
      (t, avoiding) => lease(t, avoiding, life),
      (t, books, cards) => life.play(t, begin(books, cards)),
    );
    return { kept, another: onceMore(kept.first) };
  });
}

/**
 * A life that uses its cards up, and the books of it. What is suspected of a payment is tried again at once with the same cards.
 * @param payments the steps that are made again
 */
export function keptLifeOfSpentCards<Start extends WithBooks>(
  name: string,
  lease: Lease<Start>,
  begin: (books: Books, cards: readonly LeasedCard[]) => Start,
  payments: readonly string[],
): KeptLife<Start> {
  return withBooks(name, (life) => {
    const first = scenario(name, async (t) => {
      const cards = await lease(t, [], life);
      const drive = (own: Context, books: Books, _: unknown, earlier?: Start) =>
        earlier ? life.replay(own, { ...earlier, books }, ...payments) : life.play(own, begin(books, cards));
      return keepBooks(t, cards, drive, { atOnce: true });
    });
    const another = onceMore(first);
    const again = scenario(`payments of ${name}, once more`, async (t) =>
      shownTwice(await t.shared(first), await t.shared(another)),
    );
    return { kept: { first, again }, another };
  });
}

/** @param keep gives the books of its first play, and of one more on other cards */
function withBooks<Start extends WithBooks>(
  name: string,
  keep: (life: Life<Start>) => { kept: Bookkeeping<Start>; another: Scenario<Kept<Start>> },
): KeptLife<Start> {
  const keeping: Bookkeeping<Start>[] = [];
  const life = lifeOf<Start>(name, (made) => {
    const { kept, another } = keep(made);
    keeping.push(kept);
    return {
      first: async (t) => (await t.shared(kept.first)).facts,
      again: async (t) => (await t.shared(another)).facts,
    };
  });
  return { life, kept: keeping[0]! };
}
