/** Judges exchanges that others made: each by the contracts, and all together by the monitors. It sends nothing. */

import { TOKEN_LIFETIME_SECONDS } from '../contracts/v3/token.ts';
import { type Answer, member, succeeded } from '../helpers/answer.ts';
import type { Suite } from '../helpers/check.ts';
import { Bodies } from '../helpers/client/bodies.ts';
import { ExchangeLog } from '../helpers/client/exchange-log.ts';
import { TransportError } from '../helpers/client/http/types.ts';
import { configuredRedactor } from '../helpers/configuration/redactor.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { Coverage } from '../helpers/contract-rules/coverage.ts';
import { contractRules } from '../helpers/contract-rules/index.ts';
import { History } from '../helpers/evidence/history.ts';
import { type Finding, Ledger } from '../helpers/evidence/ledger.ts';
import type { Recorder } from '../helpers/evidence/recorder.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { type Addressed, Addresses } from './addressed.ts';
import type { OddEntry } from './archive.ts';
import { type Credential, CredentialsHeld, isMasked, leftOutOf } from './left-out.ts';
import { meaningOf, NO_SESSION, NO_TOKEN } from './meaning.ts';
import type { Recorded } from './recorded.ts';
import { rememberedOf } from './remembered.ts';

/** Number of exchanges that are judged together by default; of more, the first half is let go, each time that there are as many. */
const MOST_TOGETHER = 10_000;
/** Memory in bytes that the bodies of exchanges that are judged together may take: of more, the first half is let go, too. */
const MOST_MEMORY = 32 * 1024 * 1024;
/** Statuses that say nothing of the implementation (reading 9), and that of a cache. */
const OF_OTHERS = [304, 429, 502, 503, 504];
/** Seconds at which a token has certainly expired (reading 15). */
const EXPIRED = TOKEN_LIFETIME_SECONDS + 60;
/** Number of origins, and of odd entries, that a note names. */
const MOST_NAMED = 3;
/** Earliest and latest time, in milliseconds since the epoch, that a clock shows: the years 2000 to 2200. */
const TIMES = { from: Date.UTC(2000), to: Date.UTC(2200) };

/** What is known of the exchanges besides their judgement. */
export interface Seen {
  exchanges: number;
  /** The recordings that they are from: the clocks of two may differ. */
  recordings: Set<string | undefined>;
  /** Those whose answer is not whole: their bodies are not judged. */
  cut: number;
  /** Those without a time that can be used. */
  timeless: number;
  /** Number of requests that belong to no operation, by origin. */
  elsewhere: ReadonlyMap<string, number>;
  /** Number of entries that are no exchanges, and why the first of them are none. */
  odd: { entries: number; first: string[] };
}

/** What a request without a credential lacks, by what is wrong with it. */
const LACKING: Readonly<Record<string, Credential>> = { [NO_TOKEN]: 'token', [NO_SESSION]: 'session' };

/** Takes in exchanges, in any order. */
export class Witness {
  readonly configuration: Configuration;
  readonly redactor: Redactor;
  readonly ledger: Ledger;
  readonly addresses: Addresses;
  readonly seen: Seen;
  readonly coverage = new Coverage();
  readonly #recorder: Recorder;
  readonly #log: ExchangeLog;
  readonly #bodies = new Bodies();
  readonly #mostTogether: number;
  #history = new History();
  /** Number of exchanges of the history that come before those that follow each other. */
  #remembered = 0;
  /** Memory in bytes of the bodies of those that follow each other. */
  #memory = 0;
  #hasLetGo = false;
  readonly #credentials = new CredentialsHeld();
  /** The recordings of exchanges that were sent without a credential, by their ids. */
  readonly #lacking = new Map<string, string | undefined>();
  #lastAt = 0;

  constructor(
    configuration: Configuration,
    { rules }: Pick<Suite, 'rules'>,
    recorder: Recorder,
    mostTogether = MOST_TOGETHER,
  ) {
    this.configuration = configuration;
    this.#mostTogether = mostTogether;
    this.redactor = configuredRedactor(configuration);
    this.addresses = new Addresses(configuration.target);
    this.ledger = new Ledger([...contractRules, ...rules], configuration.fixtures);
    const odd = { entries: 0, first: [] };
    this.seen = { exchanges: 0, recordings: new Set(), cut: 0, timeless: 0, elsewhere: this.addresses.elsewhere, odd };
    this.#recorder = recorder;
    this.#log = new ExchangeLog(recorder, this.redactor);
  }

  /** Counts an entry that is no exchange. */
  pass({ odd }: OddEntry): void {
    if (this.seen.odd.entries++ < MOST_NAMED) this.seen.odd.first.push(shortened(odd, LONGEST_REASON));
  }

  /**
   * Takes an exchange in, and judges it by itself, and with it those that waited to be known to belong.
   * @returns what contradicts the contract
   */
  take(recorded: Recorded): readonly Finding[] {
    this.#credentials.note(recorded);
    return this.addresses.find(recorded).flatMap(([one, called]) => this.#judge(one, called));
  }

  /** Call when no more will be taken in: what waited to be known to belong is judged, if it does. */
  settle(): readonly Finding[] {
    return this.addresses.settle().flatMap(([one, called]) => this.#judge(one, called));
  }

  #judge(recorded: Recorded, called: Addressed): readonly Finding[] {
    const { method, url, recording, request, response, own } = recorded;
    const { operation } = called;
    const exchange = this.#recorder.nextExchangeId();
    const wire = { status: response.status, headers: response.headers, ...this.#timesOf(recorded), retries: [] };
    const read = this.#read({ ...wire, body: restored(response.body, own?.gives) });
    const { isMasked: values, ...meaning } = meaningOf(called, recorded);
    const leftOut = { ...leftOutOf(recorded, operation, read !== undefined), values };
    const answer: Answer = {
      exchange,
      operation,
      ...meaning,
      ...(read ?? this.#bodies.answered({ ...wire, body: Buffer.alloc(0) })),
      ...(Object.values(leftOut).some(Boolean) && { leftOut }),
      change: operation.risk === 'safe' ? undefined : exchange,
    };
    this.seen.exchanges++;
    this.seen.recordings.add(recording);
    if (leftOut.body) this.seen.cut++;
    this.coverage.note(answer);
    const wireRequest = { method, url, headers: joined(request.headers), ...(request.body && { body: request.body }) };
    const learned = this.#log.learned(wireRequest, answer);
    const isOfOthers = answer.status === 0 || OF_OTHERS.includes(answer.status);
    const findings = isOfOthers ? [] : this.ledger.judge(answer);
    this.#hold(isOfOthers ? { ...answer, status: 0 } : answer);
    if (!own && Object.hasOwn(LACKING, answer.wrong?.what ?? '')) this.#lacking.set(exchange, recording);
    const sent = { exchange, operation, request: wireRequest };
    const options = { check: 'recording', intent: answer.intent, ...(answer.wrong && { wrong: answer.wrong }) };
    this.#log.answered({ ...sent, options }, { ...wire, body: answer.bytes }, learned, findings);
    return findings;
  }

  #hold(answer: Answer): void {
    this.#history.add(answer);
    this.#memory += memoryOf(this.#history.answers.at(-1)!);
  }

  /** Whether as many exchanges are held as are judged together: they are to be judged, and then let go. */
  get isFull(): boolean {
    return this.#history.answers.length - this.#remembered >= this.#mostTogether || this.#memory >= MOST_MEMORY;
  }

  /**
   * Lets the first half of the exchanges go that are held for monitors, save the latest about each card, customer, program, session and token: those
   * that follow are judged with these and the other half.
   */
  letGo(): void {
    const half = Math.floor(this.#mostTogether / 2);
    const { answers } = this.#history;
    const later = latestOf(answers, { most: half, memory: MOST_MEMORY / 2 });
    const earlier = answers.slice(0, answers.length - later.length);
    const remembered = latestOf(rememberedOf(earlier, half), { most: half, memory: MOST_MEMORY / 2 });
    const kept = new Set(remembered);
    for (const one of earlier) if (!kept.has(one)) this.#lacking.delete(one.exchange);
    this.#history = new History();
    for (const answer of remembered) this.#history.add(answer);
    this.#memory = 0;
    for (const answer of later) this.#hold(answer);
    this.#remembered = remembered.length;
    this.#hasLetGo = true;
  }

  /**
   * The exchanges that are held for monitors, in the order in which they were sent. Only all of them tell what it means that one has no credential, and how
   * old its token was.
   */
  history(): readonly Answer[] {
    const answers = this.#history.answers.toSorted((a, b) => a.sentAt - b.sentAt);
    const issued = new Map<unknown, number>();
    for (const answer of answers.filter(({ operation: { id } }) => id === 'token.issue').filter(succeeded)) {
      const token = member(answer, 'access_token');
      if (typeof token === 'string' && !isMasked(token))
        issued.set(token, Math.min(issued.get(token) ?? Number.POSITIVE_INFINITY, answer.answeredAt));
    }
    return answers.map((answer) => {
      if (this.#mayBeCleaned(answer)) return { ...answer, intent: 'refusable' as const, wrong: undefined };
      const since = answer.intent === 'refusable' ? issued.get(answer.token) : undefined;
      if (since === undefined || answer.sentAt - since < EXPIRED * 1000) return answer;
      return { ...answer, intent: 'unauthorised' as const, wrong: { what: 'an expired token', hasExpired: true } };
    });
  }

  /** Why some of it was not judged, or not in every respect: one sentence each. */
  notes(): string[] {
    const { exchanges, cut, timeless, elsewhere, odd } = this.seen;
    const together = `${this.#mostTogether} that follow each other, or as many as ${MOST_MEMORY / 1024 / 1024} MiB hold,`;
    const others = [...elsewhere].toSorted(([, a], [, b]) => b - a);
    const number = others.reduce((sum, [, times]) => sum + times, 0);
    const origins = some(
      others.map(([origin, times]) => `${times} to ${origin}`),
      MOST_NAMED,
    );
    const unless = (isNone: boolean, note: string) => (isNone ? [] : [note]);
    return [
      ...unless(
        number === 0,
        `${counted(number, 'request belongs', 'requests belong')} to no operation and ${number === 1 ? 'is' : 'are'} not judged: ${origins}. TARGET_AUTH_URL, TARGET_BASE_URL and TARGET_PORTAL_URL say which belong.`,
      ),
      ...unless(
        odd.entries === 0,
        `${counted(odd.entries, 'entry is', 'entries are')} no exchange and not judged: ${odd.first.join(', ')}${odd.entries > MOST_NAMED ? ', ...' : ''}.`,
      ),
      ...unless(cut === 0, `${counted(cut, 'answer is', 'answers are')} not whole: what is missing is not judged.`),
      ...unless(
        timeless === 0,
        `${counted(timeless, 'exchange has', 'exchanges have')} no usable time, and ${timeless === 1 ? 'counts' : 'count'} in the order of the recording.`,
      ),
      ...unless(
        !this.#hasLetGo,
        `Of ${exchanges} exchanges, ${together} are judged together at a time, and half of them again with those that follow, and with the latest about what was changed.`,
      ),
    ];
  }

  /** Whether a recording may have been cleaned of the credential that an exchange lacks. */
  #mayBeCleaned({ exchange, wrong }: Answer): boolean {
    if (!wrong || !this.#lacking.has(exchange)) return false;
    return !this.#credentials.isHeld(this.#lacking.get(exchange), LACKING[wrong.what]!);
  }

  /** When it was sent, and how long it took; where that cannot be, just after the exchange before it. */
  #timesOf({ sentAt, durationMs, resolutionMs = 1 }: Recorded): { sentAt: number; durationMs: number } {
    const isUsable = sentAt !== undefined && sentAt >= TIMES.from && sentAt <= TIMES.to;
    if (!isUsable) this.seen.timeless++;
    this.#lastAt = isUsable ? sentAt : this.#lastAt + 1;
    const took = durationMs >= 0 && durationMs < TIMES.from ? durationMs : 0;
    return { sentAt: this.#lastAt, durationMs: took + resolutionMs };
  }

  /** The answer; undefined where there is no room for its body. */
  #read(wire: Parameters<Bodies['answered']>[0]): ReturnType<Bodies['answered']> | undefined {
    try {
      return this.#bodies.answered(wire);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return undefined;
    }
  }
}

/** The member by which an answer gives a credential. */
const GIVEN = /"(sessionId|access_token)"\s*:\s*"[^"]*"/;
/** Length in characters up to which a note says why an entry is none. */
const LONGEST_REASON = 200;

/** A body of a record, with the number of the credential that it gives in place of what was masked. */
const restored = (body: Buffer = Buffer.alloc(0), gives: string | undefined): Buffer =>
  gives === undefined ? body : Buffer.from(body.toString().replace(GIVEN, (_, name) => `"${name}":"${gives}"`));

/** Memory in bytes that the body of an answer takes at most. */
const memoryOf = ({ bytes, json }: Answer): number => bytes.length + (json?.ok ? json.memory : 0);

/** The latest answers, so many at most, whose bodies take so many bytes of memory at most. */
function latestOf(answers: readonly Answer[], { most, memory }: { most: number; memory: number }): Answer[] {
  let [from, left] = [answers.length, memory];
  while (from > Math.max(0, answers.length - most) && left >= memoryOf(answers[from - 1]!))
    left -= memoryOf(answers[--from]!);
  return answers.slice(from);
}

const joined = (headers: Recorded['request']['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));

const counted = (number: number, one: string, several: string): string => `${number} ${number === 1 ? one : several}`;

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}...` : text);

const some = (texts: readonly string[], most: number): string =>
  texts.slice(0, most).join(', ') + (texts.length > most ? ', ...' : '');
