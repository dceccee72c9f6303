/** Judges every exchange of the run by every rule of its operation, whoever made it, and keeps the results. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import type { Difference, Retrial } from '../../contracts/record.ts';
import type { Answer } from '../answer.ts';
import { inAnyItem } from '../json.ts';
import { Presence } from './presence.ts';

/** A contradiction between an exchange and a requirement. */
export interface Finding {
  requirement: string;
  message: string;
  difference?: Difference;
  /** How it was reproduced. */
  retrial?: Retrial;
}

/**
 * What an exchange shows about a requirement: 'kept'; one contradiction or several; `lacks`, if the request could have brought about
 * what the requirement presupposes and did not; undefined for nothing.
 */
export type Judgement = 'kept' | Contradicting | readonly Contradicting[] | { lacks: string } | undefined;

type Contradicting = Omit<Finding, 'requirement'>;

/** A contradiction in words: what was expected, and what is there instead. @param pointer to the member that shows it */
export const contradicts = (message: string, expected: string, actual: string, pointer?: string): Contradicting => ({
  message,
  difference: { expected, actual, ...(pointer !== undefined && { pointer }) },
});

/** A contradiction that several exchanges show, with the ids of a few of them, and how many there are. */
export interface Broken extends Contradicting {
  exchanges: string[];
  times: number;
}

/** A rule that judges every exchange of one operation. */
export interface ExchangeRule {
  requirement: string;
  /** The operation whose exchanges it judges. */
  operation: string;
  /** What it reads of an answer; by default the body, too. */
  reads?: 'status' | 'headers';
  /** Judges one exchange. @param fixtures the data that the target's owner declared */
  judge(answer: Answer, fixtures: Fixtures): Judgement;
}

/** Whether an answer lacks what a rule reads of it. */
const isUnknown = ({ reads }: ExchangeRule, { leftOut }: Answer): boolean =>
  leftOut !== undefined && ((leftOut.body && reads !== 'status') || (leftOut.headers && reads === 'headers'));

interface Tally {
  kept: number;
  /** Ids of a few exchanges that kept it. */
  sample: string[];
  /** How it was broken, each way once; different are those that point to different members. */
  findings: Broken[];
  /** What the requirement presupposes, with ids of a few exchanges that could have brought it about and did not. */
  lacks: string;
  without: string[];
}

/** Limit on exchanges kept as evidence of one requirement; more would be of no use to a reader. */
const MOST_EVIDENCE = 25;
/** Limit on ways to break one requirement that are told apart. */
const MOST_KINDS = 50;

/** The member that a contradiction points to, in whichever item of an array; contradictions that point to none are alike. */
const kindOf = ({ difference }: Contradicting): string => inAnyItem(difference?.pointer ?? '');

export class Ledger {
  readonly #rules: ReadonlyMap<string, readonly ExchangeRule[]>;
  readonly #tallies = new Map<string, Tally>();
  readonly #presence = new Presence();
  readonly #onAnswer: (answer: Answer) => void;
  readonly #fixtures: Fixtures;

  /** @param onAnswer called with every exchange before it is judged */
  constructor(rules: readonly ExchangeRule[], fixtures: Fixtures, onAnswer: (answer: Answer) => void = () => {}) {
    this.#fixtures = fixtures;
    this.#onAnswer = onAnswer;
    this.#rules = Map.groupBy(rules, ({ operation }) => operation);
  }

  judge(answer: Answer): Finding[] {
    const findings: Finding[] = [];
    this.#onAnswer(answer);
    this.#presence.note(answer);
    for (const rule of this.#rules.get(answer.operation.id) ?? []) {
      if (isUnknown(rule, answer)) continue;
      const judgement = rule.judge(answer, this.#fixtures);
      if (judgement === 'kept') this.keep(rule.requirement, answer.exchange);
      else if (judgement && 'lacks' in judgement) this.#without(rule.requirement, judgement.lacks, answer.exchange);
      else if (judgement)
        for (const contradiction of [judgement].flat()) {
          const finding = { requirement: rule.requirement, ...(contradiction as Contradicting) };
          findings.push(finding);
          this.add(finding, answer.exchange);
        }
    }
    return findings;
  }

  /** Operations that the target does not seem to implement, see {@link Presence}. */
  absentOperations(): ReturnType<Presence['absent']> {
    return this.#presence.absent();
  }

  /** Exchanges of valid requests for an operation that answers all of these with 409; empty otherwise. */
  conflicts(operation: string): readonly string[] {
    return this.#presence.conflicts(operation);
  }

  /** Adds a contradiction; call it for one that was found other than by a rule, e.g. a token that ended early. */
  add({ requirement, ...finding }: Finding, exchange: string): void {
    const { findings } = this.tally(requirement);
    const kind = kindOf(finding);
    const same = findings.find((one) => kindOf(one) === kind);
    if (!same) {
      if (findings.length < MOST_KINDS) findings.push({ ...finding, exchanges: [exchange], times: 1 });
      return;
    }
    same.times++;
    // Exchanges end in any order: the same message is shown every time.
    const isFirst = finding.message < same.message;
    if (isFirst) Object.assign(same, finding);
    if (isFirst) same.exchanges.unshift(exchange);
    else same.exchanges.push(exchange);
    same.exchanges.splice(MOST_EVIDENCE);
  }

  /** The results for a requirement so far; zeros if there are none. */
  tally(requirement: string): Tally {
    let tally = this.#tallies.get(requirement);
    if (!tally) {
      tally = { kept: 0, sample: [], findings: [], lacks: '', without: [] };
      this.#tallies.set(requirement, tally);
    }
    return tally;
  }

  /** The exchanges that broke requirements. */
  broken(): { requirement: string; exchanges: readonly string[] }[] {
    return [...this.#tallies].flatMap(([requirement, { findings }]) =>
      findings.map(({ exchanges }) => ({ requirement, exchanges })),
    );
  }

  #without(requirement: string, lacks: string, exchange: string): void {
    const tally = this.tally(requirement);
    tally.lacks = lacks;
    if (tally.without.length < MOST_EVIDENCE) tally.without.push(exchange);
  }

  keep(requirement: string, exchange: string): void {
    const tally = this.tally(requirement);
    tally.kept++;
    if (tally.sample.length < MOST_EVIDENCE) tally.sample.push(exchange);
  }
}
