/** The pacts verified against sandboxes, and targets for the command. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Edition } from '../../../cli/pact/interaction.ts';
import { interactions } from '../../../cli/pact/interactions.ts';
import { pactFile } from '../../../cli/pact/published.ts';
import { type PactResult, verifyPact } from '../../../cli/pact/verification.ts';
import { PactVerifier } from '../../../cli/pact/verifier.ts';
import { readConfiguration } from '../../../helpers/configuration/index.ts';
import { Run } from '../../../helpers/run.ts';
import type { Variant } from '../../../proof/variants/variant.ts';
import { pointAt } from '../../../run/target.ts';
import { type AnswerFilter, type OperationId, type SandboxOptions, startSandbox } from '../../../sandbox/index.ts';
import { ROOT } from '../../tools/root.ts';

export const readPact = (edition: Edition) =>
  JSON.parse(readFileSync(join(ROOT, 'contracts/published/pacts', pactFile(edition)), 'utf8'));

/** Verifiers that were started and have nothing to do: each takes as long to start as some twenty interactions. */
const idle: PactVerifier[] = [];
afterAll(() => {
  for (const verifier of idle.splice(0)) verifier.close();
});

/** Verifies the interactions of some operations on a sandbox; all of both pacts when none is named. */
export async function verifySandbox(
  options: SandboxOptions & { configure?: Variant['configure'] },
  ...of: string[]
): Promise<PactResult[]> {
  const reportDir = mkdtempSync(join(tmpdir(), 'verify-'));
  const sandbox = await startSandbox(options);
  const given = { env: {}, options: { embedded: 'true', 'report-dir': reportDir }, cwd: reportDir };
  const configuration = pointAt(await readConfiguration(given), sandbox);
  options.configure?.(configuration);
  const run = new Run(configuration, []);
  const verifier = idle.pop() ?? new PactVerifier();
  const results: PactResult[] = [];
  try {
    for (const edition of ['v3', 'v1'] as const) {
      const selected = interactions[edition].filter(({ operation }) => of.length === 0 || of.includes(operation));
      const pact = { pact: readPact(edition), interactions: selected };
      if (selected.length > 0)
        await verifyPact(run, edition, pact, verifier, join(reportDir, 'verifier'), (result) => results.push(result));
    }
  } finally {
    idle.push(verifier);
    await run.close();
    await sandbox.close();
    rmSync(reportDir, { recursive: true });
  }
  return results;
}

/** Changes the successes of one operation. */
export const success =
  (of: OperationId, change: object): AnswerFilter =>
  (answer, { operation, refusal }) =>
    operation === of && !refusal ? { ...answer, ...change } : undefined;

export const verdictsOf = (results: readonly PactResult[]) => results.map(({ verdict }) => verdict);

/** Results that are not a success, in words. */
export const unverified = (results: readonly PactResult[]) =>
  results
    .filter(({ verdict }) => verdict !== 'passed')
    .map(({ verdict, interaction, message }) => `${verdict} ${interaction}: ${message}`);
