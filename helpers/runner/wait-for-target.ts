/**
 * Waits until a target is available before a run begins: one that is being deployed gives no answer, or 502 to 504 from
 * its gateway.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Configuration } from '../configuration/types.ts';
import { configuredTransport } from '../target/configured.ts';
import { TransportError } from '../target/http/types.ts';
import { ownHeaders } from '../target/user-agent.ts';

const PAUSE_MS = 1000;
/** Time limit of one attempt, in milliseconds, whatever the run's own limit. */
const TRY_MS = 5000;
const NOT_YET = [502, 503, 504];

/**
 * Requests each configured address, without credentials, until it answers or `seconds` are over. The run itself then
 * reports any problem.
 * @param onWait called with what it waits for whenever that changes, and with '' at the end
 */
export async function waitForTarget(
  configuration: Configuration,
  seconds: number,
  onWait: (waiting: string) => void,
): Promise<void> {
  const { target, run } = configuration;
  const end = performance.now() + seconds * 1000;
  const transport = configuredTransport(configuration, {
    timeoutMs: Math.min(run.timeoutMs, TRY_MS),
    signal: AbortSignal.timeout(Math.max(1, seconds * 1000)),
  });
  /** Why the address does not answer yet; undefined once it does. */
  const missing = async (url: string): Promise<string | undefined> => {
    try {
      const { status } = await transport.send(
        { method: 'GET', url, headers: ownHeaders(target) },
        { retryUnanswered: false, queue: `${url} at ${performance.now()}` },
      );
      return NOT_YET.includes(status) ? `${new URL(url).host} answers ${status}` : undefined;
    } catch (error) {
      if (error instanceof TransportError) return error.message;
      throw error;
    }
  };
  try {
    let waited: string[] = [target.authUrl, target.baseUrl, target.portalUrl].filter((url) => url !== undefined);
    while (waited.length > 0 && performance.now() < end) {
      const reasons = await Promise.all(waited.map(missing));
      waited = waited.filter((_, index) => reasons[index] !== undefined);
      onWait([...new Set(reasons.filter((reason) => reason !== undefined))].join('; '));
      if (waited.length > 0) await sleep(Math.min(PAUSE_MS, Math.max(0, end - performance.now())));
    }
  } finally {
    onWait('');
    await transport.close();
  }
}
