/**
 * Lives: what is done to what was leased, step by step. A run plays the steps that its checks read, in the order in which they stand in the life;
 * steps know no requirement, and checks know no order.
 */
import { type defineSuite, onceMore, type Scenario, scenario } from '../check.ts';
import { type Condition, isDone } from '../configuration/scope.ts';
import type { Context } from '../context.ts';
import { attempt, type Fact, inconclusive } from '../verdict.ts';

type Facts = Record<string, unknown>;

/** What the steps of a life gave, or the verdicts that ended them, by name. */
export type Played<F extends Facts> = { readonly [Name in keyof F]: Fact<F[Name]> };

/** What a step is given: what the life began with, and what the steps before it gave. */
export type On<Start, F extends Facts> = Start & Played<F> & { t: Context };

/** When a step is played, besides where a check reads it. */
interface When<F> {
  /** The operations that it is a trial of: whatever judges one of these needs the step. */
  of?: string | readonly string[];
  /** Steps without which it shows nothing: where it is read, they are played, too. */
  after?: readonly (keyof F | string)[];
  /** It leads into the state that all later steps are about: where one of these is read, it is played, too. */
  leads?: boolean;
}

/** The requirement whose check reads a step, and when that check is carried out if not always. */
type Reader = { requirement: string } & Condition;

/** Of what is declared for requirements, that of those which a run judges. */
export const neededOf = <T extends { requirement: string }>(t: Context, declared: readonly T[]): T[] =>
  declared.filter(({ requirement }) => t.needs(requirement));

/** Whether one of some steps is played: what a life begins with may depend on it. */
export type Plays = (...names: readonly string[]) => boolean;

/** How a life is played: once in a run, and once more on other things. */
export interface Source<Played> {
  first: (t: Context) => Promise<Played>;
  again: (t: Context) => Promise<Played>;
}

interface LifeStep {
  name: string;
  when: When<Facts>;
  play: (on: never) => unknown;
  /** Steps of one moment are played together. */
  moment: number;
}

/**
 * A list of named steps. One that `does` something makes exchanges that are judged wherever they were made; one that `shows` something gives a fact.
 *
 * @example
 * export const gifts = life('a card given to a wallet', begin)
 *   .shows('marked', ({ t, card }) => mark(t, card), { of: 'cards.markWalletProvisioned' })
 *   .shows('record', ({ t, card }) => t.state(card.identifier), { after: ['marked'] });
 * gifts.check('cards.markWalletProvisioned.provisioned', 'the record', ['marked', 'record'], (t, facts) => { ... });
 */
export class Life<Start extends object, F extends Facts = Record<never, never>> implements Source<Start & Played<F>> {
  readonly name: string;
  readonly #steps: LifeStep[] = [];
  /** By step, what reads it. */
  readonly #readers = new Map<string, Reader[]>();
  readonly #check: ReturnType<typeof defineSuite>['check'];
  readonly #source: Source<Start & Played<F>>;
  readonly #known: Scenario<Start & Played<F>>;
  #moment = 0;
  #isOneMoment = false;

  /** @param sourceOf plays it, given what plays its steps from what it begins with */
  constructor(
    { check }: Pick<ReturnType<typeof defineSuite>, 'check'>,
    name: string,
    sourceOf: (life: Life<Start, F>) => Source<Start & Played<F>>,
  ) {
    this.#check = check;
    this.name = name;
    this.#source = sourceOf(this);
    this.#known = scenario(`${name}, known to others`, this.first);
  }

  /** What its steps show, played once in a run. */
  first = (t: Context): Promise<Start & Played<F>> => this.#source.first(t);
  /** What they show once more, on other things. */
  again = (t: Context): Promise<Start & Played<F>> => this.#source.again(t);

  /** What they show, where what showed it is no evidence of a check. */
  known = (t: Context): Promise<Start & Played<F>> => t.known(this.#known);

  /** Plays what is read, in order. */
  async play(t: Context, start: Start): Promise<Start & Played<F>> {
    const facts = { ...start } as Facts;
    const play = async (step: LifeStep) => {
      const on = { ...facts, t };
      facts[step.name] = await attempt(() =>
        this.#isRead(t, step) ? step.play(on as never) : inconclusive('it is not selected'),
      );
    };
    for (const together of Map.groupBy(this.#steps, ({ moment }) => moment).values())
      await Promise.all(together.map(play));
    return facts as Start & Played<F>;
  }

  /** Plays some steps again. @param facts what the life began with, and what all steps gave before */
  async replay(t: Context, facts: Start & Played<F>, ...names: readonly string[]): Promise<Start & Played<F>> {
    const again = { ...facts } as Facts;
    for (const step of this.#steps)
      if (names.includes(step.name)) again[step.name] = await attempt(() => step.play({ ...again, t } as never));
    return again as Start & Played<F>;
  }

  /** Whether one of some steps is played in this run. */
  plays(t: Context, ...names: readonly string[]): boolean {
    return this.#steps.some((step) => names.includes(step.name) && this.#isRead(t, step));
  }

  /** A step that gives a fact. */
  shows<Name extends string, T>(
    name: Name,
    play: (on: On<Start, F>) => Promise<T> | T,
    when: When<F> = {},
  ): Life<Start, F & Record<Name, T>> {
    this.#add(name, play, when);
    return this as never;
  }

  /** Steps that belong together. @param add adds them to a life */
  with<More extends Facts>(add: (life: Life<Start, F>) => Life<Start, More>): Life<Start, More> {
    return add(this);
  }

  /** Steps that are played at the same moment. @param add adds them to a life */
  atOnce<More extends Facts>(add: (life: Life<Start, F>) => Life<Start, More>): Life<Start, More> {
    this.#moment++;
    this.#isOneMoment = true;
    const added = add(this);
    this.#isOneMoment = false;
    return added;
  }

  /** A step that gives a fact for each of some operations, and is a trial of it. */
  showsOf<Operation extends string, T>(
    operations: readonly Operation[],
    play: (on: On<Start, F>, operation: Operation) => Promise<T> | T,
  ): Life<Start, F & Record<Operation, T>> {
    for (const operation of operations)
      this.#add(operation, (on: On<Start, F>) => play(on, operation), { of: operation });
    return this as never;
  }

  /** Steps that were made from a table, each of which gives a fact. */
  showsEach<Name extends string, T>(
    steps: readonly { name: Name; play: (on: On<Start, F>) => Promise<T> | T }[],
    when: When<F> = {},
  ): Life<Start, F & Record<Name, T>> {
    for (const { name, play } of steps) this.#add(name, play, when);
    return this as never;
  }

  /** A step whose exchanges are judged, wherever they were made. */
  does(name: string, play: (on: On<Start, F>) => unknown, when: When<F> = {}): this {
    this.#add(name, play, when);
    return this;
  }

  /** Declares that what judges a requirement reads steps. @returns what plays them @throws Error when there is no such step */
  reads = (
    requirement: string | Reader,
    ...names: readonly (keyof F | string)[]
  ): ((t: Context) => Promise<Start & Played<F>>) => {
    const reader = typeof requirement === 'string' ? { requirement } : requirement;
    for (const name of names as string[]) {
      if (!this.#steps.some((step) => step.name === name)) throw new Error(`${this.name} has no step ${name}`);
      this.#readers.set(name, [...(this.#readers.get(name) ?? []), reader]);
    }
    return this.first;
  };

  /** Declares a check that reads steps. @param judge is given what they showed, and what plays them once more on other things */
  check<Name extends keyof F & string>(
    requirement: string,
    name: string,
    names: readonly Name[],
    judge: (t: Context, facts: Start & Played<Pick<F, Name>>, again: () => Promise<Start & Played<F>>) => unknown,
  ): void {
    const play = this.reads(requirement, ...names);
    this.#check(requirement, name, async (t) => void (await judge(t, await play(t), () => this.again(t))));
  }

  /** Names of steps that nothing plays: they are a trial of no operation, and neither they nor what needs them is read by a check. */
  unread(): string[] {
    const isReadBySome = (step: LifeStep): boolean =>
      step.when.of !== undefined || this.#readers.has(step.name) || this.#needing(step).some(isReadBySome);
    return this.#steps.filter((step) => !isReadBySome(step)).map(({ name }) => name);
  }

  #add(name: string, play: (on: never) => unknown, when: When<F>): void {
    if (this.#steps.some((step) => step.name === name)) throw new Error(`${this.name} has two steps ${name}`);
    if (!this.#isOneMoment) this.#moment++;
    this.#steps.push({ name, when: when as When<Facts>, play, moment: this.#moment });
  }

  /** The later steps that show nothing without a step. */
  #needing(step: LifeStep): LifeStep[] {
    const later = this.#steps.slice(this.#steps.indexOf(step) + 1);
    return step.when.leads ? later : later.filter(({ when: { after } }) => after?.includes(step.name));
  }

  #isRead(t: Context, step: LifeStep): boolean {
    const { of = [] } = step.when;
    if ([of].flat().some((operation) => t.needsOperation(operation))) return true;
    const readers = this.#readers.get(step.name) ?? [];
    const reading = readers.filter((reader) => isDone(reader, t.run.configuration));
    if (t.needs(...reading.map(({ requirement }) => requirement))) return true;
    return this.#needing(step).some((later) => this.#isRead(t, later));
  }
}

/** Plays a life from what `begin` gives, and once more from what it gives then. */
export function playedFrom<Start extends object, F extends Facts>(
  life: Life<Start, F>,
  begin: (t: Context, plays: Plays) => Promise<Start>,
): Source<Start & Played<F>> {
  const play = async (t: Context) => life.play(t, await begin(t, (...names) => life.plays(t, ...names)));
  const first = scenario(life.name, play);
  const again = onceMore(first);
  return { first: (t) => t.shared(first), again: (t) => t.shared(again) };
}
