/** The description of one operation, as data. */
import type { z } from 'zod';
import type { Risk, Source } from './record.ts';

/** A query or path parameter. Documented types are the three that occur. */
export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly required: boolean;
  /** The largest value that the document allows. */
  readonly maximum?: number;
  /** The default value, if the parameter is absent. */
  readonly default?: number;
  /** Width of an integer, if the document gives one. */
  readonly format?: 'int64';
  readonly note?: string;
  /** A value that any target accepts; `publish/examples.ts` has examples of values that depend on the target. */
  readonly example?: unknown;
}

/** The request body of an operation. */
export interface RequestBody {
  readonly mediaType: 'application/json' | 'application/x-www-form-urlencoded';
  readonly schema: z.ZodType;
  /** Whether the document requires a body. */
  readonly required: boolean;
  /** Members whose required flag is shown as 'yes'. */
  readonly requiredMembers: readonly string[];
}

/** The body of a successful answer: a shape, no body at all, or JSON whose shape is not shown. */
export type SuccessBody = z.ZodType | 'none' | 'not shown';

/** An operation: its address, its input, and its answers. */
export interface Operation {
  /** Operation id, e.g. `cards.suspend`. */
  readonly id: string;
  /** What it does, in a few words that begin with an imperative. */
  readonly title: string;
  /** Remarks of the document besides its table row. */
  readonly more?: string;
  /** The interface it belongs to, which determines address and credentials. */
  readonly interface: 'token' | 'v3' | 'v1';
  readonly method: 'GET' | 'POST' | 'PUT';
  /** v3: below {base_url}; `{name}` stands for a path parameter. v1: the operation's name. token: the documented template. */
  readonly path: string;
  readonly authorisation: 'none' | 'bearer' | 'session';
  readonly pathParameters: readonly Parameter[];
  /** Excludes sessionId, which every v1 operation except login takes. */
  readonly query: readonly Parameter[];
  readonly body?: RequestBody;
  /** Absent for operations that are only listed. */
  readonly success?: { readonly status: 200 | 201; readonly body: SuccessBody };
  /** Statuses other than success that the document lists for this operation. */
  readonly errors: readonly number[];
  /** The meaning of a listed status for this operation, if it differs from the general one. */
  readonly statuses?: Readonly<Record<number, string>>;
  readonly risk: Risk;
  /** Whether the document only names it, without showing parameters, bodies and responses. */
  readonly listedOnly: boolean;
  /** Whether the document recommends another operation instead. */
  readonly deprecated?: boolean;
  /** v1: the endpoint set that it is listed under. */
  readonly endpointSet?: 'userendpoint' | 'customerendpoint' | 'orderendpoint';
  readonly source: Source;
}

/** Whether an operation changes nothing, the session that it is asked in included. */
export const onlyReads = ({ id, risk }: Operation): boolean => risk === 'safe' && id !== 'portal.logout';

/** A named shape and its members as the document describes them, in our words. */
export interface ShapeNote {
  readonly source: Source;
  /** Members whose meaning the document gives; the others are only named. */
  readonly members?: Readonly<Record<string, string>>;
  /** A value of the shape; every person, card and program in it is invented. */
  readonly example: unknown;
}
