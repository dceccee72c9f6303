/** Rules that are broken alike in every operation, beyond what operators break on any target: kinds of bad tokens, what is foreign, conflicts. */
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
  .filter(({ authorisation }) => authorisation === 'bearer')
  .flatMap((operation): Fault[] => {
    // What is listed only and changes something is probed with an invented identifier alone: the fault must accept that, too.
    const isProbedAlone = operation.listedOnly && operation.risk !== 'safe';
    const others: RefusalKind[] = isProbedAlone ? ['unknown'] : [];
    const kinds = [...(isProbedAlone ? ['missing'] : []), 'scheme', 'invented', 'altered'];
    return [
      // Which form of a bad token a run tries depends on its seed.
      ...kinds.map((name) => thoroughly(unrefused(operation, 'token', name, 'requires-token', others))),
      ...(isProbedAlone ? [unrefused(operation, 'token', 'expired', 'requires-live-token', others)] : []),
    ];
  });

/** Refusals that would stop a call on a card that is not the caller's, or not there, for another reason. */
const ANY_CARD: readonly RefusalKind[] = ['state', 'funds'];

const identifierFaults = shown.flatMap((operation): Fault[] => [
  ...(operation.pathParameters.length > 0
    ? [unrefused(operation, 'unknown', undefined, 'unknown-identifier', ANY_CARD)]
    : []),
  ...(catalogue.has(`${operation.id}.foreign`) && operation.id !== 'cards.list'
    ? [unrefused(operation, 'foreign', 'identifier', 'foreign', ANY_CARD)]
    : []),
]);

/** What is wrong is refused as if it were in conflict with something. */
const conflictFaults = (
  [
    ['users.list.integer-parameters', 'parameter-type'],
    ['cards.list.integer-parameters', 'parameter-type'],
    ['portal.getCustomerHierarchy.integer-parameters', 'parameter-type'],
    ['portal.getATMLocation.integer-parameters', 'parameter-type'],
    ['portal.getATMLocation.required-parameters', 'missing-parameter'],
    ['portal.getCustomerProgramList.integer-parameters', 'parameter-type'],
    ['portal.getCIPCheck.required-members', 'missing-member'],
    ['portal.orderCards.refused-with-400', 'missing-member'],
  ] as const
).map(
  ([requirement, kind]): Fault => ({
    name: `409: ${requirement}`,
    condemns: [requirement],
    sandbox: {
      rules: {
        refusalStatus: (refusal, byDefault) =>
          requirement.startsWith(`${refusal.operation}.`) && refusal.kind === kind ? 409 : byDefault,
      },
    },
  }),
);

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

/** An operation does not exist where few cards are there: who asks whether it is accepted for another one must not hold those that this takes. */
const absentOfFewCards = ['cards.activate', 'cards.markLost', 'cards.suspend', 'cards.unsuspend'].map(
  (id): Fault => ({
    name: `${id}: is not there, and three cards of a kind are`,
    condemns: [`${id}.required-only`],
    sandbox: { rules: { offers: (offered) => offered !== id } },
    configure: ({ fixtures: { cards = {} } }) => {
      for (const pool of ['active', 'disposable', 'unused', 'fraud'] as const) cards[pool] = cards[pool]?.slice(0, 3);
    },
  }),
);

/** What leaves nothing to be paid from by the time another way is tried, where the effect takes a moment to show. */
const closedYetRefused: Fault = {
  name: 'cards.close: is carried out, and answered with 403, a moment later',
  condemns: ['cards.close.required-only'],
  sandbox: {
    rules: { effectDelayMs: () => 150 },
    middleware: [
      (answer, { operation }) =>
        operation === 'cards.close' && answer.status < 300 ? { ...answer, status: 403, body: undefined } : undefined,
    ],
  },
  configure: ({ run }) => {
    run.settleMs = 500;
  },
};

export const contractFaults: readonly Fault[] = [
  ...tokenFaults,
  ...identifierFaults,
  ...conflictFaults,
  ...onlyConflictFaults,
  ...absentOfFewCards,
  closedYetRefused,
];
