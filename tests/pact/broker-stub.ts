/**
 * A stub of a Pact Broker's HTTP interface, as far as publishing goes: it keeps what it is told. It knows no real
 * broker's checks, so what it proves is what is sent, not that every broker takes it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Told {
  method: string;
  path: string;
  authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into at places that the assertions name
  body: any;
}

export interface BrokerStub {
  url: string;
  told: Told[];
  close(): void;
}

/** @param refuses status that it answers everything with, instead of doing its work */
export async function startBroker(refuses?: number): Promise<BrokerStub> {
  const told: Told[] = [];
  const server = createServer(async (request, response) => {
    const body = request.method === 'GET' ? undefined : await json(request);
    told.push({ method: request.method!, path: request.url!, authorization: request.headers.authorization, body });
    response.setHeader('content-type', 'application/hal+json');
    if (refuses) return response.writeHead(refuses).end('{}');
    const results = { href: `${url}${request.url}/verification-results` };
    const pact = request.method === 'GET' ? { _links: { 'pb:publish-verification-results': results } } : {};
    response.writeHead(request.method === 'POST' ? 201 : 200).end(JSON.stringify(pact));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    told,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
