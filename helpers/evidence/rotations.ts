/** What a run tries of what rotates, and what of it seems to contradict something: for its record, and for the runs after it. */
import { operations } from '../../contracts/operations.ts';
import { digestOf, type Past } from '../../contracts/past.ts';
import type { Rotated } from '../../contracts/record.ts';
import { dueAgain } from './choice.ts';

/** Exchanges of a context, in order: those that it made, and those of the scenarios that it asked for. Both grow. */
export interface Sent {
  readonly made: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
}

/** What a context sends from some moment on. */
class Trial {
  readonly #of: Sent;
  readonly #made: number;
  readonly #used: number;

  constructor(of: Sent) {
    this.#of = of;
    this.#made = of.made.size;
    this.#used = of.used.size;
  }

  get made(): readonly string[] {
    return [...this.#of.made].slice(this.#made);
  }

  get used(): readonly string[] {
    return [...this.#of.used].slice(this.#used);
  }

  get isPlayed(): boolean {
    return this.#of.made.size > this.#made || this.#of.used.size > this.#used;
  }
}

interface Subject {
  forms: number;
  limitedBy?: string;
  /** By the name of a form. */
  trials: Map<string, Trial[]>;
}

/** What the forms of a subject cover, where it is a table of cells. */
export interface Table {
  /** By the name of a form. */
  covers: ReadonlyMap<string, readonly string[]>;
  /** In how many more runs like this one all of it will have been tried. */
  nightsLeft: number;
}

/** Exchanges that seem to contradict something. */
interface Suspicion {
  exchanges: readonly string[];
  /** What failed by them; undefined where nothing but a suspicion came of it. */
  requirement: string | undefined;
  /** Those that are blamed where nothing that rotates made or used these. */
  otherwise: readonly string[];
}

/** Something that failed in an earlier run, and that this one did not try again. */
export interface Unplayed {
  requirement: string;
  /** What rotates, and which of its forms; undefined where the run did not come to it. */
  what: string | undefined;
}

const operationIds: ReadonlySet<string> = new Set(operations.map(({ id }) => id));

/**
 * Of forms that one context tried, those that a requirement may fail by: what is of another operation, as `cards.close: misnamed` is, came before it on
 * the same card, and is left out where something is of its own.
 */
function ofOperation(requirement: string | undefined, forms: readonly string[]): readonly string[] {
  const operationOf = (form: string) => form.split(': ', 1)[0]!;
  if (!forms.some((form) => requirement?.startsWith(`${operationOf(form)}.`))) return forms;
  return forms.filter((form) => {
    const operation = operationOf(form);
    return !operationIds.has(operation) || requirement!.startsWith(`${operation}.`);
  });
}

export class Rotations {
  readonly #past: ReadonlyMap<string, readonly Rotated[]>;
  readonly #subjects = new Map<string, Subject>();
  /** By the digest of a subject that was tried before, the names of its forms in this run, by their digests. */
  readonly #offered = new Map<string, Map<string, string>>();
  readonly #tables = new Map<string, Table>();
  readonly #suspicions: Suspicion[] = [];

  constructor(past: Past) {
    this.#past = Map.groupBy(past.flat(), ({ subject }) => subject);
  }

  /** What earlier runs tried of a subject, the latest first, with digests for names. */
  pastOf(subject: string): readonly Rotated[] {
    return this.#past.get(digestOf(subject)) ?? [];
  }

  /** Notes which forms there are of a subject that was tried before. */
  offer(subject: string, names: readonly string[]): void {
    const key = digestOf(subject);
    const offered = this.#offered.get(key) ?? new Map<string, string>();
    this.#offered.set(key, offered);
    for (const name of names) offered.set(digestOf(name), `${subject}: ${name}`);
  }

  /** Notes that a context tries forms from now on. @param forms how many there are */
  begin(subject: string, names: readonly string[], forms: number, sent: Sent): void {
    const known = this.#subjects.get(subject) ?? { forms, trials: new Map<string, Trial[]>() };
    this.#subjects.set(subject, known);
    for (const name of names) known.trials.set(name, [...(known.trials.get(name) ?? []), new Trial(sent)]);
  }

  /** Notes which setting has too small a limit for all forms of a subject; call it once they are tried. */
  noteLimit(subject: string, setting: string): void {
    const known = this.#subjects.get(subject);
    if (known) known.limitedBy = setting;
  }

  /** Notes what the forms of a subject cover. */
  noteTable(subject: string, table: Table): void {
    this.#tables.set(subject, table);
  }

  /**
   * Notes that exchanges seem to contradict something, whatever comes of it.
   * @param requirement what failed by them
   * @param otherwise those that are blamed where nothing that rotates made or used the first ones
   */
  suspect(exchanges: readonly string[], requirement?: string, otherwise: readonly string[] = []): void {
    this.#suspicions.push({ exchanges: [...exchanges], requirement, otherwise: [...otherwise] });
  }

  /** What was tried, of each subject that rotates. */
  facts(): Rotated[] {
    const blamed = this.#blamed();
    return [...this.#subjects].map(([subject, { forms, trials, limitedBy }]) => {
      const isPlayed = (name: string) => trials.get(name)!.some((trial) => trial.isPlayed);
      const names = [...trials.keys()];
      const tried = names.filter(isPlayed);
      const left = names.filter((name) => !isPlayed(name));
      const suspected = tried.flatMap((form) => {
        const failed = blamed.get(`${subject}\n${form}`);
        return failed ? { form, failed: [...failed].sort() } : [];
      });
      const table = this.#tables.get(subject);
      return {
        subject,
        tried,
        forms,
        ...(suspected.length > 0 && { suspected }),
        ...(left.length > 0 && { left }),
        ...(limitedBy !== undefined && tried.length < forms && { limitedBy }),
        ...(table && { pairs: this.#pairsOf(subject, tried, table) }),
      };
    });
  }

  /** How much of what the forms of a subject cover was tried, by this run and by those before it. */
  #pairsOf(subject: string, tried: readonly string[], { covers, nightsLeft }: Table): Rotated['pairs'] {
    const before = new Set(this.pastOf(subject).flatMap((one) => one.tried));
    const earlier = [...covers.keys()].filter((form) => before.has(digestOf(form)));
    const countOf = (forms: Iterable<string>) => new Set([...forms].flatMap((form) => covers.get(form) ?? [])).size;
    const [of, now, soFar] = [countOf(covers.keys()), countOf(tried), countOf([...tried, ...earlier])];
    return { of, now, soFar, nightsLeft: soFar === of ? 0 : Math.max(1, nightsLeft) };
  }

  /** The requirements that failed by something that nothing that rotates made or used. */
  plainlyFailed(): string[] {
    const [makers, users] = [this.#formsBy((trial) => trial.made), this.#formsBy((trial) => trial.used)];
    const isOfForm = (exchange: string) => makers.has(exchange) || users.has(exchange);
    const plain = this.#suspicions.flatMap(({ exchanges, requirement, otherwise }) =>
      requirement !== undefined && ![...exchanges, ...otherwise].some(isOfForm) ? [requirement] : [],
    );
    return [...new Set(plain)].sort();
  }

  /**
   * What failed in earlier runs, and was not tried again though it is still there, or nobody came to it.
   * @param isCutOff whether a requirement's trials may have been broken off: then nobody knows how far they came
   */
  unplayed(isCutOff: (requirement: string) => boolean = () => false): Unplayed[] {
    const tried = new Set(
      this.facts().flatMap((one) => one.tried.map((name) => `${digestOf(one.subject)} ${digestOf(name)}`)),
    );
    return [...this.#past].flatMap(([subject, past]) => {
      const offered = this.#offered.get(subject);
      // A form that is gone is forgotten.
      const due = [...dueAgain(past)].filter(([form]) => offered?.has(form) ?? true);
      return due.flatMap(([form, { failed }]) =>
        failed
          .filter((requirement) => !tried.has(`${subject} ${form}`) || isCutOff(requirement))
          .map((requirement) => ({ requirement, what: offered?.get(form) })),
      );
    });
  }

  /**
   * By subject and form, the requirements that failed by what made a suspected exchange; where nothing that rotates did, by what used it. Of several
   * forms those are blamed by which the same requirement failed before, since they explain it, else those that are of no other operation.
   */
  #blamed(): Map<string, Set<string>> {
    const blamed = new Map<string, Set<string>>();
    if (this.#suspicions.length === 0) return blamed;
    const [makers, users] = [this.#formsBy((trial) => trial.made), this.#formsBy((trial) => trial.used)];
    // What used an exchange says little where another one was made by a form.
    const formsOf = (exchanges: readonly string[]) => {
      const by = exchanges.some((exchange) => makers.has(exchange)) ? makers : users;
      return exchanges.map((exchange) => [...(by.get(exchange) ?? [])]);
    };
    const known = this.#failedBefore();
    for (const { exchanges, requirement, otherwise } of this.#suspicions) {
      const shown = formsOf(exchanges);
      const all = shown.some((forms) => forms.length > 0) ? shown : [formsOf(otherwise).flat()];
      for (const forms of all) {
        const before = forms.filter((form) => known.get(form)?.includes(requirement) ?? false);
        for (const form of before.length > 0 ? before : ofOperation(requirement, forms)) {
          const failed = blamed.get(form) ?? new Set<string>();
          blamed.set(form, failed);
          if (requirement !== undefined) failed.add(requirement);
        }
      }
    }
    return blamed;
  }

  /** By subject and form, the requirements that failed by it in earlier runs; undefined stands for a suspicion. */
  #failedBefore(): Map<string, (string | undefined)[]> {
    const known = new Map<string, (string | undefined)[]>();
    for (const [subject, { trials }] of this.#subjects) {
      const due = dueAgain(this.pastOf(subject));
      for (const form of trials.keys()) {
        const again = due.get(digestOf(form));
        if (again) known.set(`${subject}\n${form}`, [undefined, ...again.failed]);
      }
    }
    return known;
  }

  /** By exchange, the forms that were tried by it. */
  #formsBy(exchangesOf: (trial: Trial) => readonly string[]): Map<string, Set<string>> {
    const forms = new Map<string, Set<string>>();
    for (const [subject, { trials }] of this.#subjects)
      for (const [form, own] of trials)
        for (const exchange of own.flatMap(exchangesOf))
          forms.set(exchange, (forms.get(exchange) ?? new Set()).add(`${subject}\n${form}`));
    return forms;
  }
}
