/**
 * The embedded target: a complete implementation of both documents on loopback, with a clock, and with rules and
 * answers that can be changed.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeServer } from './http/server.ts';
import { makeSandbox, type SandboxState, type UnservedOptions } from './unserved.ts';

export type { Answer, AnswerContext, AnswerFilter, Refusal, RefusalKind, SandboxRequest } from './exchange.ts';
export { RawText } from './exchange.ts';
export { type OperationId, operations } from './operations.ts';
export { defaultRules, type Rules } from './rules.ts';
export type { Card, CardState, Customer, Order, Program, World } from './world.ts';

/** Options of a sandbox. */
export interface SandboxOptions extends UnservedOptions {
  /** Port on 127.0.0.1; 0, the default, for a free one. */
  port?: number;
}

/** A running sandbox; it ends with `close()`, or at the end of an `await using`. */
export interface Sandbox extends SandboxState {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The `TARGET_*` and `RUN_*` variables that point a run at it; TARGET_FIXTURES is a path, which the caller adds. */
  environment: Record<string, string>;
  /** Closes the server and its connections. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an independent sandbox; any number may run in one process.
 *
 * @example
 * await using sandbox = await startSandbox({ rules: { successStatus: () => 202 }, clock: () => Date.UTC(2030, 0, 1) });
 * const response = await fetch(`${sandbox.url}/api/users/customers`);
 *
 * @throws Error when the port is taken; RangeError for a seed that is too small
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { responder, environmentAt, ...sandbox } = makeSandbox(options);
  const server = makeServer(responder).listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...sandbox,
    url,
    environment: environmentAt(url),
    close: () => close(server),
    [Symbol.asyncDispose]: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}
