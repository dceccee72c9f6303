/** The parts of a pact's interaction. */
import type { QueryValue } from '../../helpers/answer.ts';

/** The consumer of both pacts. */
export const CONSUMER = 'prepaid-card-conformance';
/** Names of the providers in the pacts, one for each document. */
export const PROVIDERS = { v3: 'token-users-cards-v3', v1: 'portal-v1' } as const;

/** The document that a pact covers. */
export type Edition = keyof typeof PROVIDERS;
export const EDITIONS: readonly Edition[] = ['v3', 'v1'];

/** A value that the provider state supplies; the consumer test sends the example. */
export interface Supplied {
  /** Name of the value, e.g. `card`. */
  readonly supplied: string;
  readonly example: string | number | boolean;
}

/** A literal value of a request, or one from the provider state. */
export type Value<T> = T | Supplied;

/** One request and the minimum of its answer. Method, address and status are those of the operation. */
export interface Interaction {
  readonly operation: string;
  /** Unique within its pact. */
  readonly description: string;
  readonly states: readonly string[];
  readonly path?: Readonly<Record<string, Value<string>>>;
  readonly query?: Readonly<Record<string, Value<QueryValue>>>;
  /** Members of a JSON body. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly form?: Readonly<Record<string, Value<string>>>;
  /** Whether the session or token sent is an invalid one. */
  readonly invented?: boolean;
  /** Whether it holds values invented by the pact that a rule of the target may refuse: a page length, a nonce. */
  readonly madeUp?: boolean;
  /** Status of an expected refusal; absent if success is expected. */
  readonly refused?: 400;
  /** What the provider states guarantee of the body beyond every success: Pact matchers by member. */
  readonly guaranteed?: Readonly<Record<string, unknown>>;
}

/** Whether the provider state supplies the value. */
export const isSupplied = (value: unknown): value is Supplied =>
  typeof value === 'object' && value !== null && 'supplied' in value;

/** The value that the consumer test sends. */
export const exampleOf = <T>(value: Value<T>): T => (isSupplied(value) ? (value.example as T) : value);
