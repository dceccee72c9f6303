import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import { readJson } from '../../helpers/json.ts';

/** An answer as checks see it, to a right request. @param body what its JSON holds */
export function answerOf(id: string, status: number, body?: unknown, over: Partial<Answer> = {}): Answer {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  return {
    exchange: 'x00001',
    operation: operation(id),
    input: {},
    intent: 'valid',
    status,
    headers: {},
    bytes,
    json: body === undefined ? undefined : readJson(bytes),
    sentAt: 0,
    answeredAt: 1,
    change: undefined,
    ...over,
  };
}
