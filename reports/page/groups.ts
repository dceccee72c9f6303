/** The place of a requirement in the conformance matrix: its operation and its group. */
import type { RequirementResult } from '../../contracts/record.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import type { Group } from '../../contracts/requirements/requirement.ts';

const groups = new Map(requirements.map(({ id, group }) => [id, group]));

/**
 * The group of a requirement in the catalogue; an unknown requirement of another catalogue version counts as an effect.
 */
export const groupOf = ({ id }: Pick<RequirementResult, 'id'>): Group => groups.get(id) ?? 'effects';

/** The operation that a requirement judges: the one its id begins with, else the first that it names. */
export const operationOf = ({ id, operations }: Pick<RequirementResult, 'id' | 'operations'>): string =>
  operations.find((operation) => id.startsWith(`${operation}.`)) ?? operations[0] ?? 'run';

/** The subject of each group, in a few words. */
export const ABOUT: Record<Group, string> = {
  shape: 'status and body of answers',
  errors: 'how it refuses',
  authorisation: 'who may call it',
  parameters: 'accepted parameters',
  limits: 'largest, smallest, longest',
  states: 'changes of state',
  effects: 'effects, read back',
};

/** How a statement of the documents leads to the checks of its group. */
export const WHY: Record<Group, string> = {
  shape:
    'The document shows the content of the answer, so every answer of the operation in this run is compared with it.',
  errors:
    'The document says how a bad request is answered, so requests that cannot be right are sent and the answers held against it.',
  authorisation:
    'The document says who may call the operation, so it is called by those who may and by those who may not, where the call would otherwise succeed.',
  parameters:
    'The document lists the accepted parameters, so the operation is called with exactly those, and then with less or with something else, which it has to refuse.',
  limits: 'The document gives a limit, so the values on both sides of it are tried.',
  states:
    'The document describes how the call changes a state, so the state is read before and after it, and forbidden calls are tried.',
  effects: 'The document describes the effect of the operation, so it is read back by another request and compared.',
};
