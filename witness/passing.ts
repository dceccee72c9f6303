/** Passes one request on to the target and its answer back, as they are, and gives the exchange away once it has passed. */
import { type ClientRequest, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { writeJson } from '../files/json.ts';
import { decodeBody } from '../helpers/client/http/decode.ts';
import type { Headers, Recorded } from './recorded.ts';
import type { Room } from './room.ts';

/** Limit in bytes on what is kept of a body for judging; all of it passes. */
const MOST_BODY = 16 * 1024 * 1024;
/** Memory in bytes that a piece of a body takes besides its content. */
const BESIDES_PIECE = 256;

/** The name in which the proxy answers by itself. */
const SERVER = 'prepaid-card-conformance proxy';

/** Headers of a request that are about its connection, and ask for what the proxy does not pass: another protocol. */
const OF_CONNECTION = ['upgrade', 'http2-settings'];

/** An address that is served below a path. */
export interface Route {
  variable: string;
  path: string;
  address: string;
  /**
   * Sends a request with a path and headers that stay as they are.
   * @throws Error for what Node's client does not send
   */
  send: (path: string, method: string, headers: string[]) => ClientRequest;
}

/** A request to be passed on, and the answer to it. */
interface Underway {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path of the request below that of its route, with the query. */
  below: string;
  /** The name of the proxy among those that a request passes (RFC 9110 section 7.6.3). */
  pseudonym: string;
}

/** What a client is told of an answer that contradicts the documents: the requirements in a header, or in a problem document in its place. */
export type Telling = 'header' | 'status';

/** A requirement that an exchange contradicts, and how. */
export interface Failure {
  requirement: string;
  message: string;
}

/** What is kept of exchanges. */
export interface Keeping {
  room: Room;
  /**
   * Called with each exchange once it has passed, or is held back; `isKept` is false where there was no room for the whole of it.
   * @returns what it contradicts by itself, once it is judged
   */
  onExchange: (recorded: Recorded, isKept: boolean) => Promise<readonly Failure[]>;
  /** What the client is told; undefined for nothing: then answers pass before they are judged. */
  telling?: Telling | undefined;
}

/** A request on its way to the target, and its answer on the way back. Nothing that either side does makes it throw. */
export class Passage {
  readonly #route: Route;
  readonly #underway: Underway;
  readonly #keeping: Keeping;
  readonly #host: string;
  readonly #sentAt = now();
  readonly #sent: Body;
  #upstream: ClientRequest | undefined;
  /** The answer of the target, and what is kept of it. */
  #answer: IncomingMessage | undefined;
  #received: Body | undefined;
  /** The pieces of an answer that the client gets once it is judged; undefined where it passes at once. */
  #held: Buffer[] | undefined;
  #isGiven = false;

  constructor(route: Route, underway: Underway, keeping: Keeping) {
    this.#route = route;
    this.#underway = underway;
    this.#keeping = keeping;
    this.#host = new URL(route.address).host;
    this.#sent = new Body(underway.request, keeping.room);
  }

  /** Begins to pass. */
  begin(): void {
    const { request, response, below, pseudonym } = this.#underway;
    response.once('close', () => {
      if (!response.writableFinished) this.#breakOff();
    });
    for (const side of [request, response]) side.on('error', () => this.#breakOff());
    try {
      this.#upstream = this.#route.send(below, request.method!, passedOn(request.rawHeaders, this.#host, pseudonym));
    } catch (error) {
      this.#refuse(`the request cannot be passed on to ${this.#host}: ${(error as Error).message}`);
      request.resume();
      this.#give();
      return;
    }
    this.#follow(this.#upstream);
    request.pipe(this.#upstream);
  }

  #follow(upstream: ClientRequest): void {
    const { request, response } = this.#underway;
    if (/100-continue/i.test(request.headers.expect ?? '')) upstream.once('continue', () => response.writeContinue());
    upstream.once('response', (answer) => this.#passBack(answer));
    upstream.on('error', (error) => {
      if (!this.#answer) this.#refuse(reasonOf(error, this.#host));
    });
    upstream.once('close', () => {
      // Another protocol is no error for Node's client, and no answer.
      if (!this.#answer && !response.headersSent) this.#refuse(`${this.#host} gave no answer that can be passed on`);
      // What is left of the request must not be taken for the next one.
      request.resume();
      // Of the answer something may still wait for the client to take it.
      if (this.#answer && !this.#answer.closed) this.#answer.once('close', () => this.#give());
      else this.#give();
    });
  }

  #passBack(answer: IncomingMessage): void {
    const { response } = this.#underway;
    answer.on('error', () => {});
    const isHeld = this.#keeping.telling !== undefined;
    if (!isHeld && !this.#writeHead(answer)) return;
    this.#answer = answer;
    this.#received = new Body(answer, this.#keeping.room);
    answer.once('close', () => {
      if (!answer.complete) response.destroy();
    });
    if (isHeld) this.#hold(answer, this.#received);
    else answer.pipe(response);
  }

  /** Begins the answer to the client. @returns whether that was possible; otherwise it is refused */
  #writeHead(answer: IncomingMessage, added: readonly string[] = []): boolean {
    const { request, response } = this.#underway;
    try {
      response.sendDate = false;
      response.writeHead(answer.statusCode!, answer.statusMessage, [...headersFor(request, answer), ...added]);
      // At once, though the body may take its time; flushHeaders writes them in UTF-8.
      response.write(Buffer.alloc(0));
      return true;
    } catch (error) {
      this.#refuse(`the answer of ${this.#host} cannot be passed on: ${(error as Error).message}`);
      this.#upstream!.destroy();
      return false;
    }
  }

  /** Holds an answer back until it is judged. One for which there is no room passes from then on. */
  #hold(answer: IncomingMessage, received: Body): void {
    const held: Buffer[] = [];
    this.#held = held;
    answer.on('data', (piece: Buffer) => {
      if (this.#held) held.push(piece);
      if (!this.#held || !received.isDropped) return;
      this.#held = undefined;
      this.#release(answer, held);
      answer.pipe(this.#underway.response);
    });
  }

  /** Gives the client what was held of an answer. */
  #release(answer: IncomingMessage, held: readonly Buffer[], added?: readonly string[]): void {
    if (this.#writeHead(answer, added)) for (const piece of held) this.#underway.response.write(piece);
  }

  /** Gives the client an answer that was held, and tells what it contradicts. */
  #tell(answer: IncomingMessage, held: readonly Buffer[], failures: readonly Failure[]): void {
    const { response } = this.#underway;
    if (response.destroyed) return;
    const named = failures.length > 0 ? [FAILURE, [...new Set(failures.map((one) => one.requirement))].join(', ')] : [];
    if (failures.length > 0 && this.#keeping.telling === 'status') {
      answerProblem(response, failures, named);
      return;
    }
    this.#release(answer, held, named);
    response.end();
  }

  #refuse(why: string): void {
    refuse(this.#underway.response, 502, why);
  }

  /** Ends it where one side is gone. */
  #breakOff(): void {
    this.#upstream?.destroy();
    this.#answer?.destroy();
    this.#give();
  }

  #give(): void {
    if (this.#isGiven) return;
    this.#isGiven = true;
    const isKept = this.#sent.hadRoom && this.#received?.hadRoom !== false;
    const recorded = this.#recorded();
    const [answer, held] = [this.#answer, this.#held];
    this.#held = undefined;
    this.#sent.drop();
    this.#received?.drop();
    const judged = this.#keeping.onExchange(recorded, isKept);
    if (answer?.complete && held) void judged.then((failures) => this.#tell(answer, held, failures));
  }

  /** What is known of the exchange. Of a request that is not known whole, the answer shows nothing. */
  #recorded(): Recorded {
    const { request, below } = this.#underway;
    const sent = request.complete ? this.#sent.whole : undefined;
    // What another such proxy answers by itself is no answer of the target.
    const answer = sent && this.#answer?.headers.server !== SERVER ? this.#answer : undefined;
    const headers = answer ? headersOf(answer) : {};
    const received = answer?.complete && answer.readableEnded ? this.#received?.whole : undefined;
    return {
      method: request.method!,
      url: this.#route.address + below,
      request: { headers: { ...headersOf(request), host: this.#host }, ...(sent?.length ? { body: sent } : {}) },
      response: { status: answer?.statusCode ?? 0, headers, body: received && readable(received, headers) },
      sentAt: this.#sentAt,
      durationMs: now() - this.#sentAt,
      resolutionMs: 0,
    };
  }
}

const now = (): number => performance.timeOrigin + performance.now();

/** Answers in the name of the proxy; cuts an answer off that has begun. */
export function refuse(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = writeJson({ errorMessage: `the conformance proxy answers this, not the target: ${why}` });
  const length = Buffer.byteLength(body);
  // What is left of an answer that could not be begun.
  response.chunkedEncoding = false;
  response
    .writeHead(status, STATUS_CODES[status], {
      'content-type': 'application/json',
      'content-length': length,
      server: SERVER,
    })
    .end(body);
}

/** The header that names the requirements that an answer contradicts. */
const FAILURE = 'Conformance-Failure';

/** Answers in place of the target, whose answer contradicts the documents (RFC 9457). */
function answerProblem(response: ServerResponse, failures: readonly Failure[], named: readonly string[]): void {
  const status = 502;
  const detail = failures.map(({ requirement, message }) => `${requirement}: ${message}`).join('; ');
  const body = writeJson({ title: STATUS_CODES[status], status, detail, failures });
  const own = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    Server: SERVER,
  };
  response.sendDate = false;
  response.writeHead(status, STATUS_CODES[status], [...Object.entries(own).flat(), ...named]).end(body);
}

/** Why no answer came, in words. */
function reasonOf({ code = '', message }: NodeJS.ErrnoException, host: string): string {
  if (code.startsWith('HPE_')) return `the answer of ${host} is no HTTP: ${message}`;
  if (message === 'socket hang up') return `${host} closed the connection without an answer`;
  return `${host} cannot be reached: ${code || message}`;
}

/** Names and values of headers, in turn. */
type RawHeaders = readonly string[];

const pairsOf = (rawHeaders: RawHeaders): [name: string, value: string][] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, at) => [rawHeaders[2 * at]!, rawHeaders[2 * at + 1]!]);

/** The headers of a request as they are passed on: for another host, and naming the proxy, so that a loop is noticed. */
function passedOn(rawHeaders: RawHeaders, host: string, pseudonym: string): string[] {
  const pairs = pairsOf(rawHeaders).filter(([name]) => !OF_CONNECTION.includes(name.toLowerCase()));
  const isHost = ([name]: [string, string]) => name.toLowerCase() === 'host';
  const addressed = pairs.map((pair) => (isHost(pair) ? [pair[0], host] : pair));
  const missing = pairs.some(isHost) ? [] : ['Host', host];
  return [...missing, ...addressed.flat(), 'Via', `1.1 ${pseudonym}`];
}

/** Headers of an answer that a client of HTTP/1.0 need not understand: it knows no chunks, and connections that stay only if it asks for them. */
const SINCE_1_1 = ['transfer-encoding', 'connection', 'keep-alive'];

/** The headers of an answer as a client understands them. */
function headersFor({ httpVersion }: IncomingMessage, { rawHeaders }: IncomingMessage): string[] {
  if (httpVersion !== '1.0') return rawHeaders;
  return pairsOf(rawHeaders)
    .filter(([name]) => !SINCE_1_1.includes(name.toLowerCase()))
    .flat();
}

const headersOf = ({ headersDistinct }: IncomingMessage): Headers =>
  Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [
      name,
      values.length > 1 ? values : (values[0] ?? ''),
    ]),
  );

/** Collects a body that passes, as far as there is room. */
class Body {
  readonly #room: Room;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #taken = 0;
  /** Whether it is no longer kept. */
  isDropped = false;
  /** Whether nothing was left out for lack of room. */
  hadRoom = true;

  constructor(message: IncomingMessage, room: Room) {
    this.#room = room;
    message.on('data', (piece: Buffer) => this.#add(piece));
  }

  #add(piece: Buffer): void {
    if (this.isDropped) return;
    const size = piece.length + BESIDES_PIECE;
    this.hadRoom = this.#room.take(size);
    if (this.hadRoom) {
      this.#taken += size;
      this.#bytes += piece.length;
      this.#pieces.push(piece);
    }
    if (!this.hadRoom || this.#bytes > MOST_BODY) this.drop();
  }

  /** What has passed; undefined where it is not kept. The bytes have memory of their own, since all that a buffer is part of goes to another thread with it. */
  get whole(): Buffer | undefined {
    if (this.isDropped) return undefined;
    const whole = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) at += piece.copy(whole, at);
    return whole;
  }

  /** Forgets what was kept, and keeps nothing more. */
  drop(): void {
    this.isDropped = true;
    this.#pieces = [];
    this.#room.free(this.#taken);
    this.#taken = 0;
  }
}

/** A body without its Content-Encoding; undefined where it cannot be decoded. */
function readable(body: Buffer, headers: Headers): Buffer | undefined {
  try {
    return decodeBody(body, headers, 0, MOST_BODY);
  } catch {
    return undefined;
  }
}
