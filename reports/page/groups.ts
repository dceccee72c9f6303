/** The place of a requirement in the conformance matrix: its operation and its group. */
import type { RequirementResult } from '../../contracts/record.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import type { Group } from '../../contracts/requirements/requirement.ts';

const groups = new Map(requirements.map(({ id, group }) => [id, group]));

/** The group of a requirement as the catalogue has it; one of another version of the catalogue stands with the effects. */
export const groupOf = ({ id }: Pick<RequirementResult, 'id'>): Group => groups.get(id) ?? 'effects';

/** The operation that a requirement judges: its id begins with it, else it is the first that it names. */
export const operationOf = ({ id, operations }: Pick<RequirementResult, 'id' | 'operations'>): string =>
  operations.find((operation) => id.startsWith(`${operation}.`)) ?? operations[0] ?? 'run';

/** What the requirements of a group ask, in a few words. */
export const ABOUT: Record<Group, string> = {
  shape: 'status and body of the answer',
  errors: 'how it refuses',
  authorisation: 'who may call it',
  parameters: 'what it takes',
  limits: 'largest, smallest, longest',
  states: 'what becomes of states',
  effects: 'what it does, read back',
};

/** Why a sentence of the documents leads to the checks of its group. */
export const WHY: Record<Group, string> = {
  shape:
    'The document shows what the answer is made of, so every answer of the operation that the run got is held against it.',
  errors:
    'The document says how a bad request is answered, so requests that cannot be right are sent and the answers held against it.',
  authorisation:
    'The document says who may call the operation, so it is called by those who may and by those who may not, where the call would otherwise succeed.',
  parameters:
    'The document says what the operation takes, so it is given just that, and then less or something else, which it has to refuse.',
  limits: 'The document gives a limit, so the values on both sides of it are tried.',
  states:
    'The document says what the call does to a state, so the state is read before and after it, and what it forbids is tried.',
  effects: 'The document says what the operation does, so the result is read back by another request and compared.',
};
