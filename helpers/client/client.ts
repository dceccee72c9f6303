/** The only path from a check to the target: authorises, sends, records. It judges nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Operation, onlyReads } from '../../contracts/operation.ts';
import { operation as operationById } from '../../contracts/operations.ts';
import { entriesMember } from '../../contracts/requirements/every-operation.ts';
import { CARDS_DEFAULT_MAX } from '../../contracts/v3/cards.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import {
  type Answer,
  declined,
  hasBadCredential,
  type Input,
  isBusy,
  isThrottling,
  member,
  mustBeRefused,
  now,
  succeeded,
  tokenIn,
} from '../answer.ts';
import type { Authorisation, CallOptions } from '../call.ts';
import type { ChangeLog } from '../changes/change-log.ts';
import { addressOf, operationInScope } from '../configuration/scope.ts';
import type { Configuration } from '../configuration/types.ts';
import { type Incidents, isUnreadable, OF_WHAT_IS_ASKED } from '../evidence/incidents.ts';
import type { Finding } from '../evidence/ledger.ts';
import type { Recorder } from '../evidence/recorder.ts';
import type { Quiet } from '../quiet.ts';
import { Blocked, Inconclusive, skip } from '../verdict.ts';
import { Bodies } from './bodies.ts';
import { isFurtherAhead, type Session, type Sessions, type Token, type Tokens } from './credentials.ts';
import { ExchangeLog } from './exchange-log.ts';
import { RETRY_PRIORITY } from './http/limiter.ts';
import type { Transport } from './http/transport.ts';
import { TransportError, type TransportErrorKind, type WireAnswer, type WireRequest } from './http/types.ts';
import { wireRequest } from './wire-request.ts';

/** Statuses that show that the target is unavailable rather than wrong (reading 9). */
const UNAVAILABLE = [429, 502, 503, 504];
/** Operations that must not be repeated after a 503, which leaves open whether they took effect. */
const NEVER_TWICE = ['cards.transfer', 'portal.orderCards'];
/** Transport errors of requests that were never sent. */
const NOT_SENT: readonly TransportErrorKind[] = ['aborted', 'gave-up', 'invalid-request'];

/** How long a new token may be refused by a clock that is behind, in seconds. */
const UNKNOWN_SECONDS = 60;

interface ClientParts {
  configuration: Configuration;
  transport: Transport;
  redactor: Redactor;
  recorder: Recorder;
  /** Judges every answer by all rules of its operation. */
  ledger: { judge(answer: Answer): Finding[] };
  /** Told of a request that may have been carried out, though no answer says so: status 0. */
  history: { add(request: Answer): void };
  /** Told what the client meets besides the answers. */
  incidents: Incidents;
  changes: ChangeLog;
  signal: AbortSignal;
  /** Why an interface cannot be used; undefined if it can. */
  blockedReason(of: Operation['interface']): string | undefined;
  block(of: Operation['interface'], reason: string): void;
  note(note: string): void;
  quietOf(of: Operation['interface']): Quiet;
}

export class Client {
  readonly #parts: ClientParts;
  readonly #log: ExchangeLog;
  readonly #bodies = new Bodies();
  /** The access token of the run; set once, before the first call. */
  tokens!: Tokens;
  sessions!: Sessions;
  #hasLoggedIn = false;
  /** Sessions that a login gave and that have not been used yet. */
  readonly #unused = new Set<string>();
  /** Operations that refused even fresh credentials. Their refusals renew nothing until one of them accepts a token. */
  readonly #refusing = new Set<string>();
  /** Tokens that were accepted. */
  readonly #taken = new Set<string>();
  /** Requests that were refused with bad tokens: method and address. */
  readonly #refusedBadTokens = new Set<string>();
  /** The last read-only request accepted with the run's credentials, by interface. */
  readonly #accepted = new Map<Operation['interface'], Pick<Answer, 'operation' | 'input'>>();

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#log = new ExchangeLog(parts.recorder, parts.redactor);
  }

  /**
   * Sends one request and returns the answer, whatever its status.
   * @throws Skipped when the target does not claim the operation
   * @throws Blocked when the interface is out of reach, the target is unavailable, or no readable answer arrives
   * @throws Inconclusive when the request was repeated and refused, so that the first may have been carried out
   */
  async call(id: string, input: Input, options: CallOptions): Promise<Answer> {
    const operation = operationById(id);
    if (!this.#mayCall(operation)) skip(`needs ${id}, which is not in scope`);
    const blocked = options.urgent ? undefined : this.#parts.blockedReason(operation.interface);
    if (blocked) throw new Blocked(blocked);
    const authorisation = options.authorisation ?? 'run';
    if (authorisation !== 'run') {
      const send = () => this.#send(operation, input, options, credentialsOf(authorisation));
      return this.#repeated(await send(), send);
    }
    if (operation.authorisation === 'bearer') return this.#withToken(operation, input, options);
    if (operation.authorisation === 'session') return this.#withSession(operation, input, options);
    const send = () => this.#send(operation, input, options, {});
    const answer = await send();
    // A login that was never accepted may have a wrong password, which must not reach the user twice.
    return this.#isKnown(operation) ? this.#repeated(answer, send) : answer;
  }

  /** Whether what asks for a credential has given one before, so that a refusal is not for want of knowing who asks. */
  #isKnown(operation: Operation): boolean {
    return operation.interface === 'v1' ? this.#hasLoggedIn : this.tokens.known().length > 0;
  }

  /** Whether an operation may be called. Credentials may be asked for in any case, since everything else needs them. */
  #mayCall(operation: Operation): boolean {
    const { configuration } = this.#parts;
    const isForCredentials = operation.id === 'token.issue' || operation.id === 'portal.login';
    if (isForCredentials) return addressOf(configuration.target, operation.interface) !== undefined;
    return operationInScope(configuration, operation.id);
  }

  async #withToken(operation: Operation, input: Input, options: CallOptions): Promise<Answer> {
    const token = await this.tokens.current();
    const send = () => this.#send(operation, input, options, bearer(token));
    const answer = await this.#repeated(await this.#onceKnown(token, send, ({ status }) => status === 401), send);
    if (answer.status !== 401) {
      this.#taken.add(token.value);
      this.#parts.incidents.tokenTaken(answer);
      this.#noteAccepted(answer);
      return answer;
    }
    if (!this.tokens.renewable) {
      await this.#requireNotEnded(answer, bearer(token), 'TARGET_ACCESS_TOKEN');
      return answer;
    }
    const mayHaveEnded = this.#parts.configuration.target.testClockUrl !== undefined || this.tokens.areHandedOutAgain;
    if (!(mayHaveEnded && !this.#refusing.has(operation.id)) && !this.#mayRenew(operation, options)) return answer;
    const age = this.tokens.ageOf(token);
    const fresh = await this.tokens.renew(token);
    const again = await this.#send(operation, input, { ...options, priority: () => RETRY_PRIORITY }, bearer(fresh));
    if (again.status === 401) {
      this.#refusing.add(operation.id);
      this.#noteKeptRefusal(operation, input);
    } else if (
      // A change is not made twice to see it.
      onlyReads(operation) &&
      age < token.lifetime &&
      // One that is not known yet may meet a clock that is behind that of the token endpoint (reading 14).
      (age >= UNKNOWN_SECONDS || this.#taken.has(token.value)) &&
      !this.tokens.mayBeOlder(token) &&
      !isFurtherAhead(fresh, token) &&
      !this.#clockIsMovedByOthers &&
      (await this.#onceQuiet(await send(), send, ({ status }) => status !== 401)).status === 401
    )
      this.#parts.incidents.tokenEndedEarly(answer, age);
    return again;
  }

  async #withSession(operation: Operation, input: Input, options: CallOptions): Promise<Answer> {
    const session = await this.sessions.current();
    const isValid = (options.intent ?? 'valid') === 'valid';
    // An order or CIP check is refused for many reasons, and repeating it may cost something.
    const mayBeForSession = (answer: Answer) =>
      answer.status === 401 ||
      (declined(answer) && !OF_WHAT_IS_ASKED.includes(answer.status) && isValid && operation.risk === 'safe');
    const send = () => this.#send(operation, input, options, inSession(session));
    const answer = await this.#repeated(await this.#onceKnown(session, send, mayBeForSession), send);
    const refused = mayBeForSession(answer);
    if (succeeded(answer)) this.#noteAccepted(answer);
    if (refused && !this.sessions.renewable)
      await this.#requireNotEnded(answer, inSession(session), 'TARGET_PORTAL_SESSION_ID');
    if (!refused || !this.sessions.renewable || !this.#mayRenew(operation, options)) return answer;
    const fresh = await this.sessions.renew(session);
    // Sent first: a session that ends after a number of requests would no longer be fresh once others have gone.
    const sendIn = (renewed: Session) => {
      const sendAgain = () =>
        this.#send(operation, input, { ...options, priority: () => RETRY_PRIORITY }, inSession(renewed));
      return this.#onceKnown(renewed, sendAgain, mayBeForSession);
    };
    const second = await sendIn(fresh);
    // If others went first anyway, it goes in a session that nobody else uses.
    const again = mayBeForSession(second) ? await sendIn(await this.sessions.fresh()) : second;
    if (isValid ? !succeeded(again) : again.status === 401) this.#refusing.add(operation.id);
    return again;
  }

  /** Sends a request with credentials, again after the settle time if new ones may not be known everywhere yet. */
  async #onceKnown(
    { givenAt }: Token | Session,
    send: () => Promise<Answer>,
    mayBeForCredentials: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const answer = await send();
    const { configuration, signal } = this.#parts;
    const rest = configuration.run.settleMs - (performance.now() - (givenAt ?? Number.NEGATIVE_INFINITY));
    if (rest <= 0 || !mayBeForCredentials(answer)) return answer;
    await sleep(rest, undefined, { signal }).catch(() => undefined);
    return send();
  }

  /**
   * Repeats a request after the settle time if a 409 shows that its subject is busy and it costs nothing; and a valid request that was refused,
   * when the target has forgotten the run's bad credentials (reading 51). A reading that is accepted then is a suspicion (reading 7).
   */
  async #repeated(answer: Answer, send: () => Promise<Answer>): Promise<Answer> {
    const { operation, intent } = answer;
    const { configuration, incidents, signal } = this.#parts;
    const isReading = intent === 'valid' && onlyReads(operation);
    if (operation.risk === 'safe' && answer.status === 409) {
      await sleep(configuration.run.settleMs, undefined, { signal }).catch(() => undefined);
      return send();
    }
    const isMeant = intent === 'valid' || (operation.id === 'portal.login' && intent === 'refusable');
    if (!isMeant || isBusy(answer) || NEVER_TWICE.includes(operation.id)) return answer;
    const isQuiet = this.#parts.quietOf(operation.interface).restMs(0) === 0;
    const first = isReading && isQuiet && !succeeded(answer) ? await send() : answer;
    const again = await this.#onceQuiet(first, send, succeeded);
    if (succeeded(again) && isReading) incidents.readingAccepted(again, answer, isQuiet);
    return again;
  }

  /**
   * Sends a request again until its answer is right: a reading once in any case, and as long as the target may remember the run's bad credentials
   * after silences that double (reading 51). What none of these changes is not waited for again.
   */
  async #onceQuiet(answer: Answer, send: () => Promise<Answer>, isRight: (answer: Answer) => boolean): Promise<Answer> {
    if (isRight(answer)) return answer;
    const { configuration, signal } = this.#parts;
    const { operation, status } = answer;
    const quiet = this.#parts.quietOf(operation.interface);
    const what = `${operation.id} ${status}`;
    let again = answer;
    for (const silence of quiet.silencesFor(what, configuration.run.settleMs)) {
      if (isRight(again) || signal.aborted) return again;
      if (quiet.restMs(silence) === 0) continue;
      again = await quiet.rest(signal, silence, send);
      if (isRight(again)) quiet.helped(silence);
      else quiet.disturb();
    }
    if (!isRight(again)) quiet.didNotHelp(what);
    return again;
  }

  /** Whether a refusal may renew credentials: of a right request alone, except that a session may end at any time. */
  #mayRenew(operation: Operation, { intent = 'valid' }: CallOptions): boolean {
    const others = operation.authorisation === 'session' ? ['malformed', 'refusable', 'unusual'] : [];
    return ['valid', ...others].includes(intent) && !this.#refusing.has(operation.id);
  }

  #noteAccepted(answer: Answer): void {
    const { operation, intent } = answer;
    this.#refusing.delete(operation.id);
    if (onlyReads(operation) && intent === 'valid' && succeeded(answer))
      this.#accepted.set(operation.interface, answer);
  }

  /**
   * Checks whether given credentials, whose lifetime is unknown, have ended: then a request accepted before is refused
   * now.
   * @throws Blocked when they have ended; nothing more is sent to the interface then
   */
  async #requireNotEnded(answer: Answer, authorisation: Credentials, variable: string): Promise<void> {
    const { id, interface: of } = answer.operation;
    const control = this.#accepted.get(of);
    if (!control || this.#refusing.has(id)) return;
    const options = { check: 'run', intent: 'refusable', priority: () => RETRY_PRIORITY } as const;
    const again = await this.#send(control.operation, control.input, options, authorisation);
    if (succeeded(again)) {
      this.#refusing.add(id);
      return;
    }
    const reason = `${variable} has expired: ${control.operation.id}, which accepted it before, now answers ${again.status}`;
    this.#parts.block(of, reason);
    throw new Blocked(reason);
  }

  /** Whether another shard may move the clock at any time, so that an early end proves nothing. */
  get #clockIsMovedByOthers(): boolean {
    const { target, run } = this.#parts.configuration;
    return target.testClockUrl !== undefined && run.shard !== undefined;
  }

  /** Notes that a fresh token is refused where a bad one was: the refusal may have been kept. */
  #noteKeptRefusal(operation: Operation, input: Input): void {
    const { target } = this.#parts.configuration;
    if (this.#refusedBadTokens.has(addressOfRequest(wireRequest(target, operation, input, {}))))
      this.#parts.note(
        'Fresh tokens are refused with 401 at addresses where bad ones were refused before: a cache in front of the target may keep refusals by address.',
      );
  }

  /** Notes sessions that a login gave, and their first use. */
  #noteSession(answer: Answer, sessionId: string | undefined): void {
    const { operation, intent } = answer;
    const given = operation.id === 'portal.login' && succeeded(answer) ? member(answer, 'sessionId') : undefined;
    if (typeof given === 'string') {
      this.#unused.add(given);
      this.#hasLoggedIn = true;
    }
    const isUse = onlyReads(operation) && (intent === 'valid' || intent === 'refusable');
    if (sessionId !== undefined && isUse && this.#unused.delete(sessionId)) this.#parts.incidents.sessionUsed(answer);
  }

  async #send(operation: Operation, input: Input, options: CallOptions, credentials: Credentials): Promise<Answer> {
    const request = wireRequest(this.#parts.configuration.target, operation, input, credentials);
    const exchange = this.#parts.recorder.nextExchangeId();
    const change = this.#parts.changes.sending(operation, input, options);
    const quiet = isBad({ operation, options }) ? this.#parts.quietOf(operation.interface) : undefined;
    if (!options.urgent) await quiet?.untilNobodyRests();
    const endDisturbing = quiet?.disturbing();
    const sent: Sent = { operation, input, options, credentials, request, exchange, change, sentAt: now() };
    try {
      const wire = await this.#parts.transport.send(request, {
        retryUnanswered: operation.risk === 'safe' || mustBeRefused(options.intent ?? 'valid'),
        retryThrottled503: !NEVER_TWICE.includes(operation.id),
        queue: operation.interface === 'v1' ? 'v1' : 'v3',
        priority: options.priority,
        urgent: options.urgent,
        patience: options.patience,
        maxBodyBytes: mostBytes(operation, input),
      });
      return this.#answered(sent, wire);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      throw this.#unanswered(sent, error);
    } finally {
      endDisturbing?.();
    }
  }

  /**
   * Judges an answer and keeps what it tells.
   * @throws Blocked when the target is unavailable, Inconclusive when the request was sent again and may have been carried out the first time
   */
  #answered(sent: Sent, wire: WireAnswer): Answer {
    const { ledger, changes } = this.#parts;
    const { operation, options, request, exchange, change } = sent;
    const answer = this.#answerOf(sent, wire);
    const learned = this.#log.learned(request, answer);
    this.#noteCredentials(sent, answer);
    const isUnavailable = UNAVAILABLE.includes(wire.status) || isThrottling(wire);
    const findings = isUnavailable ? [] : ledger.judge(answer);
    this.#log.answered({ exchange, operation, options, request }, wire, learned, findings);
    // What must be refused is, whatever became of the first request; a session that nobody needs any more may have been a good one.
    const mayHaveTakenEffect =
      !mustBeRefused(options.intent ?? 'valid') || (operation.id === 'portal.logout' && !options.wrong);
    const isOpen = answer.isRepetition === true && declined(answer) && mayHaveTakenEffect;
    if (isOpen || isUnavailable) this.#noteOpen(sent);
    if (isOpen) changes.unanswered(change, exchange);
    else changes.answered(change, answer);
    const loss = { change: change?.id, isLoss: true };
    if (isUnavailable) throw new Blocked(`the target is unavailable: ${operation.id} answers ${wire.status}`, loss);
    if (isOpen)
      throw new Inconclusive(
        `${operation.id} was sent again after an answer that was lost or 503, and answers ${wire.status}: the first request may have been carried out`,
        loss,
      );
    return answer;
  }

  #answerOf({ operation, input, options, credentials, exchange, change }: Sent, wire: WireAnswer): Answer {
    const { intent = 'valid', wrong } = options;
    // The first request may have been carried out, and be why a second one is refused (reading 51).
    const isRepetition = !onlyReads(operation) && wire.retries.some(({ status }) => status === null || status === 503);
    return {
      exchange,
      operation,
      input,
      intent: isRepetition && (intent === 'valid' || intent === 'unusual') ? 'refusable' : intent,
      wrong,
      ...this.#bodies.answered(wire),
      sessionId: credentials.query?.sessionId,
      token: tokenIn(credentials.headers?.authorization),
      change: change?.id,
      isRepetition,
    };
  }

  #noteCredentials({ operation, options, request, credentials }: Sent, answer: Answer): void {
    if (isBad({ operation, options }) && !succeeded(answer)) this.#parts.quietOf(operation.interface).disturb();
    this.#noteSession(answer, credentials.query?.sessionId);
    if (answer.status === 401 && answer.intent === 'unauthorised')
      this.#refusedBadTokens.add(addressOfRequest(request));
  }

  /** Keeps that a request is without a readable answer. @returns the verdict of what asked for it */
  #unanswered(sent: Sent, error: TransportError): Blocked {
    const { changes, incidents, redactor } = this.#parts;
    const { operation, options, request, exchange, change } = sent;
    const wasSent = !NOT_SENT.includes(error.kind);
    if (wasSent) {
      this.#noteOpen(sent);
      changes.unanswered(change, exchange);
    } else changes.undone(change, exchange);
    const findings = incidents.unreadable(operation, exchange, error);
    this.#log.failed({ exchange, operation, options, request }, error, findings);
    return new Blocked(redactor.text(`${operation.id}: ${error.message}`), {
      change: wasSent ? change?.id : undefined,
      answered: isUnreadable(error.kind),
      isLoss: wasSent && !isUnreadable(error.kind),
    });
  }

  /** Adds a request that may change something to the history, though no answer tells whether it was carried out. */
  #noteOpen({ operation, input, options: { intent = 'valid' }, exchange, change, sentAt }: Sent): void {
    if (!change) return;
    const nothing = { status: 0, headers: {}, bytes: Buffer.alloc(0), json: undefined };
    const answeredAt = now();
    const of = { exchange, operation, input, intent, sentAt, answeredAt, change: change.id };
    this.#parts.history.add({ ...nothing, ...of });
  }
}

/** A request on its way. */
interface Sent {
  operation: Operation;
  input: Input;
  options: CallOptions;
  credentials: Credentials;
  request: WireRequest;
  exchange: string;
  change: ReturnType<ChangeLog['sending']>;
  sentAt: number;
}

const isBad = ({ operation, options: { intent = 'valid' } }: Pick<Sent, 'operation' | 'options'>): boolean =>
  hasBadCredential({ operation, intent });

/**
 * Size limit of an answer's body, in bytes. Checks keep the answers that they examine, so more than any implementation
 * has reason to send is refused: 80 KiB for each of 50 entries, 1 MiB for one thing. The documents do not limit a
 * portal's listings, related cards, or a cards listing for more than 50.
 */
function mostBytes(operation: Operation, { query }: Input): number {
  const isUnlimited =
    operation.id === 'cards.listRelated' || (operation.id === 'cards.list' && Number(query?.max) > CARDS_DEFAULT_MAX);
  if (isUnlimited || (operation.interface === 'v1' && operation.method === 'GET')) return 16 * 1024 * 1024;
  return (entriesMember(operation) ? 4 : 1) * 1024 * 1024;
}

const addressOfRequest = ({ method, url }: { method: string; url: string }): string => `${method} ${url}`;

interface Credentials {
  headers?: Record<string, string>;
  query?: Record<string, string>;
}

const bearer = (token: Token): Credentials => ({ headers: { authorization: `Bearer ${token.value}` } });
const inSession = (session: Session): Credentials => ({ query: { sessionId: session.id } });

function credentialsOf(authorisation: Exclude<Authorisation, 'run'>): Credentials {
  if ('sessionId' in authorisation)
    return authorisation.sessionId === undefined ? {} : { query: { sessionId: authorisation.sessionId } };
  return authorisation.authorization === undefined ? {} : { headers: { authorization: authorisation.authorization } };
}
