/** Rules that are broken alike in every operation, beyond what operators break on any target: bad tokens of what is listed only, what is foreign, conflicts. */
import type { Operation } from '../../contracts/operation.ts';
import { operations } from '../../contracts/operations.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import type { OperationId, RefusalKind } from '../../sandbox/index.ts';
import { letThrough, replacing } from '../changed-sandbox.ts';
import { broken, fault } from './broken.ts';
import type { Fault } from './fault.ts';

const catalogue = new Set(requirements.map(({ id }) => id));
const shown = operations.filter((operation) => !operation.listedOnly);

/** A fault that leaves refusals out. @param besides kinds that would stop the same calls for another reason */
const unrefused = (
  { id }: Operation,
  kind: RefusalKind,
  name: string,
  condemns: string,
  besides: readonly RefusalKind[],
): Fault =>
  broken(
    `${id}: ${name} ${kind} is let through`,
    `${id}.${condemns}`,
    letThrough(
      (refusal) =>
        refusal.operation === id &&
        (besides.includes(refusal.kind) || (refusal.kind === kind && refusal.name.startsWith(name))),
    ),
  );

const tokenFaults = operations
  .filter(({ authorisation, listedOnly, risk }) => authorisation === 'bearer' && listedOnly && risk !== 'safe')
  .flatMap((operation) => [
    // What is listed only and changes something is probed with an invented identifier alone: the fault must accept that, too.
    unrefused(operation, 'token', 'altered', 'requires-token', ['unknown']),
    unrefused(operation, 'token', 'expired', 'requires-live-token', ['unknown']),
  ]);

const foreignFaults = shown
  .filter(({ id }) => catalogue.has(`${id}.foreign`) && id !== 'cards.list')
  .map((operation) => unrefused(operation, 'foreign', 'identifier', 'foreign', ['state', 'funds']));

/** A reading of customers or cards answers everything that it would give with 409. */
const onlyConflictFaults = shown
  .filter(({ id }) => /^(?:users|cards)\.(?:list|get)/.test(id))
  .map(({ id }) =>
    fault(
      `${id}: everything is a conflict`,
      `${id}.required-only`,
      replacing(id as OperationId, () => ({ status: 409, body: [{ errorMessage: 'conflict' }] })),
    ),
  );

export const contractFaults: readonly Fault[] = [...tokenFaults, ...foreignFaults, ...onlyConflictFaults];
