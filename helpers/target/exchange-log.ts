/** Writes exchanges.ndjson: requests and their answers, redacted before they are written. */
import type { Operation } from '../../contracts/operation.ts';
import type { Label } from '../../contracts/redaction.ts';
import type { Answer } from '../answer.ts';
import type { CallOptions } from '../call.ts';
import type { Finding } from '../evidence/ledger.ts';
import type { Recorder } from '../evidence/recorder.ts';
import type { Redactor } from '../evidence/redaction/types.ts';
import type { TransportError, WireAnswer, WireRequest } from './http/types.ts';

/** A sent request. */
interface Sent {
  /** Id of the exchange. */
  exchange: string;
  operation: Operation;
  options: CallOptions;
  request: WireRequest;
}

/** Records the exchanges of a run. */
export class ExchangeLog {
  readonly #recorder: Recorder;
  readonly #redactor: Redactor;

  constructor(recorder: Recorder, redactor: Redactor) {
    this.#recorder = recorder;
    this.#redactor = redactor;
  }

  /** Call for every complete answer. @param findings the rules of the contract that it breaks */
  answered(sent: Sent, answer: Answer, wire: WireAnswer, findings: readonly Finding[]): void {
    const redactor = this.#redactor;
    this.#learn(answer);
    const mediaType = String(wire.headers['content-type'] ?? '');
    // Redacted before the answer, which may echo something that only the request identifies as secret.
    const request = this.#redactedRequest(sent.request);
    const body = wire.body.length === 0 ? undefined : redactor.body(wire.body.toString('utf8'), mediaType);
    this.#recorder.exchange({
      ...aboutCheck(sent),
      startedAt: wire.startedAt.toISOString(),
      durationMs: Math.round(wire.durationMs * 10) / 10,
      request,
      response: {
        status: wire.status,
        body: body?.text ?? null,
        headers: redactor.headers(wire.headers),
        bodyBytes: wire.body.length,
        truncated: body?.truncated ?? false,
      },
      ...(wire.retries.length > 0 ? { retries: wire.retries } : {}),
      ...this.#redactedFindings(findings),
    });
  }

  /** Call if no complete answer arrived. @param findings the rules of the contract that this breaks */
  failed(sent: Sent, error: TransportError, findings: readonly Finding[]): void {
    this.#recorder.exchange({
      ...aboutCheck(sent),
      startedAt: (error.startedAt ?? new Date()).toISOString(),
      durationMs: error.durationMs,
      request: this.#redactedRequest(sent.request),
      response: null,
      error: { kind: error.kind, message: this.#redactor.text(error.message) },
      ...(error.retries.length > 0 ? { retries: error.retries } : {}),
      ...this.#redactedFindings(findings),
    });
  }

  #redactedFindings(findings: readonly Finding[]): { findings?: Finding[] } {
    if (findings.length === 0) return {};
    const redacted = findings.map(({ requirement, ...found }) => ({
      requirement,
      ...(this.#redactor.value(found) as Omit<Finding, 'requirement'>),
    }));
    return { findings: redacted };
  }

  /** Learns the secrets in an answer before any of it is written. */
  #learn(answer: Answer): void {
    const value = answer.json?.ok ? answer.json.value : undefined;
    const learn = (name: string, label: Label) => {
      const secret = (value as Record<string, unknown> | undefined)?.[name];
      if (typeof secret === 'string') this.#redactor.learn(secret, label);
    };
    if (answer.operation.id === 'token.issue') learn('access_token', 'ACCESS_TOKEN');
    if (answer.operation.id === 'cards.createToken') learn('token', 'TEMPORARY_TOKEN');
    if (answer.operation.id === 'portal.login') learn('sessionId', 'SESSION_ID');
  }

  #redactedRequest(request: WireRequest) {
    const text = request.body?.toString();
    return {
      method: request.method,
      url: this.#redactor.url(request.url),
      headers: this.#redactor.headers(request.headers),
      body: text === undefined ? null : this.#redactor.body(text, request.headers['content-type'] ?? '').text,
    };
  }
}

/** The first members of a line: the exchange and its originator. */
const aboutCheck = ({ exchange, operation, options }: Sent) => ({
  id: exchange,
  operation: operation.id,
  check: options.check,
  intent: options.intent ?? 'valid',
});
