/** A sandbox with something hostile in front of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts';

/** An answer of the sandbox, before it goes out. */
export interface Forwarded {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** What is known of a request when it is to be answered. */
export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  /** The body of the request. */
  body: Buffer;
  /** Asks the sandbox. */
  forward(): Promise<Forwarded>;
}

/** Answers one request, badly. */
export type Behaviour = (call: Call) => void | Promise<void>;

/**
 * Which requests meet the behaviour: every one; every one but those for a token and a login, so that the checks run into it;
 * or those alone.
 */
export type Reach = 'all' | 'after login' | 'login';

export interface HostileTarget {
  /** The environment of a run against it, credentials included. */
  environment: Record<string, string>;
  sandbox: Sandbox;
  /** Requests that met the behaviour so far. */
  met(): number;
}

const isLogin = (url: string) => /\/oauth2\/v2\.0\/token|\/_ah\/api\/login/.test(url);
const isClock = (url: string) => url.startsWith('/__');

/** Starts a sandbox behind a server that behaves badly within reach, and else hands on. */
export async function hostileTarget(
  behaviour: Behaviour,
  reach: Reach,
  options: SandboxOptions = {},
): Promise<HostileTarget> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  let met = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const url = request.url ?? '/';
    response.on('error', () => {});
    const body = await bodyOf(request);
    const forward = () => handOn(sandbox.url, request, body);
    const within = !isClock(url) && (reach === 'all' || isLogin(url) === (reach === 'login'));
    if (within) met++;
    try {
      if (within) await behaviour({ request, response, body, forward });
      else reply(response, await forward());
    } catch {
      // The sandbox is closed: the test is over.
      response.destroy();
    }
  });
  const url = await listen(server);
  return { environment: pointedAt(url, sandbox), sandbox, met: () => met };
}

/** The environment of a run against a server that stands where the sandbox would, with a fixtures file until the test ends. */
export function pointedAt(url: string, sandbox: Sandbox): Record<string, string> {
  const directory = mkdtempSync(join(tmpdir(), 'fixtures-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'fixtures.json');
  writeFileSync(file, JSON.stringify(sandbox.fixtures));
  const environment = { ...sandbox.environment };
  for (const [name, value] of Object.entries(environment))
    if (name.endsWith('_URL')) environment[name] = value.replace(sandbox.url, url);
  return { ...environment, TARGET_FIXTURES: file, RUN_TIMEOUT_MS: '5000', RUN_MAX_MINUTES: '1' };
}

/** @returns the address; the server and its connections are closed when the test ends */
export async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends an answer whole. */
export function reply(response: ServerResponse, { status, headers, body }: Forwarded): void {
  const { 'transfer-encoding': _, connection: __, 'keep-alive': ___, ...rest } = headers;
  response.writeHead(status, { ...rest, 'content-length': body.length });
  response.end(body);
}

/** The body of a message; empty where the other end is gone, and there is nobody to answer. */
const bodyOf = (stream: NodeJS.ReadableStream): Promise<Buffer> => buffer(stream).catch(() => Buffer.alloc(0));

function handOn(to: string, request: IncomingMessage, body: Buffer): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const { method, headers, url } = request;
    const onward = send(to + url, { method, headers, agent: false }, async (answer) =>
      resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: await bodyOf(answer) }),
    );
    onward.on('error', reject);
    onward.end(body);
  });
}
