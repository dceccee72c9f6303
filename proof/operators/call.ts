/** Requests and answers of any target as operators see them: by the contract alone. */
import type { Operation } from '../../contracts/operation.ts';
import { readJson } from '../../helpers/json.ts';
import type { ReadRequest } from '../../sandbox/http/respond.ts';
import type { Addresses } from '../../witness/addressed.ts';
import { NOWHERE, type Unserved, type Whole } from '../selfcheck/direct.ts';

/** A request of an operation. Every change makes a new one. */
export class Call {
  readonly operation: Operation;
  /** The path's `identifier`; undefined where the operation has none. */
  readonly identifier: string | undefined;
  readonly request: ReadRequest;

  constructor(operation: Operation, identifier: string | undefined, request: ReadRequest) {
    this.operation = operation;
    this.identifier = identifier;
    this.request = request;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.request.url.split('?')[1] ?? '');
  }

  /** The body as a JSON value; undefined where it is none. */
  get json(): unknown {
    const read = readJson(this.request.raw);
    return read.ok ? read.value : undefined;
  }

  /** The token with its scheme, or the session; undefined where there is none. */
  get credential(): string | undefined {
    const { authorisation } = this.operation;
    if (authorisation === 'none') return undefined;
    if (authorisation === 'session') return this.query.get('sessionId') ?? undefined;
    return this.request.headers.authorization;
  }

  /** The call with a query parameter of this value, or without it. */
  withParameter(name: string, value: string | undefined): Call {
    const query = this.query;
    if (value === undefined) query.delete(name);
    else query.set(name, value);
    const [path] = this.request.url.split('?');
    return this.with({ url: query.size > 0 ? `${path}?${query}` : path! });
  }

  /** The call with another body. */
  withJson(value: unknown): Call {
    const raw = Buffer.from(JSON.stringify(value));
    const headers = {
      ...this.request.headers,
      'content-type': 'application/json',
      'content-length': String(raw.length),
    };
    return this.with({ raw, headers });
  }

  withCredential(credential: string): Call {
    if (this.operation.authorisation === 'session') return this.withParameter('sessionId', credential);
    return this.with({ headers: { ...this.request.headers, authorization: credential } });
  }

  /** The call for what another identifier names. */
  withIdentifier(identifier: string): Call {
    const [path = '', ...query] = this.request.url.split('?');
    const place = this.operation.path.split('/').toReversed().indexOf('{identifier}');
    const segments = path.split('/');
    segments[segments.length - 1 - place] = encodeURIComponent(identifier);
    const url = [segments.join('/'), ...query].join('?');
    return new Call(this.operation, identifier, { ...this.request, url });
  }

  private with(change: Partial<ReadRequest>): Call {
    return new Call(this.operation, this.identifier, { ...this.request, ...change });
  }
}

export const succeeded = ({ status }: Whole): boolean => status >= 200 && status < 300;

/** The body of an answer as a JSON value; undefined where it is none. */
export function bodyOf({ bytes }: Whole): unknown {
  const read = readJson(bytes);
  return read.ok ? read.value : undefined;
}

/** The answer with another body. */
export const withBody = (answer: Whole, value: unknown): Whole => withBytes(answer, Buffer.from(JSON.stringify(value)));

/** The answer with other bytes, and without what said how many there were. */
export function withBytes(answer: Whole, bytes: Buffer): Whole {
  const headers = Object.entries(answer.headers).filter(([name]) => !/^content-(?:length|encoding)$/i.test(name));
  return { ...answer, headers: Object.fromEntries(headers), bytes };
}

/** What a broken implementation does with a call of any operation. @param ask passes a call on to the sound target */
export type Broken = (call: Call, ask: (call: Call) => Promise<Whole>) => Promise<Whole>;

/** A target that is broken. @param find finds the operation of a request */
export function breaking(target: Unserved, broken: Broken, find: Addresses['find']): Unserved {
  return {
    async respond(request) {
      const { method, url, headers } = request;
      const [[, called] = []] = find({
        method,
        url: NOWHERE + url,
        request: { headers: headers as Record<string, string> },
        response: { status: 0, headers: {}, body: undefined },
        sentAt: undefined,
        durationMs: 0,
      });
      if (!called) return target.respond(request);
      const { operation, path } = called;
      return broken(new Call(operation, path.identifier, request), async (call) => target.respond(call.request));
    },
  };
}
