/** Generates the published pacts. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { play } from './consumer.ts';
import { CONSUMER, type Edition, PROVIDERS } from './interaction.ts';
import { interactions } from './interactions.ts';

/** File name of a published pact. */
export const pactFile = (edition: Edition) => `${CONSUMER}-${PROVIDERS[edition]}.json`;

/** Plays every interaction against Pact's mock server. @returns the pacts by file name */
export async function playPacts(): Promise<Record<string, unknown>> {
  const directory = mkdtempSync(join(tmpdir(), 'pacts-'));
  const pacts: Record<string, unknown> = {};
  try {
    for (const edition of ['v3', 'v1'] as const) {
      for (const interaction of interactions[edition])
        await play(edition, interaction, directory, mkdtempSync(join(directory, 'run-')));
      pacts[pactFile(edition)] = JSON.parse(readFileSync(join(directory, pactFile(edition)), 'utf8'));
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  return pacts;
}
