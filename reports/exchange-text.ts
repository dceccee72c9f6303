/** A request and its answer in a few lines, for reports that are text. */
import type { Exchange } from '../contracts/record.ts';
import { bodyThatMatters } from './body-excerpt.ts';
import { cut, visible } from './text.ts';

/**
 * The request and its answer, with the part of the body that matters, as lines with a label each.
 * @param pointer where the answer's body differs
 */
export function exchangeInWords(
  { request, response, error }: Exchange,
  pointer: string | undefined,
): (readonly [label: string, text: string])[] {
  const body = request.body ? [['', cut(visible(request.body), 200)] as const] : [];
  const answer = response
    ? `${response.status} ${response.body === null ? 'no body' : bodyThatMatters(response.body, pointer)}`
    : `${error?.kind ?? 'none'}: ${cut(error?.message ?? '', 200)}`;
  return [
    ['request', cut(visible(`${request.method} ${request.url}`), 300)],
    ...body,
    ['answer', cut(visible(answer), 240)],
  ];
}
