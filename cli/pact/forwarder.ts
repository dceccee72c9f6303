/**
 * Connects Pact's Verifier with the target: a server on loopback that repeats each request with the suite's client.
 * Addresses, rate, retries, certificates, recording and redaction are therefore those of every other run, and three
 * interfaces at three addresses look like the single provider that a pact knows.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Operation } from '../../contracts/operation.ts';
import { operation as operationById } from '../../contracts/operations.ts';
import { type Answer, declined, type Input, member } from '../../helpers/answer.ts';
import type { Authorisation } from '../../helpers/call.ts';
import type { Context } from '../../helpers/context.ts';
import { inconclusive } from '../../helpers/verdict.ts';
import type { Interaction } from './interaction.ts';

/** The interaction being verified. */
export interface Current {
  interaction: Interaction;
  context: Context;
  /** A whole JSON body that replaces the one in the pact. */
  body?: Record<string, unknown>;
}

/** Serves the Verifier's requests on loopback by sending them to the target. One interaction at a time. */
export class Forwarder {
  #current: Current | undefined;
  #failure: unknown;
  readonly #server = createServer((request, response) => void this.#forward(request, response));

  /** Sets the interaction to which the next request belongs. */
  expect(current: Current): void {
    this.#current = current;
    this.#failure = undefined;
  }

  /** @throws what prevented the target from answering, or made its answer inconclusive */
  done(): void {
    if (this.#failure) throw this.#failure;
  }

  /** @returns the address that it listens on */
  async listen(): Promise<string> {
    const listening = Promise.withResolvers<void>();
    this.#server.listen(0, '127.0.0.1', listening.resolve);
    await listening.promise;
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { interaction, context, body } = this.#current!;
    const operation = operationById(interaction.operation);
    try {
      const { input, authorisation } = await readRequest(request, operation);
      if (body) input.json = body;
      const answer = await context.call(operation.id, input, {
        authorisation,
        intent: interaction.refused ? 'malformed' : 'valid',
      });
      if (declined(answer) && answer.status !== interaction.refused && mayBeRefused(interaction, operation))
        inconclusive(`refused with status ${answer.status}, for a reason that the documents leave open`);
      // The server is down or the network is poor; reading 38 draws no conclusion.
      if (member(answer, 'returnCode') === 0) inconclusive('returnCode is 0');
      response.writeHead(answer.status, headersOf(answer)).end(bytesOf(answer));
    } catch (error) {
      this.#failure = error;
      response.writeHead(502).end();
    }
  }
}

/** Converts a pact's request to an input of the suite's client. */
async function readRequest(
  request: IncomingMessage,
  operation: Operation,
): Promise<{ input: Input; authorisation: Authorisation }> {
  const url = new URL(request.url!, 'http://provider.invalid');
  const { sessionId, ...query } = Object.fromEntries(url.searchParams) as Record<string, string | undefined>;
  const text = (await buffer(request)).toString();
  const input: Input = { path: pathParameters(operation, url.pathname), query };
  if (operation.body?.mediaType === 'application/x-www-form-urlencoded')
    input.form = Object.fromEntries(new URLSearchParams(text));
  else if (text !== '') input.json = JSON.parse(text);
  const authorisation =
    operation.authorisation === 'session' ? { sessionId } : { authorization: request.headers.authorization };
  return { input, authorisation };
}

function pathParameters({ path }: Operation, actual: string): Record<string, string> {
  const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  const found = Object.entries(pattern.exec(actual)?.groups ?? {});
  return Object.fromEntries(found.map(([name, value]) => [name, decodeURIComponent(value)]));
}

/** Another media type on a JSON body only breaks a recommendation (reading 3), but Pact would reject it. */
const headersOf = ({ json }: Answer) => (json?.ok ? { 'content-type': 'application/json' } : {});

/** The same applies to a byte order mark (reading 3). */
const bytesOf = ({ json, bytes }: Answer) => (json?.ok && json.byteOrderMark ? bytes.subarray(3) : bytes);

/**
 * Whether an unexpected refusal may have a reason that neither documents nor fixtures reveal (readings 46 and 50): an
 * earlier state of a card, a cool-down, a minimum amount, the rules for a PIN or a reissue, which cards have encrypted
 * data, what a program's product accepts, how often a check is made, or an invented value.
 */
export const mayBeRefused = ({ madeUp = false }: Interaction, { id, risk }: Operation) =>
  madeUp || id === 'cards.encryptForVde' || (risk !== 'safe' && !id.startsWith('users.'));
