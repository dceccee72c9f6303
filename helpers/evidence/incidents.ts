/** What the client met besides the answers themselves, and what it means. The client reports it and judges nothing. */
import type { Operation } from '../../contracts/operation.ts';
import type { Conformance } from '../../contracts/record.ts';
import { type Answer, declined, isBusy, succeeded } from '../answer.ts';
import type { Finding, Ledger } from './ledger.ts';

/** Requirements that the use of the run's credentials judges: of its tokens, and of its sessions (reading 33). */
const USABLE = 'token.issue.usable-until-expiry';
const BEGINS = 'portal.login.begins-session';
/** Refusals that do not concern the session: not found, wrong method, or busy. */
export const OF_WHAT_IS_ASKED: readonly number[] = [404, 405, 409];
/** Transport errors caused by an answer, with the requirement that it breaks: what is beyond a limit of the run's own breaks none (readings 3 and 4). */
const UNREADABLE: Record<string, 'status' | 'shape' | undefined> = {
  malformed: 'status',
  'headers-too-large': undefined,
  'bad-encoding': 'shape',
  'too-large': undefined,
};

/** Whether a transport error of this kind was caused by an answer. */
export const isUnreadable = (kind: string): boolean => kind in UNREADABLE;

/** How many readings that nothing was wrong with were accepted, and how many of these when they were repeated. */
type Readings = NonNullable<Conformance['run']['readings']>[number];

export class Incidents {
  readonly #readings = new Map<string, Readings>();
  readonly #ledger: Ledger;
  readonly #suspect: (requirement: string, refused: Answer) => void;

  /** @param suspect called with a reading that is to be tried again when all else is done */
  constructor(ledger: Ledger, suspect: (requirement: string, refused: Answer) => void) {
    this.#ledger = ledger;
    this.#suspect = suspect;
  }

  /** A request with a token of the run was answered otherwise than with 401. */
  tokenTaken(answer: Answer): void {
    this.#ledger.keep(USABLE, answer.exchange);
  }

  /** A token within its lifetime was refused with 401 where a fresh one was not. @param age in seconds */
  tokenEndedEarly({ operation, exchange }: Answer, age: number): void {
    this.#ledger.add(
      {
        requirement: USABLE,
        message: `${operation.id} refuses a token aged ${Math.round(age / 60)} minutes with 401, but accepts a fresh one`,
        difference: { expected: 'accepted for 60 minutes', actual: '401' },
      },
      exchange,
    );
  }

  /** A session was used for the first time, by a reading. */
  sessionUsed(answer: Answer): void {
    if (succeeded(answer)) this.#ledger.keep(BEGINS, answer.exchange);
    else if (declined(answer) && !OF_WHAT_IS_ASKED.includes(answer.status) && !isBusy(answer))
      this.#suspect(BEGINS, answer);
  }

  /**
   * A valid reading was accepted.
   * @param first the answer to the same request before, refused or not
   * @param isQuiet whether the target had no bad credential of the run to remember
   */
  readingAccepted(answer: Answer, first: Answer, isQuiet: boolean): void {
    const requirement = `${answer.operation.id}.required-only`;
    if (isQuiet) this.#count(answer.operation.id, first);
    this.#ledger.keep(requirement, answer.exchange);
    if (!succeeded(first)) this.#suspect(requirement, first);
  }

  /** The readings that were accepted in quiet, by operation. */
  readings(): Readings[] {
    return [...this.#readings.values()].sort((a, b) => (a.operation < b.operation ? -1 : 1));
  }

  #count(operation: string, first: Answer): void {
    const readings = this.#readings.get(operation) ?? { operation, asked: 0, refused: 0 };
    this.#readings.set(operation, readings);
    readings.asked++;
    if (!succeeded(first)) readings.refused++;
  }

  /** An answer arrived that could not be read. @param error the kind of the transport error, and its message */
  unreadable(
    { id, success }: Operation,
    exchange: string,
    { kind, message }: { kind: string; message: string },
  ): Finding[] {
    const broken = UNREADABLE[kind];
    if (!broken || !success) return [];
    const finding = { requirement: `${id}.${broken}`, message };
    this.#ledger.add(finding, exchange);
    return [finding];
  }
}
