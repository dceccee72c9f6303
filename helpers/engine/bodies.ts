/** Bodies that must be refused, judged wherever they were sent: none at all, and those of wrong types (readings 6 and 8). */
import type { Input } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Monitor } from '../evidence/monitor.ts';
import { expectAdvisedStatus, expectRefused } from '../expect.ts';
import { judged } from './monitor.ts';

type WrongBody = 'no body' | 'a body of wrong types';

/** Zero bytes, declared as JSON and not. */
const NOTHING: readonly Input[] = [{}, { emptyJson: true }];

/** Sends what an operation must refuse: no body, and bodies of wrong types. Before a right one: that may change what is accepted. */
export async function tryWrongBodies(
  t: Context,
  operation: string,
  path: { identifier: string },
  ofWrongTypes: readonly Pick<Input, 'json' | 'text'>[],
): Promise<void> {
  const send = async (inputs: readonly Input[], what: WrongBody, ...requirements: readonly string[]) => {
    if (!t.needs(...requirements.map((name) => `${operation}.${name}`))) return;
    for (const input of inputs) await t.call(operation, { path, ...input }, { intent: 'malformed', wrong: { what } });
  };
  await send(NOTHING, 'no body', 'missing-body', 'missing-body-400');
  await send(ofWrongTypes, 'a body of wrong types', 'body-types');
}

/** Such bodies are refused. @param advised the status that a refusal should have; by default any */
export const refusesBody = (operation: string, what: WrongBody, advised?: number): Monitor =>
  function* (history) {
    const request = `a request with ${what}`;
    for (const answer of history)
      if (answer.operation.id === operation && answer.intent === 'malformed' && answer.wrong?.what === what)
        yield judged([answer], () => {
          if (advised) expectAdvisedStatus(answer, advised, request);
          else expectRefused(answer, request);
        });
  };
