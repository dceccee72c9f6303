/** Checks, by reading, whether the operations that a target claims exist. */
import { CARD_READINGS } from '../contracts/v3/cards.ts';
import { describe, type Input } from '../helpers/answer.ts';
import type { Call } from '../helpers/cards/card-state.ts';
import { operationInScope } from '../helpers/configuration/scope.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { note, type Remark } from './diagnosis.ts';

/** Statuses of a server that has nothing at an address. */
const NOT_THERE = [404, 405, 501];

/**
 * Names the claimed operations that answer a valid request as if they did not exist. @param requests of risk safe, by
 * operation
 */
export async function examineOperations(
  configuration: Configuration,
  requests: readonly (readonly [string, Input])[],
  call: Call,
): Promise<Remark[]> {
  const remarks = await Promise.all(
    requests
      .filter(([id]) => operationInScope(configuration, id))
      .map(async ([id, input]) => {
        const answer = await call(id, input);
        if (!NOT_THERE.includes(answer.status)) return undefined;
        return note(
          `${id} is claimed, but answers ${describe(answer)}`,
          `if it is not implemented, exclude it with TARGET_OPERATIONS=-${id}`,
        );
      }),
  );
  return remarks.filter((remark) => remark !== undefined);
}

/** Requests that read one card. */
export const cardReadings = (identifier: string): readonly (readonly [string, Input])[] => [
  ...CARD_READINGS.map((id) => [id, { path: { identifier } }] as const),
  ['cards.encryptForVde', { path: { identifier }, json: {} }],
];

/** Requests that read the portal for a customer. */
export const portalReadings = (customerId: number | bigint): readonly (readonly [string, Input])[] => [
  ['portal.getCustomerList', {}],
  ['portal.getCustomerHierarchy', { query: { customerId } }],
  ['portal.getShippingFeeTypes', {}],
  ['portal.getShippingMethods', {}],
  ['portal.getCustomerProgramList', { query: { customerId, showAutoCreated: true, showBranded: true } }],
  ['portal.getATMLocation', { query: { latitude: '40.7128', longitude: '-74.0060', pageOffset: 0, pageLength: 1 } }],
];
