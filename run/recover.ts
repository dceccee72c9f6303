/** Recovers the findings of a run whose worker died from exchanges.ndjson. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EVERY_EXCHANGE, type Exchange, exchange } from '../contracts/record.ts';
import { parseDamagedJson } from '../files/json.ts';
import { readLines } from '../files/read.ts';
import type { Outcome } from '../helpers/runner/outcome.ts';
import { asRedacted } from '../redaction/types.ts';
import { EXCHANGES } from '../reports/record.ts';

/** The contradictions in single exchanges as outcomes, one per requirement, and the number of requests. */
export function recoverFindings(directory: string): { outcomes: Outcome[]; requests: number } {
  const outcomes = new Map<string, Outcome>();
  let requests = 0;
  for (const { id, findings = [] } of exchangesIn(join(directory, EXCHANGES))) {
    requests++;
    for (const { requirement, message, difference } of findings) {
      const outcome = outcomes.get(requirement);
      if (outcome) outcome.exchanges.push(id);
      else
        outcomes.set(requirement, {
          requirement,
          name: EVERY_EXCHANGE,
          verdict: 'failed',
          message: asRedacted(message),
          durationMs: 0,
          exchanges: [id],
          shownBy: id,
          ...(difference ? { difference } : {}),
        });
    }
  }
  return { outcomes: [...outcomes.values()], requests };
}

/** Yields the exchanges of a file, without lines that are none, such as a truncated last one. */
function* exchangesIn(file: string): Generator<Exchange> {
  if (!existsSync(file)) return;
  for (const line of readLines(file)) {
    const read = exchange.safeParse(parseDamagedJson(line));
    if (read.success) yield read.data;
  }
}
