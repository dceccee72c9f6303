/** Lives of cards of which books are kept: a row of transfers belongs to a step, and a check judges the rows of the steps that it reads. */
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { type CheckOptions, type Context, onceMore, type Scenario, scenario } from '../../../../helpers/check.ts';
import { type Life, neededOf } from '../../../../helpers/engine/life.ts';
import type { Fact, Verdict } from '../../../../helpers/verdict.ts';
import { check, lifeOf } from '../../../declare.ts';
import { accuse, requireMade, shownEachTime } from './accusation.ts';
import * as Bookkeeping from './bookkeeping.ts';
import type { Books } from './books.ts';
import type * as Contradictions from './contradictions.ts';
import type * as Effects from './effects.ts';

/** What such a life begins with. */
interface WithBooks {
  books: Books;
}

/** The rows of some steps, and what they must not contradict. */
interface Judgement {
  steps: readonly string[];
  contradiction: Contradictions.Contradiction;
  /** Further steps that it reads. */
  reads?: readonly string[];
  options?: CheckOptions;
  /** What is judged before the balances, and where they contradict nothing. */
  before?: (t: Context) => unknown;
  afterwards?: (t: Context, rows: readonly Effects.Sent[]) => unknown;
}

/** A life, and what the books of its first play show, and of one more on other cards. */
interface Source<Start> {
  kept: Bookkeeping.Bookkeeping<Start>;
  another: Scenario<Bookkeeping.Kept<Start>>;
}

/** A life of cards of which books are kept. */
export class KeptLife<Start extends WithBooks> {
  readonly life: Life<Start>;
  readonly #judged: { requirement: string; steps: readonly string[]; contradiction: Contradictions.Contradiction }[] =
    [];
  readonly #kept: Bookkeeping.Bookkeeping<Start>;

  /** @param keep plays the life */
  constructor(
    name: string,
    keep: (life: Life<Start>, judgingIn: (t: Context) => Contradictions.Judging) => Source<Start>,
  ) {
    const sources: Source<Start>[] = [];
    this.life = lifeOf<Start>(name, (made) => {
      const source = keep(made, (t) => this.#judgingIn(t));
      sources.push(source);
      return {
        first: async (t) => (await t.shared(source.kept.first)).facts,
        again: async (t) => (await t.shared(source.another)).facts,
      };
    });
    this.#kept = sources[0]!.kept;
  }

  /**
   * Declares that a requirement judges the rows of some steps.
   * @returns what gives the contradiction that shows each time that its row is made. It throws Inconclusive where it shows only once, or nothing
   * explains the gains; NotMoved where RUN_MAX_LOSS does not allow to make it again
   */
  judges(requirement: string, steps: readonly string[], contradiction: Contradictions.Contradiction) {
    this.#judged.push({ requirement, steps, contradiction });
    this.life.reads(requirement, ...steps);
    return (t: Context) => shownEachTime(t, this.#kept, steps, contradiction);
  }

  /** What the rows are judged by in a run. */
  #judgingIn(t: Context): Contradictions.Judging {
    const ofSteps = neededOf(t, this.#judged).flatMap(({ steps, contradiction }) =>
      steps.map((step) => ({ step, contradiction })),
    );
    const byStep = Map.groupBy(ofSteps, ({ step }) => step);
    return new Map([...byStep].map(([step, of]) => [step, new Set(of.map(({ contradiction }) => contradiction))]));
  }

  /** Declares a check of the rows of some steps, by the balances. */
  check(requirement: string, name: string, judgement: Judgement): void {
    const { steps, contradiction, reads = [], options = {}, before, afterwards } = judgement;
    const contradictionIn = this.judges(requirement, steps, contradiction);
    this.life.reads(requirement, ...reads);
    check(requirement, name, options, async (t) => {
      await before?.(t);
      const found = await contradictionIn(t);
      if (found) await accuse(t, found);
      const { books, facts } = await t.shared(this.#kept.first);
      requireMade(t, books, steps, endedIn(facts, [...steps, ...reads]));
      const rows = books.rowsOf(steps).sent.map(({ sent }) => sent);
      await afterwards?.(t, rows);
    });
  }
}

/** The verdict that ended one of some steps. */
const endedIn = (facts: object, steps: readonly string[]): Verdict | undefined =>
  steps.map((step) => (facts as Record<string, Fact<unknown>>)[step]?.ended).find((ended) => ended !== undefined);

/** Leases the cards of a life, others than some where there are others; it may ask which steps are played. */
type Lease<Start extends WithBooks> = (
  t: Context,
  avoiding: readonly string[],
  life: Life<Start>,
) => Promise<LeasedCard[]>;

/**
 * A life of cards, and the books of it. What is suspected of a payment is tried again in the same life of other cards.
 * @param begin gives what it begins with; `earlier` is what the first play gave
 */
export const keptLife = <Start extends WithBooks>(
  name: string,
  lease: Lease<Start>,
  begin: (books: Books, cards: readonly LeasedCard[], earlier?: Start) => Start,
): KeptLife<Start> =>
  new KeptLife(name, (life, judgingIn) => {
    const kept = Bookkeeping.bookkeeping<Start>(
      name,
      (t, avoiding) => lease(t, avoiding, life),
      judgingIn,
      (t, books, cards, earlier) => life.play(t, begin(books, cards, earlier)),
    );
    return { kept, another: onceMore(kept.first) };
  });

/**
 * A life that uses its cards up, and the books of it. What is suspected of a payment is tried again at once with the same cards.
 * @param payments the steps that are made again
 */
export const keptLifeOfSpentCards = <Start extends WithBooks>(
  name: string,
  lease: Lease<Start>,
  begin: (books: Books, cards: readonly LeasedCard[]) => Start,
  payments: readonly string[],
): KeptLife<Start> =>
  new KeptLife(name, (life, judgingIn) => {
    const first = scenario(name, async (t) => {
      const cards = await lease(t, [], life);
      const drive = (own: Context, books: Books, _: unknown, earlier?: Start) =>
        earlier ? life.replay(own, { ...earlier, books }, ...payments) : life.play(own, begin(books, cards));
      return Bookkeeping.keepBooks(t, cards, judgingIn(t), drive, { atOnce: true });
    });
    const another = onceMore(first);
    const again = scenario(`payments of ${name}, once more`, async (t) =>
      Bookkeeping.shownTwice(await t.shared(first), await t.shared(another)),
    );
    return { kept: { first, again }, another };
  });
