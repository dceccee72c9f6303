/** Refusals of requests that nothing is wrong with. */
import type { Difference, Exchange } from '../contracts/record.ts';
import { symptomOf } from './symptom.ts';

/** Whether a request was refused, or not answered, though nothing was wrong with it on purpose. */
export const isRefusedThough = ({ intent, wrong, response }: Exchange): boolean =>
  (response === null || response.status >= 300) && !wrong && ['valid', 'refusable'].includes(intent);

/**
 * Identifies a refused valid request, whatever identifiers it names: everything that fails because of it has one cause.
 */
export function refusalOf({ operation, intent, request, response }: Exchange): string | undefined {
  const refused = response === null || response.status >= 300;
  if (!refused || !intent.startsWith('valid')) return undefined;
  const query = request.url.split('?', 2)[1] ?? '';
  const parameters = [...new URLSearchParams(query)].filter(([name]) => name !== 'sessionId');
  return JSON.stringify([operation, response?.status, parameters]);
}

/** An operation and the words in which it answers; an answer without words is like no other. */
export const answers = ({ id, operation, response }: Exchange): string =>
  response?.body ? `${operation} ${symptomOf(`${response.status} ${response.body}`)}` : id;

/** Identifies a refusal by a wrong status: whatever was refused so in the same words, it has one cause. */
export function wrongRefusalOf(exchange: Exchange, difference: Difference | undefined): string | undefined {
  const status = exchange.response?.status ?? 0;
  return status >= 400 && difference?.actual === String(status) ? answers(exchange) : undefined;
}
