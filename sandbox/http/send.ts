/** Sends an answer over HTTP. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WholeAnswer } from './respond.ts';

/** Sends the answer; resolves when the last byte has been handed over. */
export async function send(response: ServerResponse, answer: WholeAnswer): Promise<void> {
  const { bytes, transport } = answer;
  response.sendDate = false;
  const headers = { ...answer.headers };
  if (transport?.close || transport?.endsByClosing) headers.connection = 'close';
  if (transport?.endsByClosing) response.useChunkedEncodingByDefault = false;
  else if (transport?.chunkBytes === undefined && answer.status !== 204)
    headers['content-length'] ??= String(bytes.length);
  if (transport?.delayMs) await sleep(transport.delayMs);
  if (transport?.cutAfterBytes !== undefined) {
    if (transport.cutAfterBytes > 0) {
      response.writeHead(answer.status, headers);
      await new Promise<void>((done) => response.write(bytes.subarray(0, transport.cutAfterBytes), () => done()));
    }
    response.destroy();
    return;
  }
  response.writeHead(answer.status, headers);
  if (transport?.chunkBytes !== undefined) {
    for (let at = 0; at < bytes.length; at += transport.chunkBytes) {
      response.write(bytes.subarray(at, at + transport.chunkBytes));
      if (transport.chunkDelayMs) await sleep(transport.chunkDelayMs);
      if (response.destroyed) return;
    }
    response.end();
    return;
  }
  response.end(bytes);
}
