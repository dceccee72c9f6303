/** Controls the process of Pact's Verifier. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { VerifierTask } from './verifier-process.ts';

const PROGRAM = fileURLToPath(new URL('verifier-process.ts', import.meta.url));
/** The variables that the Verifier gets: none that holds a secret, names a proxy, or makes it contact a broker by itself. */
const FOR_THE_VERIFIER = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];

interface InteractionResult {
  result: string;
  mismatch?: { mismatches?: { path?: string; mismatch: string }[]; message?: string };
}

/** The Verifier's process. Call {@link close} at the end. */
export class PactVerifier {
  readonly #process: ChildProcess;
  readonly #ended = new AbortController();

  constructor() {
    const env = Object.fromEntries(FOR_THE_VERIFIER.map((name) => [name, process.env[name]]));
    // Detached: a keyboard interrupt is for the run, which ends this process when it is done.
    env.PACT_DO_NOT_TRACK = 'true';
    this.#process = fork(PROGRAM, { env, execArgv: [], detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#process.once('exit', () => this.#ended.abort());
  }

  /**
   * Verifies the only interaction of a pact file.
   * @returns the mismatches, empty if there are none
   * @throws Error when the Verifier could not do its work
   */
  async verify(task: VerifierTask): Promise<string> {
    this.#process.send(task);
    const [text] = await once(this.#process, 'message', { signal: this.#ended.signal });
    return mismatchesIn(text);
  }

  close(): void {
    this.#process.kill();
  }
}

function mismatchesIn(text: string): string {
  let answer: { interactionResults?: InteractionResult[] };
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error(`Pact's Verifier failed: ${text}`);
  }
  const [verified] = answer.interactionResults ?? [];
  if (!verified) throw new Error("Pact's Verifier found no interaction");
  if (verified.result === 'OK') return '';
  const { mismatches = [], message } = verified.mismatch ?? {};
  const descriptions = mismatches.map(({ path, mismatch }) => (path ? `${path}: ${mismatch}` : mismatch));
  return descriptions.join('; ') || message || 'the answer does not match';
}
