/**
 * A stub of a Pact Broker's HTTP interface, as far as publishing goes: it keeps what it is told. It knows no real
 * broker's checks, so what it proves is what is sent, not that every broker takes it.
 */
import { json } from 'node:stream/consumers';
import { serve } from '../../tools/servers.ts';

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
}

/** @param refuses status that it answers everything with, instead of doing its work */
export async function startBroker(refuses?: number): Promise<BrokerStub> {
  const told: Told[] = [];
  const url = await serve(async (request, response) => {
    const body = request.method === 'GET' ? undefined : await json(request);
    told.push({ method: request.method!, path: request.url!, authorization: request.headers.authorization, body });
    response.setHeader('content-type', 'application/hal+json');
    if (refuses) return response.writeHead(refuses).end('{}');
    const results = { href: `${url}${request.url}/verification-results` };
    const pact = request.method === 'GET' ? { _links: { 'pb:publish-verification-results': results } } : {};
    response.writeHead(request.method === 'POST' ? 201 : 200).end(JSON.stringify(pact));
  });
  return { url, told };
}
