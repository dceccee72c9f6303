/** Sends requests to a target in this process without a connection, which takes half the time. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Dispatcher } from 'undici';
import type { ReadRequest, WholeAnswer } from '../../sandbox/http/respond.ts';

/** A target without a connection. */
export interface Unserved {
  respond(request: ReadRequest): Whole | Promise<Whole>;
}

/** An answer, and how it is sent; at once where nothing is said. */
export type Whole = Omit<WholeAnswer, 'transport'> & Partial<Pick<WholeAnswer, 'transport'>>;

/** The nominal address of a target that is called without a connection. */
export const NOWHERE = 'http://127.0.0.1:9';

/** The delay of an answer in milliseconds. @throws Error for other transport options, which need a connection */
const delayOf = ({ transport: { delayMs = 0, ...others } = {} }: Whole): number => {
  if (Object.keys(others).length > 0) throw new Error(`needs a connection, and so \`served\`: ${Object.keys(others)}`);
  return delayMs;
};

const inLowerCase = <T>(headers: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** An undici dispatcher that passes requests to what answers them. */
export class Direct extends Dispatcher {
  readonly #target: Unserved;

  constructor(target: Unserved) {
    super();
    this.#target = target;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = new Controller();
    handler.onRequestStart?.(controller, {});
    void this.#answer(options, handler, controller).catch((error) => handler.onResponseError?.(controller, error));
    return true;
  }

  async #answer(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler, controller: Controller) {
    await setImmediate();
    const answer = await this.#target.respond(readRequest(options));
    const delay = delayOf(answer);
    if (delay > 0) await sleep(delay);
    if (controller.aborted) return;
    handler.onResponseStart?.(controller, answer.status, inLowerCase(answer.headers));
    if (answer.bytes.length > 0) handler.onResponseData?.(controller, answer.bytes);
    if (!controller.aborted) handler.onResponseEnd?.(controller, {});
  }

  override destroy(): Promise<void> {
    return Promise.resolve();
  }
}

function readRequest({ method, path, headers, body }: Dispatcher.DispatchOptions): ReadRequest {
  const raw = Buffer.from((body as string | Buffer | undefined) ?? '');
  const length = body === undefined ? {} : { 'content-length': String(raw.length) };
  return { method, url: path, headers: { ...inLowerCase(headers as Record<string, string>), ...length }, raw };
}

/** Remembers whether the request was aborted. Answers arrive whole, so pausing does nothing. */
class Controller implements Dispatcher.DispatchController {
  reason: Error | null = null;
  readonly paused = false;
  get aborted(): boolean {
    return this.reason !== null;
  }
  abort(reason: Error): void {
    this.reason = reason;
  }
  pause(): void {}
  resume(): void {}
}
