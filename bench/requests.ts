/** The requests of all contenders, and the expected answers. */
import { z } from 'zod';
import { operation } from '../contracts/operations.ts';

export interface BenchRequest {
  operation: string;
  /** Path below {base_url}. */
  path: string;
  pathParameters: Record<string, string>;
  query: Record<string, string>;
}

interface Fixtures {
  users: { customerIdentifier: string; parentIdentifier: string };
  cards: { active: string[]; disposable: string[] };
}

/** `count` read requests, cycling through all kinds. */
export function benchRequests({ users, cards }: Fixtures, count: number): BenchRequest[] {
  const identifiers = [...cards.active, ...cards.disposable];
  return Array.from({ length: count }, (_, i) => {
    const identifier = identifiers[i % identifiers.length]!;
    const kinds: [string, Record<string, string>, Record<string, string>][] = [
      ['users.list', {}, { max: String(1 + (i % 50)) }],
      ['users.get', { identifier: users.customerIdentifier }, {}],
      ['cards.list', {}, { max: String(1 + (i % 50)) }],
      ['cards.get', { identifier }, {}],
      ['cards.getBalance', { identifier }, {}],
      ['cards.getStatus', { identifier }, {}],
    ];
    const [id, pathParameters, query] = kinds[i % kinds.length]!;
    const path = operation(id).path.replace('{identifier}', pathParameters.identifier ?? '');
    return { operation: id, path, pathParameters, query };
  });
}

export const urlOf = (base: string, { path, query }: BenchRequest): string => {
  const search = new URLSearchParams(query).toString();
  return `${base}${path}${search && `?${search}`}`;
};

/** JSON Schema (draft 7, which all contenders read) of an operation's success body. */
export function schemaOf(id: string): object {
  const { success } = operation(id);
  const { $schema: _, ...schema } = z.toJSONSchema(success!.body as z.ZodType, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
  });
  return schema;
}
