/** What requests change at the target, and the requests that take it back. */
import { operations } from '../contracts/operations.ts';
import type { Exchange } from '../contracts/record.ts';

const risks = new Map(operations.map(({ id, risk }) => [id, risk]));

/** The operations among those of the exchanges that change something at the target. */
export const changing = (exchanges: readonly Exchange[]): string[] => [
  ...new Set(exchanges.map(({ operation }) => operation).filter((id) => (risks.get(id) ?? 'safe') !== 'safe')),
];

/** The requests that take back what accepted ones changed, the last change first: a suspension, and a transfer. */
export const undoing = (exchanges: readonly Exchange[]): Exchange[] =>
  exchanges
    .filter(({ response }) => response !== null && response.status < 300)
    .flatMap((exchange) => undoOf(exchange) ?? [])
    .toReversed();

function undoOf(exchange: Exchange): Exchange | undefined {
  const request = backwards(exchange);
  return request && { ...exchange, id: `${exchange.id}, undone`, intent: 'takes it back', request, response: null };
}

function backwards({ operation, request }: Exchange): Exchange['request'] | undefined {
  if (operation === 'cards.suspend') return { ...request, url: request.url.replace(/\/suspend$/, '/unsuspend') };
  if (operation !== 'cards.transfer' || request.body === null) return undefined;
  const [, before, source, after] = /^(.*\/)([^/]+)(\/transfer)$/.exec(request.url) ?? [];
  const { targetCardIdentifier: target, amount } = membersOf(request.body);
  if (source === undefined || typeof target !== 'string' || typeof amount !== 'number' || amount <= 0) return undefined;
  const body = JSON.stringify({ targetCardIdentifier: decodeURIComponent(source), amount });
  return { ...request, url: `${before}${encodeURIComponent(target)}${after}`, body };
}

function membersOf(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
