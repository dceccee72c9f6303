/** Small servers that answer in ways of their own, and the transport under test. */
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { Transport } from '../../helpers/client/http/transport.ts';
import { type SendOptions, TransportError, type TransportOptions } from '../../helpers/client/http/types.ts';

export const SAFE: SendOptions = { retryUnanswered: true, queue: 'v3' };
export const CHANGING: SendOptions = { retryUnanswered: false, queue: 'v3' };

/** @returns the address; the server is closed when the test ends */
export async function serve(listener: RequestListener): Promise<string> {
  return listen(createServer({ keepAliveTimeout: 60_000 }, listener));
}

/** A server that is given each connection, and its first bytes, to do with as it likes. */
export async function serveSockets(onRequest: (socket: Socket, request: string) => void): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => onRequest(socket, bytes.toString('latin1')));
  });
  return listen(server);
}

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function transport(options: Partial<TransportOptions> = {}): Transport {
  const made = new Transport({
    concurrency: 8,
    rate: 0,
    timeoutMs: 5000,
    signal: new AbortController().signal,
    ...options,
  });
  onTestFinished(() => made.close());
  return made;
}

export function get(
  by: Transport,
  url: string,
  options: SendOptions = SAFE,
  headers: Record<string, string> = {},
): ReturnType<Transport['send']> {
  return by.send({ method: 'GET', url, headers }, options);
}

/** The error that the promise is rejected with, which must be a TransportError. */
export async function failureOf(promise: Promise<unknown>): Promise<TransportError> {
  const error = await promise.then(
    () => null,
    (rejected: unknown) => rejected,
  );
  if (error instanceof TransportError) return error;
  throw new Error('no TransportError came', { cause: error });
}
