/** What an interaction of a pact is made of. */
import type { QueryValue } from '../../helpers/answer.ts';

/** The consumer of both pacts, and their providers. */
export const CONSUMER = 'prepaid-card-conformance';
/** Names of the providers in the pacts, one for each document. */
export const PROVIDERS = { v3: 'token-users-cards-v3', v1: 'portal-v1' } as const;

/** Which of the two interfaces a pact is of. */
export type Edition = keyof typeof PROVIDERS;
export const EDITIONS: readonly Edition[] = ['v3', 'v1'];

/** A value that the provider state supplies; the consumer test sends the example. */
export interface Supplied {
  /** Name of the value, e.g. `card`. */
  readonly supplied: string;
  readonly example: string | number | boolean;
}

/** A value of a request: as it is, or from the provider state. */
export type Value<T> = T | Supplied;

/** One request and what its answer holds at least. Method, address and status are those of the operation. */
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
  /** The session or token sent, where it is not a valid one. */
  readonly invented?: boolean;
  /** Whether it holds values that the pact makes up and a rule of the target may refuse: a page length, a nonce. */
  readonly madeUp?: boolean;
  /** Of a refusal; the status of success when absent. */
  readonly refused?: 400;
  /** What the provider states guarantee of the body, beside what every success holds: matchers of Pact by member. */
  readonly guaranteed?: Readonly<Record<string, unknown>>;
}

/** Whether a value comes from the provider state. */
export const isSupplied = (value: unknown): value is Supplied =>
  typeof value === 'object' && value !== null && 'supplied' in value;

/** What the consumer test sends for a value. */
export const exampleOf = <T>(value: Value<T>): T => (isSupplied(value) ? (value.example as T) : value);
