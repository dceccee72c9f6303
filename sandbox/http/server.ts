/** Serves the sandbox over HTTP: reads each request completely and answers it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Responder } from './respond.ts';
import { send } from './send.ts';

/** Size limit of a request body, in bytes. */
const MOST_BYTES = 1024 * 1024;
/** How long an idle connection is kept, in milliseconds: longer than clients wait between two requests. */
const KEEP_ALIVE_MS = 72_000;

/** The body of a request; undefined if it exceeds the limit. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let length = 0;
  // Not destroyed, since an answer will follow.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A server that is ready to listen. */
export function makeServer({ respond, refuseTooLarge }: Responder): Server {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await bodyOf(request);
    const { method = '', url = '', headers } = request;
    await send(response, raw ? respond({ method, url, headers, raw }) : refuseTooLarge(url));
  };
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // An answer that cannot be sent, such as one with an invalid header.
    serve(request, response).catch(() => response.destroy());
  });
}
