/**
 * Judges every exchange of the run by every rule of its operation, whoever made it, and keeps what came of it:
 * a wrong type on page two is found because something walked to page two.
 */
import type { Fixtures } from '../../contracts/fixtures.ts';
import type { Difference } from '../../contracts/record.ts';
import type { Answer } from '../answer.ts';
import { type AbsentOperation, Presence } from './presence.ts';

/** A contradiction between an exchange and a requirement. */
export interface Finding {
  /** Id of the requirement that the exchange breaks. */
  requirement: string;
  message: string;
  difference?: Difference;
}

/**
 * What an exchange says of a requirement: 'kept'; a contradiction; what the requirement presupposes, where the request could bring
 * that about and did not; undefined for nothing.
 */
export type Judgement = 'kept' | Omit<Finding, 'requirement'> | { lacks: string } | undefined;

/** A requirement that every exchange of one operation is held against. */
export interface ExchangeRule {
  requirement: string;
  /** The operation whose exchanges it judges. */
  operation: string;
  /** Judges one exchange. `fixtures` is what the target's owner says of its data. */
  judge(answer: Answer, fixtures: Fixtures): Judgement;
}

/** What is known of one requirement by now. */
export interface Tally {
  kept: number;
  /** Exchanges that kept it: a few. */
  sample: string[];
  /** Exchanges that break it, and how: bounded, while `broken` counts all. */
  findings: { message: string; difference?: Difference; exchange: string }[];
  broken: number;
  /** What the requirement presupposes, and a few exchanges that could bring it about and did not. */
  lacks: string;
  without: string[];
}

/** Evidence of one requirement beyond this many exchanges adds nothing for a reader. */
const MOST_EVIDENCE = 25;

/** What the exchanges of a run showed, requirement by requirement. */
export class Ledger {
  readonly #rules = new Map<string, ExchangeRule[]>();
  readonly #tallies = new Map<string, Tally>();
  readonly #presence = new Presence();
  readonly #onAnswer: (answer: Answer) => void;
  readonly #fixtures: Fixtures;

  /** @param onAnswer called for every exchange that is judged */
  constructor(rules: readonly ExchangeRule[], fixtures: Fixtures, onAnswer: (answer: Answer) => void = () => {}) {
    this.#fixtures = fixtures;
    this.#onAnswer = onAnswer;
    for (const rule of rules) {
      const ofOperation = this.#rules.get(rule.operation);
      if (ofOperation) ofOperation.push(rule);
      else this.#rules.set(rule.operation, [rule]);
    }
  }

  /** Holds one exchange against all rules of its operation. */
  judge(answer: Answer): Finding[] {
    const findings: Finding[] = [];
    this.#onAnswer(answer);
    this.#presence.note(answer);
    for (const rule of this.#rules.get(answer.operation.id) ?? []) {
      const judgement = rule.judge(answer, this.#fixtures);
      if (judgement === 'kept') this.keep(rule.requirement, answer.exchange);
      else if (judgement && 'lacks' in judgement) this.#without(rule.requirement, judgement.lacks, answer.exchange);
      else if (judgement) {
        const finding = { requirement: rule.requirement, ...judgement };
        findings.push(finding);
        this.add(finding, answer.exchange);
      }
    }
    return findings;
  }

  /** Operations that the target does not seem to have: see {@link Presence}. */
  absentOperations(): AbsentOperation[] {
    return this.#presence.absent();
  }

  /** A contradiction that was seen otherwise than by a rule, e.g. by the credentials when a token ended early. */
  add(finding: Finding, exchange: string): void {
    const tally = this.tally(finding.requirement);
    tally.broken++;
    if (tally.findings.length < MOST_EVIDENCE) tally.findings.push({ ...finding, exchange });
  }

  /** What is known of a requirement by now; nothing yet is a tally of zeros. */
  tally(requirement: string): Tally {
    let tally = this.#tallies.get(requirement);
    if (!tally) {
      tally = { kept: 0, sample: [], findings: [], broken: 0, lacks: '', without: [] };
      this.#tallies.set(requirement, tally);
    }
    return tally;
  }

  #without(requirement: string, lacks: string, exchange: string): void {
    const tally = this.tally(requirement);
    tally.lacks = lacks;
    if (tally.without.length < MOST_EVIDENCE) tally.without.push(exchange);
  }

  /** An exchange that keeps a requirement. */
  keep(requirement: string, exchange: string): void {
    const tally = this.tally(requirement);
    tally.kept++;
    if (tally.sample.length < MOST_EVIDENCE) tally.sample.push(exchange);
  }
}
