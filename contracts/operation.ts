/** What a document says of one operation, as data. */
import type { z } from 'zod';
import type { Risk, Source } from './record.ts';

/** A query or path parameter. Documented types are the three that occur. */
export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly required: boolean;
  /** The largest value that the document allows. */
  readonly maximum?: number;
  /** The value that counts when none is sent. */
  readonly default?: number;
  /** Width of an integer, where the document gives one. */
  readonly format?: 'int64';
  readonly note?: string;
  /** A value that any target takes; of values that depend on the target, `publish/examples.ts` has examples. */
  readonly example?: unknown;
}

/** What an operation takes as its body. */
export interface RequestBody {
  readonly mediaType: 'application/json' | 'application/x-www-form-urlencoded';
  readonly schema: z.ZodType;
  /** Whether the document says that a body is required. */
  readonly required: boolean;
  /** Members whose required flag is shown as 'yes'. */
  readonly requiredMembers: readonly string[];
}

/** What a success answer carries: a shape, no body at all, or JSON whose shape is not shown. */
export type SuccessBody = z.ZodType | 'none' | 'not shown';

/** An operation: where it is, what it takes, and what it answers. */
export interface Operation {
  /** Operation id, e.g. `cards.suspend`. */
  readonly id: string;
  /** What it does, in a few words that begin with a verb in the imperative. */
  readonly title: string;
  /** What the document says of it beside its table row. */
  readonly more?: string;
  /** Which interface it belongs to, and so which address and credentials it takes. */
  readonly interface: 'token' | 'v3' | 'v1';
  readonly method: 'GET' | 'POST' | 'PUT';
  /** v3: below {base_url}; `{name}` stands for a path parameter. v1: the operation's name. token: the documented template. */
  readonly path: string;
  readonly authorisation: 'none' | 'bearer' | 'session';
  readonly pathParameters: readonly Parameter[];
  /** sessionId, which every v1 operation but login takes, is not repeated here. */
  readonly query: readonly Parameter[];
  readonly body?: RequestBody;
  /** Absent for the operations that are listed only. */
  readonly success?: { readonly status: 200 | 201; readonly body: SuccessBody };
  /** Statuses other than success that the document lists for this operation. */
  readonly errors: readonly number[];
  /** What a listed status means for this operation; the general meaning holds for the others. */
  readonly statuses?: Readonly<Record<number, string>>;
  readonly risk: Risk;
  /** Named by the document, with parameters, bodies and responses not shown. */
  readonly listedOnly: boolean;
  /** The document says to use another operation instead. */
  readonly deprecated?: boolean;
  /** v1: the endpoint set that it is grouped under. */
  readonly endpointSet?: 'userendpoint' | 'customerendpoint' | 'orderendpoint';
  readonly source: Source;
}

/** What the document says of a named shape and its members, in our words. */
export interface ShapeNote {
  readonly source: Source;
  /** Members whose meaning the document gives; the others are named only. */
  readonly members?: Readonly<Record<string, string>>;
  /** A value of the shape; every person, card and program in it is invented. */
  readonly example: unknown;
}
