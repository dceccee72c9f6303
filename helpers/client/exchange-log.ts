/** Writes exchanges.ndjson: requests and their answers, redacted before they are written. */
import type { Operation } from '../../contracts/operation.ts';
import type { Label } from '../../contracts/redaction.ts';
import { redactedFinding } from '../../redaction/difference.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { type Answer, member } from '../answer.ts';
import type { CallOptions } from '../call.ts';
import type { Finding } from '../evidence/ledger.ts';
import type { Recorder, RedactedExchange } from '../evidence/recorder.ts';
import type { TransportError, WireAnswer, WireRequest } from './http/types.ts';

/** Request and answer of an exchange, redacted, with the numbers of its secret credentials. */
type LearnedExchange = Pick<RedactedExchange, 'request' | 'response' | 'credential' | 'gives'>;

interface Sent {
  exchange: string;
  operation: Operation;
  options: CallOptions;
  request: WireRequest;
}

export class ExchangeLog {
  readonly #recorder: Recorder;
  readonly #redactor: Redactor;
  /** Numbers that stand for sessions and tokens in the record, where their values must not. */
  readonly #numbers = new Map<string, string>();

  constructor(recorder: Recorder, redactor: Redactor) {
    this.#recorder = recorder;
    this.#redactor = redactor;
  }

  /** What is recorded of an exchange; see {@link learnExchange}. */
  learned(request: WireRequest, answer: Answer): LearnedExchange {
    const [[product] = []] = GIVES_CREDENTIAL.includes(answer.operation.id) ? PRODUCTS[answer.operation.id]! : [];
    const credential = this.#numberOf(answer.sessionId ?? answer.token);
    const gives = product && this.#numberOf(member(answer, product));
    return {
      ...(credential ? { credential } : {}),
      ...(gives ? { gives } : {}),
      ...learnExchange(this.#redactor, request, answer),
    };
  }

  #numberOf(secret: unknown): string | undefined {
    if (typeof secret !== 'string' || secret === '') return undefined;
    const number = this.#numbers.get(secret) ?? `credential ${this.#numbers.size + 1}`;
    this.#numbers.set(secret, number);
    return number;
  }

  /**
   * Call for every complete answer.
   * @param learned what {@link learned} made of it
   * @param findings the rules of the contract that it breaks
   */
  answered(sent: Sent, wire: WireAnswer, learned: LearnedExchange, findings: readonly Finding[]): void {
    this.#recorder.exchange({
      ...aboutCheck(sent),
      startedAt: new Date(wire.sentAt).toISOString(),
      sentAt: Math.round(wire.sentAt * 10) / 10,
      durationMs: Math.round(wire.durationMs * 10) / 10,
      ...learned,
      ...(wire.retries.length > 0 ? { retries: wire.retries } : {}),
      ...this.#redactedFindings(findings),
    });
  }

  /** Call if no complete answer arrived. @param findings the rules of the contract that this breaks */
  failed(sent: Sent, error: TransportError, findings: readonly Finding[]): void {
    this.#recorder.exchange({
      ...aboutCheck(sent),
      startedAt: new Date(error.sentAt ?? Date.now()).toISOString(),
      durationMs: error.durationMs,
      request: redactedRequest(this.#redactor, sent.request),
      response: null,
      error: { kind: error.kind, message: this.#redactor.text(error.message) },
      ...(error.retries.length > 0 ? { retries: error.retries } : {}),
      ...this.#redactedFindings(findings),
    });
  }

  #redactedFindings(findings: readonly Finding[]): { findings?: Finding[] } {
    return findings.length === 0 ? {} : { findings: findings.map((one) => redactedFinding(this.#redactor, one)) };
  }
}

/** What operations give out, by the member of the answer: all of it is secret, whatever it looks like. */
const PRODUCTS: Record<string, readonly (readonly [member: string, Label])[]> = {
  'token.issue': [
    ['access_token', 'ACCESS_TOKEN'],
    ['refresh_token', 'REFRESH_TOKEN'],
    ['id_token', 'SECRET'],
  ],
  'cards.createToken': [['token', 'TEMPORARY_TOKEN']],
  'portal.login': [['sessionId', 'SESSION_ID']],
};

/** Operations whose first product is what other requests are sent with. */
const GIVES_CREDENTIAL: readonly string[] = ['token.issue', 'portal.login'];

/**
 * Learns the secrets of an exchange: what the operation gives out, and what names show to be secret in request and
 * answer. Call it before anything of the answer is judged, printed or written.
 * @returns request and answer as they are recorded
 */
export function learnExchange(
  redactor: Redactor,
  request: WireRequest,
  answer: Answer,
): Pick<RedactedExchange, 'request' | 'response'> {
  for (const [name, label] of PRODUCTS[answer.operation.id] ?? []) {
    const secret = member(answer, name);
    if (typeof secret === 'string') redactor.learn(secret, label);
  }
  const { status, headers, bytes, leftOut } = answer;
  // Redacted together, since each may hold what only the other shows to be secret.
  return redactor.settled(() => {
    const redacted =
      bytes.length === 0 ? undefined : redactor.body(bytes.toString('utf8'), String(headers['content-type'] ?? ''));
    return {
      request: redactedRequest(redactor, request),
      response: {
        status,
        body: redacted?.text ?? null,
        headers: redactor.headers(headers),
        bodyBytes: bytes.length,
        // A recording may not have the whole of it.
        truncated: leftOut?.body === true || (redacted?.truncated ?? false),
      },
    };
  });
}

function redactedRequest(redactor: Redactor, request: WireRequest) {
  const text = request.body?.toString();
  return {
    method: request.method,
    url: redactor.url(request.url),
    headers: redactor.headers(request.headers),
    body: text === undefined ? null : redactor.body(text, request.headers['content-type'] ?? '').text,
  };
}

/** The first members of a line: the exchange and its originator. */
const aboutCheck = ({ exchange, operation, options }: Sent) => ({
  id: exchange,
  operation: operation.id,
  check: options.check,
  intent: options.intent ?? 'valid',
  ...(options.wrong ? { wrong: options.wrong } : {}),
});
