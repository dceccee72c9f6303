/** The contract of every operation as rules that each exchange is held against. */
import { operations } from '../../contracts/operations.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import type { ExchangeRule } from '../evidence/ledger.ts';
import { errorRules } from './errors.ts';
import { prepare } from './schemas.ts';
import { shapeRules } from './shape.ts';
import { statusRules } from './status.ts';

const catalogued = new Set(requirements.map(({ id }) => id));

export const contractRules: readonly ExchangeRule[] = operations
  .flatMap((operation) => [...statusRules(operation), ...shapeRules(operation), ...errorRules(operation)])
  .filter(({ requirement }) => catalogued.has(requirement));

/** Compiles the shapes of all success bodies. */
export function prepareShapes(): void {
  prepare(operations.map(({ success }) => success?.body).filter((body) => typeof body === 'object'));
}
