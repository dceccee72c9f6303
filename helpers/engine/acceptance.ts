/** Sends what the target must accept, and decides whether a refusal is enough to accuse (readings 46 to 48 and 51). */
import { type Operation, onlyReads } from '../../contracts/operation.ts';
import type { Retrial } from '../../contracts/record.ts';
import { type Answer, describe, type Input, isBusy, succeeded } from '../answer.ts';
import type { Context } from '../context.ts';
import { attempt, fail, inconclusive, refer } from '../verdict.ts';
import { betweenAccepted, refusedNow } from './retrial.ts';

/** One input for every attempt, or a function that makes a new one each time (for identifiers that must be unique), sending what has to come before it. */
type InputSource = Input | (() => Input | Promise<Input>);

/** A request on the closed list of reading 46: documented outright, of required members only, or of the fixtures. */
export interface RequestToAccept {
  operation: string;
  /** For messages: `max=49`. */
  what: string;
  /** The plain form: holds nothing but what the statement is about. */
  input: InputSource;
  /** The plain form with what a business rule may require beside it; each is tried before a refusal counts as a failure. */
  fuller?: readonly InputSource[];
  /**
   * The plainest request of this kind that the run has seen accepted, or the one from the fixtures file. It is sent
   * again right after a refusal, see `betweenAccepted`. Absent when the request itself is the plainest: then it is what the run has seen accepted
   * last of an operation that only reads.
   */
  control?: InputSource;
  /** A request that differs in what is asserted alone: where it is refused, too, a rule about something else may be why. */
  excuse?: InputSource;
  /** Whether an accepted request shows what is asserted, too: where this run has seen such a one, a refusal has another reason. */
  shownBy?: (accepted: Answer) => boolean;
  /** The key of the fixtures file with which the target's owner can help: `cards.transferAmounts`. */
  fixture?: string;
}

/**
 * Sends a request that must be accepted. Any other request that the suite makes up goes through `t.call`, and a refusal
 * of it is only observed.
 * A refused request is repeated alone after the settle time, since a target may have a cool-down, and then again
 * between controls.
 *
 * @example
 * await expectAccepted(t, { operation: 'users.list', what: 'max=49', input: { query: { max: 49 } }, control: {} });
 *
 * @returns the successful answer, to the plain or the fuller form, or to another request that shows it; `answer.input` shows which
 * @throws Nonconformance when every attempt is refused while the control, if any, is accepted before, between and after
 * the last ones
 * @throws Inconclusive when the control is now refused as well, or the target is busy (a 409 counts as busy if no control is
 * given)
 */
export async function expectAccepted(t: Context, request: RequestToAccept): Promise<Answer> {
  const { operation, what, input, fuller = [], control, excuse, shownBy, fixture } = request;
  const send = async (source: InputSource) => t.call(operation, typeof source === 'function' ? await source() : source);
  const first = await send(input);
  if (succeeded(first)) return first;
  // A 409 may be a conflict with another request. Sent alone and between accepted controls, it is a refusal like any
  // other.
  const isConflict = first.status === 409 && control !== undefined;
  if (!isConflict) requireNotBusy(first, what);
  const sendFuller = async () => {
    for (const source of fuller) {
      const answer = await send(source);
      if (succeeded(answer)) return answer;
    }
    return undefined;
  };
  const full = await sendFuller();
  if (full) return full;
  t.suspect([first.exchange]);
  await t.untilQuiet();
  const again = await send(input);
  if (succeeded(again)) return again;
  // What was refused before may have been so in the wake of a bad credential.
  const fullAgain = await sendFuller();
  if (fullAgain) return fullAgain;
  const shown = shownBy && acceptedBefore(t, operation, shownBy);
  if (shown) return shown;
  const excused = excuse && (await send(excuse));
  if (excused && !succeeded(excused))
    inconclusive(
      `${what} is refused, and so is a request that differs in what is asserted alone: ${describe(excused)}`,
    );
  const sendPlainest = control ? () => send(control) : rereading(t, operation);
  const { answer: last, retrial } = sendPlainest
    ? await betweenAccepted(
        sendPlainest,
        () => send(input),
        (refusal) =>
          `${what} is refused (${describe(again)}), and now the plainest request of its kind is refused, too (${describe(refusal)}): an undocumented limit of the target may explain it${
            fixture ? `, which ${fixture} of the fixtures file may meet` : ''
          }`,
        { left: t.run.budgetOf(operation)?.left },
      )
    : {
        answer: again,
        retrial: { tries: 1, shown: 1, controls: 0, exchanges: [again.exchange], once: [again.exchange] },
      };
  if (succeeded(last)) return last;
  if (!sendPlainest) await requireStillServed(t, last, what);
  return fail(`${what} is refused`, 'success', describe(last), { in: last, retrial });
}

/** Sends the last accepted request of an operation that only reads again; undefined where this run has seen none accepted. */
function rereading(t: Context, operation: string): (() => Promise<Answer>) | undefined {
  const isRead = (one: Answer) =>
    one.operation.id === operation &&
    onlyReads(one.operation) &&
    ['valid', 'refusable'].includes(one.intent) &&
    succeeded(one);
  const read = t.run.answers.findLast(isRead);
  return read && (() => t.call(operation, read.input, { intent: 'refusable' }));
}

/** What shows whether somebody with a good credential is still served: a reading that names nothing in its path. */
const isPlainReading = (operation: Operation): boolean =>
  onlyReads(operation) && operation.authorisation !== 'none' && operation.pathParameters.length === 0;

/**
 * Where nothing of an operation was ever accepted, what was accepted last of another one of its interface is asked for again.
 * @throws Inconclusive where that is refused now, too
 */
async function requireStillServed(t: Context, { operation }: Answer, what: string): Promise<void> {
  const served = t.run.answers.findLast(
    (one) =>
      one.operation.interface === operation.interface &&
      one.operation.id !== operation.id &&
      isPlainReading(one.operation) &&
      one.intent === 'valid' &&
      succeeded(one),
  );
  const now = served && (await t.call(served.operation.id, served.input, { intent: 'refusable' }));
  if (now && !succeeded(now))
    inconclusive(`${what} is refused, and so is ${now.operation.id} now, which was accepted before: ${describe(now)}`);
}

/** An answer, whether it is what is given elsewhere, and if it was not at first, how it was tried again. */
export interface Tried {
  answer: Answer;
  isRight: boolean;
  retrial?: Retrial;
}

/**
 * Asks in one place, such as a session, for what is given in another. Where it is not given, it is asked for again between askings in the other place.
 * @param requests.isRight whether an answer is what both should give; where absent, none should be accepted
 * @param requests.requireServed throws where what was not given shows nothing: where nothing is answered there any more, or enough was
 * @throws Inconclusive where it is not given in the other place either
 */
export async function askedAsElsewhere(
  t: Context,
  requests: {
    here: () => Promise<Answer>;
    elsewhere: () => Promise<Answer>;
    isRight: ((answer: Answer) => boolean) | undefined;
    requireServed: (notGiven: Answer) => Promise<void>;
  },
): Promise<Tried> {
  const { here, elsewhere, isRight, requireServed } = requests;
  const answer = await here();
  if (!isRight && succeeded(answer)) return { answer, isRight: false };
  if (isRight?.(answer)) return { answer, isRight: true };
  await requireServed(answer);
  if (!isRight) return { answer, isRight: true };
  t.suspect([answer.exchange]);
  await t.untilQuiet();
  const { left } = t.run.budgetOf(answer.operation.id) ?? {};
  const control = async () => {
    const given = await elsewhere();
    if (succeeded(given) && !isRight(given)) inconclusive('elsewhere something else is given now, too');
    return given;
  };
  const tried = await betweenAccepted(control, here, refusedNow, { isRight, left });
  return { ...tried, isRight: isRight(tried.answer) };
}

/** The answer to an earlier request of this run that was accepted and shows it, as evidence. */
function acceptedBefore(t: Context, operation: string, shows: (accepted: Answer) => boolean): Answer | undefined {
  const shown = t.run.answers.find((one) => one.operation.id === operation && succeeded(one) && shows(one));
  if (shown) t.exchanges.push(shown.exchange);
  return shown;
}

/** Whether any of several tries succeeds in quiet: of what is refused for one subject, and accepted for others, a target has a rule of its own. */
export async function succeedsAlone(t: Context, ...tries: (() => Promise<boolean>)[]): Promise<boolean> {
  await t.untilQuiet();
  // They may send bad credentials themselves, which are held back only while somebody waits for silence.
  for (const succeedsNow of tries) if ((await attempt(succeedsNow)).value) return true;
  return false;
}

/** Whether a right request is accepted in quiet, while bad credentials are held back: in their wake it may be refused (reading 51). */
export const succeedsInSilence = (t: Context, request: () => Promise<Answer>): Promise<boolean> =>
  t.inQuiet(async () => succeeded(await request()));

/** @throws Inconclusive when the refusal shows that the target is busy */
export function requireNotBusy(answer: Answer, what: string): void {
  if (isBusy(answer)) inconclusive(`${what} is refused with status ${answer.status}: the target is busy`);
}

/** Call before judging another operation by this one. @throws Inconclusive when it answers 404 or 501 to everything */
export function requirePresent(t: Context, operation: string): void {
  const absent = t.run.ledger.absentOperations().find((one) => one.operation === operation);
  if (absent) refer(`${operation} answers status ${absent.status} to everything`, `${operation}.required-only`);
}
