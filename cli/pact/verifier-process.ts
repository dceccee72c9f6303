/**
 * A process of its own for Pact's Verifier, which prints what it sees to the standard output, secrets included, and
 * heeds variables of the environment that are not meant for it: here nothing is printed, and there are none.
 */
import { Verifier, type VerifierOptions } from '@pact-foundation/pact';

/** What the Verifier is asked; it answers with its results as JSON text. */
export interface VerifierTask {
  provider: string;
  /** Address of the provider. */
  url: string;
  /** The pact file. */
  file: string;
  /** What each provider state hands over. */
  states: Record<string, Record<string, string | number | boolean>>;
}

/** The suite's client has limits of its own, and waits as long as a target that throttles it says. */
const PATIENCE_MS = 3_600_000;

/** The Verifier's proxy turns a form into cut-off JSON unless it is given the bytes (pact 17.1.4). */
const keepForms: VerifierOptions['requestFilter'] = (
  request: { headers: Record<string, string | undefined>; body: unknown },
  _response: unknown,
  next: () => void,
) => {
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    request.body = Buffer.from(new URLSearchParams(request.body as Record<string, string>).toString());
  next();
};

process.on('message', async ({ provider, url, file, states }: VerifierTask) => {
  const verifier = new Verifier({
    provider,
    providerBaseUrl: url,
    pactUrls: [file],
    logLevel: 'error',
    timeout: PATIENCE_MS,
    requestFilter: keepForms,
    stateHandlers: Object.fromEntries(Object.entries(states).map(([state, values]) => [state, async () => values])),
  });
  process.send!(await verifier.verifyProvider().catch((error: Error) => error.message));
});

// Whoever asked is gone, however it ended. An exit would wait for the thread that verifies.
process.once('disconnect', () => process.kill(process.pid));
