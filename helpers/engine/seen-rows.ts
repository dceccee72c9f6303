/** Rows of probe tables in traffic that others made: a wrong request is one of a row where it has the flaws that the row gives a right one. */
import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../../contracts/operation.ts';
import { type Answer, describe, type Input, succeeded } from '../answer.ts';
import type { Context } from '../context.ts';
import { flawsOf } from '../contract-rules/flaws.ts';
import { type Contradiction, contradiction, kept, type Monitor, nothing, type Shown } from '../evidence/monitor.ts';
import { type Members, type Row, without } from './rows.ts';

/** Rows, and what their table knows of them. */
export interface Asked {
  operation: Operation;
  rows: readonly Row[];
  inputOf(members: Members): Input;
  /** The statuses that the refusal of a row may have; undefined for any. @param wrong what the request holds */
  statusesOf(row: Row, wrong: Members): readonly number[] | undefined;
}

/** Statuses that may have another reason than what is wrong with a request: credentials, a conflict, a firewall, a limit. */
const OF_OTHER_REASONS = [401, 403, 409, 423, 429];

const membersOf = ({ path, query, json }: Input): Members => (json as Members | undefined) ?? { ...path, ...query };

/** The flaws of requests: every table asks for them. */
const flawsOfRequests = new WeakMap<Answer, string[]>();
function flawsIn(answer: Answer): string[] {
  const flaws = flawsOfRequests.get(answer) ?? flawsOf(answer.operation, answer.input);
  flawsOfRequests.set(answer, flaws);
  return flaws;
}

/** Requests of an operation whose content is known, and those among them that are right and accepted. */
function requestsIn(history: readonly Answer[], { id }: Operation) {
  const known = history.filter(
    ({ operation, intent, leftOut, status }) =>
      operation.id === id && intent !== 'unauthorised' && !leftOut?.request && !leftOut?.values && status !== 0,
  );
  const flawed = known.map((answer) => ({ answer, flaws: flawsIn(answer) }));
  return {
    wrong: flawed.filter(({ flaws }) => flaws.length > 0),
    accepted: flawed.filter(({ answer, flaws }) => flaws.length === 0 && succeeded(answer)).map(({ answer }) => answer),
  };
}

/** The flaws that a row gives a request; none where it cannot be made of it. */
function flawsBy({ operation, inputOf }: Asked, row: Row, right: Input): string {
  try {
    // What makes a request from what a run alone knows is none that traffic shows.
    const input = row.input ?? inputOf(row.of(membersOf(right), undefined as unknown as Context));
    return flawsOf(operation, input).join();
  } catch {
    return '';
  }
}

/** What is wrong with a member, by the last word of a flaw. */
const KINDS: Readonly<Record<string, string>> = {
  type: 'has another type',
  maximum: 'is too large',
  minimum: 'is too small',
  maxLength: 'is too long',
  enum: 'is not listed',
};

/** Flaws as a request that has them: `a request without zip`, `a request whose zip is too large`. */
function inWords(flaws: readonly string[]): string {
  const each = flaws.map((flaw) => {
    const [, member, kind] = /^(.*) (\S+)$/.exec(flaw) as unknown as [string, string, string];
    return kind === 'absent' ? `without ${member}` : `whose ${member} ${KINDS[kind] ?? 'is not as documented'}`;
  });
  return `a request ${[...new Set(each)].join(' and ')}`;
}

/** The member of a request that a flaw is about, whatever it is within that. */
const memberIn = (flaw: string): string => flaw.split(' ', 1)[0]!;

/** Whether a right request differs from a wrong one in nothing but what is wrong with that. */
function isTwin(right: Answer, wrong: Answer, flaws: readonly string[]): boolean {
  const others = ({ input }: Answer) => without(membersOf(input), ...flaws.map(memberIn));
  return isDeepStrictEqual(others(right), others(wrong));
}

/** Whether the credential of a request was good before and after it, as far as others show: neither a lock nor its end explains a refusal. */
function isBetweenAccepted({ sentAt, answeredAt, sessionId, token }: Answer, history: readonly Answer[]): boolean {
  const own = history.filter(
    (one) => (sessionId ?? token) !== undefined && one.sessionId === sessionId && one.token === token && succeeded(one),
  );
  return own.some((one) => one.answeredAt <= sentAt) && own.some((one) => one.sentAt >= answeredAt);
}

/**
 * What traffic shows of rows that must be refused. That one is accepted shows it by itself; so does a status that is not listed, where the same
 * request without its flaw is accepted, and nothing else may explain the status. Any other is a suspicion.
 */
function* shownBy(asked: Asked, history: readonly Answer[]): Generator<{ shown: Shown; isPlain: boolean }> {
  const { wrong, accepted } = requestsIn(history, asked.operation);
  for (const { answer, flaws } of wrong) {
    const twin = accepted.find((one) => isTwin(one, answer, flaws));
    const right = twin ?? accepted[0];
    const own = asked.rows.find((row) => isOfRow(asked, row, { answer, flaws }, right));
    if (!own) continue;
    const what = inWords(flaws);
    const by: Shown['by'] = right ? [right, answer] : [answer];
    const statuses = asked.statusesOf(own, membersOf(answer.input));
    if (succeeded(answer)) {
      const found = contradiction([answer], `${what} is accepted`, 'a refusal', describe(answer));
      yield { shown: found, isPlain: true };
    } else if (!right) yield { shown: nothing(by, 'no right request was accepted beside it'), isPlain: true };
    else if (!statuses || statuses.includes(answer.status)) yield { shown: kept(by), isPlain: true };
    else {
      const { status } = answer;
      const mayHaveOthers = !twin || own.excuse !== undefined || status >= 500 || OF_OTHER_REASONS.includes(status);
      const message = `${what} is refused with status ${status}`;
      const found: Contradiction = contradiction(by, message, statuses.join(' or '), String(status));
      yield { shown: found, isPlain: !mayHaveOthers && isBetweenAccepted(answer, history) };
    }
  }
}

/** Whether a wrong request is one of a row. Without a right request, the row has to leave all that is wrong as it is, and be about it. */
function isOfRow(asked: Asked, row: Row, { answer, flaws }: { answer: Answer; flaws: string[] }, right?: Answer) {
  const isSame = flawsBy(asked, row, (right ?? answer).input) === flaws.join();
  return isSame && (right !== undefined || flaws.every((flaw) => memberIn(flaw) === row.member));
}

/** What traffic shows of rows that must be refused, by itself or as a suspicion. */
export const refusesRows = (asked: Asked, isPlain: boolean): Monitor =>
  function* (history) {
    for (const found of shownBy(asked, history)) if (found.isPlain === isPlain) yield found.shown;
  };
