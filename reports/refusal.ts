/** Refusals of requests that nothing is wrong with. */
import type { Exchange } from '../contracts/record.ts';

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
