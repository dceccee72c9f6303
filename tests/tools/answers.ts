import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import { readJson } from '../../helpers/json.ts';

/** An answer as far as monitors look at it: 200 to a valid request, but for what is given. @param body its text, or what it says as JSON */
export function answerTo(id: string, body: unknown = '', more: Partial<Answer> = {}): Answer {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const json = bytes.length === 0 ? undefined : readJson(bytes);
  const sent = { operation: operation(id), input: {}, intent: 'valid' as const, sentAt: 0, change: undefined };
  return { ...sent, exchange: 'x1', status: 200, headers: {}, bytes, json, answeredAt: 0, ...more };
}
