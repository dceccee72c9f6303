/** Turns a request into an answer: authentication, handler, refusal, filters. */
import { Call } from '../call.ts';
import {
  type Answer,
  type AnswerContext,
  type AnswerFilter,
  type Refusal,
  Refused,
  type SandboxRequest,
} from '../exchange.ts';
import type { Operation } from '../operations.ts';
import type { Backend } from '../state/backend.ts';
import { handlers, judgeOf } from './handlers.ts';
import { refusalAnswer } from './refusals.ts';

/** Runs the handler. @throws Refused */
function handle(call: Call): Answer {
  const { rules, id, operation } = call;
  call.check(rules.offers(id), 'route', 'route', 'There is no such operation.');
  const judgesLast = operation.interface === 'portal' ? rules.judgesSessionLast(id) : rules.judgesTokenLast(id);
  if (!judgesLast) call.judge();
  const also = rules.alsoRefuses(call.request, call.world);
  if (also) call.check(false, also.kind, also.name, 'The request is refused.');
  const body = handlers[id](call);
  call.judge();
  if (call.deferred) throw new Refused(call.deferred);
  return { status: rules.successStatus(id, operation.status), headers: call.headers, body };
}

/** A copy of a JSON value that a filter may change; anything but plain JSON is passed on unchanged. */
function copied(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const isPlain = Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
  return isPlain ? structuredClone(body) : body;
}

function filtered(answer: Answer, call: Call, refusal: Refusal | undefined, filters: readonly AnswerFilter[]): Answer {
  const headers = { date: new Date(call.nowMs).toUTCString(), ...answer.headers };
  if (filters.length === 0) return { ...answer, headers };
  const context: AnswerContext = {
    operation: call.id,
    request: call.request,
    world: call.world,
    nowMs: call.nowMs,
    ...(refusal && { refusal }),
    ...(call.page !== undefined && { page: call.page }),
    ...(call.card && { card: call.card }),
    ...(call.customer && { customer: call.customer }),
    ...(call.tokenAgeSeconds !== undefined && { tokenAgeSeconds: call.tokenAgeSeconds }),
  };
  let current: Answer = { ...answer, headers, body: copied(answer.body) };
  for (const filter of filters) current = filter(current, context) ?? current;
  return current;
}

/** The answer to a request, ready to be sent. */
export function answer(
  backend: Backend,
  operation: Operation,
  request: SandboxRequest,
  filters: readonly AnswerFilter[],
): Answer {
  const { rules, world, clock } = backend;
  world.settle(clock.nowMs());
  rules.meanwhile(world, request);
  const call = new Call(backend, operation, request, judgeOf(operation.interface, operation.id));
  const unavailable = rules.unavailable(request);
  if (unavailable) return filtered(unavailable, call, undefined, filters);
  try {
    return filtered(handle(call), call, undefined, filters);
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    return filtered(refusalAnswer(operation.interface, thrown.refusal, rules), call, thrown.refusal, filters);
  }
}
