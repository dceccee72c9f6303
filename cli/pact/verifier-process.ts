/**
 * Runs Pact's Verifier in a separate process. The Verifier prints everything to standard output, secrets included, and
 * reads environment variables that are not meant for it; here its output is discarded and the variables are absent.
 */
import { Verifier, type VerifierOptions } from '@pact-foundation/pact';

/** A task for the Verifier, which answers with its results as JSON text. */
export interface VerifierTask {
  provider: string;
  /** Address of the provider. */
  url: string;
  /** Path of the pact file. */
  file: string;
  /** The values that each provider state supplies. */
  states: Record<string, Record<string, string | number | boolean>>;
}

/** The suite's client has its own limits, and waits as long as a throttling target asks. */
const PATIENCE_MS = 3_600_000;

/** Passes forms as bytes: the Verifier's proxy would turn them into truncated JSON (pact 17.1.4). */
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

// The parent is gone.
process.once('disconnect', () => process.exit());
// However this process ends (a connection to the parent that breaks off ends it too), it would wait for the verifying
// thread, which has an hour's patience.
process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
