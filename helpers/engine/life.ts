/**
 * Lives: what is done to what was leased, step by step. A run plays the steps that its checks read, in the order in which they stand here; steps
 * know no requirement, and checks know no order.
 */
import { type defineSuite, type Scenario, scenario } from '../check.ts';
import type { Context } from '../context.ts';
import { attempt, type Fact, inconclusive } from '../verdict.ts';

type Facts = Record<string, unknown>;

/** What the steps of a life gave, or the verdicts that ended them, by name. */
export type Played<F extends Facts> = { readonly [Name in keyof F]: Fact<F[Name]> };

/** When a step is played, besides where a check reads it. */
interface When<F> {
  /** The operation that it is a trial of: whatever judges this needs the step. */
  of?: string;
  /** Steps without which it shows nothing: where it is read, they are played, too. */
  after?: readonly (keyof F | string)[];
}

type Play<Start, F extends Facts, T> = (on: Start & Played<F> & { t: Context }) => Promise<T> | T;
type LifeStep = { name: string; when: When<Facts>; play: (on: never) => unknown };

/**
 * A list of named steps. A step that `does` something makes exchanges that are judged wherever they were made; one that `shows` something gives a fact.
 *
 * @example
 * export const gifts = life('a card given to a wallet', begin)
 *   .shows('marked', ({ t, card }) => mark(t, card), { of: 'cards.markWalletProvisioned' })
 *   .shows('record', ({ t, card }) => t.state(card.identifier), { after: ['marked'] });
 * gifts.check('cards.markWalletProvisioned.provisioned', 'the record', ['marked', 'record'], (t, facts) => { ... });
 */
export class Life<Start extends object, F extends Facts = Record<never, never>> {
  readonly first: Scenario<Start & Played<F>>;
  /** On other cards. */
  readonly again: Scenario<Start & Played<F>>;
  readonly #steps: LifeStep[] = [];
  /** By step, the requirements whose checks read it. */
  readonly #readers = new Map<string, string[]>();
  readonly #check: ReturnType<typeof defineSuite>['check'];

  constructor(
    { check }: Pick<ReturnType<typeof defineSuite>, 'check'>,
    name: string,
    begin: (t: Context) => Promise<Start>,
  ) {
    this.#check = check;
    const play = async (t: Context) => {
      const facts = { ...(await begin(t)) } as Record<string, unknown>;
      for (const step of this.#steps)
        facts[step.name] = await attempt(() =>
          this.#isRead(t, step) ? step.play({ ...facts, t } as never) : inconclusive('it is not selected'),
        );
      return facts as Start & Played<F>;
    };
    this.first = scenario(name, play);
    this.again = scenario(`${name}, once more`, play);
  }

  /** A step that gives a fact. */
  shows<Name extends string, T>(
    name: Name,
    play: Play<Start, F, T>,
    when: When<F> = {},
  ): Life<Start, F & Record<Name, T>> {
    this.#add(name, play, when);
    return this as never;
  }

  /** A step that gives a fact for each of some operations, and is a trial of it. */
  showsOf<Operation extends string, T>(
    operations: readonly Operation[],
    play: (on: Start & Played<F> & { t: Context }, operation: Operation) => Promise<T> | T,
  ): Life<Start, F & Record<Operation, T>> {
    for (const operation of operations)
      this.#add(operation, (on: Start & Played<F> & { t: Context }) => play(on, operation), { of: operation });
    return this as never;
  }

  /** A step whose exchanges are judged, wherever they were made. */
  does(name: string, play: Play<Start, F, unknown>, when: When<F> = {}): this {
    this.#add(name, play, when);
    return this;
  }

  /** Declares that what judges a requirement reads steps. @returns what plays them @throws Error when there is no such step */
  reads(requirement: string, ...names: readonly (keyof F | string)[]): (t: Context) => Promise<Start & Played<F>> {
    for (const name of names as string[]) {
      if (!this.#steps.some((step) => step.name === name)) throw new Error(`${this.first.name} has no step ${name}`);
      this.#readers.set(name, [...(this.#readers.get(name) ?? []), requirement]);
    }
    return (t) => t.shared(this.first);
  }

  /** Declares a check that reads steps. @param judge is given what they showed, and what plays them once more on other cards */
  check<Name extends keyof F & string>(
    requirement: string,
    name: string,
    names: readonly Name[],
    judge: (t: Context, facts: Start & Played<Pick<F, Name>>, again: () => Promise<Start & Played<F>>) => unknown,
  ): void {
    const play = this.reads(requirement, ...names);
    this.#check(requirement, name, async (t) => void (await judge(t, await play(t), () => t.shared(this.again))));
  }

  /** Names of steps that nothing plays: no check reads them, nor what comes after them, and they are a trial of no operation. */
  unread(): string[] {
    const isReadBySome = ({ name, when: { of } }: LifeStep): boolean =>
      of !== undefined || this.#readers.has(name) || this.#after(name).some(isReadBySome);
    return this.#steps.filter((step) => !isReadBySome(step)).map(({ name }) => name);
  }

  #add(name: string, play: Play<Start, F, unknown>, when: When<F>): void {
    if (this.#steps.some((step) => step.name === name)) throw new Error(`${this.first.name} has two steps ${name}`);
    this.#steps.push({ name, when: when as When<Facts>, play });
  }

  /** The steps that show nothing unless a step was played before them. */
  #after(name: string): LifeStep[] {
    return this.#steps.filter(({ when: { after } }) => after?.includes(name));
  }

  #isRead(t: Context, { name, when: { of } }: LifeStep): boolean {
    if ((of && t.needsOperation(of)) || t.needs(...(this.#readers.get(name) ?? []))) return true;
    return this.#after(name).some((later) => this.#isRead(t, later));
  }
}
