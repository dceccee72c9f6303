/** Identifiers that resemble an existing one but name nothing (readings 11 and 52). */
import { operation as operationById } from '../../contracts/operations.ts';
import { type Answer, succeeded } from '../../helpers/answer.ts';
import { type Context, perOperation } from '../../helpers/check.ts';
import * as Forms from '../../helpers/engine/forms/index.ts';
import { judged } from '../../helpers/engine/monitor.ts';
import type { Monitor } from '../../helpers/evidence/monitor.ts';
import { expectRefused } from '../../helpers/expect.ts';
import { carries } from './identifiers.ts';

/** An identifier that names nothing, and what it is in words. */
export type Unknown = ReturnType<typeof formsLike>[number];

/** What resembles an existing identifier. */
export const formsLike = (t: Context, known: string) =>
  Forms.lookAlikes(t, 'identifier', known).map(({ name, text }) => ({
    name: `an identifier ${name}`,
    identifier: text,
  }));

/**
 * Whether the identifier names something after all: where things are numbered, a similar identifier may be another one's. Asked once
 * per run, before a changing operation is tried with it, so that nobody else's card is changed.
 */
export const exists = (t: Context, operation: string, identifier: string): Promise<boolean> =>
  t.shared(found(`${operation.startsWith('users.') ? 'users' : 'cards'}.get ${identifier}`));

const found = perOperation(
  (asked) => `whether ${asked} finds something`,
  async (t, asked) => {
    const [get, identifier] = asked.split(/ (.*)/s) as [string, string];
    const answer = await t.call(get, { path: { identifier } }, { intent: 'unknown' });
    return succeeded(answer) && carries(answer, identifier);
  },
);

/**
 * Calls an operation with identifiers that resemble an existing one but name nothing, one for each way that this run tries.
 * @param others further identifiers that name nothing, for the run to choose from
 */
export async function tryAll(
  t: Context,
  operation: string,
  known: string,
  { json, others = [] }: { json?: unknown; others?: readonly Unknown[] } = {},
): Promise<void> {
  const isReading = operationById(operation).risk === 'safe';
  const amply = others.length > 0 ? 2 : 1;
  const tried = t.rotated(`${operation}: misnamed`, [...formsLike(t, known), ...others], { amply });
  for (const { name: what, identifier } of tried) {
    if (!isReading && (await exists(t, operation, identifier))) continue;
    const answer = await t.call(operation, { path: { identifier }, json }, { intent: 'unknown', wrong: { what } });
    if (isReading && succeeded(answer)) await exists(t, operation, identifier);
  }
}

/** Whether another exchange shows something under the identifier that an answer was asked for. */
const isFound = (history: readonly Answer[], answer: Answer): boolean =>
  history.some(
    (one) =>
      one !== answer &&
      ['users.get', 'cards.get'].includes(one.operation.id) &&
      one.input.path?.identifier === answer.input.path?.identifier &&
      succeeded(one) &&
      carries(one, one.input.path!.identifier!),
  );

/**
 * Requests that name nothing are refused; where something has the name after all, they show nothing.
 * @param judge throws where an answer is no refusal
 */
export const refusesUnknown = (operation: string, judge: typeof expectRefused = expectRefused): Monitor =>
  function* (history) {
    for (const answer of history)
      if (answer.operation.id === operation && answer.intent === 'unknown' && answer.wrong)
        if (!succeeded(answer) || !isFound(history, answer))
          yield judged([answer], () => judge(answer, answer.wrong!.what));
  };
