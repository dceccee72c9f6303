/** The contract of every operation, as rules that judge each exchange. */
import { setImmediate } from 'node:timers/promises';
import { operations } from '../../contracts/operations.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import type { ExchangeRule } from '../evidence/ledger.ts';
import { errorRules } from './errors.ts';
import { validatorOf } from './schemas.ts';
import { shapeRules } from './shape.ts';
import { statusRules } from './status.ts';

const catalogued = new Set(requirements.map(({ id }) => id));

/** The rules of all operations that have a requirement in the catalogue. */
export const contractRules: readonly ExchangeRule[] = operations
  .flatMap((operation) => [...statusRules(operation), ...shapeRules(operation), ...errorRules(operation)])
  .filter(({ requirement }) => catalogued.has(requirement));

/** Compiles the schemas of all success bodies one at a time, so that arriving answers are not held up. */
export async function prepareShapes(): Promise<void> {
  const bodies = operations.map(({ success }) => success?.body).filter((body) => typeof body === 'object');
  for (const body of bodies) {
    await setImmediate();
    validatorOf(body);
  }
}
