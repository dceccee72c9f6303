/** Both documents as data: operations, schemas, the catalogue, and the record of a run. */
export type { Fixtures } from './fixtures.ts';
export { fixtures } from './fixtures.ts';
export type { Operation } from './operation.ts';
export { operation, operations } from './operations.ts';
export * from './record.ts';
export { exclusions, type Requirement, requirementById, requirements } from './requirements/index.ts';
