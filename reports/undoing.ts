/** Determines what requests change at the target, and the requests that undo it. */
import { operations } from '../contracts/operations.ts';
import type { Change, Exchange } from '../contracts/record.ts';
import { RecordError } from './record.ts';
import { percentDecoded } from './text.ts';

const risks = new Map(operations.map(({ id, risk }) => [id, risk]));

/** The operations of the exchanges that change something at the target. */
const changing = (exchanges: readonly Exchange[]): string[] => [
  ...new Set(exchanges.map(({ operation }) => operation).filter((id) => (risks.get(id) ?? 'safe') !== 'safe')),
];

/** Customers' former permissions, by the exchange that changed them. */
export type FormerPermissions = ReadonlyMap<string, unknown>;

/** The permissions to restore, from as much of the log of changes as can be read. */
export function formerPermissions(changes: Iterable<Change>): FormerPermissions {
  const before = new Map<string, unknown>();
  const former = new Map<string, unknown>();
  try {
    for (const { id, event, operation, undo, exchange } of changes) {
      if (operation !== 'users.setPermissions') continue;
      if (event === 'sending' && undo) before.set(id, undo.input.json);
      if (event === 'answered' && exchange !== undefined && before.has(id)) former.set(exchange, before.get(id));
    }
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
  }
  return former;
}

/** The requests that undo accepted changes, the last change first: suspensions, transfers, and known permissions. */
export const undoing = (exchanges: readonly Exchange[], former: FormerPermissions): Exchange[] =>
  accepted(exchanges)
    .flatMap((exchange) => undoOf(exchange, former) ?? [])
    .toReversed();

/** Describes what a reproduction changes, and how much of that it undoes; empty if it changes nothing. */
export function changesInWords(exchanges: readonly Exchange[], undo: readonly Exchange[]): string {
  const changes = changing(exchanges);
  if (changes.length === 0) return '';
  const lasting = accepted(exchanges).filter(({ operation }) => changes.includes(operation)).length - undo.length;
  const end = lasting <= 0 ? 'Its last commands undo that.' : 'Its last commands undo what can be undone.';
  return `This changes the target: ${changes.join(', ')}. ${undo.length > 0 ? end : 'Nothing here undoes that.'}`;
}

const accepted = (exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.filter(({ response }) => response !== null && response.status < 300);

function undoOf(exchange: Exchange, former: FormerPermissions): Exchange | undefined {
  const permissions = former.get(exchange.id);
  const request =
    permissions === undefined ? backwards(exchange) : { ...exchange.request, body: JSON.stringify(permissions) };
  return request && { ...exchange, id: `${exchange.id}, undone`, intent: 'takes it back', request, response: null };
}

function backwards({ operation, request }: Exchange): Exchange['request'] | undefined {
  if (operation === 'cards.suspend') return { ...request, url: request.url.replace(/\/suspend$/, '/unsuspend') };
  if (operation !== 'cards.transfer' || request.body === null) return undefined;
  const [, before, source, after] = /^(.*\/)([^/]+)(\/transfer)$/.exec(request.url) ?? [];
  const members = membersOf(request.body);
  const { targetCardIdentifier: target, amount } = members;
  if (source === undefined || typeof target !== 'string' || typeof amount !== 'number' || amount <= 0) return undefined;
  const body = JSON.stringify({ ...members, targetCardIdentifier: percentDecoded(source) });
  return { ...request, url: `${before}${encodeURIComponent(target.toWellFormed())}${after}`, body };
}

function membersOf(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
