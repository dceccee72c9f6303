/** Sends requests to a target in this process without a connection, which takes half the time. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Dispatcher } from 'undici';
import type { ReadRequest, Responder, WholeAnswer } from '../../sandbox/http/respond.ts';

/** The delay of an answer in milliseconds. @throws Error for other transport options, which need a connection */
const delayOf = ({ transport: { delayMs = 0, ...others } = {} }: WholeAnswer): number => {
  if (Object.keys(others).length > 0) throw new Error(`needs a connection, and so \`served\`: ${Object.keys(others)}`);
  return delayMs;
};

const inLowerCase = <T>(headers: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** An undici dispatcher that passes requests to a responder. */
export class Direct extends Dispatcher {
  readonly #responder: Responder;

  constructor(responder: Responder) {
    super();
    this.#responder = responder;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = new Controller();
    handler.onRequestStart?.(controller, {});
    void this.#answer(options, handler, controller).catch((error) => handler.onResponseError?.(controller, error));
    return true;
  }

  async #answer(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler, controller: Controller) {
    await setImmediate();
    const answer = this.#responder.respond(readRequest(options));
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
