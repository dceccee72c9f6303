/** What a run had found when its worker died: exchanges.ndjson has it, line by line. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../contracts/record.ts';
import type { Outcome } from '../helpers/runner/execute.ts';
import { EXCHANGES } from '../reports/record.ts';

/** The contradictions that single exchanges showed, as outcomes: one for each requirement that they break. */
export function findingsOnDisk(directory: string): Outcome[] {
  const outcomes = new Map<string, Outcome>();
  for (const { id, findings = [] } of exchangesIn(join(directory, EXCHANGES)))
    for (const { requirement, message, difference } of findings) {
      const outcome = outcomes.get(requirement);
      if (outcome) outcome.exchanges.push(id);
      else
        outcomes.set(requirement, {
          requirement,
          name: 'every exchange of the run',
          verdict: 'failed',
          message,
          durationMs: 0,
          exchanges: [id],
          ...(difference ? { difference } : {}),
        });
    }
  return [...outcomes.values()];
}

function* exchangesIn(file: string): Generator<Exchange> {
  if (!existsSync(file)) return;
  for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') yield JSON.parse(line) as Exchange;
}
