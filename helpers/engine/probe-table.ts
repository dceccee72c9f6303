/** Probe tables: what an operation refuses, accepts, or may do as it likes but for a 500, as rows. */
import { isDeepStrictEqual } from 'node:util';
import { operation as operationById } from '../../contracts/operations.ts';
import type { Answer, Input } from '../answer.ts';
import { type defineSuite, type Scenario, scenario } from '../check.ts';
import type { Context } from '../context.ts';
import { expectRefused } from '../expect.ts';
import { attempt, type Fact, fail, inconclusive, leftOf, valuesOf } from '../verdict.ts';
import { expectAccepted } from './acceptance.ts';
import {
  expectReadingRefused,
  expectWrongRefused,
  type Refusal,
  type RightTwin,
  sendWrong,
  sendWrongInTurn,
  type WrongRequest,
} from './refusal.ts';
import type { Maker, Members, Row } from './rows.ts';
import { refusesRows } from './seen-rows.ts';

/** An operation, and the right requests that its rows are made from. */
export interface Probed<F extends string> {
  operation: string;
  /** Makers of right requests by form, the plainest first; undefined for a form that the target may not take. */
  rights: Record<F, (t: Context) => Promise<Maker | undefined>>;
  /** The request that holds these members. */
  inputOf(members: Members): Input;
  /** The plainest accepted request, to be sent again; absent for an operation that only reads, whose right request is. */
  twin?(t: Context): Promise<RightTwin>;
  /** The statuses that the refusal of a row may have, undefined for any, where a target may have a rule for the form; by default those listed. */
  statusesOf?(form: F, wrong: Members, row: Row): readonly number[] | undefined;
  /** The key of the fixtures file with which the target's owner can help. */
  fixture?: string;
}

/** How a table tries its rows. */
export interface Trying<F extends string> {
  /** The forms of right requests that rows are made from, by default the plainest. Each row is made from one of them, which rotates. */
  on?: readonly F[];
  /** Makes each row from each of the forms instead. */
  isEachForm?: boolean;
  /** Number of rows that a run tries, which rotate; all of them if absent. */
  tries?: number;
  /** The same for a run that may change everything. */
  amply?: number;
  /** Whether a run tries any of them, where they are only recorded. */
  isTurn?: (t: Context) => boolean;
  /** Whether rows are well-formed, and may be accepted at a cost: they go one after the other, until one is. */
  mayCost?: boolean;
}

/** Rows of a table; a list among them stands for one of its rows: the others follow with other seeds. */
type Rows = readonly (Row | readonly Row[])[];

/** The rows of a table, and the requests that they become. */
class ProbedRows<F extends string> {
  readonly probed: Probed<F>;
  readonly #plainest: F;

  constructor(probed: Probed<F>) {
    this.probed = probed;
    [this.#plainest] = Object.keys(probed.rights) as [F, ...F[]];
  }

  /** What makes the plainest right request. @throws Inconclusive, Skipped where there is none */
  async plain(t: Context): Promise<Maker> {
    return (await this.probed.rights[this.#plainest](t))!;
  }

  subjectOf(name: string): string {
    return `${this.probed.operation}: ${name}`;
  }

  /** The statuses that the refusal of a row may have; undefined for any. */
  statusesOf(row: Row, wrong: Members, form = this.#plainest): readonly number[] | undefined {
    return row.statuses ?? this.probed.statusesOf?.(form, wrong, row);
  }

  /** Each row that this run tries, with the forms that it is made from, as far as the target takes them. */
  async made(t: Context, name: string, rows: Rows, trying: Trying<F>, how: { costs?: string } = {}) {
    const chosen = this.#some(t, name, rows, trying, how);
    const { on = [this.#plainest], isEachForm = false } = trying;
    // Without an accepted request nothing shows why another one is refused.
    await this.plain(t);
    const makers = new Map<F, Maker | undefined>();
    const makerOf = async (form: F) => {
      if (!makers.has(form)) makers.set(form, await this.probed.rights[form](t));
      return makers.get(form);
    };
    const made: { row: Row; form: F; make: Maker }[] = [];
    for (const row of chosen) {
      const forms = (row.on as readonly F[] | undefined) ?? on;
      const count = isEachForm ? { count: forms.length } : {};
      const tried = await t.rotatedMade(`${this.subjectOf(name)}, ${row.what}`, forms, makerOf, count);
      // A form that counts more stands in the list several times.
      made.push(...[...new Map(tried)].map(([form, make]) => ({ row, form, make })));
    }
    if (chosen.length > 0 && made.length === 0)
      inconclusive('the target is not known to take any request that these are made from');
    return made;
  }

  /** The rows that this run tries. @param how.costs the operation, where their acceptance may cost something */
  #some(t: Context, name: string, rows: Rows, trying: Trying<F>, how: { costs?: string }): readonly Row[] {
    const { tries, amply = tries } = trying;
    const subject = this.subjectOf(name);
    const oneOf = (list: readonly Row[]) => t.rotated(`${subject}, further`, list, { ...how, name: nameOf });
    const all = rows.flatMap((row) => ('what' in row ? [row] : oneOf(row)));
    if (tries === undefined) return all;
    return t.rotated(subject, all, { ...how, count: tries, amply: amply!, name: nameOf });
  }

  /** The wrong requests that this run tries. */
  async wrong(t: Context, name: string, rows: Rows, trying: Trying<F>): Promise<WrongRequest[]> {
    const usual = trying.mayCost ? 'refusable' : 'malformed';
    return (await this.made(t, name, rows, trying)).map(({ row, form, make }) => {
      const { operation, inputOf, twin } = this.probed;
      const right = make();
      const wrong = row.of(right, t);
      const input = row.input ?? inputOf(wrong);
      const intent = row.intent ?? usual;
      return {
        what: form === this.#plainest ? row.what : `${row.what} (${form})`,
        send: (alone = false) => t.call(operation, input, { intent, alone }),
        statuses: this.statusesOf(row, wrong, form),
        // A rule about requests of its form may be why it is refused with another status.
        ...(twin && form !== this.#plainest && { twin: this.#twinOf(form, make) }),
        right: intent === 'malformed' ? inputOf(right) : undefined,
        excuse: row.excuse && inputOf(row.excuse(right)),
      };
    });
  }

  #twinOf(form: F, make: Maker): RightTwin {
    const { operation, inputOf } = this.probed;
    return {
      key: `${operation} ${form}`,
      send: (t) => t.call(operation, inputOf(make()), { intent: 'refusable' }),
    };
  }
}

type Declared = Pick<ReturnType<typeof defineSuite>, 'check' | 'afterwards' | 'watch'>;

/**
 * Declares checks of one operation by rows.
 *
 * @example
 * const cip = new ProbeTable(defineSuite(), { operation: 'portal.getCIPCheck', ... });
 * cip.refuses('portal.getCIPCheck.zip-digits', 'zip', formsOf('zip', integersBeyond(5)));
 */
export class ProbeTable<F extends string> {
  readonly #declared: Declared;
  readonly #rows: ProbedRows<F>;

  constructor(declared: Declared, probed: Probed<F>) {
    this.#declared = declared;
    this.#rows = new ProbedRows(probed);
  }

  /** Each row is refused, while the right request is accepted (readings 6 and 47). @returns the refusals, for {@link refusedWith} */
  refuses(requirement: string, name: string, rows: Rows, trying: Trying<F> = {}): Scenario<Refusal[]> {
    const send = trying.mayCost ? sendWrongInTurn : sendWrong;
    const sent = scenario(this.#rows.subjectOf(`${requirement}, ${name}`), async (t) =>
      send(await this.#rows.wrong(t, name, rows, trying)),
    );
    this.#refused(requirement, name, (t) => t.shared(sent));
    this.#findInTraffic(requirement, rows);
    return sent;
  }

  /** What other rows sent is refused with these statuses, or with those of its row. */
  refusedWith(
    requirement: string,
    name: string,
    statuses: (refusal: Refusal) => readonly number[],
    ...sent: readonly Scenario<Refusal[]>[]
  ): void {
    this.#refused(requirement, name, async (t) => {
      const refusals = leftOf(await Promise.all(sent.map((one) => attempt(() => t.shared(one))))).flat();
      return refusals.map((refusal) => ({ ...refusal, statuses: statuses(refusal) }));
    });
  }

  /** Each row had better be refused. They go one after the other, since each accepted one may cost something. */
  advisesAgainst(requirement: string, name: string, rows: Rows, trying: Trying<F> = {}): void {
    this.#findInTraffic(requirement, rows, true);
    this.#declared.check(requirement, name, async (t) => {
      const sent: Fact<Answer>[] = [];
      for (const { what, send } of await this.#rows.wrong(t, name, rows, trying)) {
        // A gateway in front of the target may never answer what is no such body.
        sent.push(await attempt(send));
        for (const answer of valuesOf(sent.slice(-1))) expectRefused(answer, what);
      }
      if (sent.every(({ isEnded }) => isEnded)) sent[0]?.get();
    });
  }

  /** Each row is accepted (reading 46). Where a run tries some, the others follow with other seeds. */
  accepts(requirement: string, name: string, rows: Rows, trying: Trying<F> = {}): void {
    const { operation, inputOf, fixture } = this.#rows.probed;
    this.#declared.check(requirement, name, async (t) => {
      const plainMaker = await this.#rows.plain(t);
      for (const { row, make } of await this.#rows.made(t, name, rows, trying, { costs: operation })) {
        const right = make();
        // The accepted request shows it already.
        if (isDeepStrictEqual(row.of(right, t), right)) continue;
        await expectAccepted(t, {
          operation,
          what: row.what,
          input: () => inputOf(row.of(make(), t)),
          ...(row.fuller && { fuller: [() => inputOf(row.fuller!(plainMaker()))] }),
          ...(row.excuse && { excuse: () => inputOf(row.excuse!(make())) }),
          control: () => inputOf(row.control?.(make()) ?? make()),
          ...(fixture && { fixture }),
        });
      }
    });
  }

  /** How each row is answered is observed, within what the checks leave of the budget; nothing is judged but the exchange itself. */
  records(name: string, rows: Rows, trying: Trying<F> = {}): void {
    const { operation, inputOf } = this.#rows.probed;
    this.#declared.afterwards(operation, async (t) => {
      if (!t.isInScope(operation) || !t.allows(operationById(operation).risk)) return;
      if (trying.isTurn?.(t) === false) return;
      const intent = trying.mayCost ? 'refusable' : 'malformed';
      for (const { row, make } of await this.#rows.made(t, name, rows, trying)) {
        if (trying.mayCost && (t.run.budgetOf(operation)?.left ?? Infinity) <= LEFT) return;
        const input = row.input ?? inputOf(row.of(make(), t));
        t.observe(operation, row.what, await t.call(operation, input, { intent: row.intent ?? intent }));
      }
    });
  }

  /** Each row may be refused, but not with status 500 (reading 9); the answer is observed. */
  observes(requirement: string, name: string, rows: Rows, trying: Trying<F> = {}): void {
    const { operation, inputOf } = this.#rows.probed;
    this.#declared.check(requirement, name, async (t) => {
      for (const { row, make } of await this.#rows.made(t, name, rows, trying, { costs: operation })) {
        const answer = await t.call(operation, inputOf(row.of(make(), t)), { intent: 'unusual' });
        t.observe(operation, row.what, answer);
        if (answer.status === 500)
          fail(`${row.what} is answered with status 500`, 'success, or a refusal', '500', { in: answer });
      }
    });
  }

  /** Declares that wrong requests are refused, with their statuses. */
  #refused(requirement: string, name: string, sent: (t: Context) => Promise<readonly Refusal[]>): void {
    const { twin } = this.#rows.probed;
    this.#declared.check(requirement, name, async (t) => {
      const refusals = await sent(t);
      if (twin) await expectWrongRefused(t, await twin(t), refusals);
      else for (const { what, answer, right } of refusals) await expectReadingRefused(t, right!, answer, what);
    });
  }

  /** Has the rows found in traffic that others made. @param mayBeAny whether any refusal will do */
  #findInTraffic(requirement: string, rows: Rows, mayBeAny = false): void {
    const { inputOf, statusesOf } = this.#rows.probed;
    const operation = operationById(this.#rows.probed.operation);
    const listed = operation.errors.includes(400) ? [400] : undefined;
    const ofRow = (row: Row, wrong: Members) => this.#rows.statusesOf(row, wrong) ?? (statusesOf ? undefined : listed);
    const asked = {
      operation,
      rows: rows.flat(),
      inputOf,
      statusesOf: (row: Row, wrong: Members) => (mayBeAny ? row.statuses : ofRow(row, wrong)),
    };
    for (const isPlain of [true, false])
      this.#declared.watch({ requirement, monitor: refusesRows(asked, isPlain), isSuspicion: !isPlain });
  }
}

/** What observations leave of a budget to later checks. */
const LEFT = 8;

const nameOf = ({ what }: Row): string => what;
