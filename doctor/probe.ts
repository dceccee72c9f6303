/** Sends the doctor's requests through the same transport as a run, within its limits, recording nothing. */
import { operation as operationById } from '../contracts/operations.ts';
import type { Answer, Input } from '../helpers/answer.ts';
import { Bodies } from '../helpers/client/bodies.ts';
import { learnExchange } from '../helpers/client/exchange-log.ts';
import { Transport } from '../helpers/client/http/transport.ts';
import { wireRequest } from '../helpers/client/wire-request.ts';
import { configuredRedactor } from '../helpers/configuration/redactor.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Redactor } from '../redaction/redactor.ts';

/** The credentials of a request; neither for token and login calls. */
export interface Credentials {
  token?: string;
  sessionId?: string;
}

/** Sends the requests of the doctor. */
export class Probe {
  readonly configuration: Configuration;
  /** Redacts every printed part of an answer. */
  readonly redactor: Redactor;
  readonly #transport: Transport;
  readonly #bodies = new Bodies();

  constructor(configuration: Configuration) {
    this.configuration = configuration;
    this.redactor = configuredRedactor(configuration);
    const { run, target } = configuration;
    this.#transport = new Transport({ ...run, ...target, signal: new AbortController().signal });
  }

  /**
   * Sends a request of risk safe.
   * @param target other addresses or templates than the configured ones, to find out which work
   * @throws TransportError when no readable answer arrives
   */
  async call(
    id: string,
    input: Input,
    { token, sessionId }: Credentials = {},
    target: Configuration['target'] = this.configuration.target,
  ): Promise<Answer> {
    const operation = operationById(id);
    if (operation.risk !== 'safe') throw new Error(`the doctor changes nothing, and ${id} is not safe`);
    const request = wireRequest(target, operation, input, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      query: sessionId === undefined ? {} : { sessionId },
    });
    const wire = await this.#transport.send(request, { retryUnanswered: true, queue: id });
    const answer: Answer = {
      exchange: '',
      operation,
      input,
      intent: 'valid',
      ...this.#bodies.answered(wire),
      change: undefined,
    };
    learnExchange(this.redactor, request, answer);
    return answer;
  }

  /** Closes its connections; it sends nothing afterwards. */
  close(): Promise<void> {
    return this.#transport.close();
  }
}
