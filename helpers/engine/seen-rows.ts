/** Rows of probe tables in traffic that others made: a wrong request is one of a row where it has the flaws that the row gives a right one. */
import { numbers } from '../../contracts/numbers.ts';
import type { Operation } from '../../contracts/operation.ts';
import { writeJson } from '../../files/json.ts';
import { type Answer, describe, type Input, isObject, succeeded } from '../answer.ts';
import type { Context } from '../context.ts';
import { flawsOf } from '../contract-rules/flaws.ts';
import { type Contradiction, contradiction, kept, type Monitor, nothing, type Shown } from '../evidence/monitor.ts';
import { oncePer } from '../once-per.ts';
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

/** The flaws of a request: every table asks for them. */
const flawsIn = oncePer(({ operation, input }: Answer): string[] => flawsOf(operation, input));

/** Requests of an operation whose content is known, and those among them that are right and accepted. */
function requestsIn(history: readonly Answer[], { id }: Operation) {
  const known = history.filter(
    ({ operation, intent, leftOut, status }) =>
      operation.id === id && intent !== 'unauthorised' && !leftOut?.request && !leftOut?.values && status !== 0,
  );
  const flawed = known.map((answer) => ({ answer, flaws: flawsIn(answer) }));
  const right = flawed.filter(({ flaws }) => flaws.length === 0).map(({ answer }) => answer);
  return {
    wrong: flawed.filter(({ flaws }) => flaws.length > 0),
    right,
    accepted: right.filter(succeeded),
  };
}

/** The flaws that rows give requests; every wrong request asks for them. */
const flawsOfRows = new WeakMap<Row, WeakMap<Answer, string>>();
function flawsBy(asked: Asked, row: Row, right: Answer): string {
  const ofRow = flawsOfRows.get(row) ?? new WeakMap<Answer, string>();
  flawsOfRows.set(row, ofRow);
  const flaws = ofRow.get(right) ?? flawsMade(asked, row, right.input);
  ofRow.set(right, flaws);
  return flaws;
}

/** The flaws that a row gives a request; none where it cannot be made of it. */
function flawsMade({ operation, inputOf }: Asked, row: Row, right: Input): string {
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

/** Finds the first of right requests that differs from a wrong one in nothing but what is wrong with that. */
type TwinOf = (wrong: Answer, flaws: readonly string[]) => Answer | undefined;

/** Right requests by what they hold besides the members that wrong ones are wrong about: there may be thousands of both. */
function twinsAmong(rights: readonly Answer[]): TwinOf {
  const besides = new Map<string, Map<string, Answer>>();
  return (wrong, flaws) => {
    const members = flaws.map(memberIn);
    const othersIn = ({ input }: Answer) => writeJson(ordered(without(membersOf(input), ...members)));
    const known = besides.get(members.join()) ?? new Map(rights.toReversed().map((right) => [othersIn(right), right]));
    besides.set(members.join(), known);
    return known.get(othersIn(wrong));
  };
}

/** A JSON value with the members of its objects by name. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, inner]) => [name, ordered(inner)]));
}

/** Whether the credential of a request was good before and after it, as far as others show: neither a lock nor its end explains a refusal. */
function isBetweenAccepted({ sentAt, answeredAt, sessionId, token }: Answer, history: readonly Answer[]): boolean {
  const own = history.filter(
    (one) => (sessionId ?? token) !== undefined && one.sessionId === sessionId && one.token === token && succeeded(one),
  );
  return own.some((one) => one.answeredAt <= sentAt) && own.some((one) => one.sentAt >= answeredAt);
}

/** A wrong request that is refused, and its row. */
interface Refused {
  answer: Answer;
  row: Row;
  /** Whether a right request that is accepted differs in nothing else. */
  isTwin: boolean;
}

/** Whether right requests are accepted before, between and after some that are refused alike, so that no limit or lock explains their status. */
function isAgainBetween(refused: readonly Refused[], accepted: readonly Answer[]): boolean {
  const isAccepted = (after: Answer | undefined, before: Answer | undefined) =>
    accepted.some(
      ({ sentAt, answeredAt }) =>
        sentAt >= (after?.answeredAt ?? Number.NEGATIVE_INFINITY) &&
        answeredAt <= (before?.sentAt ?? Number.POSITIVE_INFINITY),
    );
  const answers = [undefined, ...refused.map(({ answer }) => answer), undefined];
  return (
    refused.length >= numbers.shownAgain &&
    answers.slice(1).every((before, place) => isAccepted(answers[place], before))
  );
}

/** Whether a status that is not listed shows by itself that a wrong request is refused for another reason than it must be: no rule, lock or limit explains it. */
function isPlain(refused: Refused, alike: readonly Refused[], { accepted, right, history }: Sent): boolean {
  const { answer, row, isTwin } = refused;
  if (row.excuse !== undefined || OF_OTHER_REASONS.includes(answer.status)) return false;
  if (isTwin && answer.status < 500 && isBetweenAccepted(answer, history)) return true;
  return isAgainBetween(alike, accepted) && !right.some(({ status }) => status === answer.status);
}

/** Right requests of an operation, those that are accepted, and all exchanges. */
interface Sent {
  right: readonly Answer[];
  accepted: readonly Answer[];
  history: readonly Answer[];
}

/**
 * What traffic shows of rows that must be refused. That one is accepted shows it by itself; so does a status that is not listed, where the same
 * request without its flaw is accepted, and nothing else may explain the status; or where it comes again between right ones. Any other is a suspicion.
 */
function* shownBy(asked: Asked, history: readonly Answer[]): Generator<{ shown: Shown; isPlain: boolean }> {
  const { wrong, right: rightOnes, accepted } = requestsIn(history, asked.operation);
  const forms = [...new Map(accepted.map((one) => [formOf(membersOf(one.input)), one])).values()].slice(-MOST_FORMS);
  const alike = new Map<string, Refused[]>();
  const twinOf = twinsAmong(accepted);
  for (const { answer, flaws } of wrong) {
    const twin = twinOf(answer, flaws);
    const own = rowOf(asked, { answer, flaws }, twin ? [twin] : forms);
    if (!own) continue;
    const { row, right } = own;
    const what = inWords(flaws);
    const by: Shown['by'] = right ? [right, answer] : [answer];
    const statuses = asked.statusesOf(row, membersOf(answer.input));
    if (succeeded(answer)) {
      const found = contradiction([answer], `${what} is accepted`, 'a refusal', describe(answer));
      yield { shown: found, isPlain: true };
    } else if (!right) yield { shown: nothing(by, 'no right request was accepted beside it'), isPlain: true };
    else if (!statuses || statuses.includes(answer.status)) yield { shown: kept(by), isPlain: true };
    else {
      const message = `${what} is refused with status ${answer.status}`;
      const refused = { answer, row, isTwin: twin !== undefined };
      const before = [...(alike.get(message) ?? []), refused];
      alike.set(message, before);
      const found: Contradiction = contradiction(by, message, statuses.join(' or '), String(answer.status));
      yield { shown: found, isPlain: isPlain(refused, before, { right: rightOnes, accepted, history }) };
    }
  }
}

/** Number of forms of right requests that a wrong one is compared with. */
const MOST_FORMS = 20;

/** Which members a request has, and how many entries in its lists: a row may need two cards. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formOf).join()}]`;
  return isObject(value) ? `{${Object.entries(value).map(([name, inner]) => `${name}:${formOf(inner)}`)}}` : '';
}

/** The row that a wrong request is one of, and the right request that the row is made of; without any, the row has to leave all that is wrong as it is, and be about it. */
function rowOf(asked: Asked, { answer, flaws }: { answer: Answer; flaws: string[] }, rights: readonly Answer[]) {
  const isSame = (row: Row, right: Answer) => flawsBy(asked, row, right) === flaws.join();
  const isAbout = (row: Row) => flaws.every((flaw) => memberIn(flaw) === row.member);
  for (const row of asked.rows) {
    const right = rights.find((one) => isSame(row, one));
    if (right) return { row, right };
    if (rights.length === 0 && isSame(row, answer) && isAbout(row)) return { row, right: undefined };
  }
  return undefined;
}

/** What traffic shows of rows that must be refused, by itself or as a suspicion. */
export const refusesRows = (asked: Asked, isPlain: boolean): Monitor =>
  function* (history) {
    for (const found of shownBy(asked, history)) if (found.isPlain === isPlain) yield found.shown;
  };
