/**
 * Transitions of cards as steps of a life: bad requests before, the right one in each way that a target may require, and what shows afterwards
 * (readings 10, 17 and 50).
 */
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import type { CardState } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import type { Life, On } from '../../../../helpers/engine/life.ts';
import * as Retrial from '../../../../helpers/engine/retrial.ts';
import { type Fact, inconclusive, optional, valuesOf } from '../../../../helpers/verdict.ts';
import * as BadTokens from '../../../shared/bad-tokens.ts';
import * as UnknownNames from '../../../shared/unknown-names.ts';
import * as Around from './around.ts';
import type * as Looks from './looks.ts';
import * as Steps from './steps.ts';

/** A life of one card, which is changed. */
export interface OfCard {
  card: LeasedCard;
}

/** How an operation was answered with a good token. */
export interface Asked {
  /** The answer in the first way that was accepted. */
  answer: Answer;
  /** The state after the plain request was refused, once an effect would show; undefined where it was accepted. */
  afterRefusal: CardState | undefined;
}

/** What an operation that changes a card's state showed. */
export interface Transition {
  before: Fact<CardState>;
  /** The state after the calls that must be refused, once an effect of them would show. */
  untouched: Fact<CardState>;
  asked: Fact<Asked>;
  /** The state when the effect showed, confirmed by a second reading; if it did not last, the state without it. */
  after: Fact<CardState>;
  /** Reads what it should leave alone. */
  watched: Fact<() => Promise<Looks.Change | undefined>>;
  /** What changed that it is not about. */
  elsewhere: Fact<Looks.Change | undefined>;
}
type Part = keyof Transition;

/** Its steps, whose names begin with the operation. */
type Parts<Operation extends string, Names extends Part = Part> = {
  [Name in Names as `${Operation}: ${Name}`]: Transition[Name] extends Fact<infer Value> ? Value : never;
};

interface How<Start, F extends Record<string, unknown>> {
  /** Whether a state is one that the operation leads to. */
  isShown: (state: CardState) => boolean;
  /** The earlier step that shows the state before it; that of the lease if absent. */
  before?: keyof F & string;
  /** 'refusable' where the documents don't say whether the operation succeeds in the card's state; 'valid' if absent. */
  intent?: (on: On<Start, F>) => 'valid' | 'refusable';
  /** Preparations to try one after the other if the plain request is refused. */
  ways?: (on: On<Start, F>) => readonly Steps.Way[];
}

/** An operation that changes the state of the card of a life: its steps, one method each. */
class Trial<Start extends OfCard, F extends Record<string, unknown>> {
  readonly #on: On<Start, F>;
  readonly #operation: string;
  readonly #how: How<Start, F>;

  constructor(on: On<Start, F>, operation: string, how: How<Start, F>) {
    this.#on = on;
    this.#operation = operation;
    this.#how = how;
  }

  get #t(): Context {
    return this.#on.t;
  }

  get #identifier(): string {
    return this.#on.card.identifier;
  }

  get #shown(): Transition {
    return transitionOf(this.#on, this.#operation);
  }

  readonly #read = (): Promise<CardState> => this.#t.state(this.#identifier);

  /** The state before. @throws the verdict that ended what leads to it */
  stateBefore(): CardState {
    const { before } = this.#how;
    return before ? (this.#on[before] as Fact<CardState>).get() : this.#on.card;
  }

  tryBadTokens(): Promise<unknown> {
    this.#shown.before.get();
    return BadTokens.tryAll(this.#t, this.#operation, { path: { identifier: this.#identifier } });
  }

  tryMisnamed(): Promise<unknown> {
    this.#shown.before.get();
    return UnknownNames.tryAll(this.#t, this.#operation, this.#identifier);
  }

  async readUntouched(): Promise<CardState> {
    const before = this.#shown.before.get();
    await this.#t.settle();
    return this.#t.confirmed(this.#read, (state) => !Steps.differ(before, state));
  }

  watch() {
    return Around.watching(this.#t, this.#operation, this.#identifier, this.#shown.before.get());
  }

  /** Asks in each way until it is accepted, and reads what a refusal did. */
  async ask(): Promise<Asked> {
    const before = this.#shown.before.get();
    const { intent = () => 'valid' as const, ways = () => [] } = this.#how;
    const input = { path: { identifier: this.#identifier } };
    let afterRefusal: CardState | undefined;
    const request = async () => {
      const answer = await this.#t.call(this.#operation, input, { intent: intent(this.#on) });
      if (!succeeded(answer)) afterRefusal ??= await optional(this.#readEffect(before));
      return answer;
    };
    return { answer: await Steps.inAnyWay(this.#t, request, ways(this.#on)), afterRefusal };
  }

  #readEffect(before: CardState): Promise<CardState> {
    return this.#t.eventually(this.#read, (now) => Steps.areDistinct(before, now));
  }

  async readAfter(): Promise<CardState> {
    const { isShown } = this.#how;
    if (!succeeded(this.#shown.asked.get().answer)) return this.#read();
    const first = await this.#t.shown(this.#read, isShown);
    // A change that no record shows gets the settle time.
    if (first.status === undefined) await this.#t.settle();
    return isShown(first) ? this.#t.lasting(this.#read, isShown) : first;
  }

  /** Observes which number getStatus gives for which status. */
  observeNumbers(): void {
    const { before, untouched, after } = this.#shown;
    for (const { status, statusNumber } of valuesOf([before, ...(untouched ? [untouched] : []), after]))
      if (status !== undefined && statusNumber !== undefined)
        this.#t.observe('cards.getStatus', `the number of a card that is ${status}`, String(statusNumber));
  }

  readElsewhere(): Promise<Looks.Change | undefined> {
    const readAgain = this.#shown.watched.get();
    return succeeded(this.#shown.asked.get().answer) ? readAgain() : inconclusive(`${this.#operation} is refused`);
  }
}

/** The steps of an operation that changes a card's state: with bad tokens and on misnamed cards, then with a good token, in each way until it is accepted. */
export function transition<Start extends OfCard, F extends Record<string, unknown>, Operation extends string>(
  operation: Operation,
  how: How<Start, F>,
): (life: Life<Start, F>) => Life<Start, F & Parts<Operation>> {
  const trial = (on: On<Start, F>) => new Trial(on, operation, how);
  const after = [`${operation}: before`];
  return (life) =>
    withBefore(life, operation, how)
      .does(`${operation}: bad tokens`, (on) => trial(on).tryBadTokens(), { after })
      .does(`${operation}: misnamed`, (on) => trial(on).tryMisnamed(), { after })
      .shows(`${operation}: untouched`, (on) => trial(on).readUntouched(), { after })
      .shows(`${operation}: watched`, (on) => trial(on).watch(), { after })
      .with((watched) => withAsked(watched as never, operation, how))
      .shows(`${operation}: elsewhere`, (on) => trial(on).readElsewhere(), {
        after: [`${operation}: watched`],
      }) as never;
}

/** The steps of an operation that ends a card, if it is accepted, with a good token alone: what else is tried of it, another life has. */
export function plainEnding<Start extends OfCard, F extends Record<string, unknown>, Operation extends string>(
  operation: Operation,
): (life: Life<Start, F>) => Life<Start, F & Parts<Operation, 'before' | 'asked' | 'after'>> {
  const how: How<Start, F> = {
    isShown: Steps.isNotActive,
    intent: () => 'refusable',
    ways: ({ t, card }) => Steps.waysOf(t, card.identifier),
  };
  return (life) => withAsked(withBefore(life, operation, how), operation, how) as never;
}

function withBefore<Start extends OfCard, F extends Record<string, unknown>>(
  life: Life<Start, F>,
  operation: string,
  how: How<Start, F>,
): Life<Start, F> {
  const after = how.before ? [how.before] : [];
  life.shows(`${operation}: before`, (on) => new Trial(on, operation, how).stateBefore(), { after });
  return life;
}

function withAsked<Start extends OfCard, F extends Record<string, unknown>>(
  life: Life<Start, F>,
  operation: string,
  how: How<Start, F>,
): Life<Start, F> {
  const trial = (on: On<Start, F>) => new Trial(on, operation, how);
  const after = [`${operation}: before`];
  life.shows(`${operation}: asked`, (on) => trial(on).ask(), { of: operation, after, leads: true });
  life.shows(`${operation}: after`, (on) => trial(on).readAfter(), { of: operation });
  return life.does(`${operation}: numbers`, (on) => trial(on).observeNumbers(), { of: operation });
}

/** The transition by an operation, among the facts of a life. */
export function transitionOf(facts: object, operation: string): Transition {
  const part = (name: Part) => (facts as Record<string, Fact<unknown>>)[`${operation}: ${name}`];
  const names: readonly Part[] = ['before', 'untouched', 'watched', 'asked', 'after', 'elsewhere'];
  return Object.fromEntries(names.map((name) => [name, part(name)])) as never;
}

/** A transition, made of one card and again of another. */
export interface TransitionSource {
  /** Declares that what judges a requirement reads parts of it. @returns what makes it */
  reads: (requirement: string, ...parts: readonly (Part | 'bad tokens' | 'misnamed')[]) => TransitionSource['first'];
  first: (t: Context) => Promise<Transition>;
  again: (t: Context) => Promise<Transition>;
}

/** The transition by an operation in a life. */
export function transitionIn<Start extends object, F extends Record<string, unknown>>(
  life: Life<Start, F>,
  operation: string,
): TransitionSource {
  const first = async (t: Context) => transitionOf(await life.first(t), operation);
  const again = async (t: Context) => transitionOf(await life.again(t), operation);
  const reads: TransitionSource['reads'] = (requirement, ...parts) => {
    life.reads(requirement, ...parts.map((part) => `${operation}: ${part}`));
    return first;
  };
  return { reads, first, again };
}

/** The effect of refused calls on a card, in words; undefined for none. @throws Inconclusive when another card does not show it */
export async function effectOfRefused(t: Context, { first, again }: TransitionSource): Promise<string | undefined> {
  const isChanged = ({ before, untouched }: Transition) => Steps.differ(before.get(), untouched.get());
  const one = await first(t);
  if (!isChanged(one)) return undefined;
  const effect = `a card that was ${one.before.get().status} is ${one.untouched.get().status ?? 'no longer found'}`;
  await Retrial.shownByAnother(t, `${effect} after calls that were refused`, async () => isChanged(await again(t)));
  return effect;
}
