/** Servers on loopback that answer in ways of their own, until the test has finished. */
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** @returns the address of a server that answers HTTP */
export const serve = (listener: RequestListener): Promise<string> =>
  listen(createServer({ keepAliveTimeout: 60_000 }, listener));

/** A server that is given each connection, and its first bytes, to do with as it likes. */
export const serveSockets = (onRequest: (socket: Socket, request: string) => void): Promise<string> =>
  listen(
    createSocketServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => onRequest(socket, bytes.toString('latin1')));
    }),
  );

/** Has a server listen. @param port 0 for a free one */
export async function listen(server: Server, port = 0): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
