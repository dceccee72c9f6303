/** Rules that are broken alike in every operation, beyond what operators break on any target: bad tokens of what is listed only, what is foreign, conflicts. */
import type { Operation } from '../../contracts/operation.ts';
import { operations } from '../../contracts/operations.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import type { Refusal, RefusalKind } from '../../sandbox/exchange.ts';
import { thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const catalogue = new Set(requirements.map(({ id }) => id));
const shown = operations.filter((operation) => !operation.listedOnly);

/** A fault that leaves refusals of some kind out; `others` are kinds that are left out as well. */
function unrefused(
  operation: Operation,
  kind: RefusalKind,
  names: string | undefined,
  condemns: string,
  others: readonly RefusalKind[] = [],
): Fault {
  const isMeant = (refusal: Refusal) =>
    refusal.operation === operation.id &&
    (others.includes(refusal.kind) ||
      (refusal.kind === kind && (names === undefined || refusal.name.startsWith(names))));
  return {
    name: `${operation.id}: ${names ?? 'any'} ${kind} is let through`,
    condemns: [`${operation.id}.${condemns}`],
    sandbox: { rules: { enforces: (refusal) => !isMeant(refusal) } },
  };
}

const tokenFaults = operations
  .filter(({ authorisation, listedOnly, risk }) => authorisation === 'bearer' && listedOnly && risk !== 'safe')
  .flatMap((operation): Fault[] => [
    // What is listed only and changes something is probed with an invented identifier alone: the fault must accept that, too.
    unrefused(operation, 'token', 'altered', 'requires-token', ['unknown']),
    unrefused(operation, 'token', 'expired', 'requires-live-token', ['unknown']),
  ])
  .map(thoroughly);

/** Kinds of refusals that would stop a call on a card that is not the caller's for another reason. */
const ANY_CARD: readonly RefusalKind[] = ['state', 'funds'];

const foreignFaults = shown
  .filter(({ id }) => catalogue.has(`${id}.foreign`) && id !== 'cards.list')
  .map((operation) => unrefused(operation, 'foreign', 'identifier', 'foreign', ANY_CARD));

/** A reading of customers or cards answers everything that it would give with 409. */
const onlyConflictFaults = shown
  .filter(({ id }) => /^(?:users|cards)\.(?:list|get)/.test(id))
  .map(
    ({ id }): Fault => ({
      name: `${id}: everything is a conflict`,
      condemns: [`${id}.required-only`],
      sandbox: {
        middleware: [
          (answer, { operation }) =>
            operation === id && answer.status < 300
              ? { ...answer, status: 409, body: [{ errorMessage: 'conflict' }] }
              : undefined,
        ],
      },
    }),
  );

export const contractFaults: readonly Fault[] = [...tokenFaults, ...foreignFaults, ...onlyConflictFaults];
