/** Requests that the target has to accept, and what earns an accusation when it refuses one (readings 46 to 48 and 51). */
import { type Answer, describe, type Input, isBusy, succeeded } from './answer.ts';
import type { Context } from './context.ts';
import { fail, inconclusive } from './verdict.ts';

/** The same input at each sending, or one with values of its own each time (identifiers that have to be unique). */
export type InputSource = Input | (() => Input);

/** A request on the closed list of reading 46: what the documents say outright, only what is required, or what the fixtures give. */
export interface RequestToAccept {
  operation: string;
  /** For messages: `max=49`. */
  what: string;
  /** The plain form: nothing in it but what the statement is about. */
  input: InputSource;
  /** The same with more members, which a rule of the target may want: tried before the refusal of the plain form accuses. */
  fuller?: InputSource;
  /**
   * The plainest request of its kind that this run has seen accepted; the fixture's own, where there is one. It is sent again
   * right after a refusal, see {@link betweenAccepted}. Absent when the request itself is the plainest there is.
   */
  control?: InputSource;
  /** Key of the fixtures file by which the owner of the target can help: `cards.transferAmounts`. */
  fixture?: string;
}

/**
 * Sends a request that must be accepted. Whatever else the suite makes up is sent by `t.call`, and its refusal is observed.
 * One that is refused is sent again alone, after the settle time, since a target may have a cool-down; and once more between controls.
 *
 * @example
 * await expectAccepted(t, { operation: 'users.list', what: 'max=49', input: { query: { max: 49 } }, control: {} });
 *
 * @returns the answer of success, to the plain form or the fuller one: `answer.input` says which
 * @throws Nonconformance when it is refused each time, and the control, where there is one, is accepted before, between and after the last four
 * @throws Inconclusive when the control is refused now, too, or the refusal says that the target is busy: 409 says so where there is no control
 */
export async function expectAccepted(t: Context, request: RequestToAccept): Promise<Answer> {
  const { operation, what, input, fuller, control, fixture } = request;
  const send = (source: InputSource, atOnce = false) =>
    t.call(operation, typeof source === 'function' ? source() : source, { atOnce });
  const first = await send(input);
  if (succeeded(first)) return first;
  // A conflict may be with another request: alone, and between controls that are accepted, it is a refusal like others.
  const isConflict = first.status === 409 && control !== undefined;
  if (!isConflict) requireNotBusy(first, what);
  if (fuller) {
    const answer = await send(fuller);
    if (succeeded(answer)) return answer;
  }
  return t.alone(operation, async () => {
    const again = await send(input, true);
    if (succeeded(again)) return again;
    const last = control
      ? await betweenAccepted(
          () => send(control, true),
          () => send(input, true),
          (refusal) =>
            `${what} is refused (${describe(again)}), and now the plainest request of its kind is refused, too (${describe(refusal)}): the target has a limit of its own${
              fixture ? `, which ${fixture} of the fixtures file may meet` : ''
            }`,
        )
      : again;
    if (succeeded(last)) return last;
    return fail(`${what} is refused`, { expected: 'success', actual: describe(last), in: last });
  });
}

/**
 * How many controls come before each sending of a request in {@link betweenAccepted}. A quota that is refilled at an even pace lets no such
 * sequence of acceptances and refusals come about: one that lets every second request pass would refuse some of three in a row.
 */
const CONTROLS_BEFORE = [1, 1, 1, 3];

/**
 * Sends a request several times between others that have to be accepted: what is refused for how often, or how soon, somebody asks is not
 * refused there alone. Call it where nothing else is under way; see Context.alone.
 * @param explain what it means that one of these is refused
 * @param isRight whether an answer is as it has to be: then that is all
 * @returns the first answer that is right, else the last
 * @throws Inconclusive when one of these is refused
 */
export async function betweenAccepted(
  control: () => Promise<Answer>,
  request: () => Promise<Answer>,
  explain: (refusal: Answer) => string,
  isRight: (answer: Answer) => boolean = succeeded,
): Promise<Answer> {
  const requireControls = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const answer = await control();
      if (!succeeded(answer)) inconclusive(explain(answer));
    }
  };
  let last: Answer | undefined;
  for (const count of CONTROLS_BEFORE) {
    await requireControls(count);
    last = await request();
    if (isRight(last)) return last;
  }
  await requireControls(1);
  return last!;
}

/** @throws Inconclusive when the refusal says that the target is busy */
export function requireNotBusy(answer: Answer, what: string): void {
  if (isBusy(answer)) inconclusive(`${what} is refused with status ${answer.status}: the target is busy`);
}

/**
 * Call before another operation is judged by the answers of this one: that the target doesn't have it is reported once, for itself.
 * @throws Inconclusive when it has answered nothing but 404 or 501 so far
 */
export function requirePresent(t: Context, operation: string): void {
  const absent = t.run.ledger.absentOperations().find((one) => one.operation === operation);
  if (absent) inconclusive(`${operation} answers status ${absent.status} to everything`);
}
